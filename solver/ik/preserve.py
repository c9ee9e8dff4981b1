"""What is to be kept of the base pose, as rows beside the effectors and as stiffness of joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.residual_kernels import Rows
from solver.effectors.rows import POINT
from solver.ik.preserve_modes import LEAST, limb_of
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.values import FloatArray, frozen_array

Array = NDArray[np.float64]
DECADES = 1e5  # from the least to the full firmness
PLACE_KNEE = 4e-3  # metres
PLACE_FADING = 0.5


def without_masks(problem: IKProblem) -> IKProblem:
    """The problem with nothing to be kept of its base pose; itself where nothing is."""
    if not problem.keeps:
        return problem
    free = frozen_array(np.zeros(len(problem.skeleton)), (None,), "mask")
    return replace(problem, preserve_position=free, preserve_orientation=free)


def held_stiffness(problem: IKProblem, pull: float) -> Array:
    """(J,) stiffness per rad² with which each joint keeps its local orientation; `pull` at mask 1."""
    mask = problem.preserve_orientation
    if not problem.keeps:
        return np.zeros(len(mask))
    return pull * firmness(mask)


def firmness(mask: FloatArray) -> Array:
    """From 0 at mask 0 to 1 at mask 1, by the same factor for each step: what resists does so over many powers of ten,
    and a pose that is swept by the mask shall change all the way."""
    return np.expm1(np.log(DECADES) * mask.astype(np.float64)) / (DECADES - 1.0)


def nearer_base(problem: IKProblem, proposal: Pose) -> Pose:
    """The proposal, each joint turned towards the base pose by the share that it is to be kept.

    So a joint that is kept half is half way between what the solver would do and the base pose, wherever that is.
    """
    if not problem.keeps:
        return proposal
    shares = np.maximum(problem.preserve_orientation, problem.preserve_position)
    if shares.max() <= LEAST:
        return proposal
    base = problem.base_pose
    turns = to_rotation_vector(np.swapaxes(proposal.rotations, -1, -2) @ base.rotations)
    rotations = (proposal.rotations @ from_rotation_vector(shares[:, None] * turns)).astype(np.float32)
    rotations[shares >= 1.0] = base.rotations[shares >= 1.0]
    shift = problem.preserve_position[0] * (base.root_position - proposal.root_position)
    return Pose(proposal.root_position + shift, rotations)


def with_places(problem: IKProblem, rows: Rows, strengths: Array, pull: float) -> tuple[Rows, Array]:
    """The effectors, and behind them a position row for each joint whose place is to be kept; `pull` per m² at mask 1.

    A joint that has been given a place frees its limb: its forearm cannot stay where it is when a hand is dragged.
    Frozen joints are held otherwise.
    """
    mask = problem.preserve_position
    if not problem.keeps or mask.max() <= LEAST:
        return rows, strengths
    kept = mask > LEAST
    kept[[problem.skeleton.index(name) for name in problem.frozen]] = False
    for kind, joint in zip(rows.kinds, rows.joints, strict=True):
        if kind == POINT:
            kept[limb_of(problem.skeleton, int(joint))] = False
    joints = np.flatnonzero(kept)
    targets = np.zeros((len(joints), 3, 3))
    targets[:, 0] = forward_kinematics(problem.skeleton, problem.base_pose).positions[joints]
    weights = pull * firmness(mask[joints])
    forces = pull * PLACE_KNEE * mask[joints].astype(np.float64) ** 2  # less firm, they give way over a longer way
    more = np.stack([weights, forces / weights, np.full(len(joints), PLACE_FADING)], axis=1)
    both = Rows(
        np.concatenate([rows.kinds, np.full(len(joints), POINT)]),
        np.concatenate([rows.joints, joints]),
        np.concatenate([rows.targets, targets]),
    )
    return both, np.concatenate([strengths, more])
