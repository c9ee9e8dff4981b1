"""Variations: as many poses as are wanted that meet the effectors and look different, or fewer."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.evaluation.speed import free_problem, positions_of
from solver.ik.memory import ChosenPose
from solver.ik.multi_solve.judge import AS_WELL
from solver.ik.multi_solve.postures import poses_like, postures, random_poses
from solver.ik.multi_solve.variations import (
    APART,
    MOST,
    Variations,
    mean_joint_angle,
    pick_different,
    variations,
)
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
NATURAL = natural_pose(SKELETON)
BASES = [*postures(SKELETON)[:120], *random_poses(SKELETON, 40)]
SETS = {  # of SKEL-IK's figure 5
    "wrists and feet": (Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE),
    "wrists": (Role.LEFT_WRIST, Role.RIGHT_WRIST),
    "feet and hip": (Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.PELVIS),
}
REACH = {Role.LEFT_WRIST: (0.1, 0.5, 0.25), Role.PELVIS: (0.05, -0.2, 0.0)}


def problem_with(joints: tuple[Role, ...]) -> IKProblem:
    effectors = tuple(
        replace(e, target=e.target + np.float32(REACH.get(Role(e.joint), (0, 0, 0))))
        for e in positions_of(SKELETON, NATURAL, joints)
    )
    return free_problem(SKELETON, effectors, NATURAL)


def found(id: str, joints: tuple[Role, ...], model: Pose | None = None) -> tuple[Variations, Pose]:
    problem, solver = problem_with(joints), load_solver(id)
    shown = solver.solve(problem).pose
    bases = BASES if model is None else poses_like(SKELETON, model, BASES[:60])
    return variations(problem, solver, bases, shown, model=model), shown


@pytest.mark.sweep
@pytest.mark.parametrize("id", ["smplik", "protores", "dls"])
@pytest.mark.parametrize("joints", SETS.values(), ids=SETS.keys())
def test_twelve_poses_meet_the_effectors_and_no_two_are_alike(id: str, joints: tuple[Role, ...]) -> None:
    some, shown = found(id, joints)
    assert len(some.solutions) == MOST
    assert max(r.value for s in some.solutions for r in s.residuals) < AS_WELL
    poses = [shown, *(s.pose for s in some.solutions)]
    assert min(mean_joint_angle(a, b) for i, a in enumerate(poses) for b in poses[:i]) >= APART
    assert all(isinstance(s.memory, ChosenPose) for s in some.solutions)


def test_nobody_floats_or_falls_over() -> None:
    some, shown = found("dls", SETS["wrists"])
    level = forward_kinematics(SKELETON, shown).positions[:, 1].min()
    for solution in some.solutions:
        places = forward_kinematics(SKELETON, solution.pose).positions
        assert places[:, 1].min() == pytest.approx(level, abs=0.1)
        feet = places[places[:, 1] < places[:, 1].min() + 0.12].mean(axis=0)
        assert np.linalg.norm((places.mean(axis=0) - feet)[[0, 2]]) < 0.3


@pytest.mark.slow
def test_more_like_a_pose_are_nearer_to_it_and_still_no_two_alike() -> None:
    some, _ = found("dls", SETS["wrists and feet"])
    model = some.solutions[0].pose
    more, _ = found("dls", SETS["wrists and feet"], model)
    far = np.mean([mean_joint_angle(s.pose, model) for s in some.solutions[1:]])
    near = [mean_joint_angle(s.pose, model) for s in more.solutions]
    assert len(near) >= 6
    assert min(near) >= APART
    assert np.mean(near) < 0.8 * far
    poses = [s.pose for s in more.solutions]
    assert min(mean_joint_angle(a, b) for i, a in enumerate(poses) for b in poses[:i]) >= APART


def test_where_every_joint_is_told_there_is_none() -> None:
    pose = BASES[5]
    problem = free_problem(SKELETON, positions_of(SKELETON, pose, SKELETON.names), NATURAL)
    solver = load_solver("dls")
    some = variations(problem, solver, BASES[:48], solver.solve(problem).pose)
    assert some.solutions == ()
    assert some.tried == 48


def test_twelve_take_less_than_a_second_of_two_cores() -> None:
    found("smplik", SETS["wrists"])
    began = time.process_time()
    found("smplik", SETS["wrists"])
    assert time.process_time() - began < 2.0  # of processor time, whatever else runs


def test_a_search_that_is_given_up_has_tried_nothing() -> None:
    problem, solver = problem_with(SETS["wrists"]), load_solver("dls")
    some = variations(problem, solver, BASES, NATURAL, cancelled=lambda: True)
    assert (some.solutions, some.tried) == ((), 0)


def test_a_loose_effector_asks_nothing_of_a_variation() -> None:
    problem = problem_with(SETS["wrists and feet"])
    loose = Position(Role.HEAD, np.float32([0, 1.5, 0]), loose=True)
    solver = load_solver("dls")
    some = variations(replace(problem, effectors=(*problem.effectors, loose)), solver, BASES, NATURAL)
    assert len(some.solutions) == MOST


def test_a_rig_of_another_kind_has_variations_as_well() -> None:
    whole = load_body("anny").whole_rig(BodyShape())
    shown = natural_pose(whole)
    effectors = positions_of(whole, shown, SETS["wrists and feet"])
    some = variations(free_problem(whole, effectors, shown), load_solver("dls"), postures(whole)[:1], shown)
    assert some.solutions == ()
    more = [Pose(shown.root_position, turned(shown, Role.SPINE1, whole)), *random_poses(whole, 30)]
    some = variations(free_problem(whole, effectors, shown), load_solver("dls"), more, shown)
    assert some.solutions
    assert all(len(s.pose.rotations) == len(whole) for s in some.solutions)
    assert all(isinstance(s.memory, ChosenPose) for s in some.solutions)


def turned(pose: Pose, joint: str, skeleton: Skeleton) -> np.ndarray:
    rotations = np.array(pose.rotations)
    rotations[skeleton.index(joint)] = from_rotation_vector([0.4, 0.5, 0.0])
    return rotations


def bent(degrees: float) -> Pose:
    """The rest pose with every joint turned by so many degrees."""
    rest = rest_pose(SKELETON)
    turn = from_rotation_vector([np.radians(degrees), 0, 0]).astype(np.float32)
    return Pose(rest.root_position, np.repeat(turn[None], len(SKELETON), axis=0))


def test_the_furthest_comes_first_and_what_is_too_near_is_left_out() -> None:
    poses = [bent(d) for d in (3.0, 10.0, 40.0, 41.0, 20.0)]
    assert pick_different(poses, [bent(0.0)], 12) == [3, 4, 1]
    assert pick_different(poses, [bent(0.0)], 2) == [3, 4]
    assert pick_different(poses, [], 1) == [0]
    assert pick_different([], [bent(0.0)], 12) == []


def test_postures_are_many_and_a_skeleton_without_limbs_has_its_natural_one() -> None:
    every = postures(SKELETON)
    assert len(every) == 15 * 14
    assert len(pick_different(every, [], 40)) == 40
    stick = Skeleton(("a", "b"), (-1, 0), np.float32([[0, 1, 0], [0, 1, 0]]))
    assert len(postures(stick)) == 1
