"""The list of files at full coverage: what its check finds wrong, and that the list itself is in order."""

from __future__ import annotations

from scripts.check_coverage import CHECKOUT, LIST, ROOMS, complaints, covered, invitations, left_out, listed_in

WHOLE = {"num_statements": 9, "missing_lines": 0, "missing_branches": 0}


def test_only_files_with_statements_and_nothing_missing_are_covered_whole() -> None:
    summaries = {
        "whole": WHOLE,
        "a line": WHOLE | {"missing_lines": 1},
        "a branch": WHOLE | {"missing_branches": 1},
        "empty": WHOLE | {"num_statements": 0},
    }
    assert covered(summaries) == {"whole"}


def test_nothing_is_wrong_where_the_list_says_what_is() -> None:
    assert complaints(["a", "b"], ["a", "b"], ["a"]) == []


def test_a_listed_file_below_full_coverage_is_named() -> None:
    (said,) = complaints(
        ["a"], ["a", "b"], [], {"b": left_out({"missing_lines": [12], "missing_branches": [[30, -1]]})}
    )
    assert said.startswith("b ")
    assert said.endswith("(12, 30→-1)")


def test_a_file_that_reached_it_unlisted_is_named_and_is_no_fault() -> None:
    (said,) = invitations(["a", "b"], ["a"])
    assert said.startswith("b ")
    assert complaints(["a", "b"], ["a"], []) == []


def test_nothing_is_to_be_added_where_the_list_holds_all() -> None:
    assert invitations(["a"], ["a"]) == []


def test_nothing_is_taken_from_the_list() -> None:
    (said,) = complaints(["a"], ["a"], ["a", "b"])
    assert said.startswith("b ")
    assert "only grows" in said


def test_the_list_holds_files_of_its_rooms_in_order_and_no_kernels() -> None:
    listed = listed_in(LIST.read_text())
    assert listed == sorted(set(listed))
    assert all(path.startswith(ROOMS) and not path.endswith("_kernels.py") for path in listed)
    assert [path for path in listed if not (CHECKOUT / path).is_file()] == [], "--record takes out what is gone"
