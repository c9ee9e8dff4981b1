"""How somebody's landmarks are wrong: each kind of mistake is called what it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_limb_errors_test import BESIDE, COUPLE, ONE, with_wrist_at
from photo_measuring_test import read
from photo_samples import body

from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.measuring import misreadings as kinds
from solver.photo.measuring.limb_errors import rows_of, tables
from solver.photo.measuring.misreadings import misreading

TRUE = ONE.pixels[shared_indices()].astype(np.float64)
EXTENT = float(np.linalg.norm(np.ptp(TRUE, axis=0)))
SIZE = (960, 960)
OTHER_SIDE = [*range(6, 12), *range(6)]
LEFT_LEG, RIGHT_LEG = [4, 5], [10, 11]


def all_off_by(share: float) -> np.ndarray:
    return TRUE + [share * EXTENT, 0.0]


def exchanged(left: list[int]) -> np.ndarray:
    """The legs apart, so that exchanging them changes the picture."""
    seen, right = TRUE.copy(), [joint + 6 for joint in left]
    seen[left], seen[right] = TRUE[right], TRUE[left]
    return seen + 0.03 * EXTENT * np.array([0.0, 1.0])


def moved(joints: list[int], share: float) -> np.ndarray:
    seen = all_off_by(0.03)
    seen[joints] += [0.0, share * EXTENT]
    return seen


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (TRUE, kinds.GOOD),
        (exchanged([*range(6)]), kinds.SIDES),
        (exchanged([4, 5]), kinds.LEGS),
        (exchanged([1, 2]), kinds.ARMS),
        (all_off_by(0.2), kinds.WRONG),
        (moved(RIGHT_LEG, 0.2), kinds.ONE),
        (moved([1, *RIGHT_LEG], 0.2), kinds.SEVERAL),
        (all_off_by(0.04), kinds.SPREAD),
    ],
)
def test_a_mistake_is_called_what_it_is(seen: np.ndarray, kind: str) -> None:
    assert misreading(seen, TRUE, np.zeros(12, dtype=bool), SIZE) == kind


def test_what_cannot_be_seen_is_told_apart() -> None:
    hidden = np.arange(12) < 3
    assert misreading(moved(LEFT_LEG, 0.2), TRUE, hidden, SIZE) == kinds.HIDDEN
    assert misreading(all_off_by(0.04), TRUE, ~hidden, (int(TRUE[:, 0].max()) - 5, 960)) == kinds.CUT
    small = 50.0 / EXTENT
    assert misreading(small * all_off_by(0.04), small * TRUE, hidden, SIZE) == kinds.TINY


def test_only_people_whose_figures_are_off_are_misread_and_a_right_look_at_them_is_told() -> None:
    right = read(ONE, BESIDE)
    assert [one.misread for one in rows_of(COUPLE, with_wrist_at(right, TRUE[2] + 90.0), body())] == ["", ""]
    first, other = right.people
    turned = first.pose.root_position + np.array([0.0, 0.25, 0.0], dtype=np.float32)
    off = replace(first, pose=replace(first.pose, root_position=turned))
    marks = first.landmarks.pixels.copy()
    marks[shared_landmarks()] += 0.06 * EXTENT
    off = replace(off, landmarks=replace(first.landmarks, pixels=marks, looks=(first.landmarks,)))
    rows = rows_of(COUPLE, replace(right, people=(off, other)), body())
    assert (rows[0].misread, rows[0].seen, rows[1].misread) == (kinds.SPREAD, True, "")
    assert f"| {kinds.SPREAD} | 1 | 1 |" in tables(rows)
