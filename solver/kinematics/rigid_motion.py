"""A rigid motion of the world: everything turned and then moved as one piece."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
LEVEL = np.eye(3).tolist()


class RigidMotion(NamedTuple):
    """p -> turn p + shift. turn: (3, 3) rotation. shift: (3,) metres."""

    turn: Array
    shift: Array

    @classmethod
    def move(cls, shift: ArrayLike) -> RigidMotion:
        """A shift by (3,) metres without a turn."""
        return cls(np.eye(3), np.asarray(shift, dtype=np.float64))

    @classmethod
    def about(cls, turn: Array, centre: ArrayLike) -> RigidMotion:
        """A turn about the point `centre`, (3,) metres."""
        middle = np.asarray(centre, dtype=np.float64)
        return cls(turn, middle - turn @ middle)

    @classmethod
    def between(cls, turn: Array, place: Array, new_turn: Array, new_place: Array) -> RigidMotion:
        """What carries a frame, (3, 3) R_world_frame at (3,) metres, to where it is now; in double precision."""
        way = new_turn.astype(np.float64) @ turn.astype(np.float64).T
        return cls(way, new_place.astype(np.float64) - way @ place.astype(np.float64))

    @property
    def inverse(self) -> RigidMotion:
        """The motion that brings everything back."""
        return RigidMotion(self.turn.T, -self.turn.T @ self.shift)

    @property
    def turns(self) -> bool:
        """Whether it turns as well as moves."""
        return self.turn.tolist() != LEVEL  # plain numbers, as numpy takes ten times as long

    def points(self, points: Array) -> Array:
        """(..., 3) points carried along."""
        return points @ self.turn.T + self.shift if self.turns else points + self.shift

    def rotations(self, rotations: Array) -> Array:
        """(..., 3, 3) R_world_x carried along."""
        return self.turn @ np.asarray(rotations, dtype=np.float64)
