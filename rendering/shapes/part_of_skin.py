"""Which part of the skin belongs to a joint that is pointed at."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Mesh

Floats = NDArray[np.float32]
BORDER = 0.5  # a vertex of this value is on the part's border
ROUNDS = 12  # of evening out: skinning weights are ragged at the scale of triangles
LEAST = 0.02  # share of a vertex's weight from which it counts as near the part
SPREAD = 3  # rings of triangles around those that may take part as well

_latest: deque[tuple[NDArray[np.integer], NDArray[np.floating], frozenset[int], Floats]] = deque(maxlen=32)


def part_of_skin(mesh: Mesh, joints: frozenset[int]) -> Floats:
    """(V,) how far each vertex belongs to the part of these joints: from 0.5 it does. Smooth, so that its border is.

    The part has as much skin as hangs on the joints in all, but no vertex of which less than half the usual hangs there
    where others have most. So joints whose weights pass into their neighbours', as along the spine and at the collars,
    have a part as well.
    """
    for faces, weights, of, known in _latest:
        if faces is mesh.faces and weights is mesh.weights and of == joints:
            return known
    made = _made(mesh, joints)
    _latest.append((mesh.faces, mesh.weights, joints, made))
    return made


def _made(mesh: Mesh, joints: frozenset[int]) -> Floats:
    vertices, faces = np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces)
    share = np.asarray(mesh.by_joint, np.float64)[:, sorted(joints)].sum(axis=1)
    near = share > LEAST
    for _ in range(SPREAD):
        near[faces[near[faces].any(axis=1)]] = True
    faces = faces[near[faces].all(axis=1)]
    if not len(faces):
        return np.zeros(len(share), np.float32)
    used, corners = np.unique(faces, return_inverse=True)
    corners = corners.reshape(faces.shape)
    value = _even(share[used], corners)
    a, b, c = vertices[used][corners.T]
    area = np.bincount(corners.ravel(), np.repeat(np.linalg.norm(np.cross(b - a, c - a), axis=1), 3), len(used))
    order = np.argsort(-value, kind="stable")
    last = min(int(np.searchsorted(np.cumsum(area[order]), area @ share[used])), len(order) - 1)
    part = np.zeros(len(share), np.float32)
    part[used] = value * (BORDER / max(min(BORDER, value[order[last]]), 1e-6))
    return part


def _even(value: NDArray[np.float64], corners: NDArray[np.intp]) -> NDArray[np.float64]:
    """The values (V,) averaged with those of their neighbours, some rounds long."""
    to, of = corners[:, [0, 1, 2, 0, 1, 2]].ravel(), corners[:, [1, 2, 0, 2, 0, 1]].ravel()
    count = np.bincount(to, minlength=len(value))
    for _ in range(ROUNDS):
        value = 0.5 * value + 0.5 * np.bincount(to, value[of], len(value)) / count
    return value
