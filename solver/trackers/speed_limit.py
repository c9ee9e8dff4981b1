"""Limits joint speeds of a body that follows trackers: no joint goes much further in a frame than it must.

What no tracker holds, such as an arm whose wrist has fallen silent, is steadier still: it goes as far as FASTEST lets
it, or as the body carries it, whichever is more. While trackers are fast it may do both, or it would fall behind.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.skeleton import Skeleton
from solver.trackers.sequential_solver import SequentialSolver
from solver.trackers.transition import FASTEST

TRIES = 5
FIRST, LESS = 0.95, 0.5  # of the share of the way that would do if joints went straight; of the share tried last
MET = 0.03  # metres: a body that stays may be no further from its trackers than this beyond one that goes
SLACK = 0.002  # metres
CALM_SPEED, FAST_SPEED = 2.4, 6.0  # m/s of the fastest tracker's joint: calm up to the first, fast from the second on


def speed_limited(
    solver: SequentialSolver,
    skeleton: Skeleton,
    effectors: tuple[Effector, ...],
    shown: Pose,
    pose: Pose,
    step_s: float,
) -> Pose:
    """The pose, or one on the way to it, to which no joint goes more than FASTEST further than it must.

    How far a joint must go is how far the trackers take it if the body changes as little as it can. What nothing holds
    goes FASTEST or as far as it must, whichever is more; both if trackers are FAST. shown: the pose of the frame
    before. step_s: seconds since.
    """
    furthest = FASTEST * step_s
    was, at = (forward_kinematics(skeleton, each).positions for each in (shown, pose))
    if not effectors or _way(was, at).max() <= furthest:
        return pose
    least = solver.refined_to_meet(effectors, shown, shown, furthest)
    stays = forward_kinematics(skeleton, least).positions
    asked = [skeleton.index(effector.joint) for effector in effectors]
    if _way(stays, at)[asked].max() > MET:
        return pose
    must = _way(was, stays)
    fast = float(np.clip((must[asked].max() / step_s - CALM_SPEED) / (FAST_SPEED - CALM_SPEED), 0.0, 1.0))
    room = np.where(_loose(skeleton, asked), np.maximum(must + fast * furthest, furthest), must + furthest) + SLACK
    if (_way(was, at) <= room).all():
        return pose
    share = FIRST * min(furthest / float(_way(stays, at).max()), 1.0)
    for _ in range(TRIES):
        found = solver.refined_to_meet(effectors, pose_between(least, pose, share), shown, furthest)
        if (_way(was, forward_kinematics(skeleton, found).positions) <= room).all():
            return found
        share *= LESS
    return least


def _loose(skeleton: Skeleton, asked: Collection[int]) -> NDArray[np.bool_]:
    """(J,) whether a joint is none of those asked, carries none of them and does not hang directly below one."""
    loose = np.ones(len(skeleton), bool)
    for held in asked:
        loose[list(skeleton.children(held))] = False
        joint = held
        while joint >= 0 and loose[joint]:
            loose[joint] = False
            joint = skeleton.parents[joint]
    return loose


def _way(before: NDArray[np.floating], after: NDArray[np.floating]) -> NDArray[np.floating]:
    """(J,) metres that joints go."""
    return np.linalg.norm(after - before, axis=-1)
