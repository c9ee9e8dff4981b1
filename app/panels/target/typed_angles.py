"""A turn as three angles that stay as they were typed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_euler, to_euler

SAME = 1e-4  # the most by which an entry of two rotation matrices may differ, for them to be one turn


class TypedAngles:
    """The degrees about X, Y and Z last shown or typed, and whose they are.

    A turn has many such triples, and near gimbal lock the usual one jumps from one number to the next.
    """

    def __init__(self) -> None:
        self._id, self._degrees = "", (0.0, 0.0, 0.0)

    def shown(self, id: str, turn: NDArray[np.floating]) -> tuple[float, float, float]:
        """The degrees to show for what has this id and (3, 3) turn: those of before, as long as they mean that turn."""
        if id != self._id or np.abs(_matrix(self._degrees) - turn).max() >= SAME:
            self._id, self._degrees = id, _usual(turn)
        return self._degrees

    def typed(self, id: str, turn: NDArray[np.floating], axis: int, degrees: float) -> NDArray[np.float64]:
        """The (3, 3) turn with one of its angles as typed. axis: 0, 1 or 2."""
        angles = list(self.shown(id, turn))
        angles[axis] = degrees
        self._degrees = (angles[0], angles[1], angles[2])
        return _matrix(self._degrees)


def _usual(turn: NDArray[np.floating]) -> tuple[float, float, float]:
    """Of the two triples for a (3, 3) turn the one with less to turn: about Y by 180 degrees, not about X and Z."""
    x, y, z = (math.degrees(angle) for angle in to_euler("XYZ", turn))
    half, side = (math.copysign(180.0, angle) for angle in (x, z))
    other = x - half, math.copysign(180.0, y) - y, z - side
    return min((x, y, z), other, key=lambda angles: sum(map(abs, angles)))


def _matrix(degrees: tuple[float, float, float]) -> NDArray[np.float64]:
    return np.asarray(from_euler("XYZ", np.radians(degrees)), np.float64)
