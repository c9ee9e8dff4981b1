"""Soles and hands on boards, walls and ceilings: the place is held, limbs turn as far as they go, and bodies stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from turned_up_test import ANKLE, SKELETON, asked, position, sole_on, solved, standing, states

from solver.effectors.contact import Contact
from solver.effectors.sources import JointSource
from solver.ik.memory import goes_on
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import angle_between
from solver.solvers.catalog import load_solver

Facing = tuple[float, float, float]
SLOPE, WALL, CEILING = (0.0, np.sqrt(0.5), -np.sqrt(0.5)), (0.0, 0.0, -1.0), (0.0, -1.0, 0.0)


def sunk(found: IKSolution) -> float:
    """Metres that the pelvis has gone from where it stands."""
    return float(np.linalg.norm(found.pose.root_position - standing().root_position))


def lacks(problem: IKProblem, found: IKSolution) -> float:
    """Degrees by which the left sole does not lie flat."""
    (contact,) = (e for e in problem.effectors if isinstance(e, Contact))
    sole = forward_kinematics(SKELETON, found.pose).rotations[ANKLE] @ contact.normal
    return float(np.degrees(angle_between(sole.astype(np.float64), -contact.facing.astype(np.float64))))


def contacts_met(problem: IKProblem, found: IKSolution) -> bool:
    told = zip(problem.effectors, found.residuals, strict=True)
    return all(left.state == "met" for effector, left in told if isinstance(effector, Contact))


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("height", [0.4, 0.7])
def test_a_sole_held_on_a_ceiling_keeps_its_place_and_the_body_stays_up(solver: str, height: float) -> None:
    problem = asked(sole_on((0.15, height, 0.4), CEILING))
    found = solved(solver, problem)
    assert contacts_met(problem, found)
    assert sunk(found) < 0.12
    assert 30.0 < lacks(problem, found) < 150.0  # turned as far as the leg goes, and no further


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_sole_on_a_low_board_lies_flat_and_does_not_stand_on_the_floor_below_it(solver: str) -> None:
    problem = asked(sole_on((0.1, 0.2, 0.27), SLOPE))
    found = solved(solver, problem)
    assert contacts_met(problem, found)
    assert lacks(problem, found) < 1.0
    assert sunk(found) < 0.12


def test_a_sole_goes_on_as_it_lay_while_a_board_is_turned_into_a_ceiling() -> None:
    found, places = None, list[np.ndarray]()
    for slope in np.radians(np.arange(60.0, 181.0, 10.0)):
        facing = (0.0, float(np.cos(slope)), -float(np.sin(slope)))
        problem = asked(sole_on((0.1, 0.45, 0.42), facing))
        found = load_solver("dls").solve(problem, found.memory) if found else solved("dls", problem)
        assert contacts_met(problem, found)
        assert sunk(found) < 0.2
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() < 0.25


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_sole_is_dragged_up_to_a_ceiling_without_a_jump(solver: str) -> None:
    found, places = None, list[np.ndarray]()
    for height in np.arange(0.4, 0.52, 0.02):
        problem = asked(sole_on((0.15, float(height), 0.4), CEILING))
        found = load_solver(solver).solve(problem, found.memory) if found else solved(solver, problem)
        assert contacts_met(problem, found)
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() < 0.06


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("facing", [SLOPE, WALL])
def test_a_sole_is_dragged_up_a_board_or_a_wall_and_throws_no_hand_knee_or_foot(facing: Facing, solver: str) -> None:
    found, places = None, list[np.ndarray]()
    for height in np.arange(0.1, 0.4, 0.02):
        problem = asked(sole_on((0.12, float(height), 0.05), facing))
        found = load_solver(solver).solve(problem, found.memory) if found else solved(solver, problem)
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    assert np.linalg.norm(np.diff(places, axis=0), axis=2).max() < 0.07


def test_a_sole_that_is_set_down_further_away_is_not_led() -> None:
    problem = asked(sole_on((0.12, 0.2, 0.2), WALL))
    further = asked(sole_on((0.12, 0.35, 0.2), WALL))
    found = load_solver("dls").solve(further, solved("dls", problem).memory)
    assert contacts_met(further, found)
    assert not goes_on(found.memory)


def test_the_same_answer_is_given_again_for_a_sole_on_a_ceiling() -> None:
    problem = asked(sole_on((0.15, 0.7, 0.4), CEILING))
    first = solved("dls", problem)
    again = load_solver("dls").solve(problem, first.memory)
    there, here = (forward_kinematics(SKELETON, one.pose).positions for one in (first, again))
    assert np.linalg.norm(there - here, axis=1).max() < 0.02


def test_the_body_goes_along_for_a_sole_on_what_yields_and_where_its_pelvis_is_placed() -> None:
    held = sole_on((0.15, 0.7, 0.4), CEILING)
    on_skin = asked(replace(held, source=JointSource("c2", "pelvis")))
    placed = asked(held, position(standing(), "pelvis", (0.0, -0.3, -0.3)))
    calm = lacks(asked(held), solved("dls", asked(held)))
    assert lacks(on_skin, solved("dls", on_skin)) < calm - 30.0
    assert lacks(placed, solved("dls", placed)) < calm - 30.0


def test_a_palm_on_a_ceiling_is_held_in_its_place_before_it_is_turned() -> None:
    wrist = forward_kinematics(SKELETON, standing()).positions[SKELETON.index("left_wrist")]
    palm = Contact(
        "left_wrist", wrist + np.array([-0.05, 0.75, 0.2], np.float32), np.array([0.07, -0.02, 0.0], np.float32),
        normal=np.array([0.0, -1.0, 0.0], np.float32), facing=np.array(CEILING, np.float32),
    )  # fmt: skip
    problem = asked(palm)
    assert contacts_met(problem, solved("dls", problem))
    assert "unreachable" not in states(problem, solved("dls", problem))


@pytest.mark.slow
def test_a_body_comes_after_a_sole_that_is_dragged_from_the_front_of_a_step_over_its_edge_by_and_by() -> None:
    up = [((0.1, y, 0.2), WALL) for y in (0.24, 0.26, 0.28)]
    ways = up + [((0.1, 0.3, z), (0.0, 1.0, 0.0)) for z in (0.21, 0.23)]
    found, places = None, list[np.ndarray]()
    for place, facing in ways:
        problem = asked(sole_on(place, facing))
        found = load_solver("smplik").solve(problem, found.memory) if found else solved("smplik", problem)
        assert contacts_met(problem, found)
        places.append(forward_kinematics(SKELETON, found.pose).positions)
        while goes_on(found.memory):
            found = load_solver("smplik").solve(problem, found.memory)
            places.append(forward_kinematics(SKELETON, found.pose).positions)
            assert len(places) < 60
    leg = [SKELETON.index(joint) for joint in ("left_knee", "left_ankle", "left_foot")]
    others = np.delete(np.diff(places, axis=0), leg, axis=1)
    assert np.linalg.norm(others, axis=2).max() < 0.05, "hands went 43 cm at once"
    assert lacks(problem, found) < 1.0
