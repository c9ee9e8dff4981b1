"""Where plumb lines go into a solid and come out of it again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.contact.solids import Solid, SolidForm

Array = NDArray[np.float64]
LEVEL = 1e-9  # of a unit vector along an axis: less is none


def upright_span(thing: Solid, points: NDArray[np.floating]) -> tuple[Array, Array]:
    """(N,) and (N,) metres: the heights y at which the vertical through each of points (N, 3) enters a solid from below
    and leaves it above. Where it misses the solid the first is infinite and the second minus infinity.

    Not of a solid of the form GRID, which may be entered more than once.
    """
    places = np.asarray(points, np.float64)
    start = (places - thing.place) @ thing.turn
    way = thing.turn[1].astype(np.float64)
    half = thing.size.astype(np.float64) / 2.0
    if thing.form is SolidForm.BALL:
        low, high = _within_round(start, way, half[0])
    elif thing.form is SolidForm.CYLINDER:
        low, high = _within_round(start[:, ::2], way[::2], half[0])
        low, high = _both((low, high), _within_slab(start[:, 1], float(way[1]), half[1]))
    else:
        low, high = _within_slab(start[:, 0], float(way[0]), half[0])
        for axis in (1, 2):
            low, high = _both((low, high), _within_slab(start[:, axis], float(way[axis]), half[axis]))
    hit = low < high
    return np.where(hit, places[:, 1] + low, np.inf), np.where(hit, places[:, 1] + high, -np.inf)


def _both(one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    return np.maximum(one[0], other[0]), np.minimum(one[1], other[1])


def _within_slab(start: Array, way: float, half: float) -> tuple[Array, Array]:
    """How far along the way lines are between two planes."""
    if abs(way) < LEVEL:
        return _always(np.abs(start) < half)
    ends = np.stack([-half - start, half - start]) / way
    return ends.min(axis=0), ends.max(axis=0)


def _within_round(start: Array, way: Array, radius: float) -> tuple[Array, Array]:
    """How far along the way lines are within a ball, or within a circle about an axis."""
    square = float(way @ way)
    clearance = radius * radius - (start * start).sum(axis=1)
    if square < LEVEL:
        return _always(clearance > 0.0)
    middle = -(start @ way) / square
    left = middle * middle + clearance / square
    reach = np.sqrt(np.maximum(left, 0.0))
    return np.where(left > 0.0, middle - reach, np.inf), np.where(left > 0.0, middle + reach, -np.inf)


def _always(inside: NDArray[np.bool_]) -> tuple[Array, Array]:
    return np.where(inside, -np.inf, np.inf), np.where(inside, np.inf, -np.inf)
