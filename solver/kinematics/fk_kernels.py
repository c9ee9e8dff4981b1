"""Compiled forward kinematics of one pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

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
        for i in range(3):
            x, y, z = world[p, i, 0], world[p, i, 1], world[p, i, 2]
            positions[j, i] = positions[p, i] + x * offsets[j, 0] + y * offsets[j, 1] + z * offsets[j, 2]
            for k in range(3):
                world[j, i, k] = x * local[j, 0, k] + y * local[j, 1, k] + z * local[j, 2, k]
