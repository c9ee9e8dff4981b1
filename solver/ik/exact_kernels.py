"""Compiled exact stage: preserved places become rows beside the effectors, limits make room for the base pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.ik.minimise_kernels import minimise
from solver.ik.residual_kernels import POSITION, measure
from solver.jit import kernel
from solver.kinematics.fk_kernels import forward
from solver.kinematics.limit_kernels import swing_twist
from solver.kinematics.rotation_kernels import orthonormalise

Array = NDArray[np.float64]
Single = NDArray[np.float32]
Indices = NDArray[np.int64]

PLACE_KNEE = 0.01  # metres
LEAST = 1e-3  # masks below it are none


@kernel
def room_for(rotations: Array, frames: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Limits (J, 3) widened so that `rotations` (J, 3, 3) lie within."""
    wide_low, wide_high = low.copy(), high.copy()
    q, v, derivative = np.empty(4), np.empty(3), np.empty((3, 3))
    for j in range(1, rotations.shape[0]):
        swing_twist(rotations[j], frames[j], q, v, derivative)
        for c in range(3):
            wide_low[j, c] = min(low[j, c], v[c])
            wide_high[j, c] = max(high[j, c], v[c])
    return wide_low, wide_high


@kernel
def solve_arrays(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    mean: Array, stiffness: Array, frames: Array, low: Array, high: Array,
    anchor_root: Array, anchor: Array, base_root: Array, base: Array, keep_place: Single, keep_turn: Single,
    anchor_pull: float, mean_pull: float, limit_pull: float, root_pull: float, turn_pull: float, place_pull: float,
    kinds: Indices, joints: Indices, targets: Array, weights: Array, knees: Array,
    iterations: int, settled: float, root: Array, local: Array, errors: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move root (3,) and local (J, 3, 3) in place to the answer, fill errors (E,); returns iterations and energy."""
    bones, effectors = parents.shape[0], kinds.shape[0]
    for j in range(bones):
        orthonormalise(local[j])
        orthonormalise(anchor[j])
        orthonormalise(base[j])
    positions, world = np.empty((bones, 3)), np.empty((bones, 3, 3))
    hold, kept = np.zeros(bones), np.zeros(bones, np.bool_)
    places = 0
    for j in range(bones):
        if keep_turn[j] > LEAST:
            hold[j] = turn_pull * keep_turn[j] ** 2
        kept[j] = keep_place[j] > LEAST
    for e in range(effectors):
        if kinds[e] == POSITION:
            kept[joints[e]] = False  # the user has said where this one goes
    for j in range(bones):
        places += kept[j]
    all_kinds, all_joints = np.empty(effectors + places, np.int64), np.empty(effectors + places, np.int64)
    all_targets, all_weights = np.zeros((effectors + places, 3, 3)), np.empty(effectors + places)
    all_knees = np.empty(effectors + places)
    all_kinds[:effectors], all_joints[:effectors], all_targets[:effectors] = kinds, joints, targets
    all_weights[:effectors], all_knees[:effectors] = weights, knees
    if places > 0:
        forward(parents, offsets, base_root, base, positions, world)
        e = effectors
        for j in range(bones):
            if kept[j]:
                all_kinds[e], all_joints[e], all_targets[e, 0] = POSITION, j, positions[j]
                all_weights[e], all_knees[e] = place_pull * keep_place[j] ** 2, PLACE_KNEE
                e += 1
    wide_low, wide_high = room_for(base, frames, low, high)
    count, energy = minimise(
        parents, offsets, paths, depths, anchor_root, anchor, mean, stiffness, root_pull, base, hold,
        frames, wide_low, wide_high, np.array([anchor_pull, mean_pull, limit_pull]),
        all_kinds, all_joints, all_targets, all_weights, all_knees,
        iterations, settled, root, local, positions, world,
    )  # fmt: skip
    measure(kinds, joints, targets, positions, world, errors)
    return count, energy
