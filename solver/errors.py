"""The errors this program raises on purpose; each names the value, the place, the reason and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterable

_VERBS = (
    "is", "are", "was", "were", "has", "have", "holds", "hold", "does", "do", "cannot", "would", "must", "needs",
    "asks", "moves", "form", "came", "begins", "ends", "lacks",
)  # fmt: skip
_PREDICATE = re.compile(rf"(?:{'|'.join(_VERBS)})\b")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class PoserError(Exception):
    """Base of every error that a user may see. Its text is one complete line, fit for a dialog or for stderr.

    Quotes from a file may hold line ends and other control characters; each is shown as a space.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(_CONTROL.sub(" ", text))


def sentence(what: str, reason: str) -> str:
    """A reason about something, read as one sentence: "a.glb is empty", "a.glb cannot be read" also for a reason that
    says "it cannot be read", but "a.glb: there is no such file"."""
    said = reason.removeprefix("it ")
    return f"{what} {said}" if _PREDICATE.match(said) else f"{what}: {reason}"


def one_line(error: BaseException, most: int = 100) -> str:
    """What another library's error says, in a line of at most `most` letters; the error's class if it says nothing."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= most else text[: most - 1] + "…"


class InputRefused(PoserError):
    """A file or value was refused: says which file, where in it, why, and what to do.

    `place` is a line, a key or a joint ("line 12", "characters[0].pose"); empty if the whole file is meant.
    """

    def __init__(self, source: object, reason: str, way_out: str = "", place: str = "") -> None:
        self.source, self.place, self.reason, self.way_out = str(source), place, reason, way_out
        where = f"{source}, {place}" if place else f"{source}"
        text = f"{sentence(where, reason.rstrip('.'))}."
        super().__init__(f"{text} {way_out.rstrip('.')}." if way_out else text)


class UnknownName(PoserError):
    """A name that is not in the list; the message gives the alternatives.

    where: the file that it should be in, "" if that goes without saying.
    """

    def __init__(self, what: str, name: str, known: Iterable[str], where: object = "") -> None:
        self.name, self.known = name, tuple(known)
        place = f" in {where}" if str(where) else ""
        super().__init__(f"There is no {what} named “{name}”{place}. Known: {', '.join(self.known)}.")


class UnsupportedEffector(PoserError):
    """A solver was given an effector kind that it does not handle."""

    def __init__(self, solver: str, kind: str, supported: Iterable[str]) -> None:
        super().__init__(
            f"The solver “{solver}” does not take {kind} effectors. It takes: {', '.join(sorted(supported))}."
        )
