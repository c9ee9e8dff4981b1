"""The edges by which hands hold flat things."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def inward_from_edge(place: ArrayLike, size: ArrayLike, is_round: bool) -> Array:
    """(3,) unit, in a flat thing's own axes: square to the edge that is nearest to a place in it, inward.

    place: (3,) from its middle, in shares of its size. size: (3,) metres. is_round: whether it is about its thickness.
    """
    sides = np.asarray(size, np.float64)
    thin = int(np.argmin(sides))
    at = np.asarray(place, np.float64) * sides
    at[thin] = 0.0
    if not is_round:
        room = sides / 2.0 - np.abs(at)
        room[thin] = np.inf
        at = np.where(np.arange(3) == int(room.argmin()), at, 0.0)
    return np.asarray(-at / max(float(np.linalg.norm(at)), 1e-9), np.float64)
