"""Ways over the floor to a free place, and which of them boxes can take without meeting others."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from solver.memoise import memoised

STEP_M, MOST_STEPS = 0.2, 40  # of the search for a free place

Array = NDArray[np.float64]
Box = tuple[Array, Array]  # (D,) metres each, its least and its greatest corner


@memoised(1)
def ways_over_floor() -> Array:
    """(W, 3) metres, the shifts over the floor that are tried for a free place: none, then the shortest first, to the
    side before forwards and back."""
    steps = range(-MOST_STEPS, MOST_STEPS + 1)
    whole = [(i, 0, j) for i in steps for j in steps]
    whole.sort(key=lambda way: (way[0] ** 2 + way[2] ** 2, abs(way[2]), -way[0], -way[2]))
    return STEP_M * np.array(whole, np.float64)


def boxes_meet(ways: Array, boxes: Iterable[Box], others: Iterable[Box], overlap_m: float) -> NDArray[np.bool_]:
    """(W,) whether any of the boxes, moved each way (W, D), meets one of the others by more than `overlap_m`."""
    meets, mine = np.zeros(len(ways), np.bool_), list(boxes)
    for other_low, other_high in others:
        for low, high in mine:
            meets |= ((low + ways < other_high - overlap_m) & (other_low < high + ways - overlap_m)).all(axis=1)
    return meets
