"""Compiled forward kinematics, of one pose within other kernels and of many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel_in_place, kernel_now

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Tree(NamedTuple):
    """parents (J,), offsets (J, 3) metres, paths (J, J): joints from the root to each, depths (J,): how many."""

    parents: Indices
    offsets: Array
    paths: Indices
    depths: Indices


class PlainPose(NamedTuple):
    """A pose that compiled functions may change: root (3,) metres, local (J, 3, 3) rotations."""

    root: Array
    local: Array


@kernel_in_place
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


@kernel_now(
    "void(int64[::1], float64[:,:,::1], float64[:,::1], float64[:,:,:,::1], float64[:,:,::1], float64[:,:,:,::1])"
)
def forward_many(parents: Indices, offsets: Array, roots: Array, local: Array, positions: Array, world: Array) -> None:
    """Fill positions (N, J, 3) and world (N, J, 3, 3) of N poses; offsets (N, J, 3), or (1, J, 3) for all of them."""
    for n in range(roots.shape[0]):
        forward(parents, offsets[min(n, offsets.shape[0] - 1)], roots[n], local[n], positions[n], world[n])
