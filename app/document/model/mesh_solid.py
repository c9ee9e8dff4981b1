"""Whether a mesh from a file is solid, and what makes it so: closed ones are, by the distances to their surface."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop_frame import PropFrame
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import is_closed, merged
from solver.contact.distance_grid import CELL, DistanceGrid, distance_grid
from solver.contact.solids import Solid, SolidForm
from solver.memoise import memoised_on_value

LEAST_VOLUME = 1e-5  # of the box around it; a mesh with less is a sheet, seen from both sides
MIDDLE = np.array([0.0, 0.5, 0.0])  # of a prop's own frame


class Filling(Enum):
    """What a mesh has within."""

    SOLID = "solid"
    OPEN = "open"  # nothing is inside
    ROOM = "room"  # it faces inwards: people are inside
    SHEET = "sheet"  # it has two sides and nothing between them


@memoised_on_value
def filling(mesh: PropMesh) -> Filling:
    """What a mesh has within."""
    vertices, faces = merged(mesh.vertices.astype(np.float64), mesh.faces)
    if not len(faces) or not is_closed(faces):
        return Filling.OPEN
    volume = _volume(vertices - MIDDLE, faces)
    if abs(volume) < LEAST_VOLUME:
        return Filling.SHEET
    return Filling.SOLID if volume > 0.0 else Filling.ROOM


@memoised_on_value
def grid_of(mesh: PropMesh) -> DistanceGrid | None:
    """The distances to a solid mesh in the prop's own frame about its middle; None of all others.

    It takes a second or two the first time, and nothing after.
    """
    if filling(mesh) is not Filling.SOLID:
        return None
    vertices, faces = merged(mesh.vertices.astype(np.float64), mesh.faces)
    return distance_grid(vertices - MIDDLE, faces)


def thinnest(size: NDArray[np.floating]) -> float:
    """Metres: anything thinner than that in a mesh of size (3,) metres may not be solid."""
    return float(size.max()) * CELL


def solids_of_mesh(mesh: PropMesh, frame: PropFrame) -> tuple[Solid, ...]:
    """What is solid of a mesh in the world; nothing of one that is not closed."""
    grid = grid_of(mesh)
    if grid is None:
        return ()
    return (Solid(SolidForm.GRID, frame.size, frame.points(MIDDLE).astype(np.float32), frame.turn, grid),)


def _volume(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> float:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)
