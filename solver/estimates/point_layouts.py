"""The points that networks mark in 2D, by BlazePose's 33 numbers, and one person's points from a list of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.estimate import KeyPoints
from solver.rig.roles import SIDES

Array = NDArray[np.float64]
# BlazePose's number for each point of a layout that it has; left before right.
BODY_25 = {0: 0, 16: 2, 15: 5, 5: 11, 2: 12, 6: 13, 3: 14, 7: 15, 4: 16, 12: 23, 9: 24, 13: 25, 10: 26, 14: 27, 11: 28,
           18: 7, 17: 8, 21: 29, 24: 30, 19: 31, 22: 32}  # fmt: skip
COCO_17 = {0: 0, 1: 2, 2: 5, 3: 7, 4: 8, 5: 11, 6: 12, 7: 13, 8: 14, 9: 15, 10: 16, 11: 23, 12: 24, 13: 25, 14: 26,
           15: 27, 16: 28}  # fmt: skip
OPENPOSE_18 = {0: 0, 15: 2, 14: 5, 5: 11, 2: 12, 6: 13, 3: 14, 7: 15, 4: 16, 11: 23, 8: 24, 12: 25, 9: 26, 13: 27,
               10: 28, 17: 7, 16: 8}  # fmt: skip
MHR_70 = {0: 0, 1: 2, 2: 5, 3: 7, 4: 8, 5: 11, 6: 12, 7: 13, 8: 14, 62: 15, 41: 16, 61: 17, 40: 18, 49: 19, 28: 20,
          9: 23, 10: 24, 11: 25, 12: 26, 13: 27, 14: 28, 17: 29, 20: 30, 15: 31, 18: 32}  # fmt: skip
_FEET = {20: 31, 21: 32, 24: 29, 25: 30}
HALPE_26 = {**COCO_17, **_FEET}
WHOLE_BODY_133 = {**COCO_17, 17: 31, 19: 29, 20: 32, 22: 30, 96: 19, 108: 17, 117: 20, 129: 18}
HALPE_136 = {**HALPE_26, 99: 19, 111: 17, 120: 20, 132: 18}
BLAZEPOSE_33 = {number: number for number in (0, 2, 5, 7, 8, *range(11, 33))}
# By how many points there are.
LAYOUTS = {
    25: BODY_25, 18: OPENPOSE_18, 17: COCO_17, 26: HALPE_26, 33: BLAZEPOSE_33, 133: WHOLE_BODY_133, 136: HALPE_136,
}  # fmt: skip
LIMB_MARKS = tuple(range(11, 17)) + tuple(range(23, 29))
LARGEST_SHARE = 2.0  # beyond this, numbers are pixels: shares of a picture may leave it a little
_FEWEST = 6  # of the twelve joints of limbs
_SMALLEST_PX, _SMALLEST_SHARE = 2.0, 0.002  # extent of a person's points, below which they are ignored
_PAIRS = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
COCO_NAMES = ("nose", *(f"{side}_{part}" for part in _PAIRS for side in SIDES))


def marks_of(values: Array, source: str, place: str) -> KeyPoints | None:
    """From a flat list of (x, y, certainty), NaN at points not seen; None where too few joints are seen for a pose."""
    layout = LAYOUTS.get(values.size // 3) if values.size % 3 == 0 else None
    if layout is None:
        *others, last = map(str, sorted(LAYOUTS))
        reason = f"has {values.size} numbers, not three for each of {', '.join(others)} or {last} points"
        raise InputRefused(source, reason, "Save BODY_25, or COCO's 17 or 18 points", place)
    points = values.reshape(-1, 3)
    points = np.where(np.isnan(points).any(axis=1, keepdims=True), 0.0, points)  # as OpenPose writes what it misses
    largest = np.abs(points[:, :2]).max()
    if largest > 1e6:
        raise InputRefused(source, "holds pixels beyond 1,000,000", "Save pixels of the picture", place)
    pixels, sure = np.full((33, 2), np.nan), np.zeros(33)
    for number, mark in layout.items():
        x, y, certainty = points[number]
        if certainty > 0 and (x or y):
            pixels[mark], sure[mark] = (x, y), min(certainty, 1.0)
    seen = ~np.isnan(pixels[:, 0])
    enough = seen[list(LIMB_MARKS)].sum() >= _FEWEST and seen[[11, 12]].any() and seen[[23, 24]].any()
    smallest = _SMALLEST_PX if largest > LARGEST_SHARE else _SMALLEST_SHARE
    return KeyPoints(pixels, sure) if enough and np.ptp(pixels[seen], axis=0).max() >= smallest else None


def left_out_note(count: int) -> tuple[str, ...]:
    """What is said of people who were left out."""
    many, were = ("one person shows", "was") if count == 1 else (f"{count} people show", "were")
    return (f"{many} too few joints to tell a pose, and {were} left out",) if count else ()
