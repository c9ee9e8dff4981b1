"""Pages that a command wrote and may replace: one that somebody has edited, or written by hand, stays as it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from solver.errors import InputRefused
from solver.files.atomic import check_writable, write_text

_MARK = "\n<!-- Written by evaluate --report, which replaces this page as long as nobody edits it: {digest} -->\n"


def check_replaceable(page: Path) -> None:
    """InputRefused, before the long run, for a page that is not as `write_page` left it, or cannot be written."""
    if page.parent.is_dir():
        check_writable(page)
    if not page.exists():
        return
    text = page.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    body, mark, rest = text.rpartition(_MARK.partition("{digest}")[0])
    if not mark or mark + rest != _mark(body):
        reason = "was not written by evaluate --report, or was edited since, and would be lost"
        raise InputRefused(page, reason, "Name a new file for the report and take over from it what you need")


def write_page(page: Path, text: str) -> None:
    """Write a page with a mark at its end by which it can be told later whether it was edited."""
    write_text(page, text + _mark(text))


def _mark(text: str) -> str:
    return _MARK.format(digest=hashlib.sha256(text.encode("utf-8")).hexdigest()[:16])
