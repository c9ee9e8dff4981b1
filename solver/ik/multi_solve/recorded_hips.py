"""Hips between keys over a recorded motion: they go on as recorded, but for how far the keys have them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.effectors.form_ids import POINT
from solver.effectors.kinds import Position
from solver.ik.problem import IKProblem
from solver.ik.stance.leans import Lean, Strength, joints_asked
from solver.kinematics.fk import forward_kinematics
from solver.rig.rig import rig_of
from solver.rig.roles import Role

# So firm that hips stray by millimetres, and give way by as much where a leg goes through its straight position.
GOES_ON = Strength(1000.0, 60.0)


def with_hips_going_on(problems: Sequence[IKProblem]) -> list[IKProblem]:
    """The problems of some frames, whose hips lean to where their base poses have them; as they are where something is
    asked of the hips' place."""
    return list(map(_leaning, problems))


def _leaning(problem: IKProblem) -> IKProblem:
    hips = rig_of(problem.skeleton).find(Role.PELVIS) or 0
    if hips in joints_asked(problem.skeleton, problem.effectors, POINT):
        return problem
    place = forward_kinematics(problem.skeleton, problem.base_pose).positions[hips]
    return replace(problem, leans=(*problem.leans, Lean(Position(problem.skeleton.names[hips], place), GOES_ON)))
