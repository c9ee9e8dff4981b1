"""Toes that are turned up, and soles that are laid on walls, by somebody who stands with the handles of new people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, position, standing

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import Feet, foot_shapes
from solver.contact.floor_points import floor_points
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.ik.asked_instead import as_proposed
from solver.ik.memory import AtPose
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause, IKProblem
from solver.ik.solution import IKSolution
from solver.ik.stance.footing import with_soles_laid
from solver.ik.stance.heels import knees_ahead
from solver.ik.stance.stance import Stance
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import angle_between, from_rotation_vector
from solver.rig.level_feet import toes_down
from solver.solvers.catalog import load_solver

BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
POINTS = floor_points(BODY, SHAPE)
HIP, KNEE, ANKLE, BALL = (SKELETON.index(f"left_{name}") for name in ("hip", "knee", "ankle", "foot"))


def asked(*others: Effector, pinned: bool = False, tolerance: float = 0.2) -> IKProblem:
    """Both ankles held where they stand, their turns softly, and others. pinned, tolerance: of the left ankle's place
    and turn."""
    base = standing()
    turn = forward_kinematics(SKELETON, base).rotations[ANKLE]
    held = () if any(isinstance(e, Contact) for e in others) else (position(base, "left_ankle", pinned=pinned),)
    mine = Rotation("left_ankle", turn, tolerance=tolerance)
    stance = Stance(feet=Feet(foot_shapes(POINTS, BODY.rig(SHAPE)), ("auto", "auto")))
    problem = IKProblem.without_masks(
        SKELETON, [position(base, "right_ankle"), *held, mine, *others], base, body="anny"
    )
    return replace(problem, stance=stance, floor=POINTS)


def toes_up(up: float, ahead: float = 0.0) -> Effector:
    return position(standing(), "left_foot", (0.0, up, ahead))


def solved(solver: str, problem: IKProblem) -> IKSolution:
    return load_solver(solver).solve(problem, AtPose(problem.base_pose))


def states(problem: IKProblem, found: IKSolution) -> list[str]:
    """Of the left foot's effectors; the same for a pose that is shown again."""
    again = residuals_standing(problem, found.pose)
    assert [one.state for one in again] == [one.state for one in found.residuals]
    mine = zip(problem.effectors, again, strict=True)
    return [one.state for e, one in mine if e.joint in ("left_ankle", "left_foot")]


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize(("up", "ahead"), [(0.02, 0.0), (0.05, -0.015), (0.07, 0.01)])
def test_toes_are_turned_up_on_the_heel(solver: str, up: float, ahead: float) -> None:
    problem = asked(toes_up(up, ahead))
    found = solved(solver, problem)
    assert "unreachable" not in states(problem, found)
    world = forward_kinematics(SKELETON, found.pose)
    assert world.positions[BALL] == pytest.approx(problem.effectors[-1].target, abs=1e-3)
    on_foot = np.isin(POINTS.carriers, [ANKLE, BALL])
    assert abs(POINTS.places(world)[on_foot, 1].min()) < 2e-3, "the heel is on the floor"


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_the_knee_above_them_does_not_bend_backwards(solver: str) -> None:
    places = forward_kinematics(SKELETON, solved(solver, asked(toes_up(0.08))).pose).positions
    line, thigh = (places[j] - places[HIP] for j in (ANKLE, KNEE))
    assert (thigh - line * (thigh @ line) / (line @ line))[2] > -0.01


def test_toes_of_a_foot_in_the_air_are_turned_up_without_a_floor_for_its_heel() -> None:
    base = standing()
    places = forward_kinematics(SKELETON, base).positions
    sole, raised = places[BALL] - places[ANKLE], (0.0, 0.3, 0.1)
    up = from_rotation_vector([-0.5, 0.0, 0.0]) @ sole - sole
    ball = position(base, "left_foot", tuple(np.array(raised) + up))
    problem = asked(ball)
    right, _, *others = problem.effectors
    problem = replace(problem, effectors=(right, position(base, "left_ankle", raised), *others))
    found = solved("dls", problem)
    assert states(problem, found)[::2] == ["met", "met"]
    assert toes_down(forward_kinematics(SKELETON, found.pose).rotations[ANKLE].astype(np.float64)) < -0.2


def test_a_network_is_not_told_of_toes_that_are_turned_up_unless_time_passes() -> None:
    problem = asked(toes_up(0.05))
    in_motion = replace(problem, step_s=1 / 30)
    assert [e.is_active for e in as_proposed(problem).effectors if e.joint == "left_foot"] == [False]
    assert as_proposed(in_motion) is in_motion


