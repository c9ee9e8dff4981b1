"""Simulated trackers: what sensors on the joints of a motion would report, for users who have none at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, LEGS, Role
from solver.trackers.sample import Reading, TrackerSample

WRISTS, ANKLES = tuple(arm.end for arm in ARMS), tuple(leg.end for leg in LEGS)
SIX_ROLES = (Role.PELVIS, Role.HEAD, *WRISTS, *ANKLES)  # where people wear sensors, when they have six
DEFAULT_ROLES = {
    "6": SIX_ROLES,
    "5": SIX_ROLES[:-1],
    "4": SIX_ROLES[:4],
    "3": SIX_ROLES[1:4],
}  # the sets that people wear, by how many


def simulated_sample(skeleton: Skeleton, pose: Pose, joints: Sequence[str], time_s: float) -> TrackerSample:
    """What trackers on these joints, named after them, say of a pose."""
    world = forward_kinematics(skeleton, pose)
    index = [skeleton.index(joint) for joint in joints]
    readings = {name: Reading(world.positions[j], world.rotations[j]) for name, j in zip(joints, index, strict=True)}
    return TrackerSample(time_s, readings)


def simulated_samples(
    skeleton: Skeleton, motion: Motion, joints: Sequence[str], begin_s: float = 0.0
) -> Iterator[TrackerSample]:
    """What trackers on these joints say of a whole motion, at its own rate from `begin_s` on."""
    return (
        simulated_sample(skeleton, motion.pose(frame), joints, begin_s + frame / motion.fps)
        for frame in range(len(motion))
    )
