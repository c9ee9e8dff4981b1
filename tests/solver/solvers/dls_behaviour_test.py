"""How a body follows when it is dragged: arm first, feet stay, nothing jumps, what is to be kept is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import (
    FEET,
    FIVE,
    body_skeleton,
    difference,
    largest_turn,
    look,
    masks,
    natural,
    place,
    position,
    problem,
    rotation,
)

from solver.ik.memory import FRESH, AtPose
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver
from solver.solvers.dls import warm_up

SOLVER = load_solver("dls")
BASE = natural()
DIRECTIONS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.6, 0.6, 0.5]])


def turned(before: Pose, after: Pose) -> dict[str, float]:
    """Degrees that each joint has turned."""
    angles = np.degrees(geodesic_angle(before.rotations, after.rotations))
    return dict(zip(body_skeleton().names, angles.tolist(), strict=True))


def planted() -> list:
    return [position(BASE, foot) for foot in FEET]


def test_effectors_where_the_body_is_move_nothing() -> None:
    effectors = [*(position(BASE, joint) for joint in FIVE), rotation(BASE, "pelvis"), look(BASE)]
    assert difference(SOLVER.solve(problem(effectors)).pose, BASE) < 1e-5


def test_an_odd_base_pose_too_is_left_alone_by_limits_and_by_the_natural_pose() -> None:
    turns = np.zeros((24, 3))
    turns[body_skeleton().index("left_knee")] = [-0.7, 0, 0]  # bent the wrong way
    turns[body_skeleton().index("right_shoulder")] = [0.4, 0.9, 1.2]
    odd = Pose(BASE.root_position, from_rotation_vector(turns).astype(np.float32))
    assert difference(SOLVER.solve(problem([position(odd, "head"), position(odd, "left_ankle")], odd)).pose, odd) < 1e-5


def test_without_effectors_the_base_pose_is_the_answer_whatever_is_kept() -> None:
    every = np.ones(24, np.float32)
    assert SOLVER.solve(problem([], keep_place=every, keep_turn=every)).pose == BASE


def test_a_hand_dragged_a_little_moves_the_arm_before_the_trunk_and_the_root() -> None:
    hand = position(BASE, "left_wrist", (0.05, 0.15, 0.15))
    after = SOLVER.solve(problem([hand])).pose
    turns = turned(BASE, after)
    arm = turns["left_shoulder"] + turns["left_elbow"]
    trunk = turns["spine1"] + turns["spine2"] + turns["spine3"] + turns["pelvis"]
    assert arm > 20
    assert trunk < 0.25 * arm
    assert np.linalg.norm(after.root_position - BASE.root_position) < 0.02
    assert np.linalg.norm(place(after, "left_wrist") - hand.target) < 1e-3


def test_a_hand_dragged_far_leans_the_trunk_while_planted_feet_stay() -> None:
    hand = position(BASE, "left_wrist", (0.1, 0.5, 0.9))
    solution = SOLVER.solve(problem([hand, *planted()]))
    turns = turned(BASE, solution.pose)
    assert turns["spine1"] + turns["spine2"] + turns["spine3"] + turns["pelvis"] > 8
    assert [r.state for r in solution.residuals] == ["met"] * 3
    assert solution.residuals[0].value < 3e-3


@pytest.mark.parametrize("away", DIRECTIONS)
def test_planted_feet_stay_and_joints_keep_their_limits_however_far_a_hand_is_pulled(away: np.ndarray) -> None:
    memory = FRESH
    for metres in np.linspace(0, 5, 26):
        solution = SOLVER.solve(problem([position(BASE, "left_wrist", metres * away), *planted()]), memory)
        memory = solution.memory
        assert max(r.value for r in solution.residuals[1:]) < 1e-3, metres
        assert np.degrees(joint_limits(body_skeleton().names).excess(solution.pose.rotations)).max() < 6
    assert solution.residuals[0].state == "unreachable"


def test_out_of_reach_the_arm_points_at_the_target() -> None:
    hand = position(BASE, "left_wrist", (2, 0.3, 2))
    after = SOLVER.solve(problem([hand, *planted()])).pose
    arm = place(after, "left_wrist") - place(after, "left_shoulder")
    sight = hand.target - place(after, "left_shoulder")
    assert arm @ sight / np.linalg.norm(arm) / np.linalg.norm(sight) > np.cos(np.radians(12))
    reach = np.linalg.norm(body_skeleton().offsets[[18, 20]], axis=1).sum()
    assert np.linalg.norm(arm) > 0.97 * reach


@pytest.mark.sweep
@pytest.mark.parametrize("joint", ["left_wrist", "right_ankle", "head", "pelvis"])
@pytest.mark.parametrize("away", DIRECTIONS)
def test_in_a_straight_drag_no_joint_jumps(joint: str, away: np.ndarray) -> None:
    others = [position(BASE, name) for name in (*FIVE, "pelvis") if name != joint]
    memory, before = FRESH, BASE
    for step in range(120):
        moved = position(BASE, joint, 0.005 * step * away)
        solution = SOLVER.solve(problem([moved, *others]), memory)
        # where all is stretched the head turns by up to 38° a step: what was touched before it is not let go of
        assert largest_turn(before, solution.pose) < 40, f"{5 * step} mm"
        memory, before = solution.memory, solution.pose


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("way", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0)], ids=["forward", "sideways"])
def test_a_body_is_calm_where_the_pelvis_goes_as_far_as_planted_feet_let_it(
    solver: str, way: tuple[float, float, float]
) -> None:
    memory, poses = FRESH, []
    for metres in np.arange(0.0, 0.15, 0.002):
        pelvis = position(BASE, "pelvis", tuple(metres * part for part in way))
        found = load_solver(solver).solve(problem([pelvis, *planted()]), memory)
        memory = found.memory
        poses.append(np.stack([place(found.pose, joint) for joint in ("head", "left_knee", "right_knee")]))
    assert found.residuals[0].value > 3e-3, "it is out of reach at last"
    bends = np.linalg.norm(np.diff(poses, 2, axis=0), axis=-1)
    assert np.sqrt((bends**2).mean()) < 0.003, "head and knees trembled by 7 to 13 mm"
    assert bends.max() < 0.015


def test_a_drag_there_and_back_leaves_no_trace_even_when_repeated() -> None:
    memory = FRESH
    start = SOLVER.solve(problem([position(BASE, joint) for joint in FIVE])).pose
    for _ in range(5):
        for share in (*np.linspace(0, 1, 15), *np.linspace(1, 0, 15)):
            hand = position(BASE, "right_wrist", share * np.array([-0.2, 0.5, 0.4]))
            solution = SOLVER.solve(problem([hand, *(position(BASE, j) for j in FIVE if j != "right_wrist")]), memory)
            memory = solution.memory
    assert largest_turn(start, solution.pose) < 0.5
    assert np.linalg.norm(start.root_position - solution.pose.root_position) < 2e-3


def test_a_turned_hand_turns_the_forearm_and_stays_in_place() -> None:
    wrist = [position(BASE, "left_wrist"), rotation(BASE, "left_wrist", from_rotation_vector([0, 0.5, 0]))]
    solution = SOLVER.solve(problem([*wrist, *planted()]))
    assert [r.state for r in solution.residuals[:2]] == ["met", "met"]


def test_a_look_behind_turns_head_neck_and_spine() -> None:
    behind = look(BASE, (1.5, 0, -2.5))
    solution = SOLVER.solve(problem([behind, *planted(), position(BASE, "pelvis"), rotation(BASE, "pelvis")]))
    turns = turned(BASE, solution.pose)
    assert solution.residuals[0].value < np.radians(15)
    assert turns["neck"] + turns["head"] > 50
    assert turns["spine1"] + turns["spine2"] + turns["spine3"] > 10


def test_a_look_straight_behind_finds_a_way_round() -> None:
    joints = place(BASE, "head")
    back = replace(look(BASE), target=joints - (look(BASE).target - joints))
    solution = SOLVER.solve(problem([back, *planted()]))
    assert solution.residuals[0].value < np.radians(100)


def test_a_kept_orientation_stays_while_the_rest_follows() -> None:
    hand = position(BASE, "left_wrist", (0.1, 0.3, 0.2))
    free = turned(BASE, SOLVER.solve(problem([hand, *planted()])).pose)
    kept = turned(BASE, SOLVER.solve(problem([hand, *planted()], keep_turn=masks(left_elbow=1.0))).pose)
    assert free["left_elbow"] > 5
    assert kept["left_elbow"] < 1


def test_a_kept_place_stays_while_the_pelvis_is_moved() -> None:
    pelvis = position(BASE, "pelvis", (0.1, -0.1, 0.05))
    free = SOLVER.solve(problem([pelvis, *planted()])).pose
    kept = SOLVER.solve(problem([pelvis, *planted()], keep_place=masks(right_wrist=1.0, left_wrist=1.0))).pose
    for joint in ("right_wrist", "left_wrist"):
        assert np.linalg.norm(place(free, joint) - place(BASE, joint)) > 0.05
        assert np.linalg.norm(place(kept, joint) - place(BASE, joint)) < 0.005
    assert np.linalg.norm(place(kept, "pelvis") - pelvis.target) < 2e-3


def test_kept_places_of_the_whole_body_still_let_a_dragged_hand_go() -> None:
    hand = position(BASE, "right_wrist", (-0.1, 0.2, 0.2))
    after = SOLVER.solve(problem([hand], keep_place=np.ones(24, np.float32))).pose
    assert np.linalg.norm(place(after, "right_wrist") - hand.target) < 2e-3
    for joint in (*FEET, "pelvis", "head", "left_wrist"):
        assert np.linalg.norm(place(after, joint) - place(BASE, joint)) < 0.005


def test_a_firmer_mask_keeps_more() -> None:
    pelvis = position(BASE, "pelvis", (0.0, -0.15, 0.1), tolerance=0.3)
    moved = [
        float(
            np.linalg.norm(
                place(SOLVER.solve(problem([pelvis], keep_place=masks(left_wrist=mask))).pose, "left_wrist")
                - place(BASE, "left_wrist")
            )
        )
        for mask in (0.0, 0.05, 0.3, 1.0)
    ]
    assert all(firmer < softer + 1e-4 for softer, firmer in pairwise(moved)), moved
    assert moved[-1] < 0.2 * moved[0]


def test_a_cold_solve_from_the_rest_pose_finds_a_body_that_faces_away() -> None:
    away = from_rotation_vector([0, np.pi, 0])
    rotations = np.array(BASE.rotations)
    rotations[0] = away @ rotations[0]
    there = Pose(BASE.root_position + np.float32([2, 0, -3]), rotations)
    effectors = [position(there, joint) for joint in (*FIVE, "left_shoulder", "right_shoulder")]
    solution = SOLVER.solve(problem(effectors, rest_pose(body_skeleton())))
    assert {r.state for r in solution.residuals} == {"met"}


def test_it_can_start_at_a_pose() -> None:
    effectors = [position(BASE, joint) for joint in FIVE]
    assert difference(SOLVER.solve(problem(effectors), AtPose(BASE)).pose, BASE) < 1e-5


def test_warming_up_solves_and_keeps_nothing() -> None:
    assert warm_up() is None
