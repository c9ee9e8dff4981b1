"""The stances in which people are measured: arms out, arms half down, arms down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, SIDES

LOWERED = np.pi / 4  # of an A-pose's arms


class Stance(NamedTuple):
    """A pose to be measured in, upright and facing +Z. world: where it has the joints."""

    title: str
    pose: Pose
    world: WorldJoints


@memoised(8, by_identity=True)
def stances(skeleton: Skeleton) -> tuple[Stance, ...]:
    """The stances of a skeleton. Made once for each skeleton object among the last few."""
    rest = rest_pose(skeleton)
    poses = {"T-pose": rest, "A-pose": _lowered(skeleton, rest), "standing": natural_pose(skeleton)}
    return tuple(Stance(title, pose, forward_kinematics(skeleton, pose)) for title, pose in poses.items())


def _lowered(skeleton: Skeleton, rest: Pose) -> Pose:
    rotations, world, rig = np.array(rest.rotations), forward_kinematics(skeleton, rest), rig_of(skeleton)
    for arm in ARMS:
        joint = rig.find(arm.root)
        if joint is None:
            continue
        above = world.rotations[skeleton.parents[joint]]
        down = from_rotation_vector([0.0, 0.0, -LOWERED if arm.side == SIDES[0] else LOWERED])
        rotations[joint] = above.T @ down @ above @ rotations[joint]
    return Pose(rest.root_position, rotations)
