"""Many problems at once, each over its own base pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, difference, natural, position, problem
from made_up_solvers import LEANING, Leaning

from solver.ik.exact import FEW
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.solvers.catalog import load_solver

BASE = natural()


def raised(height: float, base: Pose = BASE) -> IKProblem:
    hand = position(base, "left_wrist", [0.0, height, 0.1])
    return problem([hand, position(base, "left_ankle"), position(base, "right_ankle")], base)


@pytest.mark.parametrize("solver", ["dls", "smplik", "protores"])
def test_where_nothing_is_asked_to_move_the_base_pose_is_proposed(solver: str) -> None:
    hand = position(BASE, "left_wrist")
    (over,) = load_solver(solver).propose_over([problem([hand, position(BASE, "left_ankle")], BASE)])
    assert difference(over, BASE) < 1e-3


def test_what_a_proposal_changes_is_laid_over_the_base_pose() -> None:
    solver = load_solver("protores")
    small, large = solver.propose_over([raised(0.05), raised(0.3)])
    assert 0 < difference(small, BASE) < difference(large, BASE)


@pytest.mark.parametrize("count", [1, FEW + 1])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_the_exact_stage_brings_many_home(solver: str, count: int) -> None:
    problems = [raised(0.02 * i) for i in range(count)]
    solver_ = load_solver(solver)
    poses = solver_.finish(problems, solver_.propose_over(problems))
    for asked, pose in zip(problems, poses, strict=True):
        assert max(each.value for each in residuals(asked.skeleton, pose, asked.effectors)) < 1e-3


def test_what_is_kept_is_kept_by_a_solver_that_preserves_in_its_exact_stage() -> None:
    collar = body_skeleton().index("left_collar")
    keep = np.zeros(len(body_skeleton()), np.float32)
    keep[collar] = 1.0
    kept = replace(raised(0.4), preserve_orientation=keep)
    loyal, free = load_solver("dls").finish([kept, raised(0.4)], [BASE, BASE])
    turned = [geodesic_angle(pose.rotations[collar], BASE.rotations[collar]) for pose in (loyal, free)]
    assert turned[0] < 0.3 * turned[1]


def test_without_an_exact_stage_proposals_stay_what_they_are() -> None:
    solver = Solver(replace(LEANING, exact=False), Leaning())
    assert solver.finish([raised(0.1)], [BASE]) == [BASE]
    assert load_solver("smplik").finish([raised(0.1)], [BASE], {PROPOSAL_ALONE.id: True}) == [BASE]
