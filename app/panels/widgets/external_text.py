"""Text from outside the program: names, paths and reasons as they come from files.

Labels and tool tips show it as it stands, as the style sheet turns markup off everywhere. The other things that Qt
understands are dealt with here: "&" marks a key, a tab begins a shortcut, "[*]" in a title stands for unsaved changes,
and a line without a space to break at makes a panel as wide as itself.
"""

from __future__ import annotations

import re

LONGEST_WORD, LONGEST_NAME, LONGEST_TEXT = 24, 80, 1500  # characters
_BREAK = "\u200b"  # a place to break a line at, of no width


def shortened(text: str, limit: int = LONGEST_NAME) -> str:
    """The text on one line, its middle left out if it is longer than `limit` characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if len(line) <= limit:
        return line
    half = (limit - 1) // 2
    return f"{line[:half]}…{line[-half:]}"


def escaped(text: str) -> str:
    """The text, safe as the title of a menu entry, a button or a check box."""
    return shortened(text).replace("&", "&&")


def in_title(name: str) -> str:
    """The name on one line, as it stands in the title of a window or a dialog."""
    return shortened(name).replace("[*]", "[*][*]")


def window_title(name: str) -> str:
    """A window's title with a name in it, and a star while it has unsaved changes."""
    return f"{in_title(name)}[*] — Contrapposto"


def with_line_breaks(text: str) -> str:
    """The text for a label that wraps: no word too long for a line, and not endless."""
    text = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    return re.sub(rf"\S{{{LONGEST_WORD}}}(?=\S)", lambda word: word.group() + _BREAK, text)
