"""Meshes prepared for the GPU, in a cache of those that were asked for last.

Each picture and each window has a context of its own, which is given the same few bodies again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from hashlib import sha1
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from rendering.scene.cavity import cavity
from rendering.scene.mesh_data import draw_order, same_places, smooth_normals, strongest_weights
from rendering.scene.values import Mesh


@dataclass(frozen=True)
class PreparedMesh:
    """Triangles over a mesh's vertices, neighbours next to each other.

    order: (V',) which vertex of the mesh comes where. faces: (F, 3) uint32, among those.
    skin: (V', 11) float32, four joints and their weights, and three values of suit and cavity.
    """

    order: NDArray[np.intp]
    faces: NDArray[np.uint32]
    skin: NDArray[np.float32]


# Keyed by the shape's digest: a picture must not depend on whose body was drawn before it. The mesh's other parts are
# compared by identity through weak references: a body that is gone must not be kept alive by this.
_Made = tuple["ref[NDArray]", ...]
_prepared: deque[tuple[bytes, _Made, PreparedMesh]] = deque(maxlen=4)
_cavities: deque[tuple[bytes, _Made, NDArray[np.float32]]] = deque(maxlen=4)


def prepared(mesh: Mesh, faces: NDArray[np.integer]) -> PreparedMesh:
    """Some of a mesh's triangles, (F, 3), as they are drawn: all of them or the coarse ones."""
    shape, made = _digest(mesh), (faces, mesh.faces, mesh.weights, mesh.suit)
    for known, refs, found in tuple(_prepared):
        if known == shape and _same(refs, made):
            return found
    joints, weights = strongest_weights(np.asarray(mesh.weights))
    order, ordered = draw_order(np.asarray(mesh.vertices), np.asarray(faces))
    rows = np.column_stack([joints, weights, mesh.suit, _cavity_of(mesh, shape)])
    result = PreparedMesh(order, ordered, rows[order].astype(np.float32))
    for array in (result.order, result.faces, result.skin):
        array.setflags(write=False)  # others are given the same array
    _prepared.append((shape, tuple(map(ref, made)), result))
    return result


def _cavity_of(mesh: Mesh, shape: bytes) -> NDArray[np.float32]:
    for known, refs, found in tuple(_cavities):
        if known == shape and _same(refs, (mesh.faces,)):
            return found
    vertices = np.ascontiguousarray(mesh.vertices)
    found = _measured(vertices, np.asarray(mesh.faces), mesh.carried is not None)
    _cavities.append((shape, (ref(mesh.faces),), found))
    return found


def _measured(vertices: NDArray[np.floating], faces: NDArray[np.integer], seams: bool) -> NDArray[np.float32]:
    """The cavity, across seams if the surface may have them."""
    if not seams:
        return cavity(vertices, faces, smooth_normals(vertices, faces))
    first, place = same_places(vertices)
    joined = vertices[first], place[faces]
    return cavity(*joined, smooth_normals(*joined))[place]


def _same(refs: _Made, made: tuple[NDArray, ...]) -> bool:
    return all(each() is one for each, one in zip(refs, made, strict=True))


def _digest(mesh: Mesh) -> bytes:
    return sha1(np.ascontiguousarray(mesh.vertices).tobytes(), usedforsecurity=False).digest()
