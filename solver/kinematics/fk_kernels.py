"""Compiled forward kinematics of one pose, and what a joint's turn does to points further out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.rotation_kernels import multiply

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@kernel
def forward(parents: Indices, offsets: Array, root: Array, local: Array, positions: Array, world: Array) -> None:
    """Fill positions (J, 3) and world (J, 3, 3) from root (3,), offsets (J, 3) and local rotations (J, 3, 3)."""
    for i in range(3):
        positions[0, i] = root[i]
        for k in range(3):
            world[0, i, k] = local[0, i, k]
    for j in range(1, parents.shape[0]):
        p = parents[j]
        multiply(world[p], local[j], world[j])
        for i in range(3):
            positions[j, i] = positions[p, i] + (
                world[p, i, 0] * offsets[j, 0] + world[p, i, 1] * offsets[j, 1] + world[p, i, 2] * offsets[j, 2]
            )


@kernel
def position_block(point: Array, pivot: Array, turn: Array, out: Array) -> None:
    """out (3, 3): motion of `point` when the joint at `pivot`, turned by `turn` in the world, becomes turn · exp(d)."""
    x, y, z = point[0] - pivot[0], point[1] - pivot[1], point[2] - pivot[2]
    for c in range(3):
        a, b, d = turn[0, c], turn[1, c], turn[2, c]
        out[0, c], out[1, c], out[2, c] = b * z - d * y, d * x - a * z, a * y - b * x
