"""A mesh as the GPU wants it: smooth normals and four weights for each vertex."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

INFLUENCES = 4


def smooth_normals(vertices: NDArray[np.floating], faces: NDArray[np.integer]) -> NDArray[np.float32]:
    """(V, 3) unit normals, each the area-weighted mean of the faces around the vertex."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    face = np.cross(b - a, c - a)
    corners = faces.ravel()
    each = np.repeat(face, 3, axis=0)
    total = np.stack([np.bincount(corners, each[:, i], len(vertices)) for i in range(3)], axis=1)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return (total / np.where(length > 0, length, 1.0)).astype(np.float32)


def strongest_weights(weights: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(V, J) weights -> the joints (V, 4), as floats, and weights (V, 4) of the four largest, summing to 1."""
    wide = weights if weights.shape[1] >= INFLUENCES else np.pad(weights, ((0, 0), (0, INFLUENCES - weights.shape[1])))
    joints = np.argpartition(wide, -INFLUENCES, axis=1)[:, -INFLUENCES:]
    chosen = np.take_along_axis(wide, joints, axis=1).astype(np.float32)
    joints[chosen == 0] = 0
    return joints.astype(np.float32), chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1e-9)