def test_a_pinned_ankle_stays_and_the_list_says_that_it_is_in_the_way() -> None:
    problem = asked(toes_up(0.05), pinned=True)
    found = solved("dls", problem)
    assert found.residuals[1].state == "met"
    assert found.residuals[-1].state == "unreachable"
    why = reasons(problem, found.pose, found.residuals)
    assert why is not None
    assert why[-1] is not None
    assert (why[-1].cause, why[-1].joint) == (Cause.EFFECTOR, "left_ankle")


def test_a_foot_whose_turn_is_asked_strictly_does_not_roll() -> None:
    found = solved("dls", asked(toes_up(0.05), tolerance=0.0))
    assert found.residuals[1].state == found.residuals[2].state == "met"


def test_a_ball_that_comes_down_again_finds_the_foot_flat() -> None:
    problem = asked(toes_up(0.05))
    back = replace(problem, effectors=(*problem.effectors[:-1], toes_up(0.0)))
    found = load_solver("dls").solve(back, solved("dls", problem).memory)
    assert states(back, found) == ["met"] * 3
    turn = forward_kinematics(SKELETON, found.pose).rotations[ANKLE].astype(np.float64)
    assert abs(toes_down(turn)) < 0.01


WALLS = {"ahead": ((0.1, 0.45, 0.42), (0.0, 0.0, -1.0)), "behind": ((0.1, 0.45, -0.42), (0.0, 0.0, 1.0))}


def sole_on(place: Sequence[float], facing: Sequence[float]) -> Contact:
    """The left sole on a wall."""
    below = np.array([0.0, -0.07, 0.04], np.float32)
    down = np.array([0.0, -1.0, 0.0], np.float32)
    return Contact("left_ankle", np.array(place, np.float32), below, normal=down, facing=np.array(facing, np.float32))


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("wall", list(WALLS))
def test_a_sole_on_a_wall_turns_the_foot_and_its_level_turn_gives_way(solver: str, wall: str) -> None:
    place, facing = WALLS[wall]
    problem = asked(sole_on(place, facing))
    found = solved(solver, problem)
    assert states(problem, found) == ["tolerated", "met"]
    sole = -forward_kinematics(SKELETON, found.pose).rotations[ANKLE][:, 1]
    assert angle_between(sole, -np.array(facing)) < np.radians(1)


def test_a_sole_that_lies_level_anyway_leaves_its_level_turn_as_it_is() -> None:
    effectors = asked(sole_on((0.1, 0.2, 0.2), (0.0, 1.0, 0.0))).effectors
    assert with_soles_laid(SKELETON, effectors) is effectors


def test_a_sole_on_a_ceiling_leaves_the_level_turn_out() -> None:
    problem = asked(sole_on((0.15, 1.0, 0.5), (0.0, -1.0, 0.0)))
    assert "unreachable" not in states(problem, solved("dls", problem))[:1]


def test_a_pinned_turn_is_not_given_up_for_a_sole_on_a_wall() -> None:
    problem = asked(sole_on(*WALLS["ahead"]))
    pinned = replace(problem, effectors=tuple(replace(e, pinned=isinstance(e, Rotation)) for e in problem.effectors))
    assert states(pinned, solved("dls", pinned))[0] == "met"


def test_the_knee_above_toes_that_are_held_up_is_led_ahead_as_the_pelvis_goes_down_and_a_bent_one_is_not() -> None:
    straight = asked(toes_up(0.05), position(standing(), "pelvis", (0.0, -0.01, 0.0)))
    bent = np.array(straight.base_pose.rotations)
    for joint, angle in ((HIP, -1.0), (KNEE, 2.0)):
        bent[joint] = bent[joint] @ from_rotation_vector(np.float32([angle, 0.0, 0.0]))
    feet = straight.stance.feet if straight.stance else None
    assert feet is not None
    poses = straight.base_pose, replace(straight.base_pose, rotations=bent)
    led = [knees_ahead(SKELETON, straight.effectors, feet, forward_kinematics(SKELETON, pose)) for pose in poses]
    assert [[lean.effector.joint for lean in leans] for leans in led] == [["left_knee"], []]


def test_a_network_is_told_of_nothing_below_a_solid_floor() -> None:
    deep = replace(position(standing(), "left_wrist"), target=np.array([0.3, -0.4, 0.2], np.float32))
    problem = asked(deep)
    told, told_without = (
        next(e.target for e in as_proposed(each).effectors if e.joint == "left_wrist")  # type: ignore[attr-defined]
        for each in (problem, replace(problem, floor=None))
    )
    assert told[[0, 2]].tolist() == deep.target[[0, 2]].tolist()
    assert 0.0 < told[1] < 0.1
    assert told_without is deep.target
