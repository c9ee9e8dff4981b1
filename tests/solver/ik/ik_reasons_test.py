"""Why an effector is not reachable, and why a patch lies tilted: real problems, really solved, and what is in the way
of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, masks, natural, problem
from rig_samples import renamed_and_reordered
from turned_up_test import ANKLE, asked, sole_on, solved, standing

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.effectors.sources import JointSource
from solver.ik.exact import refine
from solver.ik.pipeline.reasons import MOST_EFFECTORS, reasons
from solver.ik.pipeline.tilts import TILTED, tilt_of, tilted_of
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import Cause, IKProblem, Reason
from solver.ik.residuals import residuals
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
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


def test_what_another_solver_missed_though_it_can_be_reached_was_stopped_on_the_way() -> None:
    asked = problem([*FEET, hold("left_wrist", 0.1, 0.3, 0.2)], BASE)
    left = residuals(SKELETON, BASE, asked.effectors)
    assert left[-1].state == "unreachable"
    assert reasons(asked, BASE, left) == (None, None, Reason(Cause.WAY))


def test_what_lies_on_the_body_itself_is_out_of_reach_of_the_joint_that_bears_it_not_of_a_place_in_the_world() -> None:
    asked = problem([hold("left_wrist", 1.5, 0.0, 0.0)], BASE)
    left = residuals(SKELETON, BASE, asked.effectors)
    assert reasons(asked, BASE, left) == (Reason(Cause.WAY),), "the whole body would go there"
    assert reasons(asked, BASE, left, bearers={0: "right_elbow"}) == (Reason(Cause.OUT_OF_REACH),)


def test_what_lies_on_the_body_itself_and_is_within_reach_moves_along_with_the_body() -> None:
    asked = problem([hold("left_wrist", 0.0, 0.2, 0.2)], BASE)
    left = residuals(SKELETON, BASE, asked.effectors)
    assert reasons(asked, BASE, left, bearers={0: "right_elbow"}) == (Reason(Cause.RIDES),)


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


UP, CEILING, WALL = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)


def told(problem: IKProblem, pose: Pose) -> list[Reason | None]:
    found = reasons(problem, pose, residuals_standing(problem, pose))
    assert found is not None
    return list(found)


def sole_as_it_is(pose: Pose, facing: tuple[float, float, float] = UP) -> Contact:
    """The left sole held where a pose has it, on something that faces that way."""
    world, contact = forward_kinematics(SKELETON, pose), sole_on((0.0, 0.0, 0.0), facing)
    return contact.onto(contact.held_at(SKELETON, world), facing)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_sole_that_is_held_on_a_ceiling_but_not_flat_tells_by_how_much_and_that_the_leg_turns_no_further(
    solver: str,
) -> None:
    problem = asked(sole_on((0.15, 0.7, 0.4), CEILING))
    found = solved(solver, problem)
    *others, sole = told(problem, found.pose)
    assert found.residuals[-1].state == "met"
    assert sole is not None
    assert others == [None, None]
    assert (sole.cause, sole.part) == (Cause.TURN, "leg")
    assert sole.angle == tilt(problem, found.pose, -1)
    assert np.radians(30) < sole.angle < np.radians(150)


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_sole_that_lies_flat_on_a_wall_tells_nothing(solver: str) -> None:
    problem = asked(sole_on((0.1, 0.45, 0.42), WALL))
    assert told(problem, solved(solver, problem).pose) == [None] * 3


def test_what_may_be_tilted_is_not_measured() -> None:
    pose, ceiling = standing(), sole_as_it_is(standing(), CEILING)
    on_skin = replace(ceiling, source=JointSource("c2", "pelvis"))
    seat = replace(ceiling, joint="pelvis", patch="seat")
    allowed: tuple[Effector, ...] = (
        on_skin, seat, replace(ceiling, tolerance=0.3), replace(ceiling, enabled=False), replace(ceiling, radius=0.02),
        ceiling.onto(ceiling.target), Position("left_ankle", np.zeros(3, np.float32)),
    )  # fmt: skip
    assert tilted_of(SKELETON, pose, allowed) == []
    assert tilted_of(SKELETON, pose, allowed[-1:]) == []
    assert tilted_of(SKELETON, pose, [*allowed, ceiling]) == [len(allowed)]


@pytest.mark.parametrize(("share", "is_told"), [(0.8, False), (1.2, True)])
def test_a_small_tilt_is_fine(share: float, is_told: bool) -> None:
    tilt = share * TILTED
    slope = sole_as_it_is(standing(), (float(np.sin(tilt)), float(np.cos(tilt)), 0.0))
    assert (tilted_of(SKELETON, standing(), [slope]) == [0]) is is_told


def tilt(problem: IKProblem, pose: Pose, i: int = 0) -> float:
    """Radians by which a patch does not lie flat."""
    return tilt_of(problem.effectors[i], SKELETON, forward_kinematics(SKELETON, pose))


def tilted_foot(angle: float = 0.4) -> Pose:
    """Standing, with the left foot turned up about its ankle."""
    base = standing()
    rotations = base.rotations.copy()
    rotations[ANKLE] = rotations[ANKLE] @ from_rotation_vector(np.float32([-angle, 0.0, 0.0]))
    return Pose(base.root_position + np.float32([0.0, 0.2, 0.0]), rotations)


def test_a_sole_that_its_leg_could_lay_flat_has_no_reason() -> None:
    pose = tilted_foot()
    problem = replace(asked(sole_as_it_is(pose)), effectors=(sole_as_it_is(pose),))
    assert told(problem, pose) == [None]


def test_a_strict_turn_of_the_same_leg_is_in_the_way() -> None:
    pose = tilted_foot()
    shin = SKELETON.index("left_knee")
    turns = forward_kinematics(SKELETON, pose).rotations
    stiff = Rotation("left_ankle", turns[ANKLE], pinned=True)
    aside = Rotation("left_knee", turns[shin], tolerance=0.9)
    problem = replace(asked(sole_as_it_is(pose)), effectors=(sole_as_it_is(pose), aside, stiff), stance=None)
    assert told(problem, pose)[0] == Reason(Cause.EFFECTOR, "left_ankle", "rotation", angle=tilt(problem, pose))


def test_a_floor_that_the_toes_would_go_through_is_in_the_way() -> None:
    pose = tilted_foot()
    down = sole_as_it_is(pose, (0.0, float(np.cos(1.0)), float(np.sin(1.0))))
    low = Pose(pose.root_position - np.float32([0.0, 0.19, 0.0]), pose.rotations)
    held = down.onto(down.held_at(SKELETON, forward_kinematics(SKELETON, low)), down.facing)
    problem = replace(asked(held), effectors=(held,))
    assert told(problem, low) == [Reason(Cause.FLOOR, angle=tilt(problem, low))]
    assert told(replace(problem, floor=None), low) == [None]


def test_of_a_patch_of_the_trunk_nothing_is_told() -> None:
    back = Contact(
        "spine3", np.zeros(3, np.float32), np.float32([0.0, 0.0, -0.1]), normal=np.float32([0.0, 0.0, -1.0]),
        facing=np.float32(UP), patch="back",
    )  # fmt: skip
    world = forward_kinematics(SKELETON, standing())
    held = back.onto(back.held_at(SKELETON, world), UP)
    problem = replace(asked(held), effectors=(held,))
    assert tilted_of(SKELETON, standing(), [held]) == [0]
    assert told(problem, standing()) == [None]


def test_it_is_not_looked_for_while_something_more_urgent_waits() -> None:
    problem = asked(sole_on((0.15, 0.7, 0.4), CEILING))
    found = solved("dls", problem)
    assert reasons(problem, found.pose, found.residuals, lambda: True) is None


def test_on_a_rig_of_another_kind_the_arm_turns_no_further_either() -> None:
    rig = renamed_and_reordered()
    pose = Pose(np.zeros(3, np.float32), np.broadcast_to(np.eye(3, dtype=np.float32), (len(rig), 3, 3)).copy())
    wrist = rig.joint(Role.LEFT_WRIST)
    world = forward_kinematics(rig, pose)
    palm = Contact(
        rig.names[wrist], world.positions[wrist], np.zeros(3, np.float32), normal=np.float32([1.0, 0.0, 0.0]),
        facing=np.float32([1.0, 0.0, 0.0]),
    )  # fmt: skip
    (reason,) = told(IKProblem.without_masks(rig, [palm], pose), pose)
    assert reason is not None
    assert (reason.cause, reason.part, reason.joint) == (Cause.TURN, "arm", "")
