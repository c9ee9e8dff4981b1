"""Steps of a drag that are small, and the joints that are led in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FEET, body_skeleton, natural, place, position

from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt
from solver.ik.anchor import nothing_moves, small_step
from solver.ik.pipeline.led_joints import led_joints
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

SHOWN = natural()
HELD: list[Effector] = [position(SHOWN, joint) for joint in (*FEET, "left_wrist")]


def moved(by: float) -> list[Effector]:
    """The feet, and the wrist this many metres higher."""
    return [*HELD[:2], position(SHOWN, "left_wrist", (0.0, by, 0.0))]


def step(before: list[Effector], after: list[Effector]) -> float | None:
    return small_step(body_skeleton(), before, after, SHOWN)


def test_a_small_step_is_as_long_as_the_way_of_what_is_dragged() -> None:
    assert step(HELD, moved(0.02)) == pytest.approx(0.02, abs=1e-5)
    assert step(HELD[:2], moved(0.02)) == pytest.approx(0.02, abs=1e-5), "that of a new handle begins where it is shown"


def test_a_joint_that_is_taken_hold_of_where_it_is_shown_is_a_step_in_which_nothing_moves() -> None:
    assert step(HELD[:2], HELD) == 0.0
    look, elsewhere = (LookAt("head", np.asarray([0.0, 1.5, z], np.float32)) for z in (1.0, 2.0))
    assert step([*HELD[:2], look], [*HELD, elsewhere]) is None, "looks are not led"


def test_nothing_is_led_in_large_steps_nor_where_nothing_is_dragged_or_something_is_let_go_of() -> None:
    assert step(HELD, moved(0.2)) is None
    assert step(HELD, HELD) is None
    assert step(moved(0.02), HELD[:2]) is None


def test_nothing_moves_where_something_is_let_go_of_or_pinned_and_what_is_new_or_dragged_does() -> None:
    pinned = [*HELD[:2], replace(HELD[2], pinned=True)]
    assert nothing_moves(HELD, HELD)
    assert nothing_moves(HELD, pinned)
    assert nothing_moves(HELD, HELD[:2])
    assert not nothing_moves(HELD[:2], HELD)
    assert not nothing_moves(HELD, moved(0.02))


def test_joints_that_a_step_throws_are_led_a_part_of_their_way_and_all_others_to_where_they_go() -> None:
    thrown = np.array(SHOWN.rotations)
    arm = body_skeleton().index("right_shoulder")
    thrown[arm] = thrown[arm] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32)
    found = Pose(SHOWN.root_position, thrown)
    leans = {lean.effector.joint: lean.effector for lean in led_joints(body_skeleton(), HELD, found, SHOWN, 0.02)}
    assert {"head", "left_knee", "right_knee", "left_shoulder", "right_elbow", "right_wrist"} <= leans.keys()
    assert leans.keys().isdisjoint({*FEET, "left_wrist"}), "what is asked is not led"
    for joint, goes in (("right_wrist", 0.03), ("head", 0.0)):
        assert np.linalg.norm(leans[joint].target - place(SHOWN, joint)) == pytest.approx(goes, abs=1e-4)
    assert led_joints(body_skeleton(), HELD, SHOWN, SHOWN, 0.02) == ()


def test_a_trunk_that_swings_an_idle_hand_further_than_itself_is_led_as_much_more_slowly() -> None:
    turns, skeleton = np.array(SHOWN.rotations), body_skeleton()
    for joint, degrees in (("spine1", 30), ("right_shoulder", 60)):
        which, turn = skeleton.index(joint), from_rotation_vector(np.radians([float(degrees), 0.0, 0.0]))
        turns[which] = turns[which] @ turn
    found = Pose(SHOWN.root_position, turns)
    leans = {lean.effector.joint: lean.effector for lean in led_joints(skeleton, HELD, found, SHOWN, 0.02, False)}
    ways = {joint: float(np.linalg.norm(place(found, joint) - place(SHOWN, joint))) for joint in ("head", "right_hand")}
    assert ways["right_hand"] > 1.2 * ways["head"]
    went = np.linalg.norm(leans["head"].target - place(SHOWN, "head"))
    assert went == pytest.approx(0.03 * ways["head"] / ways["right_hand"], rel=0.01)
    assert "right_hand" not in leans, "it goes along"


def test_the_ball_of_a_held_foot_that_a_step_throws_round_its_ankle_is_led_as_well() -> None:
    turns = np.array(SHOWN.rotations)
    ankle = body_skeleton().index(FEET[0])
    turns[ankle] = turns[ankle] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32)
    found = Pose(SHOWN.root_position, turns)
    leans = {lean.effector.joint: lean.effector for lean in led_joints(body_skeleton(), HELD, found, SHOWN, 0.02)}
    assert np.linalg.norm(leans["left_foot"].target - place(SHOWN, "left_foot")) == pytest.approx(0.03, abs=1e-4)


def test_a_leg_that_slides_along_a_slope_leads_the_toes_of_both_feet_the_pelvis_and_idle_hands_too() -> None:
    found = Pose(SHOWN.root_position + np.array([0.0, 0.0, 0.2], np.float32), SHOWN.rotations)
    stands = led_joints(body_skeleton(), HELD, found, SHOWN, 0.02, False)
    slides = led_joints(body_skeleton(), HELD, found, SHOWN, 0.02, False, True)
    led = {lean.effector.joint for lean in slides}
    assert {"left_foot", "right_foot"} <= led
    more = led - {lean.effector.joint for lean in stands}
    assert {"pelvis", "left_hip", "right_hip", "right_wrist", "right_hand"} <= more
