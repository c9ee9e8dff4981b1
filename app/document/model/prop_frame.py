"""Where a prop's own points are in the world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.values import ArrayValue, FloatArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PropFrame(ArrayValue):
    """Where a prop's own points are in the world: place + turn (point * size).

    A point of its own has x and z within ±0.5 and y from 0, the base, to 1; so it goes along when the prop is moved,
    turned or scaled. place: (3,) metres. turn: (3, 3). size: (3,) metres.
    """

    place: FloatArray
    turn: FloatArray
    size: FloatArray

    @property
    def matrix(self) -> Array:
        """(4, 4) from the prop's own points to the world."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.turn.astype(np.float64) * self.size
        matrix[:3, 3] = self.place
        return matrix

    def points(self, own: ArrayLike) -> Array:
        """(..., 3) own points in the world."""
        return np.asarray(self.place + (np.asarray(own, np.float64) * self.size) @ self.turn.T, np.float64)

    def own(self, points: ArrayLike) -> Array:
        """(..., 3) points of the world as own ones."""
        return np.asarray(((np.asarray(points, np.float64) - self.place) @ self.turn) / self.size, np.float64)
