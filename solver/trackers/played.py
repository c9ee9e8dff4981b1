"""A motion played as trackers: what sensors on its joints would say, for users who have none at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, LEGS, Role
from solver.trackers.sample import Reading, TrackerSample

WRISTS, ANKLES = tuple(arm.end for arm in ARMS), tuple(leg.end for leg in LEGS)
SIX = (Role.PELVIS, Role.HEAD, *WRISTS, *ANKLES)  # where people wear sensors, when they have six
USUAL = {"6": SIX, "5": SIX[:-1], "4": SIX[:4], "3": SIX[1:4]}  # the sets that people wear, by how many


def said(skeleton: Skeleton, pose: Pose, joints: Sequence[str], time_s: float) -> TrackerSample:
    """What trackers on these joints, named after them, say of a pose."""
    world = forward_kinematics(skeleton, pose)
    index = [skeleton.index(joint) for joint in joints]
    readings = {name: Reading(world.positions[j], world.rotations[j]) for name, j in zip(joints, index, strict=True)}
    return TrackerSample(time_s, readings)


def played(skeleton: Skeleton, motion: Motion, joints: Sequence[str], begin_s: float = 0.0) -> Iterator[TrackerSample]:
    """What trackers on these joints say of a whole motion, at its own rate from `begin_s` on."""
    return (said(skeleton, motion.pose(frame), joints, begin_s + frame / motion.fps) for frame in range(len(motion)))
