"""What a refusal says: one sentence about the file and the place in it."""

from __future__ import annotations

import pytest

from solver.errors import InputRefused, one_line, sentence


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("is empty", "a.glb is empty"),
        ("cannot be written: it is a folder", "a.glb cannot be written: it is a folder"),
        ("it cannot be read", "a.glb cannot be read"),
        ("there is no such file", "a.glb: there is no such file"),
        ("“5” is not between 0 and 1", "a.glb: “5” is not between 0 and 1"),
        ("issues", "a.glb: issues"),
        ("its skeleton has no legs", "a.glb: its skeleton has no legs"),
    ],
)
def test_a_reason_is_read_as_one_sentence_about_the_file(reason: str, said: str) -> None:
    assert sentence("a.glb", reason) == said


def test_a_refusal_names_file_place_reason_and_way_out() -> None:
    assert str(InputRefused("a.json", "is missing", "Write it", "version")) == "a.json, version is missing. Write it."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bad\n  magic", "bad magic"),
        ("", "ValueError"),
        ("twelve signs", "twelve signs"),
        ("more than twelve", "more than t…"),
    ],
)
def test_the_error_of_another_library_is_one_short_line_which_is_never_empty(text: str, said: str) -> None:
    assert one_line(ValueError(text), 12) == said
