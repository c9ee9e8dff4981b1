"""Many rotation matrices read at once: one that is none is found wherever it is, and rounded ones are made exact."""

from __future__ import annotations

import numpy as np
import pytest

from solver.formats.pose_json.rotation_json import CHUNK, are_rotations, orthonormalised
from solver.kinematics.rotations import from_rotation_vector

FRAMES = 2 * CHUNK + 7


def motion() -> np.ndarray:
    turns = np.random.default_rng(0).normal(0.0, 1.5, (FRAMES, 5, 3))
    return np.asarray(from_rotation_vector(turns), np.float32)


@pytest.mark.parametrize("frame", [0, CHUNK, FRAMES - 1])
@pytest.mark.parametrize("what", ["mirrored", "scaled", "sheared", "not finite"])
def test_one_matrix_that_is_no_rotation_is_found_among_many(frame: int, what: str) -> None:
    matrices = motion()
    assert are_rotations(matrices)
    one = matrices[frame, 3]
    if what == "mirrored":
        one[2] *= -1.0
    elif what == "scaled":
        one *= 1.02
    elif what == "sheared":
        one[0] += 0.02 * one[1]
    else:
        one[1, 1] = np.nan
    assert not are_rotations(matrices)


def test_matrices_of_three_decimals_are_made_exact_and_exact_ones_stay() -> None:
    exact = motion()
    assert orthonormalised(exact) is exact
    mended = orthonormalised(np.round(exact, 3)).astype(np.float64)
    assert np.abs(mended @ np.swapaxes(mended, -1, -2) - np.eye(3)).max() < 1e-5
    assert np.abs(mended - exact).max() < 2e-3


def test_they_are_told_without_multiplying_them_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(matrices: np.ndarray) -> np.ndarray:
        raise AssertionError("numpy takes determinants of many small matrices five times as slowly")

    matrices = motion()
    monkeypatch.setattr(np.linalg, "det", refused)
    assert are_rotations(matrices)
