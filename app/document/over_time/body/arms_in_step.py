"""Arms of people who step or walk between keys: they swing against the legs, and the trunk stays as the keys have it.

A network that is asked for one foot ahead of the other knows nothing of the step: it leans ahead and lifts both hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.forms import PointEffector
from solver.ik.problem import IKProblem
from solver.ik.stance.idle_limbs import arms_of, faces_of, joints_asked_of, limbs_of
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

HANGS = (0.6, 0.9)  # of an arm's length, how far the hand is below the shoulder: up to the first it does not swing
MOST, AT_M = np.radians(24.0), 0.5  # an arm swings that far at most, and about three quarters of it at that stride
BENDS = 0.5  # of the way that an arm swings ahead, by which its elbow bends


def with_arms_in_step(problems: Sequence[IKProblem], kept: Poses, proposals: Poses) -> Poses:
    """The proposals for frames between two keys with arms of which nothing is asked as in `kept`, swinging with the
    steps, and the trunk as there if nothing is asked but of legs.

    kept: the poses on the way from key to key, at whose frames feet glide from place to place.
    """
    found = [_in_step(*each) for each in zip(problems, kept.each(), proposals.each(), strict=True)]
    return Poses.of(found)


def with_limbs_in_step(problems: Sequence[IKProblem], kept: Poses, proposals: Poses) -> Poses:
    """As `with_arms_in_step`, for people who turn about as they walk: if nothing is asked but of legs, these are as in
    `kept` as well, since networks may fold the legs of who heads across their way."""
    poses = zip(problems, kept.each(), proposals.each(), strict=True)
    return Poses.of([_in_step(each, base, base if _steps_alone(each) else said) for each, base, said in poses])


def _steps_alone(problem: IKProblem) -> bool:
    """Whether nothing is asked but of legs and pelvis."""
    skeleton = problem.skeleton
    return joints_asked_of(skeleton, problem.effectors) - {0} <= _joints_of_legs(skeleton)


def _joints_of_legs(skeleton: Skeleton) -> set[int]:
    return {joint for line in limbs_of(skeleton) if line not in arms_of(skeleton) for joint in line}


def _in_step(problem: IKProblem, kept: Pose, proposal: Pose) -> Pose:
    skeleton = problem.skeleton
    asked = joints_asked_of(skeleton, problem.effectors)
    arms = [line for line in arms_of(skeleton) if asked.isdisjoint(line)]
    stays = [joint for line in arms for joint in line]
    if _steps_alone(problem):
        legs = _joints_of_legs(skeleton)
        stays = [joint for joint in range(1, len(skeleton.names)) if joint not in legs]
    world, rotations = forward_kinematics(skeleton, kept), np.array(proposal.rotations, np.float64)
    rotations[stays] = kept.rotations[stays]
    stride = _stride(problem, world)
    for line, side in zip(arms_of(skeleton), (1.0, -1.0), strict=True):
        if line in arms:
            _swing(skeleton, world, rotations, line, MOST * float(np.tanh(side * stride / AT_M)))
    return Pose(proposal.root_position, rotations.astype(np.float32))


def _stride(problem: IKProblem, world: WorldJoints) -> float:
    """Metres that the right foot is asked to be ahead of the left one, beyond how joints `world` have them."""
    rig, ahead, found = rig_of(problem.skeleton), faces_of(world)[:, 2], 0.0
    for leg, side in zip(LEGS, (-1.0, 1.0), strict=True):
        name = rig.name(leg.end)
        held = [e for e in problem.effectors if e.joint == name and e.is_active and isinstance(e, PointEffector)]
        found += sum(side * float((e.target - e.held_at(problem.skeleton, world)) @ ahead) for e in held[:1])
    return found


def with_arms_ahead(skeleton: Skeleton, pose: Pose, angle: float) -> Pose:
    """The pose with both arms ahead by radians, as far as they hang."""
    if angle == 0.0:
        return pose
    world, rotations = forward_kinematics(skeleton, pose), np.array(pose.rotations, np.float64)
    for line in arms_of(skeleton):
        _swing(skeleton, world, rotations, line, angle)
    return replace(pose, rotations=rotations.astype(np.float32))


def _swing(skeleton: Skeleton, world: WorldJoints, rotations: Array, line: list[int], most: float) -> None:
    """Turn an arm ahead at the shoulder by `most` radians, less as it hangs less in joints `world`. line: its joints,
    down to the hand."""
    shoulder, elbow, wrist = line[-4:-1]
    places = world.positions[[shoulder, elbow, wrist]].astype(np.float64)
    length = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
    angle = eased_between((places[0] - places[2])[1] / length, *HANGS) * most
    left = faces_of(world)[:, 0]
    for joint, turned in ((shoulder, angle), (elbow, BENDS * max(angle, 0.0))):
        above = world.rotations[skeleton.parents[joint]].astype(np.float64)
        turn = from_rotation_vector(-turned * left)
        rotations[joint] = above.T @ turn @ above @ rotations[joint]
