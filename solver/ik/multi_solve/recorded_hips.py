"""Hips between keys over a recorded motion: they go on as recorded, but for how far the keys have them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT
from solver.effectors.kinds import Position
from solver.ik.problem import IKProblem
from solver.ik.stance.leans import Lean, Strength, joints_asked
from solver.kinematics.curves import curve_through
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]
Frames = NDArray[np.int64]
# Soft enough for hips to give way where a leg goes through its straight position: held firmly, its knee would snap.
GOES_ON = Strength(100.0, 20.0)


class RecordedHips(NamedTuple):
    """Where hips are at the keys. knots: (K,) their frames. moved: (K, 3) metres from where the motion has them."""

    knots: Frames
    moved: Array

    @classmethod
    def of(cls, knots: Frames, problems: Sequence[IKProblem], poses: Sequence[Pose]) -> RecordedHips:
        """Of some poses. problems: of their frames, over the motion's poses."""
        pairs = zip(problems, poses, strict=True)
        moved = [_hips(problem, pose) - _hips(problem, problem.base_pose) for problem, pose in pairs]
        return cls(knots, np.stack(moved))

    def between(self, problems: Sequence[IKProblem], frames: Frames) -> list[IKProblem]:
        """The problems of some frames, whose hips lean to where the motion has them, moved as the keys move them along
        a curve; as they are where something is asked of the hips' place."""
        moved = curve_through(self.knots, self.moved, frames)
        return [_leaning(problem, by) for problem, by in zip(problems, moved, strict=True)]


def _leaning(problem: IKProblem, by: Array) -> IKProblem:
    hips = _joint(problem.skeleton)
    if hips in joints_asked(problem.skeleton, problem.effectors, POINT):
        return problem
    place = (_hips(problem, problem.base_pose) + by).astype(np.float32)
    return replace(problem, leans=(*problem.leans, Lean(Position(problem.skeleton.names[hips], place), GOES_ON)))


def _hips(problem: IKProblem, pose: Pose) -> Array:
    """(3,) metres, where a pose has the hips."""
    return forward_kinematics(problem.skeleton, pose).positions[_joint(problem.skeleton)].astype(np.float64)


def _joint(skeleton: Skeleton) -> int:
    return rig_of(skeleton).find(Role.PELVIS) or 0
