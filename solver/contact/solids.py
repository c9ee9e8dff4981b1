"""Solid things in the world that skin may lie against and may not enter: boxes, balls, cylinders, closed meshes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.values import ArrayValue, FloatArray, frozen_array

if TYPE_CHECKING:
    from solver.contact.distance_grid import DistanceGrid

Array = NDArray[np.float64]


class SolidForm(Enum):
    """What a solid is in its own frame, centred on the origin."""

    BOX = "box"
    BALL = "ball"
    CYLINDER = "cylinder"  # upright, along Y
    GRID = "grid"  # a surface whose distances are in a grid


@dataclass(frozen=True, eq=False)
class Solid(ArrayValue):
    """One solid. size: (3,) metres, positive: a box's edges; a ball's diameter, three times; a cylinder's diameter,
    height, diameter; the box that a grid's surface fills. place: (3,) metres, its middle. turn: (3, 3) R_world_solid.
    grid: for the form GRID, and for no other."""

    form: SolidForm
    size: FloatArray
    place: FloatArray = field(default_factory=lambda: frozen_array(np.zeros(3), (3,), "place"))
    turn: FloatArray = field(default_factory=lambda: frozen_array(np.eye(3), (3, 3), "turn"))
    grid: DistanceGrid | None = None

    def __post_init__(self) -> None:
        for name, shape in (("size", (3,)), ("place", (3,)), ("turn", (3, 3))):
            object.__setattr__(self, name, frozen_array(getattr(self, name), shape, name))
        if (self.grid is None) == (self.form is SolidForm.GRID):
            raise ValueError("a solid of the form “grid” has a grid, and no other has")
        if not (self.size > 0.0).all():
            raise ValueError(f"a solid has a positive size, not {self.size.tolist()}")

    def distances(self, points: NDArray[np.floating]) -> Array:
        """(N,) metres from points (N, 3) in the world to its surface, negative inside."""
        inside = (np.asarray(points, np.float64) - self.place) @ self.turn
        half = self.size.astype(np.float64) / 2.0
        if self.grid is not None:
            return self.grid.distances(inside, 2.0 * half)
        if self.form is SolidForm.BALL:
            return np.asarray(np.linalg.norm(inside, axis=1) - half[0], np.float64)
        if self.form is SolidForm.CYLINDER:
            beyond = np.stack([np.hypot(inside[:, 0], inside[:, 2]) - half[0], np.abs(inside[:, 1]) - half[1]], axis=1)
        else:
            beyond = np.abs(inside) - half
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
        return np.asarray(outside + np.minimum(beyond.max(axis=1), 0.0), np.float64)
