"""Why an effector is not reachable: real problems, really solved, and what is in the way of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from ik_samples import body_skeleton, masks, natural, problem
from rig_samples import renamed_and_reordered

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.exact import refine
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import Cause, IKProblem, Reason
from solver.ik.reasons import MOST_EFFECTORS, reasons
from solver.ik.residuals import residuals
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

SKELETON, BASE = body_skeleton(), natural()
JOINTS = forward_kinematics(SKELETON, BASE).positions


def hold(joint: str, *way: float, tolerance: float = 0.0) -> Position:
    """The joint held where it is, or pulled from there by so many metres."""
    return Position(joint, JOINTS[SKELETON.index(joint)] + np.array(way or (0, 0, 0)), tolerance=tolerance)


def turn(joint: str, x: float, y: float, z: float) -> Rotation:
    return Rotation(joint, from_rotation_vector([x, y, z]))


FEET = (hold("left_ankle"), hold("right_ankle"))


def explain(*effectors: Effector, keep: Mapping[str, float] | None = None) -> list[Reason | None]:
    """Solve, see that something is missed, and have it explained. keep: joints whose place is kept, and how firmly."""
    asked = problem(effectors, BASE, keep_place=masks(**(keep or {})))
    solution = refine(asked, BASE)
    assert any(residual.state == "unreachable" for residual in solution.residuals)
    found = reasons(asked, solution.pose, solution.residuals)
    assert found is not None
    for residual, reason in zip(solution.residuals, found, strict=True):
        assert reason is None or residual.state == "unreachable"
    return list(found)


def test_a_wrist_three_metres_away_is_out_of_reach_of_planted_feet() -> None:
    assert explain(*FEET, hold("left_wrist", 2, 1, 2)) == [None, None, Reason(Cause.OUT_OF_REACH)]


def test_what_is_out_of_reach_is_what_was_pulled_away_not_what_it_pulls_at() -> None:
    ankle, wrist = explain(hold("left_ankle"), hold("left_wrist", 2, 1, 2))
    assert wrist == Reason(Cause.OUT_OF_REACH)
    assert ankle in (None, Reason(Cause.EFFECTOR, "left_wrist", "position"))


def test_of_two_effectors_that_contradict_each_other_one_is_in_the_way_of_the_other() -> None:
    elbow = hold("left_elbow")
    near = Position("left_wrist", elbow.target + np.array([0.1, 0, 0]))
    *_, below, above = explain(*FEET, elbow, near)
    assert {below, above} - {None} <= {
        Reason(Cause.EFFECTOR, "left_elbow", "position"),
        Reason(Cause.EFFECTOR, "left_wrist", "position"),
    }
    assert {below, above} != {None}


def test_an_effector_of_another_kind_is_named_with_its_kind() -> None:
    found = explain(*FEET, turn("head", 0, 0, 0), turn("head", 0, 1.5, 0))
    assert Reason(Cause.EFFECTOR, "head", "rotation") in found


def test_a_pelvis_that_both_feet_hold_back_together_names_both() -> None:
    turns = forward_kinematics(SKELETON, BASE).rotations
    flat = [Rotation(foot.joint, turns[SKELETON.index(foot.joint)]) for foot in FEET]
    *_, pelvis = explain(*FEET, *flat, hold("pelvis", 0.5, -0.6, 0.0))
    assert pelvis == Reason(Cause.EFFECTOR, "left_ankle", other="right_ankle")


def test_what_stands_aside_is_not_blamed() -> None:
    elbow = hold("left_elbow")
    near = Position("left_wrist", elbow.target + np.array([0.1, 0, 0]))
    found = explain(hold("head", tolerance=0.9), *FEET, hold("right_wrist"), elbow, near)
    assert {reason.joint for reason in found if reason} <= {"left_elbow", "left_wrist"}


def test_a_joint_that_is_kept_in_its_place_is_in_the_way() -> None:
    *_, wrist = explain(*FEET, hold("left_wrist", 0.4, 0.6, 0.7), keep={"spine3": 1.0})
    assert wrist == Reason(Cause.KEPT, "spine3")


def test_kept_joints_that_are_in_the_way_together_are_not_singled_out() -> None:
    (wrist,) = explain(hold("left_wrist", 0.4, 0.6, 0.7), keep=dict.fromkeys(SKELETON.names, 1.0))
    assert wrist == Reason(Cause.KEPT)


def test_a_knee_that_should_bend_forward_is_stopped_by_the_joints_limits() -> None:
    leg = (hold("pelvis"), turn("pelvis", 0, 0, 0), hold("left_knee"), turn("left_hip", 0, 0, 0))
    assert explain(*leg, turn("left_knee", -1.5, 0, 0))[-1] == Reason(Cause.LIMITS)


def test_two_turns_that_both_contradict_a_third_are_not_singled_out() -> None:
    found = explain(*FEET, turn("head", 0, 0, 0), turn("head", 0, 0, 0), turn("head", 0, 1.5, 0))
    assert found[-1] == Reason(Cause.SEVERAL)


def test_a_wrist_that_both_feet_hold_back_though_neither_is_strict_is_out_of_reach() -> None:
    feet = (hold("left_ankle", tolerance=0.02), hold("right_ankle", tolerance=0.02))
    assert explain(*feet, hold("left_wrist", 2, 1, 2))[-1] == Reason(Cause.OUT_OF_REACH)


def test_what_another_solver_missed_though_there_is_a_way_has_no_reason() -> None:
    asked = problem([*FEET, hold("left_wrist", 0.1, 0.3, 0.2)], BASE)
    left = residuals(SKELETON, BASE, asked.effectors)
    assert left[-1].state == "unreachable"
    assert reasons(asked, BASE, left) == (None, None, None)


def test_where_all_is_met_or_too_much_is_asked_nothing_is_looked_for() -> None:
    def never() -> bool:
        raise AssertionError("a solve was begun")

    met = problem(FEET, BASE)
    assert reasons(met, BASE, residuals(SKELETON, BASE, FEET), never) == (None, None)
    crowd = problem([hold("left_wrist", 2, 1, 2)] * (MOST_EFFECTORS + 1), BASE)
    assert reasons(crowd, BASE, residuals(SKELETON, BASE, crowd.effectors), never) == (None,) * len(crowd.effectors)


def test_on_a_rig_of_another_kind_what_is_in_the_way_is_called_by_the_rigs_names() -> None:
    rig = renamed_and_reordered()
    base = natural_pose(rig)
    places = forward_kinematics(rig, base).positions
    head, wrist = rig.joint(Role.HEAD), rig.joint(Role.LEFT_WRIST)
    asked: tuple[Effector, ...] = (
        Position(rig.names[wrist], places[wrist], enabled=False),
        Rotation(rig.names[head], np.eye(3)),
        Rotation(rig.names[head], from_rotation_vector([0.0, 1.5, 0.0])),
        Position(rig.names[wrist], places[wrist] + np.float32([90.0, 0.0, 0.0])),
        *(Position(rig.name(role), places[rig.joint(role)]) for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)),
    )
    whole = IKProblem.without_masks(rig, asked, base)
    solution = load_solver("dls").solve(whole)
    found = reasons(whole, solution.pose, solution.residuals)
    assert found is not None
    assert found[0] is None, "what is off is not explained"
    assert Reason(Cause.EFFECTOR, rig.names[head], "rotation") in found[1:3]
    assert found[3] == Reason(Cause.OUT_OF_REACH)
    assert reasons(whole, solution.pose, solution.residuals, stop=lambda: True) is None


def test_a_search_for_reasons_that_is_stopped_gives_no_answer() -> None:
    asked = problem([*FEET, hold("left_wrist", 2, 1, 2)], BASE)
    solution = refine(asked, BASE)
    assert reasons(asked, solution.pose, solution.residuals, stop=lambda: True) is None
