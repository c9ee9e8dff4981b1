"""Compiled bounds: what the search holds beside effectors, with its derivative."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import residual_blocks
from solver.jit import kernel
from solver.kinematics.fk_kernels import Tree
from solver.solvers.latent.latent_kernels import FAR, PosedBody, PoseDerivative, add_square, chain_derivative

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Bounds(NamedTuple):
    """N bounds on where a joint is, in the world or from another joint.

    joints: (N, 2), the second -1 for the world. low, high: (N, 3) metres, infinite where nothing is held. lengths:
    (N,) metres that are to lie between the two joints; where below 0, low and high count. pulls: (N,) per square metre.
    """

    joints: Indices
    low: Array
    high: Array
    lengths: Array
    pulls: Array


NO_BOUNDS = Bounds(
    np.empty((0, 2), np.int64), np.empty((0, 3)), np.empty((0, 3)), np.empty(0), np.empty(0)
)  # fmt: skip


@kernel
def beyond_bound(bounds: Bounds, n: int, positions: Array, way: Array, out: Array) -> float:
    """Fill way (3,) from the second joint to the first, and out (3,) with how far it is beyond the bound: by axis, or
    of a length in out[0]. Returns metres."""
    a, b = bounds.joints[n, 0], bounds.joints[n, 1]
    for i in range(3):
        way[i] = positions[a, i] - (positions[b, i] if b >= 0 else 0.0)
    if bounds.lengths[n] >= 0.0:
        out[0] = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) - bounds.lengths[n]
        out[1] = out[2] = 0.0
        return abs(out[0])
    for i in range(3):
        out[i] = min(way[i] - bounds.low[n, i], 0.0) + max(way[i] - bounds.high[n, i], 0.0)
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])


@kernel
def energy_of_bounds(bounds: Bounds, body: PosedBody) -> float:
    """What bounds cost: squares, growing no faster than they do at FAR beyond it."""
    way, out, total = np.empty(3), np.empty(3), 0.0
    for n in range(bounds.joints.shape[0]):
        off = beyond_bound(bounds, n, body.positions, way, out)
        near = min(off, FAR)
        total += bounds.pulls[n] * near * (2.0 * off - near)
    return total


@kernel
def add_bounds(bounds: Bounds, tree: Tree, body: PosedBody, rates: PoseDerivative, normal: Array, right: Array) -> None:
    """Add to normal (U, U) and right (U,) what bounds say, as `add_effectors` does."""
    way, out, work = np.empty(3), np.empty(3), np.empty((4, 3))
    block = np.empty((3, 3 * tree.parents.shape[0] + 3))
    slope, other = np.empty((3, rates.moves.shape[1])), np.empty((3, rates.moves.shape[1]))
    for n in range(bounds.joints.shape[0]):
        off = beyond_bound(bounds, n, body.positions, way, out)
        if off == 0.0:
            continue
        for side in range(2):
            joint = bounds.joints[n, side]
            if joint < 0:
                other[:] = 0.0
                continue
            work[0] = body.positions[joint]
            residual_blocks(POINT, joint, tree, out, body.positions, body.world, work, 1.0, 0, block)
            chain_derivative(joint, tree, block, rates.moves, rates.spins, slope if side == 0 else other)
        length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
        for c in range(rates.moves.shape[1]):
            x, y, z = slope[0, c] - other[0, c], slope[1, c] - other[1, c], slope[2, c] - other[2, c]
            if bounds.lengths[n] >= 0.0:
                x, y, z = (way[0] * x + way[1] * y + way[2] * z) / max(length, 1e-9), 0.0, 0.0
            else:
                x, y, z = x if out[0] != 0.0 else 0.0, y if out[1] != 0.0 else 0.0, z if out[2] != 0.0 else 0.0
            slope[0, c], slope[1, c], slope[2, c] = x, y, z
        add_square(bounds.pulls[n] * FAR / max(off, FAR), out, slope, normal, right)
