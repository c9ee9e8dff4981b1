"""Compiled damped Gauss–Newton over a person's pose, place and proportions and the floor below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.estimators.evidence_kernels import (
    Contacts,
    Frame,
    Nature,
    Seen,
    Spread,
    Trunk,
    Work,
    add_clearance,
    add_floor,
    add_landmarks,
    add_nature,
    pose_bones,
)
from solver.ik.minimise_kernels import solve_positive
from solver.jit import kernel
from solver.kinematics.rotation_kernels import exponential, multiply, orthonormalise

Array = NDArray[np.float64]

GAIN = 1e-3  # a step that takes off a smaller share of the cost is the last
LEAST_DAMPING, MOST_DAMPING = 1e-5, 1e4
MOST_BETA = 3.0


@kernel
def linearise(
    bones: Frame, nature: Nature, seen: Seen, contacts: Contacts, trunk: Trunk, spread: Spread,
    root: Array, local: Array, betas: Array, ground: Array, work: Work,
) -> float:  # fmt: skip
    """Fill normal and gradient, which stand for half the cost; returns the cost."""
    work.normal[:] = 0.0
    work.gradient[:] = 0.0
    pose_bones(bones, root, local, betas, work)
    cost = add_landmarks(bones, seen, spread, work)
    cost += add_nature(local, betas, nature, spread, work)
    cost += add_clearance(bones, trunk, spread, work)
    return cost + add_floor(bones, contacts, ground, spread, work)


@kernel
def descend(
    bones: Frame, nature: Nature, seen: Seen, contacts: Contacts, trunk: Trunk, spread: Spread,
    root: Array, local: Array, betas: Array, ground: Array, work: Work, steps: int,
) -> float:  # fmt: skip
    """Improve root (3,), local (J, 3, 3), betas (B,) and ground (2,) in place; returns the cost reached."""
    joints, size = local.shape[0], work.gradient.shape[0]
    cost = linearise(bones, nature, seen, contacts, trunk, spread, root, local, betas, ground, work)
    normal, gradient, step = work.normal.copy(), work.gradient.copy(), np.empty(size)
    system, turn = np.empty((size, size)), np.empty((3, 3))
    new_root, new_local, new_betas, new_ground = root.copy(), local.copy(), betas.copy(), ground.copy()
    damping = 1e-2
    for _ in range(steps):
        for i in range(size):
            step[i] = -gradient[i]
            for k in range(i + 1):
                system[i, k] = normal[i, k]
            system[i, i] += damping * normal[i, i] + 1e-6
        solve_positive(system, step, size)
        for j in range(joints):
            exponential(step[3 * j : 3 * j + 3], turn)
            multiply(local[j], turn, new_local[j])
            orthonormalise(new_local[j])
        at = 3 * joints
        for i in range(3):
            new_root[i] = root[i] + step[at + i]
        at += 3
        for i in range(betas.shape[0]):
            new_betas[i] = min(max(betas[i] + step[at + i], -MOST_BETA), MOST_BETA)
        for i in range(2):
            new_ground[i] = ground[i] + step[size - 2 + i]
        new_cost = linearise(
            bones, nature, seen, contacts, trunk, spread, new_root, new_local, new_betas, new_ground, work
        )
        if new_cost < cost:
            gain = cost - new_cost
            cost = new_cost
            root[:], local[:], betas[:], ground[:] = new_root, new_local, new_betas, new_ground
            normal[:], gradient[:] = work.normal, work.gradient
            damping = max(damping / 4.0, LEAST_DAMPING)
            if gain < GAIN * cost:
                break
        else:
            damping *= 8.0
            if damping > MOST_DAMPING:
                break
    return cost
