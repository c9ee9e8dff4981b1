"""Swings: what is drawn of a body that jumps among solid things, on its way from the pose shown to the answer.

An arm that is barred may have another way round, which a search finds from one step of a drag to the next. The answer
stays that of the search. Only what is drawn follows it within a moment, and what is held stays where it is held
meanwhile: the way between the two poses is brought back to what both of them meet, and then only the limbs that swing
are brought out of what is solid, with all else frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.ik.exact import refined_pose
from solver.ik.memory import state_at
from solver.ik.preserve import without_masks
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.pose_distance import apart
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, Limb

KEPT = 0.02  # metres or radians that an effector is off in neither pose: it is held on the way
SLIGHT = 1e-3  # metres or radians that it may be off meanwhile, and metres that anything may be deep, if neither is
SWINGS_M = 0.03  # metres that a joint of a limb moves; with less a limb does not swing
FURTHER, MOST = 3.0, 0.7  # times as far, at most that share of the way: tried where no pose is found
LIMBS_ALONE = (False, True)  # whether the trunk goes over at once


def swung(problem: IKProblem, shown: Pose, goal: Pose, share: float) -> Pose | None:
    """A pose about that share of the way from the pose shown to the goal: what both meet is met, and nothing is deeper
    in what is solid. None where none is found, and the body goes over at once.

    problem: the one that `goal` answers.
    """
    if problem.obstacles is None or adapter_for(problem):  # a rig of another kind passes through everything
        return None
    way = apart(problem.skeleton, shown, goal)
    kept = _kept(problem, shown, goal)
    limbs = _swinging(problem.skeleton, way)
    for part, alone in product((share, min(FURTHER * share, MOST)), LIMBS_ALONE if limbs else (False,)):
        pose = _partway(problem, kept, limbs, shown, goal, part, alone)
        if _is_as_good(problem, kept, pose, shown, goal) and apart(problem.skeleton, shown, pose).max() < way.max():
            return pose
    return None


def _kept(problem: IKProblem, *poses: Pose) -> tuple[Effector, ...]:
    """What is asked strictly and met in all poses, or nearly."""
    worlds = [forward_kinematics(problem.skeleton, pose) for pose in poses]
    return tuple(
        e
        for e in problem.effectors
        if e.is_active and e.is_strict and max(e.residual(problem.skeleton, world) for world in worlds) <= KEPT
    )


def _swinging(skeleton: Skeleton, way: NDArray[np.floating]) -> tuple[Limb, ...]:
    rig = rig_of(skeleton)
    return tuple(
        limb for limb in LIMBS if way[[rig.index(r) for r in limb.joints if r in rig.roles]].max(initial=0.0) > SWINGS_M
    )


def _partway(
    problem: IKProblem, kept: tuple[Effector, ...], limbs: Sequence[Limb], shown: Pose, goal: Pose, share: float,
    limbs_alone: bool,
) -> Pose:  # fmt: skip
    between, moving = pose_between(shown, goal, share), _joints_of(problem.skeleton, limbs)
    pinned = tuple(replace(e, pinned=True) for e in kept)
    bare = replace(without_masks(problem), stance=None, leans=(), effectors=pinned, base_pose=between)
    if limbs_alone:
        turns = goal.rotations.copy()
        turns[moving] = between.rotations[moving]
        pose = Pose(goal.root_position, turns)
    else:
        pose = refined_pose(replace(bare, obstacles=None), between, state_at(between))
    if not moving:
        return pose
    names = rig_of(problem.skeleton).names
    frozen = problem.frozen | (frozenset(names) - {names[j] for j in moving})
    return refined_pose(replace(bare, base_pose=pose, frozen=frozen), pose, state_at(pose))


def _joints_of(skeleton: Skeleton, limbs: Sequence[Limb]) -> list[int]:
    """The joints of these limbs, with all that they carry."""
    rig = rig_of(skeleton)
    moving = {rig.index(role) for limb in limbs for role in limb.joints if role in rig.roles}
    for j, parent in enumerate(skeleton.parents):
        if parent in moving:
            moving.add(j)
    return sorted(moving)


def _is_as_good(problem: IKProblem, kept: Sequence[Effector], pose: Pose, *ends: Pose) -> bool:
    worlds = [forward_kinematics(problem.skeleton, each) for each in (pose, *ends)]
    for effector in kept:
        off, *then = (effector.residual(problem.skeleton, world) for world in worlds)
        if off > max(SLIGHT, *then):
            return False
    assert problem.obstacles is not None
    gap, *gaps = map(problem.obstacles.least_gap, worlds)
    return gap >= min(-SLIGHT, *gaps)
