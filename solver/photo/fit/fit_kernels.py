"""Compiled parts of one damped Gauss–Newton step over a person's pose, place and proportions and the floor.

The loop over the steps is in Python: as one function, all of this would take a minute to compile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.ik.kernels.step_kernels import solve_positive
from solver.jit import kernel
from solver.kinematics.rotation_kernels import exponential, multiply, orthonormalise
from solver.photo.fit.evidence_kernels import (
    Contacts,
    Landmarks,
    Prior,
    Spread,
    Trunk,
    add_clearance,
    add_floor,
    add_landmarks,
    add_prior,
)
from solver.photo.fit.observed_rotation_kernels import ObservedRotations, add_observed_rotations
from solver.photo.fit.system_kernels import HEIGHT, TURN, Bones, Unknowns, Work, pose_bones

Array = NDArray[np.float64]

LEAST_STIFFNESS = 1e-6
MOST_BETA = 3.0  # standard deviations


@kernel
def linearise(
    bones: Bones, prior: Prior, landmarks: Landmarks, turns: ObservedRotations, contacts: Contacts, trunk: Trunk,
    spread: Spread, at: Unknowns, work: Work,
) -> float:  # fmt: skip
    """Fill normal and gradient, which stand for half the cost; returns the cost."""
    work.normal[:] = 0.0
    work.gradient[:] = 0.0
    pose_bones(bones, at.root, at.local, at.betas, work)
    cost = add_landmarks(bones, landmarks, at.turn, spread, work)
    cost += add_observed_rotations(bones, turns, work)
    cost += add_prior(at.local, at.betas, prior, spread, work)
    cost += add_clearance(bones, trunk, spread, work)
    return cost + add_floor(bones, contacts, at.ground, spread, work)


@kernel
def step(
    normal: Array, gradient: Array, damping: float, here: Unknowns, there: Unknowns, system: Array, change: Array
) -> None:
    """Fill `there` with the damped Gauss–Newton step from `here`. system (N, N) and change (N,): work space."""
    joints, size = here.local.shape[0], gradient.shape[0]
    for i in range(size):
        change[i] = -gradient[i]
        for k in range(i + 1):
            system[i, k] = normal[i, k]
        system[i, i] += damping * normal[i, i] + LEAST_STIFFNESS
    solve_positive(system, change, size)
    rotation = np.empty((3, 3))
    for j in range(joints):
        exponential(change[3 * j : 3 * j + 3], rotation)
        multiply(here.local[j], rotation, there.local[j])
        orthonormalise(there.local[j])
    at = 3 * joints
    for i in range(3):
        there.root[i] = here.root[i] + change[at + i]
    at += 3
    for i in range(here.betas.shape[0]):
        there.betas[i] = min(max(here.betas[i] + change[at + i], -MOST_BETA), MOST_BETA)
    for i in range(2):
        there.ground[i] = here.ground[i] + change[size - HEIGHT + i]
        there.turn[i] = here.turn[i] + change[size - TURN + i]
