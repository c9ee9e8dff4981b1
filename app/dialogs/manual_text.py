"""What the manual's links and headings mean."""

from __future__ import annotations

import re
from pathlib import Path

_DROPPED = re.compile(r"[^\w\- ]")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def slug(heading: str) -> str:
    """The end of a link to a heading: "Hands over time" becomes "hands-over-time"."""
    return _DROPPED.sub("", heading.lower()).strip().replace(" ", "-")


def target(page: Path, link: str, root: Path) -> tuple[Path, str] | None:
    """The file that a link on a page refers to, and the heading in it ("" for its top).

    None where there is no such file below the program's own folder, `root`: nothing else is opened.
    """
    name, _, heading = link.partition("#")
    path = (page.parent / name).resolve() if name else page
    return (path, heading) if path.is_file() and path.is_relative_to(root) else None


def text_of(page: Path, root: Path) -> str:
    """The Markdown of a page. A picture that is missing, as in an installed package, is replaced by words."""

    def shown(picture: re.Match[str]) -> str:
        told = " ".join(picture[1].split())
        return picture[0] if target(page, picture[2], root) else f"*Picture: {told}*"

    return _PICTURE.sub(shown, page.read_text(encoding="utf-8"))
