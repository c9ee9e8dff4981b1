"""Drags that come back to where they began, of figures with ties: there the body is as it was.

Every round of such a solve goes on from the pose shown, so a drag there and back would leave a trace. On its way back
the search therefore starts the nearer to the pose in which the drag began, the nearer the targets are to those of then.
On its way out nothing is different.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.effectors.effector import Effector
from solver.ik.memory import Begun, Memory, Own, Rested, state_at
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between

NEAR = 0.1  # metres from where a drag began: nearer, the pose of then counts, and all the more the nearer
MOVED = 1e-6  # metres; less is no drag
Handles = dict[tuple[str, str], Effector]


def begun_of(memory: Memory, problem: IKProblem, by: object, effectors: Sequence[Effector]) -> Begun | None:
    """Where the drag has begun that leads to these targets from what a figure was asked before; None where nothing has
    been dragged yet. It goes on for as long as nothing else is dragged, and `by`, who solves, and the base pose stay.
    """
    if not isinstance(memory, Rested) or not _fits(memory, problem, by):
        return None
    skeleton = problem.skeleton
    before, now, begun = _handles(memory.asked.problem.effectors), _handles(effectors), memory.begun
    moved = {key for key, e in now.items() if key not in before or not _is_there(before[key], e)}
    if begun is not None and moved <= _handles(begun.moved).keys() <= now.keys():
        return begun._replace(away=begun.away or _off(begun, now) > NEAR)
    if not moved:
        return None
    pose = memory.asked.pose
    world = forward_kinematics(skeleton, pose)
    return Begun(pose, tuple(now[key].at(skeleton, world) for key in sorted(moved)))


def nearer_begin(memory: Memory, problem: IKProblem, by: object, shown: Pose) -> tuple[Memory, Pose] | None:
    """What a figure's solve goes on from on the way back, and the pose that it takes for the one shown; None where that
    is as it is."""
    begun = begun_of(memory, problem, by, problem.effectors)
    if begun is None or not begun.away or not isinstance(memory, Rested) or not isinstance(memory.own, Own):
        return None
    before, now = (_off(begun, _handles(each)) for each in (memory.asked.problem.effectors, problem.effectors))
    share, left = _share(min(before, NEAR), now), memory.own.left
    if share <= 0.0 or left.trail is None:
        return None
    pose = pose_between(shown, begun.pose, share)
    trail = left.trail._replace(exact=state_at(pose), pose=pose)
    return replace(memory, own=Own(memory.own.solver, left._replace(pose=pose, trail=trail))), pose


def _handles(effectors: Sequence[Effector]) -> Handles:
    """What a user drags: effectors that ask strictly, with targets of their own. By id and joint, for a contact that
    comes off becomes another kind."""
    return {(e.id, e.joint): e for e in effectors if e.asks and e.met_strictly and e.source is None}


def _is_there(before: Effector, now: Effector) -> bool:
    return type(before) is type(now) and now.distance_from(before) < MOVED


def _fits(memory: Rested, problem: IKProblem, by: object) -> bool:
    """Whether it is of the same solver, on the same skeleton and with the same base pose."""
    was = memory.asked.problem
    return memory.asked.by is by and was.skeleton == problem.skeleton and was.base_pose == problem.base_pose


def _share(before: float, now: float) -> float:
    """The share of the way to the pose of then that a step goes that brings its targets from so many metres off to so
    many: in small steps the body comes as far as in large ones."""
    return 1.0 if now < MOVED else 1.0 - now / before if now < before else 0.0


def _off(begun: Begun, now: Handles) -> float:
    """Metres that what has been dragged is from where it was; infinitely many where it was not there yet."""
    moved = _handles(begun.moved).items()
    return max(now[key].distance_from(e) if key in now else np.inf for key, e in moved)
