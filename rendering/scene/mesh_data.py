"""A mesh as the GPU wants it: smooth normals, four weights for each vertex, neighbours next to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

INFLUENCES = 4
MORTON_BITS = 10
SAME_PLACE = 1e-5  # metres
FEW = 0.5  # of a mesh's vertices: if more have moved, all normals are recomputed


def smooth_normals(vertices: NDArray[np.floating], faces: NDArray[np.integer]) -> NDArray[np.float32]:
    """(V, 3) unit normals, each the area-weighted mean of the faces around the vertex."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    u, v = (b - a).T, (c - a).T
    face = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    corners = faces.ravel()
    total = np.stack([np.bincount(corners, np.repeat(each, 3), len(vertices)) for each in face], axis=1)
    length = np.sqrt(np.einsum("vi,vi->v", total, total))[:, None]
    return (total / np.where(length > 0, length, 1.0)).astype(np.float32)


def same_places(vertices: NDArray[np.floating]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """One vertex of each place (P,), and for each vertex (V,) which of the places it is at: surfaces from files have a
    vertex for each side of a seam."""
    rounded = np.ascontiguousarray(np.round(np.asarray(vertices, np.float64) / SAME_PLACE).astype(np.int64))
    rows = rounded.view([("", np.int64)] * 3)[:, 0]
    _, first, place = np.unique(rows, return_index=True, return_inverse=True)
    return first, place


def moved_normals(
    normals: NDArray[np.float32],
    before: NDArray[np.floating],
    after: NDArray[np.floating],
    faces: NDArray[np.integer],
) -> NDArray[np.float32]:
    """The `smooth_normals` (V, 3) of a mesh some of whose vertices moved, such as fingers'; recomputed only there.

    normals: of `before`. If much of it moved, all are recomputed.
    """
    moved = (before != after).any(axis=1)
    if moved.mean() > FEW:
        return smooth_normals(after, faces)
    turned = np.zeros(len(after), bool)
    turned[faces[moved[faces].any(axis=1)]] = True
    near = faces[turned[faces].any(axis=1)]
    result = np.array(normals)
    used = np.zeros(len(after), bool)
    used[near] = True
    place = np.cumsum(used) - 1
    result[turned] = smooth_normals(after[used], place[near])[turned[used]]
    return result


def strongest_weights(weights: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(V, J) weights -> the joints (V, 4), as floats, and weights (V, 4) of the four largest, summing to 1."""
    wide = weights if weights.shape[1] >= INFLUENCES else np.pad(weights, ((0, 0), (0, INFLUENCES - weights.shape[1])))
    joints = np.argpartition(wide, -INFLUENCES, axis=1)[:, -INFLUENCES:]
    chosen = np.take_along_axis(wide, joints, axis=1).astype(np.float32)
    joints[chosen == 0] = 0
    return joints.astype(np.float32), chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1e-9)


def draw_order(
    vertices: NDArray[np.floating], faces: NDArray[np.integer]
) -> tuple[NDArray[np.intp], NDArray[np.uint32]]:
    """Which of the vertices in use comes where (V',), and the faces (F, 3) that go with it.

    Triangles follow a space-filling curve, and vertices follow the triangles: a vertex is then skinned little more than
    once, however small the cache.
    """
    places, indices = np.asarray(vertices, np.float64), np.asarray(faces, np.intp)
    first, second, third = (places.take(column, axis=0) for column in indices.T)
    middles = (first + second + third) / 3
    low = middles.min(axis=0)
    steps = (middles - low) / max(float((middles.max(axis=0) - low).max()), 1e-9) * (2**MORTON_BITS - 1)
    x, y, z = (_every_third_bit(axis) for axis in steps.astype(np.uint32).T)
    corners = indices[np.argsort(x | y << 1 | z << 2, kind="stable")].ravel()
    never = len(corners)
    first_use = np.full(len(places), never)
    np.minimum.at(first_use, corners, np.arange(never))
    used = np.flatnonzero(first_use < never)
    order = used[np.argsort(first_use[used])]
    rank = np.empty(len(places), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return order, rank[corners].reshape(-1, 3)


def _every_third_bit(x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The ten bits of each number spread out, two zeros between them."""
    for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
        x = (x | x << np.uint32(shift)) & np.uint32(mask)
    return x
