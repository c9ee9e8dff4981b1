"""How somebody's landmarks are wrong in the picture: sides exchanged, a limb elsewhere, or all of them a little off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.photo.accuracy import SHARED_JOINTS

Array = NDArray[np.float64]
AIM = 0.025  # of the extent: nobody's joints should be further off in the median
_HALF = len(SHARED_JOINTS) // 2  # joints of the left side, which come first: an arm's three, then a leg's
_ARMS, _LEGS = (1, 2), (4, 5)  # of these, the ones that a limb carries away
_LESS = 0.75  # of the mean offset, below which exchanged sides explain it
_LOST, _MOST = 0.08, 7  # of the extent: a joint is lost; how many of twelve make a reading that is wrong altogether
_LIMB_OFF = 0.1  # of the extent, beyond which a limb's joint is on something else
_TINY_PX, _HIDDEN = 60.0, 3  # the extent; joints
CUT, GOOD, SIDES, LEGS, ARMS, WRONG, TINY, HIDDEN, ONE, SEVERAL, SPREAD = MISREADINGS = (
    "cut by the border", "landmarks right, figure not", "sides exchanged", "legs exchanged", "arms exchanged",
    "wrong altogether", f"below {_TINY_PX:.0f} pixels", "three joints or more hidden", "an arm or a leg elsewhere",
    "several limbs elsewhere", "all a little off",
)  # fmt: skip


def misreading(seen: Array, true: Array, hidden: NDArray[np.bool_], size: tuple[int, int]) -> str:
    """One of MISREADINGS, the first that holds, for somebody whose figure is off.

    seen, true: (12, 2) pixels of SHARED_JOINTS. hidden: (12,). size: the picture's, pixels.
    """
    extent = max(float(np.linalg.norm(np.ptp(true, axis=0))), 1.0)
    off = np.linalg.norm(seen - true, axis=1) / extent
    if ((true < 0) | (true > size)).any():
        return CUT
    if np.median(off) <= AIM:
        return GOOD
    exchanged = {SIDES: [*range(_HALF)], LEGS: [*_LEGS], ARMS: [*_ARMS]}
    less = {name: _mean_exchanged(seen, true, left) / extent for name, left in exchanged.items()}
    best = min(less, key=less.__getitem__)
    if less[best] < _LESS * off.mean():
        return best
    if (off > _LOST).sum() >= _MOST:
        return WRONG
    if extent < _TINY_PX:
        return TINY
    if hidden.sum() >= _HIDDEN:
        return HIDDEN
    limbs = [side + np.array(limb) for side in (0, _HALF) for limb in (_ARMS, _LEGS)]
    elsewhere = sum(bool((off[limb] > _LIMB_OFF).any()) for limb in limbs)
    return (SPREAD, ONE)[elsewhere] if elsewhere < 2 else SEVERAL


def _mean_exchanged(seen: Array, true: Array, left: list[int]) -> float:
    """The mean distance in pixels once these joints of the left side are exchanged with those of the right."""
    order = np.arange(len(seen))
    right = [joint + _HALF for joint in left]
    order[left], order[right] = right, left
    return float(np.linalg.norm(seen[order] - true, axis=1).mean())
