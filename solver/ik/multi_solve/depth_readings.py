"""Readings of an arm or a leg that one picture cannot tell apart: each of its two bones may lead nearer or farther.

A bone of known length whose ends are seen at two places of a picture has two positions, mirrored in depth (Taylor, CVIU
2000). Joints keep their places in the picture; the exact stage finds how the limb turns to bring them there.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.effectors.kinds import Position
from solver.ik.multi_solve.only_limb import only_limb
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import rotation_between
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import LIMBS, Limb

Array = NDArray[np.float64]

FLAT = 0.12  # of a bone's length along the sight: below it the mirrored bone is hardly another one
MISSED = 0.03  # metres that a reading may miss in the end: if it misses more, joints do not bend that way
BEYOND = 0.3  # radians that joints may be beyond their ranges, or as far as they were


def limb_at(rig: Rig, joint: str) -> Limb | None:
    """The arm or leg that a joint belongs to, if all of its three main joints are there; None for any other joint."""
    role = rig.role_of(joint)
    for limb in LIMBS:
        if role in (*limb.joints, *limb.fingers):
            return None if rig.lacking(limb.line) else limb
    return None


def next_reading(solver: Solver, problem: IKProblem, pose: Pose, joint: str, eye: Array) -> Pose | None:
    """The next of the up to four readings of a joint's limb, as seen from `eye` (3,) metres; all else stays.

    Called again and again, it goes round all readings that the joints' ranges allow. None for a joint of no arm or leg,
    and if the limb lies so flat before the eye that it has only one reading. problem: its base pose is `pose`; its
    effectors do not count.
    """
    limb = limb_at(rig_of(problem.skeleton), joint)
    if limb is None:
        return None
    line = [rig_of(problem.skeleton).joint(role) for role in limb.line]
    joints = forward_kinematics(problem.skeleton, pose)
    places = joints.positions[line].astype(np.float64)
    now = [_depth(start, end, eye) for start, end in pairwise(places)]
    for number in range(1, 4):
        flips = _flips(now, number)
        goals = _goals(places, flips, eye)
        if goals is None or any(flip and abs(depth) < FLAT for flip, depth in zip(flips, now, strict=True)):
            continue
        found = _bent(solver, problem, _swung(pose, joints, line, goals, problem), line, goals)
        if found is not None:
            return found
    return None


def _flips(now: list[float], number: int) -> tuple[bool, bool]:
    """Which bones the reading `number` steps after this one turns over, counted by which lead nearer or farther."""
    is_far = [depth > 0 for depth in now]
    code = (2 * is_far[0] + is_far[1] + number) % 4
    return is_far[0] != bool(code & 2), is_far[1] != bool(code & 1)


def _depth(start: Array, end: Array, eye: Array) -> float:
    """How far a bone leads away from the eye, as a share of its length."""
    sight = (end - eye) / np.linalg.norm(end - eye)
    return float(sight @ (end - start) / max(float(np.linalg.norm(end - start)), 1e-9))


def _goals(places: Array, flips: tuple[bool, bool], eye: Array) -> list[Array] | None:
    """Where hinge and end are in a reading: on their sight lines, with bones of their own length; None if nowhere."""
    at, goals = places[0], []
    for (start, end), flip in zip(pairwise(places), flips, strict=True):
        sight, length = (end - eye) / np.linalg.norm(end - eye), float(np.linalg.norm(end - start))
        nearest = float(sight @ (at - eye))
        away = length**2 - float(np.sum((eye + nearest * sight - at) ** 2))
        if away < -(MISSED**2):
            return None
        far = (_depth(start, end, eye) > 0) != flip
        along = nearest + (1.0 if far else -1.0) * max(away, 0.0) ** 0.5
        if along <= 0:
            return None
        at = eye + along * sight
        goals.append(at)
    return goals


def _swung(pose: Pose, joints: WorldJoints, line: list[int], goals: list[Array], problem: IKProblem) -> Pose:
    """The pose with the limb's bones swung to their goals; what is at its end keeps its turn in the world."""
    places, world = joints.positions.astype(np.float64), joints.rotations.astype(np.float64).copy()
    at = places[line[0]]
    for (joint, child), goal in zip(pairwise(line), goals, strict=True):
        world[joint] = rotation_between(places[child] - places[joint], goal - at) @ world[joint]
        at = goal
    local, parents = pose.rotations.astype(np.float64).copy(), problem.skeleton.parents
    for joint in line:
        local[joint] = world[parents[joint]].T @ world[joint]
    return Pose(pose.root_position, local.astype(np.float32))


def _bent(solver: Solver, problem: IKProblem, swung: Pose, line: list[int], goals: list[Array]) -> Pose | None:
    """The swung pose within the joints' ranges; None if that misses the goals."""
    skeleton = problem.skeleton
    names = [skeleton.names[joint] for joint in line]
    asked = tuple(Position(name, goal.astype(np.float32)) for name, goal in zip(names[1:], goals, strict=True))
    free = IKProblem.without_masks(skeleton, asked, swung, problem.shape, problem.body)
    found = solver.finish([only_limb(skeleton, names[-1], swung).applied_to(free)], [swung])[0]
    there = forward_kinematics(skeleton, found).positions[line[1:]]
    if np.linalg.norm(there - goals, axis=1).max() > MISSED:
        return None
    ranges = joint_limits(rig_of(skeleton).keys)
    before, after = (float(ranges.excess(each.rotations)[line].max()) for each in (problem.base_pose, found))
    return found if after < max(before, BEYOND) else None
