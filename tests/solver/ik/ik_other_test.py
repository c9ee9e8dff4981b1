"""Other solutions: clearly another pose, the effectors met as well, and a ring that one can go round in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.evaluation.speed import FIVE, free_problem, positions_of, random_poses
from solver.ik.multi_solve.judge import AS_WELL
from solver.ik.multi_solve.other_solutions import MOST, VISIBLE_M, other_solution, ring_of, swung
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
NATURAL = natural_pose(SKELETON)
POSES = random_poses(SKELETON, 4, seed=3)


def places(pose: Pose) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions


def apart(a: Pose, b: Pose) -> float:
    """Metres, of the joint that is furthest from where the other pose has it."""
    return float(np.linalg.norm(places(a) - places(b), axis=1).max())


@pytest.mark.parametrize("id", ["smplik", "dls"])
@pytest.mark.parametrize("number", range(len(POSES)))
def test_another_pose_is_clearly_another_and_meets_the_effectors_as_well(id: str, number: int) -> None:
    solver = load_solver(id)
    effectors = positions_of(SKELETON, POSES[number], FIVE)
    problem = free_problem(SKELETON, (replace(effectors[0], pinned=True), *effectors[1:]), NATURAL)
    shown = solver.solve(problem)
    other = other_solution(problem, solver, shown.pose)
    assert other is not None
    assert apart(other.pose, shown.pose) >= VISIBLE_M
    pairs = zip(other.residuals, shown.residuals, strict=True)
    assert all(mine.value <= theirs.value + AS_WELL for mine, theirs in pairs)
    assert other.residuals[0].value < 1e-3
    assert joint_limits(SKELETON.names).excess(other.pose.rotations).max() < 0.3


def test_pressing_on_goes_round_and_comes_back() -> None:
    solver = load_solver("dls")
    problem = free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE[:4]), NATURAL)
    first = solver.solve(problem).pose
    seen = [first]
    for _ in range(len(ring_of(problem, solver))):
        other = other_solution(problem, solver, seen[-1])
        assert other is not None
        seen.append(other.pose)
    assert 3 <= len(seen) - 1 <= MOST
    assert apart(seen[-1], first) < 1e-4
    assert min(apart(a, b) for i, a in enumerate(seen[:-1]) for b in seen[:i]) >= VISIBLE_M


def test_a_drag_goes_on_from_the_other_pose() -> None:
    for id in ("smplik", "dls", "fabrik"):
        solver = load_solver(id)
        effectors = positions_of(SKELETON, POSES[1], FIVE)
        problem = free_problem(SKELETON, effectors, NATURAL)
        shown = solver.solve(problem).pose
        other = other_solution(problem, solver, shown)
        assert other is not None
        moved = replace(effectors[0], target=effectors[0].target + np.float32([0, 0.005, 0]))
        after = solver.solve(replace(problem, effectors=(moved, *effectors[1:])), other.memory)
        assert apart(after.pose, other.pose) < 0.4 * apart(other.pose, shown), id


def test_where_every_joint_is_told_there_is_no_other() -> None:
    problem = free_problem(SKELETON, positions_of(SKELETON, POSES[2], SKELETON.names), NATURAL)
    solver = load_solver("dls")
    assert other_solution(problem, solver, solver.solve(problem).pose) is None


def test_from_a_pose_outside_the_ring_the_solvers_own_comes_first() -> None:
    solver = load_solver("dls")
    problem = free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE), NATURAL)
    away = replace(POSES[3], root_position=POSES[3].root_position + np.float32([3, 0, 0]))
    other = other_solution(problem, solver, away)
    assert other is not None
    assert other.pose == solver.solve(problem).pose


def test_without_effectors_the_base_pose_is_the_only_answer() -> None:
    solver = load_solver("smplik")
    off = Position("head", np.float32([0, 2, 0]), enabled=False)
    assert other_solution(free_problem(SKELETON, (off,), NATURAL), solver, NATURAL) is None


def test_a_swung_limb_keeps_both_its_ends() -> None:
    pose = swung(SKELETON, POSES[0], "left_shoulder", "left_wrist", 1.0)
    gone = np.linalg.norm(places(pose) - places(POSES[0]), axis=1)
    names = SKELETON.names
    assert gone[[names.index(n) for n in ("left_shoulder", "left_wrist", "right_wrist")]].max() < 1e-5
    assert gone[names.index("left_elbow")] > 0.01
