"""Compiled cyclic coordinate descent over a tree of joints with a free root."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import AIM, POINT, TURN
from solver.effectors.residual_kernels import Rows
from solver.jit import kernel
from solver.kinematics.fk_kernels import PlainPose, Tree, forward
from solver.kinematics.rotation_kernels import multiply, multiply_transposed, orthonormalise
from solver.solvers.classical.turning_kernels import add_outer, best_turn, length

Array = NDArray[np.float64]

LEVER = 0.3  # metres: at this distance from the joint, a position weighs as much as a direction
HOLD = 0.1  # share of all evidence that holds a joint where it is, so that no joint does all the work
SWEEPS = 60
SETTLED = 1e-5  # metres that the root and the effectors move in the last sweep


@kernel
def gather_evidence(
    joint: int, beyond: NDArray[np.bool_], rows: Rows, positions: Array, world: Array, evidence: Array
) -> float:
    """Fill evidence (3, 3) with what the effectors beyond a joint say about its turn; returns its strength."""
    kinds, joints, targets = rows.kinds, rows.joints, rows.targets
    strength = 0.0
    a, b = np.empty(3), np.empty(3)
    evidence[:] = 0.0
    for e in range(kinds.shape[0]):
        if not beyond[joint, e]:
            continue
        at = joints[e]
        if kinds[e] == TURN:
            for column in range(3):
                add_outer(LEVER * LEVER, targets[e, :, column], world[at, :, column], evidence)
            strength += 3.0 * LEVER * LEVER
        elif kinds[e] == AIM:
            for i in range(3):
                a[i] = targets[e, 0, i] - positions[at, i]
                b[i] = world[at, i, 0] * targets[e, 1, 0] + world[at, i, 1] * targets[e, 1, 1]
                b[i] += world[at, i, 2] * targets[e, 1, 2]
            weight = LEVER * LEVER / max(length(a), 0.05)
            add_outer(weight, a, b, evidence)
            strength += weight * length(a)
        elif at != joint:
            for i in range(3):
                a[i] = targets[e, 0, i] - positions[joint, i]
                b[i] = positions[at, i] - positions[joint, i]
            add_outer(1.0, a, b, evidence)
            strength += length(a) * length(b)
    return strength


@kernel
def descend(tree: Tree, rows: Rows, pose: PlainPose) -> int:
    """Turn one joint after the other, tips first, so that the effectors beyond it fit best; then move the root.

    Changes the pose in place; returns the number of sweeps.
    """
    parents, offsets, root, local = tree.parents, tree.offsets, pose.root, pose.local
    kinds, joints, targets = rows.kinds, rows.joints, rows.targets
    count, effectors = parents.shape[0], kinds.shape[0]
    positions, world = np.empty((count, 3)), np.empty((count, 3, 3))
    evidence, turn, turned = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    beyond = np.zeros((count, effectors), np.bool_)
    for e in range(effectors):
        j = joints[e]
        while j >= 0:
            beyond[j, e] = True
            j = parents[j]
    before, shift = np.empty((effectors, 3)), np.empty(3)
    forward(parents, offsets, root, local, positions, world)
    for sweep in range(SWEEPS):
        for e in range(effectors):
            before[e] = positions[joints[e]]
        for j in range(count - 1, -1, -1):
            strength = gather_evidence(j, beyond, rows, positions, world, evidence)
            if strength < 1e-12:
                continue
            for i in range(3):
                evidence[i, i] += HOLD * strength
            best_turn(evidence, turn)
            multiply(turn, world[j], turned)
            if parents[j] < 0:
                local[j] = turned
            else:
                multiply_transposed(world[parents[j]], turned, local[j])
            forward(parents, offsets, root, local, positions, world)
        shift[:], placed, moved = 0.0, 0, 0.0
        for e in range(effectors):
            if kinds[e] == POINT:
                placed += 1
                for i in range(3):
                    shift[i] += targets[e, 0, i] - positions[joints[e], i]
        for i in range(3):
            shift[i] /= max(placed, 1)
            root[i] += shift[i]
        for j in range(count):
            orthonormalise(local[j])
        forward(parents, offsets, root, local, positions, world)
        for e in range(effectors):
            for i in range(3):
                moved = max(moved, abs(positions[joints[e], i] - before[e, i]))
        if moved < SETTLED:
            return sweep + 1
    return SWEEPS
