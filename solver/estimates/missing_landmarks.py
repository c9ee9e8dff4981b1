"""Landmarks that an estimator lacks, guessed from their neighbours; they have no weight in the fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Lengths of the mean body's bones, metres, by landmark at both ends: they give a person's size in pixels.
_BONES = (
    (11, 13, 0.27), (12, 14, 0.27), (13, 15, 0.25), (14, 16, 0.25), (23, 25, 0.39), (24, 26, 0.39), (25, 27, 0.39),
    (26, 28, 0.39), (11, 23, 0.48), (12, 24, 0.48), (11, 12, 0.33), (23, 24, 0.2),
)  # fmt: skip
_LONGEST = 3  # which of the bones' scales counts: most are foreshortened, and the very longest may be a mistake


# A trunk seen from the front: from its hips up to its shoulders, and half the width of either, metres.
_TRUNK, _HALF_SHOULDERS, _HALF_HIPS = 0.48, 0.165, 0.1
_PAIRED = ((2, 5), (7, 0), (0, 8), (13, 14), (25, 26), (27, 28))  # which side is left, where the trunk does not tell it


class _Guess(NamedTuple):
    """A point: at `origin`, plus `share` times the way from `start` to `end`."""

    point: int
    origin: int
    start: int
    end: int
    share: float


def _sides(point: int, origin: int, start: int, end: int, share: float) -> tuple[_Guess, _Guess]:
    left = _Guess(point, origin, start, end, share)
    return left, _Guess(point + 1, origin + 1, start + 1, end + 1, share)


# In this order: each from those before it. Odd numbers are on the left, the next one is its right counterpart.
_GUESSES = (
    _Guess(11, 12, 24, 23, 1.6), _Guess(12, 11, 23, 24, 1.6), _Guess(23, 24, 12, 11, 0.6), _Guess(24, 23, 11, 12, 0.6),
    *_sides(13, 11, 11, 23, 0.55), *_sides(15, 13, 11, 13, 0.9), *_sides(25, 23, 11, 23, 0.8),
    *_sides(27, 25, 23, 25, 1.0),
    *_sides(17, 15, 13, 15, 0.3), *_sides(19, 15, 13, 15, 0.35), *_sides(21, 15, 13, 15, 0.2),
    *_sides(29, 27, 25, 27, 0.12), *_sides(31, 27, 25, 27, 0.25),
    _Guess(7, 11, 23, 11, 0.35), _Guess(8, 12, 24, 12, 0.35),
)  # fmt: skip


def with_guessed_landmarks(points: Array) -> Array:
    """(33, D) with a place for each landmark, from (33, D) with NaN where there is none.

    At least one shoulder and one hip must be there.
    """
    full = points.copy()
    _complete_trunk(full)
    for guess in _GUESSES:
        if np.isnan(full[guess.point, 0]):
            full[guess.point] = full[guess.origin] + guess.share * (full[guess.end] - full[guess.start])
    nose = full[[7, 8]].mean(axis=0)
    full[0] = np.where(np.isnan(full[0]), nose, full[0])
    full[1:7] = np.where(np.isnan(full[1:7]), full[0], full[1:7])
    full[9:11] = full[0]
    return full


def _complete_trunk(points: Array) -> None:
    """Fill in one shoulder and one hip where both are missing: nothing of the trunk but its length tells its width.

    It is taken to be seen from the front, or from behind if eyes, ears or limbs say so.
    """
    missing = np.isnan(points[:, 0])
    if missing[[11, 12]].sum() != 1 or missing[[23, 24]].sum() != 1:
        return
    shoulder, hip = (12 if missing[11] else 11), (24 if missing[23] else 23)
    out = (1 if shoulder == 11 else -1) * _HALF_SHOULDERS - (1 if hip == 23 else -1) * _HALF_HIPS
    both = [points[left, :2] - points[right, :2] for left, right in _PAIRED if not missing[[left, right]].any()]
    trunk = complex(*(points[shoulder, :2] - points[hip, :2]))
    for side in (1j, -1j):  # how the way up is turned to get the way to the left: y is down
        metre = trunk / (_TRUNK + side * out)
        left = np.array([(side * metre).real, (side * metre).imag])
        if sum(float(pair @ left) for pair in both) >= 0.0:
            break
    for known, other, half in ((shoulder, 23 - shoulder, _HALF_SHOULDERS), (hip, 47 - hip, _HALF_HIPS)):
        points[other] = points[known]
        points[other, :2] += (1 if other in (11, 23) else -1) * 2 * half * left


def flat_places(pixels: Array) -> Array:
    """(33, 3) metres about the middle of the hips, x right, y down, in one plane; from (33, 2) pixels, none missing.

    The person's size in the picture is taken from the least foreshortened bones.
    """
    scales = sorted(np.linalg.norm(pixels[b] - pixels[a]) / metres for a, b, metres in _BONES)
    per_metre = max(float(scales[-_LONGEST]), 1e-3)
    middle = pixels[[23, 24]].mean(axis=0)
    return np.column_stack([(pixels - middle) / per_metre, np.zeros(33)])


def solid_places(points: Array) -> Array:
    """(33, 3) likewise, of (33, 3) pixels with depths in the same unit: the person's size is the bones' usual one."""
    per_metre = float(np.median([np.linalg.norm(points[b] - points[a]) / metres for a, b, metres in _BONES]))
    return np.asarray((points - points[[23, 24]].mean(axis=0)) / max(per_metre, 1e-3))
