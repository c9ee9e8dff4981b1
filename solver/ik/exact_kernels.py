"""Compiled exact stage: a search in which effectors give way a little, then the smallest correction that meets them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.ik.minimise_kernels import minimise
from solver.ik.prior_kernels import leanings, quaternions
from solver.ik.residual_kernels import measure
from solver.jit import kernel
from solver.kinematics.limit_kernels import swing_twist
from solver.kinematics.rotation_kernels import copy, matrices

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# Position (m), rotation (rad), look-at (rad).
SOFT_WEIGHT = (1e3, 1e2, 1e2)
SOFT_KNEE = (0.05, 0.2, 0.2)
SOFT_LIMITS = 300.0
HARD_ITERATIONS = 20
HARD_SETTLED = 1e-6
HARD_TRIFLE = 1e-4  # a firm position 14 µm off, a pinned one 3 µm


@kernel
def room_for(turned: Array, frames: Array, low: Array, high: Array, wide_low: Array, wide_high: Array) -> None:
    """Fill wide_low and wide_high (J, 3): limits widened so that the quaternions `turned` (J, 4) lie within."""
    v = np.empty(3)
    for j in range(turned.shape[0]):
        swing_twist(turned[j], frames[j], v)
        for c in range(3):
            wide_low[j, c] = min(low[j, c], v[c])
            wide_high[j, c] = max(high[j, c], v[c])


@kernel
def softened(kinds: Indices, strengths: Array, soft: Array) -> None:
    """Fill soft (E, 3), strengths for the search: strict effectors pull no harder than firm ones, over a longer way."""
    copy(strengths, soft)
    for e in range(kinds.shape[0]):
        most = SOFT_WEIGHT[kinds[e]]
        if strengths[e, 0] > most:
            soft[e, 0] = most
            soft[e, 1] = min(strengths[e, 1] * strengths[e, 0] / most, SOFT_KNEE[kinds[e]])


@kernel
def solve_arrays(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    mean: Array, stiffness: Array, frames: Array, low: Array, high: Array,
    anchor_root: Array, anchor: Array, base: Array, hold: Array, pulls: Array,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array, iterations: int, settled: float,
    root: Array, local: Array, soft_root: Array, soft: Array, errors: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move root (3,) and local (J, 3, 3) from the start to the answer; returns iterations used and the energy left.

    soft_root and soft get the pose from which the effectors were met to the last, errors (E,) how far each still is.
    anchor, base: (J, 3, 3). hold: (J,). pulls: (4,), see minimise.

    The search goes through a wide valley, in which the body finds how to stand. The correction that follows starts
    from there and stays near. Both in one energy would creep along a gorge.
    """
    bones, effectors = parents.shape[0], kinds.shape[0]
    positions, world = np.empty((bones, 3)), np.empty((bones, 3, 3))
    q, base_q, near_q, leaning = np.empty((bones, 4)), np.empty((bones, 4)), np.empty((bones, 4)), np.empty((bones, 3))
    wide_low, wide_high = np.empty((bones, 3)), np.empty((bones, 3))
    stage_pulls, stage_strengths, near_root = np.empty(4), np.empty((effectors, 3)), np.empty(3)
    quaternions(local, q)
    quaternions(base, base_q)
    quaternions(anchor, near_q)
    leanings(near_q, mean, stiffness, leaning)
    room_for(base_q, frames, low, high, wide_low, wide_high)
    softened(kinds, strengths, stage_strengths)
    for i in range(4):
        stage_pulls[i] = pulls[i]
    stage_pulls[2] = min(pulls[2], SOFT_LIMITS)
    for i in range(3):
        near_root[i] = anchor_root[i]
    count, energy, left, enough, trifle = 0, 0.0, iterations, settled, 0.0
    for stage in range(2):
        if stage == 1:
            for i in range(3):
                soft_root[i] = near_root[i] = root[i]
            matrices(q, soft)
            copy(q, near_q)
            copy(strengths, stage_strengths)
            stage_pulls[1], stage_pulls[2] = 0.0, pulls[2]
            left, enough, trifle = HARD_ITERATIONS, HARD_SETTLED, HARD_TRIFLE
        more, energy = minimise(
            parents, offsets, paths, depths, near_root, near_q, mean, leaning, stiffness, stage_pulls,
            base_q, hold, frames, wide_low, wide_high, kinds, joints, targets, stage_strengths,
            left, enough, trifle, root, q, local, positions, world,
        )  # fmt: skip
        count += more
    measure(kinds, joints, targets, positions, world, errors)
    return count, energy
