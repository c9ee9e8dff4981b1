"""The surfaces of props as drawn, each made once for all that have it."""

from __future__ import annotations

from functools import cache
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop import Prop
from app.document.model.prop_shapes import Part, Surface, parts_of
from app.document.model.prop_shapes import surface_of as shape_of
from rendering.scene.hull import hull_of
from rendering.scene.props import PropSurface
from solver.contact.solids import SolidForm

Array = NDArray[np.float64]
SIDES = 10  # of a cylinder's shadow
SPOTS = 72  # places on a mesh that represent it in its shadow
_meshes: WeakValueDictionary[int, PropSurface] = WeakValueDictionary()


def surface_of(prop: Prop) -> PropSurface:
    """A prop's surface; the same object for all of a kind, and for all that share a mesh."""
    return _of_kind(prop.kind) if prop.mesh is None else _of_mesh(prop.surface)


@cache
def _of_kind(kind: str) -> PropSurface:
    vertices, faces, normals, edges = shape_of(kind)
    parts = parts_of(kind)
    hulls = tuple(hull_of(_faces_of(part)) for part in parts if part.form is not SolidForm.BALL)
    balls = [(*np.mean([p.low, p.high], axis=0), 0.5) for p in parts if p.form is SolidForm.BALL]
    return PropSurface(vertices, faces, normals, edges, hulls, np.array(balls) if balls else None)


def _of_mesh(surface: Surface) -> PropSurface:
    found = _meshes.get(id(surface.vertices))
    if found is None or found.vertices is not surface.vertices:
        spots = spots_on(surface.vertices[surface.faces])
        found = PropSurface(surface.vertices, surface.faces, surface.normals, surface.edges, (), spots)
        _meshes[id(surface.vertices)] = found
    return found


def spots_on(triangles: Array) -> Array:
    """(B, 4) balls spread over triangles (F, 3, 3) by their areas: places, and the radius that covers them all."""
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) / 2
    total = np.cumsum(area)
    chosen = np.searchsorted(total, (np.arange(SPOTS) + 0.5) / SPOTS * total[-1])
    rng = np.random.default_rng(0)
    u, v = rng.random((2, SPOTS, 1))
    u, v = np.where(u + v > 1.0, 1.0 - u, u), np.where(u + v > 1.0, 1.0 - v, v)
    a, b, c = np.moveaxis(triangles[np.minimum(chosen, len(triangles) - 1)], 1, 0)
    radius = 0.8 * np.sqrt(total[-1] / (np.pi * SPOTS) / 2.0)
    return np.column_stack([a + u * (b - a) + v * (c - a), np.full(SPOTS, radius)])


def _faces_of(part: Part) -> Array:
    """(Q, 4, 3) faces of a box or of a cylinder, counter-clockwise from outside."""
    if part.form is SolidForm.BOX:
        low, high = np.array(part.low), np.array(part.high)
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        faces = []
        for axis in range(3):
            for side in (0, 1):
                corner = np.empty((4, 3))
                corner[:, axis] = side
                corner[:, [(axis + 1) % 3, (axis + 2) % 3]] = square
                faces.append(low + (high - low) * (corner if side else corner[::-1]))
        return np.array(faces)
    angle = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    ring = np.stack([0.5 * np.sin(angle), np.full(SIDES, part.low[1]), 0.5 * np.cos(angle)], axis=1)
    top = ring + [0.0, part.high[1] - part.low[1], 0.0]
    faces = [np.array([ring[i], ring[i - SIDES + 1], top[i - SIDES + 1], top[i]]) for i in range(SIDES)]
    for i in range(1, SIDES - 2, 2):
        faces += [top[[0, i, i + 1, i + 2]], ring[[0, i + 2, i + 1, i]]]
    return np.array(faces)
