"""What was put somewhere stays there while others are dragged; the body stretches as far as it lets it, and stops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from ik_samples import FEET, body_skeleton, natural, place, position, problem

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik import continuity
from solver.ik.held_effectors import lost_effectors, pinning_helps
from solver.ik.memory import FRESH, AtPose, LastSolve, Memory, WarmStart, state_at
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause, IKProblem, Residual
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.solvers.catalog import load_solver

BASE = natural()
HAND = (0.15, 0.5, 0.3)  # metres that the left hand was moved
FAR = {
    "right_wrist": (-0.6, 0.4, 1.5),
    "pelvis": (0.0, -0.1, -0.8),
    "head": (-0.3, -0.1, -0.3),
    "spine2": (-0.6, 0.0, -0.4),
    "left_elbow": (0.1, 0.3, -0.4),
    "left_shoulder": (-0.5, 0.0, -0.5),
    "right_ankle": (-0.8, 0.0, -1.2),
}
STEPS = 10
TOUCHED = 2  # which of the effectors is the hand


@cache
def touched() -> Pose:
    """The pose once the hand was moved."""
    hand = position(BASE, "left_wrist", HAND)
    return load_solver("dls").solve(problem([hand, *(position(BASE, foot) for foot in FEET)])).pose


def asked(joint: str, way: np.ndarray, hand: Effector | None = None, pinned: bool = False) -> IKProblem:
    """Both feet, the touched hand, and last the joint dragged by (3,) metres from where it was then."""
    held = [position(BASE, foot) for foot in FEET if foot != joint]
    dragged = replace(position(touched(), joint, tuple(way)), pinned=pinned)
    return problem([*held, hand or position(BASE, "left_wrist", HAND), dragged], touched())


def drag(
    solver: str, joint: str, hand: Effector | None = None, pinned: bool = False
) -> Iterator[tuple[IKProblem, IKSolution]]:
    """Each problem and solution of a drag, the hand touched before it began."""
    memory: Memory = FRESH
    for step in range(STEPS + 1):
        whole = asked(joint, np.asarray(FAR[joint]) * step / STEPS, hand, pinned)
        solution = load_solver(solver).solve(whole, memory)
        memory = solution.memory
        yield whole, solution


def missed_by(pose: Pose, effector: Effector) -> float:
    return float(np.linalg.norm(place(pose, effector.joint) - effector.target))


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("joint", FAR)
def test_a_touched_hand_stays_within_a_millimetre_however_far_others_are_pulled(solver: str, joint: str) -> None:
    for whole, solution in drag(solver, joint):
        hand = whole.effectors[-2]
        assert missed_by(solution.pose, hand) < 1e-3
    assert solution.residuals[-2].state == "met"
    assert solution.residuals[-1].state == "unreachable", "and the one that is pulled says so"


def test_the_list_is_told_why_the_dragged_one_stops() -> None:
    whole, solution = list(drag("smplik", "head"))[-1]
    (*_, hand, head) = reasons(whole, solution.pose, solution.residuals) or ()
    assert hand is None
    assert head is not None
    assert (head.cause, head.joint) in ((Cause.EFFECTOR, "left_wrist"), (Cause.OUT_OF_REACH, ""))


def test_without_a_hold_the_same_drag_lets_the_hand_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuity, "lost_effectors", lambda *_: frozenset())
    assert max(missed_by(solution.pose, whole.effectors[-2]) for whole, solution in drag("smplik", "head")) > 0.05


def test_the_body_follows_without_a_jump_where_the_hand_begins_to_hold() -> None:
    places = [place(solution.pose, "pelvis") for _, solution in drag("smplik", "head")]
    step = np.linalg.norm(FAR["head"]) / STEPS
    assert max(np.linalg.norm(np.diff(places, axis=0), axis=1)) < 3 * step


def test_one_with_a_tolerance_gives_way() -> None:
    hand = replace(position(BASE, "left_wrist", HAND), tolerance=0.5)
    whole, solution = list(drag("smplik", "head", hand))[-1]
    assert missed_by(solution.pose, whole.effectors[-2]) > 0.01


def test_a_pin_that_is_dragged_is_met_and_the_hand_gives_way() -> None:
    _, solution = list(drag("smplik", "head", pinned=True))[-1]
    assert solution.residuals[-1].state == "met"
    assert solution.residuals[-2].state == "unreachable"


def test_the_first_move_after_a_file_was_opened_holds_what_the_pose_meets() -> None:
    shown = load_solver("smplik").solve(asked("head", np.zeros(3))).pose
    whole = asked("head", np.asarray(FAR["head"]) * 0.8)
    held = load_solver("smplik").solve(whole, AtPose(shown))
    assert missed_by(held.pose, whole.effectors[-2]) < 1e-3


def test_nothing_is_held_where_no_pose_was_shown_or_time_passes() -> None:
    whole = asked("head", np.asarray(FAR["head"]))
    solver = load_solver("smplik")
    solution = solver.solve(whole)
    assert missed_by(solution.pose, whole.effectors[-2]) > 0.01
    known = solver.solve(asked("head", np.zeros(3))).memory.warm_start_for("smplik", len(body_skeleton()))
    assert lost_effectors(whole, solution.residuals, known) == {len(whole.effectors) - 2}
    assert lost_effectors(replace(whole, step_s=0.02), solution.residuals, known) == frozenset()
    named = replace(whole.effectors[-2], id="hand")
    whole = replace(whole, effectors=(*whole.effectors[:-2], named, whole.effectors[-1]))
    last = known.last_solve
    assert last is not None
    known = known._replace(last_solve=last._replace(effectors=whole.effectors))
    assert lost_effectors(whole, solution.residuals, known) == {len(whole.effectors) - 2}
    dragged = replace(whole, dragged=frozenset({"hand"}))
    assert lost_effectors(dragged, solution.residuals, known) == frozenset(), "what is dragged over several solves"


def test_one_that_is_moved_itself_is_not_held() -> None:
    solver = load_solver("smplik")
    known = solver.solve(asked("head", np.zeros(3))).memory.warm_start_for("smplik", len(body_skeleton()))
    moved = position(BASE, "left_wrist", (0.2, 0.6, 0.3))
    whole = asked("head", np.asarray(FAR["head"]), moved)
    assert lost_effectors(whole, [Residual(1.0, "unreachable")] * len(whole.effectors), known) <= {0, 1}


def test_a_hold_that_brings_nothing_or_that_a_pin_pays_for_is_not_taken() -> None:
    whole = asked("head", np.zeros(3), pinned=True)
    near, far = Residual(0.0, "met"), Residual(0.2, "unreachable")
    held = frozenset({TOUCHED})
    assert pinning_helps(whole, held, [near] * 4, [near, near, far, near])
    assert not pinning_helps(whole, held, [near, near, far, near], [near, near, far, near])
    assert not pinning_helps(whole, held, [near, near, near, far], [near, near, far, near])


def test_a_contact_that_was_met_counts_as_held_though_its_patch_has_moved_on_its_skin_since() -> None:
    skeleton = body_skeleton()
    made = Contact("left_knee", np.zeros(3, np.float32), patch="left_knee", id="knee")
    then = made.at_pose(skeleton, forward_kinematics(skeleton, BASE))
    assert isinstance(then, Contact)
    now = replace(then, offset=then.offset + np.float32([0.0, 0.01, 0.0]))
    trail = LastSolve(state_at(BASE), (then,), BASE, BASE, BASE)
    left = [Residual(0.05, "unreachable")]
    assert lost_effectors(problem([now]), left, WarmStart(BASE, last_solve=trail)) == {0}
    off = replace(then, target=then.target + np.float32([0.0, 0.01, 0.0]))
    missed = trail._replace(effectors=(off,))
    lost = lost_effectors(problem([off]), left, WarmStart(BASE, last_solve=missed))
    assert lost == frozenset(), "one that was missed is not"


def test_a_further_round_goes_on_with_what_had_to_be_pinned_and_a_new_drag_does_not() -> None:
    solver = load_solver("smplik")
    known = solver.solve(asked("head", np.zeros(3)))
    whole = asked("head", np.asarray(FAR["head"]))
    first = solver.solve(whole, known.memory)
    start = first.memory.warm_start_for("smplik", len(body_skeleton()))
    assert start.last_solve is not None
    assert len(start.last_solve.pinned) == 1
    assert start.unpinned.last_solve is not None
    assert not start.unpinned.last_solve.pinned
    searched = list[int]()
    original = continuity.with_pinned
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            continuity, "with_pinned", lambda asked, held: searched.append(len(held)) or original(asked, held)
        )
        again = solver.solve_reusing_proposal(whole, first)
    assert searched == [1], "there is one search, with the pin"
    assert np.abs(again.pose.rotations - first.pose.rotations).max() < 0.05


def test_a_further_round_pins_what_its_new_targets_would_lose_as_well() -> None:
    """Targets of ties move on from round to round."""
    solver = load_solver("smplik")
    held = [position(touched(), joint) for joint in ("left_ankle", "left_wrist", "right_wrist", "head")]

    def dragged(way: tuple[float, float, float]) -> IKProblem:
        return problem([*held, position(touched(), "right_ankle", way)], touched())

    def pinned(solution: IKSolution) -> set[str]:
        last = solution.memory.warm_start_for("smplik", len(body_skeleton())).last_solve
        assert last is not None
        return {joint for _, joint, _ in last.pinned}

    start = solver.solve(dragged((0.0, 0.0, 0.0)))
    first = solver.solve(dragged((0.14, -0.07, 0.12)), start.memory)
    assert pinned(first) == {"head"}
    further = dragged((0.81, -0.05, 0.12))
    again = solver.solve_reusing_proposal(further, first)
    assert pinned(again) == {"head", "left_ankle"}
    assert max(missed_by(again.pose, effector) for effector in further.effectors[:-1]) < 1e-3
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(continuity, "lost_effectors", lambda *_: frozenset())
        slipped = solver.solve_reusing_proposal(further, first)
    assert missed_by(slipped.pose, further.effectors[0]) > 0.01, "the foot would leave its place"
    elsewhere = replace(held[-1], target=held[-1].target + np.float32([0.05, 0.0, 0.0]))
    whole = replace(further, effectors=(*held[:-1], elsewhere, further.effectors[-1]))
    assert "head" not in pinned(solver.solve_reusing_proposal(whole, first)), "what is moved itself is held no longer"
