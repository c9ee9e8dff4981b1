"""The order in which files of tests are handed out, and what is kept of how long they took."""

from __future__ import annotations

from longest_first import KEPT, longest_first, read_seconds, seconds_text

TESTS = ["a_test.py::one", "a_test.py::two", "b_test.py::B::one[x::y]", "c_test.py::one", "a_test.py::three"]


def order(known: dict[str, float]) -> list[str]:
    return longest_first([(test, test) for test in TESTS], known)


def test_the_longest_file_goes_first_and_its_tests_keep_their_order_and_stay_together() -> None:
    assert order({"a_test.py": 4.0, "b_test.py": 30.0, "c_test.py": 9.0}) == [
        "b_test.py::B::one[x::y]", "c_test.py::one", "a_test.py::one", "a_test.py::two", "a_test.py::three",
    ]  # fmt: skip


def test_a_file_that_was_never_measured_is_taken_for_as_long_as_it_has_tests() -> None:
    assert [test[0] for test in order({"c_test.py": 0.2})] == ["a", "a", "a", "c", "b"]


def test_nothing_is_lost_or_given_twice() -> None:
    assert sorted(order({})) == sorted(TESTS)


def test_what_is_kept_is_read_again_without_quick_files_and_files_that_are_gone() -> None:
    text = seconds_text({"old_test.py": 50.0, "slow_test.py": 3.4}, {"slow_test.py": 11.6, "quick_test.py": 1.0},
                        ["slow_test.py", "quick_test.py"])  # fmt: skip
    assert text == "12 slow_test.py\n"
    assert read_seconds(text) == {"slow_test.py": 12.0}


def test_a_file_that_has_become_quick_is_kept_no_longer() -> None:
    assert seconds_text({"slow_test.py": 30.0}, {"slow_test.py": 1.0}, ["slow_test.py"]) == ""


def test_every_file_that_is_listed_is_there() -> None:
    for file in read_seconds(KEPT.read_text()):
        assert (KEPT.parent.parent / file).is_file(), f"{file} is gone: take its line out of {KEPT.name}"
