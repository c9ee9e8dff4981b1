"""Whether a figure of a shared problem is asked the same as before, so that it may stay as it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.contact.obstacles import STILL
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import far_apart


def is_same_problem(problem: IKProblem, before: IKProblem) -> bool:
    """Whether the same is asked, apart from rounding that depends on where somebody stands."""
    if (problem.obstacles is None) != (before.obstacles is None) or len(problem.effectors) != len(before.effectors):
        return False
    if problem.obstacles and before.obstacles and not problem.obstacles.is_placed_as(before.obstacles):
        return False
    pairs = zip(problem.effectors, before.effectors, strict=True)
    if not is_same_pose(problem.base_pose, before.base_pose) or not all(_is_same_effector(*pair) for pair in pairs):
        return False
    like = replace(before, effectors=problem.effectors, base_pose=problem.base_pose, obstacles=problem.obstacles)
    return problem == like


def has_moved_target(effectors: Sequence[Effector], before: Sequence[Effector]) -> bool:
    """Whether one of the effectors that ask for something, and have no source, asks for another place or turn than
    that of its kind among as many before; so it is in each step of a drag, which is soon known so."""
    asking = [e for e in effectors if e.is_active]
    return len(asking) == len(before) and any(
        e.source is None and type(e) is type(was) and e.distance_from(was) > STILL
        for e, was in zip(asking, before, strict=True)
    )


def _is_same_effector(effector: Effector, before: Effector) -> bool:
    """Whether it is the same effector with its target where it was."""
    if type(effector) is not type(before) or effector.distance_from(before) > STILL:
        return False
    turned = isinstance(effector, Contact) and isinstance(before, Contact) and effector.facing - before.facing
    return bool(np.abs(turned).max() < STILL) and effector.with_target_of(before) == before


def is_same_pose(pose: Pose, before: Pose) -> bool:
    """Whether all joints are where and as they were, apart from rounding."""
    if pose.rotations.shape != before.rotations.shape:
        return False
    return far_apart(pose, before) < STILL
