"""What a network reads of a base pose, and what is copied from it without asking the network; numpy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.effectors.placement import placed
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton

NEAR_M = 0.5  # up to this far off the effectors a base pose is read where it is


def base_arrays(problem: IKProblem, effectors: Sequence[Effector], joints: int) -> dict[str, NDArray]:
    """The network's inputs for one problem, as `BaseBatch` describes them, for its first `joints` joints."""
    skeleton, base = problem.skeleton, turned_to(problem, effectors)
    world = forward_kinematics(skeleton, base)
    come = (1.0 - problem.preserve_position.max()) * way_to(skeleton, world.positions, effectors)
    arrays = {
        "base_positions": world.positions[:joints] + come.astype(np.float32),
        "base_world": world.rotations[:joints],
        "base_local": base.rotations[:joints],
        "offsets": skeleton.offsets[:joints],
        "keep_place": problem.preserve_position[:joints],
        "keep_shape": problem.preserve_orientation[:joints],
    }
    return {name: np.array(array[None], np.float32, order="C") for name, array in arrays.items()}


def turned_to(problem: IKProblem, effectors: Sequence[Effector]) -> Pose:
    """The base pose, turned about its root to lie best over the effectors, as far as it may be turned.

    Not at all if its place or the root's rotation is kept; if partly kept, by part of the angle.
    """
    base = problem.base_pose
    free = (1.0 - problem.preserve_position.max()) * (1.0 - problem.preserve_orientation[0])
    if free <= 0.0 or problem.frozen:
        return base
    turn = placed(problem.skeleton, base, effectors).rotations[0] @ base.rotations[0].T
    rotations = np.array(base.rotations)
    rotations[0] = from_rotation_vector(free * to_rotation_vector(turn)) @ rotations[0]
    return Pose(base.root_position, rotations)


def way_to(skeleton: Skeleton, positions: NDArray, effectors: Sequence[Effector]) -> NDArray:
    """(3,) metres by which a base pose comes towards effectors that are far from it; its place is not to be kept.

    Networks have seen base poses near the effectors. The way is what is beyond NEAR_M of the mean way from the joints
    to their targets, so that the pose comes little by little.
    """
    placing = [e for e in effectors if isinstance(e, PointEffector)]
    if not placing:
        return np.zeros(3)
    way = np.mean([e.target - positions[skeleton.index(e.joint)] for e in placing], axis=0)
    length = float(np.linalg.norm(way))
    return way * max(0.0, 1.0 - NEAR_M / max(length, NEAR_M))


def frozen_effectors(problem: IKProblem, joints: int) -> tuple[Effector, ...]:
    """The place and the turn of each frozen joint, around which a network builds the rest."""
    skeleton = problem.skeleton
    held = sorted(j for j in map(skeleton.index, problem.frozen) if j < joints)
    world = forward_kinematics(skeleton, problem.base_pose)
    places = (Position(skeleton.names[j], world.positions[j]) for j in held)
    return (*places, *(Rotation(skeleton.names[j], world.rotations[j]) for j in held))


def with_base(problem: IKProblem, pose: Pose, joints: int) -> Pose:
    """The proposal with the base pose's rotations of joints that the network does not know."""
    if len(problem.skeleton) == joints:
        return pose
    rotations = np.concatenate([pose.rotations[:joints], problem.base_pose.rotations[joints:]])
    return Pose(pose.root_position, rotations)
