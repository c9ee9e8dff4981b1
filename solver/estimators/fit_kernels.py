"""Compiled parts of one damped Gauss–Newton step over a person's pose, place and proportions and the floor.

The loop over the steps is in Python: as one function, all of this would take a minute to compile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.estimators.evidence_kernels import (
    Contacts,
    Nature,
    Seen,
    Spread,
    Trunk,
    add_clearance,
    add_floor,
    add_landmarks,
    add_nature,
)
from solver.estimators.fit_system import HEIGHT, TURN, Frame, Work, pose_bones
from solver.ik.step_kernels import solve_positive
from solver.jit import kernel
from solver.kinematics.rotation_kernels import exponential, multiply, orthonormalise

Array = NDArray[np.float64]

LEAST_STIFFNESS = 1e-6
MOST_BETA = 3.0  # standard deviations


@kernel
def linearise(
    bones: Frame, nature: Nature, seen: Seen, contacts: Contacts, trunk: Trunk, spread: Spread,
    root: Array, local: Array, betas: Array, ground: Array, turn: Array, work: Work,
) -> float:  # fmt: skip
    """Fill normal and gradient, which stand for half the cost; returns the cost."""
    work.normal[:] = 0.0
    work.gradient[:] = 0.0
    pose_bones(bones, root, local, betas, work)
    cost = add_landmarks(bones, seen, turn, spread, work)
    cost += add_nature(local, betas, nature, spread, work)
    cost += add_clearance(bones, trunk, spread, work)
    return cost + add_floor(bones, contacts, ground, spread, work)


@kernel
def step(
    normal: Array, gradient: Array, damping: float,
    root: Array, local: Array, betas: Array, ground: Array, turn: Array,
    new_root: Array, new_local: Array, new_betas: Array, new_ground: Array, new_turn: Array,
    system: Array, change: Array,
) -> None:  # fmt: skip
    """Fill new_root (3,), new_local (J, 3, 3), new_betas (B,), new_ground (2,) and new_turn (2,) with the damped
    Gauss–Newton step.

    system (N, N) and change (N,): work space.
    """
    joints, size = local.shape[0], gradient.shape[0]
    for i in range(size):
        change[i] = -gradient[i]
        for k in range(i + 1):
            system[i, k] = normal[i, k]
        system[i, i] += damping * normal[i, i] + LEAST_STIFFNESS
    solve_positive(system, change, size)
    rotation = np.empty((3, 3))
    for j in range(joints):
        exponential(change[3 * j : 3 * j + 3], rotation)
        multiply(local[j], rotation, new_local[j])
        orthonormalise(new_local[j])
    at = 3 * joints
    for i in range(3):
        new_root[i] = root[i] + change[at + i]
    at += 3
    for i in range(betas.shape[0]):
        new_betas[i] = min(max(betas[i] + change[at + i], -MOST_BETA), MOST_BETA)
    for i in range(2):
        new_ground[i] = ground[i] + change[size - HEIGHT + i]
        new_turn[i] = turn[i] + change[size - TURN + i]
