"""A page that a command wrote may be replaced by it until somebody edits the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.errors import InputRefused
from solver.files.report_page import check_replaceable, write_page

TEXT = "# Figures\n\n| solver | mm |\n|--|--:|\n| dls | 3.1 |\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    write_page(tmp_path / "report.md", TEXT)
    return tmp_path / "report.md"


def test_a_page_as_it_was_written_may_be_replaced_again_and_again(page: Path) -> None:
    check_replaceable(page)
    write_page(page, TEXT.replace("3.1", "2.9"))
    check_replaceable(page)
    assert page.read_text(encoding="utf-8").count("Written by evaluate --report") == 1
    check_replaceable(page.with_name("a new one.md"))


def test_line_ends_of_windows_are_no_edit(page: Path) -> None:
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    check_replaceable(page)


@pytest.mark.parametrize(
    ("was", "now"),
    [("3.1", "3.2"), ("# Figures", "# My figures"), ("page as long", "page for as long"), ("-->\n", "-->\nMine")],
)
def test_a_page_that_was_edited_anywhere_is_refused_and_stays(page: Path, was: str, now: str) -> None:
    edited = page.read_text(encoding="utf-8").replace(was, now)
    page.write_text(edited, encoding="utf-8")
    with pytest.raises(InputRefused, match="was edited since, and would be lost"):
        check_replaceable(page)
    assert page.read_text(encoding="utf-8") == edited


def test_a_page_written_by_hand_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_bytes(b"# Mine\n\xff")
    with pytest.raises(InputRefused, match="was not written by evaluate --report"):
        check_replaceable(tmp_path / "mine.md")
