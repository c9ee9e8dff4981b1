"""A prop as drawn: a surface that many may share, and where it stands."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rendering.scene.hull import Hull

Array = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class PropSurface:
    """A surface in a prop's own frame, x and z within ±0.5, y from 0 to 1. vertices, normals: (V, 3). faces: (F, 3).

    edges: (E, 2, 3), drawn as lines. hulls: its convex parts; balls: (B, 4), middle and radius. Hulls and balls are
    what casts the shadow.
    """

    vertices: Array
    faces: NDArray[np.integer]
    normals: Array
    edges: Array
    hulls: tuple[Hull, ...] = ()
    balls: Array | None = None


@dataclass(frozen=True, eq=False)
class DrawnProp:
    """One prop. matrix: (4, 4) from its own frame to the world, a turn after a scale along its own axes.

    color: "#rrggbb". A selected or hovered one has bright edges.
    """

    id: Hashable
    surface: PropSurface
    matrix: Array
    color: str
    selected: bool = False
    hovered: bool = False

    @cached_property
    def scale(self) -> NDArray[np.float64]:
        """(3,) metres along its own axes."""
        return np.linalg.norm(np.asarray(self.matrix, np.float64)[:3, :3], axis=0)

    @cached_property
    def corners(self) -> NDArray[np.float64]:
        """(8, 3) metres, of the box around it."""
        own = np.stack(np.meshgrid((-0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), indexing="ij"), axis=-1).reshape(-1, 3)
        return self.placed(own)

    def placed(self, own: Array) -> NDArray[np.float64]:
        """(..., 3) points of its own frame in the world."""
        matrix = np.asarray(self.matrix, np.float64)
        return np.asarray(np.asarray(own, np.float64) @ matrix[:3, :3].T + matrix[:3, 3])

    def unmarked(self) -> DrawnProp:
        """The prop neither selected nor hovered."""
        return replace(self, selected=False, hovered=False) if self.selected or self.hovered else self
