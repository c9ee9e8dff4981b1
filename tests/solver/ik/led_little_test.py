"""Somebody who is led: where they go is found once, and they are there at once if being led brings them no nearer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FEET, body_skeleton, natural, position

from solver.effectors.kinds import Rotation
from solver.evaluation.speed import free_problem
from solver.ik.memory import LastSolve, SolverMemory, WarmStart, goes_on, state_at
from solver.ik.options import NO_OPTIONS
from solver.ik.pipeline.led import GOES_ANEW_M, led_little_by_little
from solver.ik.problem import IKProblem, Residual
from solver.ik.solution import LATE_M, IKSolution, may_be_led
from solver.ik.stance.leans import Lean
from solver.kinematics.pose import Pose, pose_between
from solver.kinematics.pose_distance import apart

SHOWN, SOLVER = natural(), "dls"
PROBLEM = free_problem(
    body_skeleton(),
    (*(position(SHOWN, joint) for joint in FEET), position(SHOWN, "left_wrist", (0.0, 0.02, 0.0))),
    SHOWN,
)
BEFORE = tuple(position(SHOWN, joint) for joint in (*FEET, "left_wrist"))


def thrown() -> Pose:
    """The idle arm a quarter of a turn away."""
    rotations, arm = np.array(SHOWN.rotations), body_skeleton().index("right_shoulder")
    rotations[arm] = rotations[arm] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32)
    return Pose(SHOWN.root_position, rotations)


def answer(pose: Pose) -> IKSolution:
    last = LastSolve(state_at(pose), PROBLEM.effectors, SHOWN, pose, pose)
    met = tuple(Residual(0.0, "met") for _ in PROBLEM.effectors)
    return IKSolution(pose, SolverMemory(SOLVER, WarmStart(pose, last_solve=last)), met, 0, 0.0)


def test_where_somebody_goes_is_found_once_and_they_are_there_where_no_search_leads_them_nearer() -> None:
    tried = list[tuple[bool, bool]]()
    ways = [0.1, 0.1, 0.1, 0.1]  # of the way, by each search that leads

    def whole(_: WarmStart, leans: tuple[Lean, ...] = (), through: bool = False) -> IKSolution:
        tried.append((bool(leans), through))
        return answer(pose_between(SHOWN, thrown(), ways.pop(0)) if leans else thrown())

    start = WarmStart(SHOWN, last_solve=LastSolve(state_at(SHOWN), BEFORE, SHOWN, SHOWN, SHOWN))
    first = led_little_by_little(SOLVER, PROBLEM, PROBLEM, start, NO_OPTIONS, whole, True)
    assert tried == [(False, False), (True, False)]
    assert goes_on(first.memory)
    assert np.abs(first.pose.rotations - thrown().rotations).max() > 0.1

    tried.clear()
    on = first.memory.warm_start_for(SOLVER, len(body_skeleton()))
    then = led_little_by_little(SOLVER, PROBLEM, PROBLEM, on, NO_OPTIONS, whole, True)
    assert tried == [(True, False), (True, False), (True, True)], "the same is asked: it is not looked for anew"
    assert not goes_on(then.memory)
    assert np.array_equal(then.pose.rotations, thrown().rotations)


def stuck() -> IKSolution:
    """Nothing moves, and the wrist is missed by 10 cm."""
    found = answer(SHOWN)
    return replace(found, residuals=(*found.residuals[:-1], Residual(0.1, "unreachable")))


def test_a_hand_that_is_stuck_goes_over_by_centimetres_a_step_to_where_a_search_anew_reaches() -> None:
    searched = list[bool]()

    def whole(start: WarmStart) -> IKSolution:
        searched.append(start.last_solve is None)
        return answer(thrown()) if start.last_solve is None else stuck()

    begin = WarmStart(SHOWN, last_solve=LastSolve(state_at(SHOWN), BEFORE, SHOWN, SHOWN, SHOWN))
    found, was, steps = led_little_by_little(SOLVER, PROBLEM, PROBLEM, begin, NO_OPTIONS, whole, True), SHOWN, 1
    assert searched == [False, True]
    while goes_on(found.memory):
        assert 0.02 < apart(body_skeleton(), was, found.pose).max() < 0.04
        start, was = found.memory.warm_start_for(SOLVER, len(body_skeleton())), found.pose
        found = led_little_by_little(SOLVER, PROBLEM, PROBLEM, start, NO_OPTIONS, whole, True)
        steps += 1
    assert steps >= 10
    assert len(searched) == 2, "the same is asked: it is not looked for anew"
    assert np.array_equal(found.pose.rotations, thrown().rotations)


@pytest.mark.parametrize(
    ("problem", "off", "sits", "searches"),
    [
        (PROBLEM, 0.1, False, 1),
        (PROBLEM, 0.02, True, 1),
        (PROBLEM, 0.1, True, 2),
        (replace(PROBLEM, step_s=0.1), 0.1, True, 1),
        (replace(PROBLEM, effectors=PROBLEM.effectors[:-1]), 0.1, True, 1),
    ],
)
def test_who_is_stuck_stays_where_a_search_anew_comes_no_nearer_and_none_is_made_where_no_hand_is_far_off(
    problem: IKProblem, off: float, sits: bool, searches: int
) -> None:
    searched = list[WarmStart]()

    def whole(start: WarmStart) -> IKSolution:
        searched.append(start)
        met = tuple(Residual(0.0, "met") for _ in problem.effectors[1:])
        return replace(answer(SHOWN), residuals=(*met, Residual(off, "unreachable")))

    start = WarmStart(SHOWN, last_solve=LastSolve(state_at(SHOWN), BEFORE, SHOWN, SHOWN, SHOWN))
    found = led_little_by_little(SOLVER, problem, problem, start, NO_OPTIONS, whole, sits)
    assert len(searched) == searches
    assert not goes_on(found.memory)
    assert np.array_equal(found.pose.rotations, SHOWN.rotations)


def test_who_is_seen_elsewhere_as_a_drag_begins_anew_is_there_at_once_where_longer_steps_lead_them_no_nearer() -> None:
    led = list[int]()

    def whole(_: WarmStart, leans: tuple[Lean, ...] = ()) -> IKSolution:
        led.append(len(leans))
        return answer(thrown())

    found = led_little_by_little(
        SOLVER, replace(PROBLEM, seen=SHOWN), PROBLEM, WarmStart(SHOWN), NO_OPTIONS, whole, True
    )
    assert led[0] == 0
    assert len(led) == 1 + len(GOES_ANEW_M)
    assert all(led[1:])
    assert not goes_on(found.memory)
    assert np.array_equal(found.pose.rotations, thrown().rotations)


def test_a_soft_turn_that_comes_late_does_not_stop_somebody_from_being_led_and_a_strict_one_does() -> None:
    half, turn = pose_between(SHOWN, thrown(), 0.5), Rotation(FEET[0], np.eye(3, dtype=np.float32), tolerance=0.5)

    def led(turn: Rotation) -> bool:
        problem = replace(PROBLEM, effectors=(*PROBLEM.effectors, turn))
        met = (Residual(0.0, "met"),) * len(PROBLEM.effectors)
        late, there = (
            replace(answer(pose), residuals=(*met, Residual(off, "unreachable")))
            for pose, off in ((half, 0.3), (thrown(), 0.1))
        )
        return may_be_led(problem, SHOWN, late, there, LATE_M)

    assert led(turn)
    assert not led(replace(turn, tolerance=0.0))
