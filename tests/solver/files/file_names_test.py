"""File names that every system allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.files.file_names import LONGEST, LONGEST_BYTES, fit_stem, one_each, unfit_for_windows


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("walk 1.2.bvh", ""),
        ("console.bvh", ""),
        ("COM10.json", ""),
        ("con.x", "begins with “con”"),
        ("Aux", "begins with “Aux”"),
        ("lpt1 .json", "begins with “lpt1”"),
        ("walk.", "ends with a dot"),
        ("walk ", "ends with a blank"),
        ("12:30.json", "has a “:”"),
        ("what?.json", "has a “?”"),
        ("a\tb", "does not print"),
    ],
)
def test_what_windows_does_not_allow_is_told(name: str, reason: str) -> None:
    said = unfit_for_windows(name)
    assert reason in said
    assert bool(said) == bool(reason)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Ada", "Ada"),
        ("Ada: 1/2", "Ada 1 2"),
        ("con", "con_"),
        ("nul.x.y", "nul_.x.y"),
        ("walk...", "walk"),
        (" ?* ", "person"),
        ("é" * 200, "é" * LONGEST),
        ("舞" * 200, "舞" * (LONGEST_BYTES // 3)),
        ("a\udcff b", "a b"),
    ],
)
def test_a_name_made_fit_is_allowed_and_as_alike_as_can_be(name: str, stem: str) -> None:
    assert fit_stem(name, "person") == stem
    assert not unfit_for_windows(f"{stem}.bvh")


@pytest.mark.parametrize(
    ("names", "stems"),
    [
        (["Anna", "Ben"], ["out_Anna", "out_Ben"]),
        (["Anna", "anna", "Ben"], ["out_Anna_1", "out_anna_2", "out_Ben"]),
        (["Anna_1", "Anna", "Anna"], ["out_Anna_1", "out_Anna_2", "out_Anna_3"]),
        (["a/b", "a:b"], ["out_a b_1", "out_a b_2"]),
        (["é", "e\u0301"], ["out_é_1", "out_e\u0301_2"]),
        (["..", "person"], ["out_person_1", "out_person_2"]),
    ],
)
def test_files_of_several_are_called_by_names_that_no_system_takes_for_one(names: list[str], stems: list[str]) -> None:
    assert one_each(Path("a.b/out.bvh"), names) == [Path("a.b") / f"{stem}.bvh" for stem in stems]


def test_long_names_of_several_leave_room_for_what_tells_them_apart() -> None:
    files = one_each(Path("x" * 190 + ".bvh"), ["長" * 80, "長" * 79])
    assert len(set(files)) == 2
    assert all(len(file.name.encode()) < 255 for file in files)
    assert len(set(one_each(Path("x" * 230 + ".bvh"), ["Anna", "Ann"]))) == 2
