"""What is beneath: the floor, or the top of the thing that somebody lies above or is within."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from solver.contact.solids import Solid

Array = NDArray[np.float64]
LEAST, STEPS = 1e-3, 600  # metres by which a search goes on at least; steps of it
DEEP = 0.02  # metres: what is no deeper within a thing lies on it


def heights_beneath(things: Sequence[Solid], points: ArrayLike) -> Array:
    """(N,) metres above the floor y = 0 at which something bears what is at points (N, 3).

    That is the first surface below a point, or the floor. Of a point deep within things it is where one comes out of
    them straight up; a point just below a surface lies on it.
    """
    places = np.array(points, np.float64)
    if not things or not len(places):
        return np.zeros(len(places))
    way = np.where(_distances(things, places) < -DEEP, 1.0, -1.0)
    going = np.arange(len(places))
    for _ in range(STEPS):
        off = -way[going] * _distances(things, places[going])  # no surface is nearer
        going, off = going[off > 0.0], off[off > 0.0]
        places[going, 1] += way[going] * np.maximum(off, LEAST)
        going = going[(way[going] > 0.0) | (places[going, 1] > 0.0)]
        if not len(going):
            break
    return np.asarray(np.maximum(places[:, 1], 0.0))


def _distances(things: Sequence[Solid], points: Array) -> Array:
    return np.asarray(np.min([thing.distances(points) for thing in things], axis=0))
