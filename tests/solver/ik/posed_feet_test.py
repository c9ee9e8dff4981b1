"""Feet that somebody posed stay so until they are taken elsewhere; then they stand by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, position, standing

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import Feet, FootStand, foot_shapes, stretch
from solver.contact.floor_points import floor_points
from solver.effectors.kinds import Rotation
from solver.ik.memory import AtPose
from solver.ik.problem import IKProblem
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver

BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
POINTS = floor_points(BODY, SHAPE)
ANKLES = ("left_ankle", "right_ankle")
ANKLE, BALL = SKELETON.index("left_ankle"), SKELETON.index("left_foot")


def tucked() -> Pose:
    """Standing, with the left foot turned up on its heel by 8° and its toes bent, as nobody's foot stands by itself."""
    turns = np.array(standing().rotations)
    turns[ANKLE] @= from_rotation_vector((-0.14, 0.0, 0.0))
    turns[BALL] @= from_rotation_vector((0.4, 0.0, 0.0))
    return replace(standing(), rotations=turns)


def turns_after(
    solver: str, joint: str, by: Sequence[float], stand: FootStand = "auto", base: Pose | None = None
) -> np.ndarray:
    """(J, 3, 3) how joints are turned in the world once one of somebody's was asked elsewhere; the tucked person's
    without a base pose."""
    base = base or tucked()
    was = forward_kinematics(SKELETON, base).rotations
    asked = [position(base, name, by if name == joint else (0.0, 0.0, 0.0)) for name in (*ANKLES, "left_wrist")]
    soft = [Rotation(name, was[SKELETON.index(name)], tolerance=0.2) for name in ANKLES]
    stance = Stance(feet=Feet(foot_shapes(POINTS, BODY.rig(SHAPE)), (stand, "auto")))
    problem = replace(
        IKProblem.without_masks(SKELETON, [*asked, *soft], base, body="anny"), stance=stance, floor=POINTS
    )
    return forward_kinematics(SKELETON, load_solver(solver).solve(problem, AtPose(base)).pose).rotations


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_foot_that_the_base_pose_has_otherwise_stays_so_while_a_hand_moves(solver: str) -> None:
    was = forward_kinematics(SKELETON, tucked()).rotations
    found = turns_after(solver, "left_wrist", (0.05, 0.1, 0.1))
    assert geodesic_angle(found[ANKLE], was[ANKLE]) < np.radians(2)
    assert geodesic_angle(found[BALL], was[BALL]) < np.radians(10), "level toes would be 23° away"


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_taken_elsewhere_it_stands_by_itself(solver: str) -> None:
    found = turns_after(solver, "left_ankle", (0.12, 0.0, 0.05))
    level = forward_kinematics(SKELETON, standing()).rotations
    assert geodesic_angle(found[BALL], level[BALL]) < np.radians(4)
    assert abs(found[ANKLE][1, 2]) < 0.03


def test_a_foot_that_is_chosen_to_be_flat_is_flat_at_once() -> None:
    assert abs(turns_after("dls", "left_wrist", (0.0, 0.0, 0.0), "flat")[ANKLE][1, 2]) < 0.03


def towards_shin(turns: np.ndarray) -> float:
    """Degrees by which the left foot's toes are nearer to the shin than at a right angle."""
    knee = SKELETON.index("left_knee")
    return float(-np.degrees(stretch(turns[ANKLE].astype(np.float64), -turns[knee][:, 1].astype(np.float64))))


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("by", [(0.0, 0.5, -0.45), (0.0, 0.75, -0.3), (0.05, 0.6, -0.3)])
def test_a_foot_thrown_up_behind_hangs_though_it_was_asked_to_be_level(solver: str, by: Sequence[float]) -> None:
    turns = turns_after(solver, "left_ankle", by)
    assert -40 < towards_shin(turns) < 30


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_foot_on_a_step_stays_level(solver: str) -> None:
    turns = turns_after(solver, "left_ankle", (0.0, 0.38, 0.3))
    assert np.degrees(np.arccos(turns[ANKLE][1, 1])) < 10


@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_raised_foot_that_the_base_pose_has_bent_stays_so(solver: str) -> None:
    turns = np.array(standing().rotations)
    turns[SKELETON.index("left_knee")] @= from_rotation_vector((1.4, 0.0, 0.0))
    turns[ANKLE] @= from_rotation_vector((-0.8, 0.0, 0.0))
    after = turns_after(solver, "left_wrist", (0.0, 0.1, 0.1), base=replace(standing(), rotations=turns))
    assert towards_shin(after) > 40
