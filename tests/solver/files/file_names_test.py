"""File names that every system allows."""

from __future__ import annotations

import pytest

from solver.files.file_names import LONGEST, LONGEST_BYTES, fit_stem, unfit_for_windows


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
