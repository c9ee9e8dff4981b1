"""How deep skin is within the body: measured where it is, and nothing where only the cut of a limb says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, place, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.pressed_hands import pressed_hands
from solver.contact.intersections import is_surrounded
from solver.contact.obstacles import Obstacles, body_alone
from solver.contact.patches import patches, with_fitted_patch
from solver.contact.solid_body import solid_body
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.evaluation.standing.skin_intersection import self_intersection_depth
from solver.ik.exact import refine
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

BODY, SHAPE, BASE = load_body("anny"), BodyShape(), natural()
HELD = tuple(position(BASE, joint) for joint in ("pelvis", "head", "left_ankle", "right_ankle"))


def with_left_wrist_at(target: np.ndarray, obstacles: Obstacles | None = None) -> Pose:
    asked = problem([*HELD, Position("left_wrist", target.astype(np.float32))], BASE)
    return refine(replace(asked, obstacles=obstacles), BASE).pose


def test_a_standing_person_is_nowhere_inside_their_own_body() -> None:
    assert self_intersection_depth(BODY, SHAPE, BASE) == 0.0


def test_a_hand_in_the_chest_is_as_deep_as_the_chest_allows() -> None:
    assert 0.05 < self_intersection_depth(BODY, SHAPE, with_left_wrist_at(place(BASE, "spine2"))) < 0.15


@pytest.mark.parametrize("joint", ["spine2", "spine3"])
def test_a_hand_laid_on_the_chest_is_in_no_shoulder(joint: str) -> None:
    # the other arm's nearest vertex is on its shoulder and looks away: that arm is a piece that was cut off there
    laid_on = with_left_wrist_at(place(BASE, joint), body_alone(solid_body(BODY, SHAPE)))
    assert self_intersection_depth(BODY, SHAPE, laid_on) < 0.005


@pytest.mark.slow
def test_a_hand_a_little_within_the_belly_is_not_deep_in_the_other_arm() -> None:
    pressed = with_left_wrist_at(np.array([0.12, 1.15, 0.0]), body_alone(solid_body(BODY, SHAPE)))
    assert 0.0 < self_intersection_depth(BODY, SHAPE, pressed) < 0.02


def test_skin_goes_around_what_is_in_it_though_an_arm_is_missing() -> None:
    skin = posed_vertices(BODY, SHAPE, BASE).astype(np.float64)
    arm = np.flatnonzero(np.isin(BODY.weights.argmax(axis=1), [BODY.rig(SHAPE).index("left_shoulder")]))
    without = BODY.faces[~np.isin(BODY.faces, arm).any(axis=1)]
    inside = place(BASE, "spine2").astype(np.float64)
    assert is_surrounded(inside, skin, without)
    assert is_surrounded(inside + [0.05, 0.0, 0.0], skin, without)
    assert not is_surrounded(inside + [0.0, 0.0, 0.3], skin, without)


def test_depth_does_not_hang_on_where_somebody_stands() -> None:
    pose = with_left_wrist_at(place(BASE, "spine2"))
    turn = from_rotation_vector(np.array([0.0, 1.1, 0.0])).astype(np.float32)
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    elsewhere = Pose(turn @ pose.root_position + np.float32([2.0, 0.0, -1.0]), rotations)
    assert self_intersection_depth(BODY, SHAPE, elsewhere) == pytest.approx(
        self_intersection_depth(BODY, SHAPE, pose), abs=1e-4
    )


def test_depth_is_that_of_hands_as_they_are_held() -> None:
    flat, world = pressed_hands(BODY), forward_kinematics(body_skeleton(), BASE)
    found = patches(BODY, SHAPE, flat)
    belly, j = found["belly"], body_skeleton().index(found["belly"].joint)
    at = world.positions[j] + world.rotations[j] @ belly.middle
    facing = world.rotations[j] @ belly.normal
    palm = Contact(found["left_palm"].joint, at.astype(np.float32), facing=facing.astype(np.float32), patch="left_palm")
    on_belly = refine(problem([*HELD, with_fitted_patch(palm, found)], BASE), BASE).pose
    assert self_intersection_depth(BODY, SHAPE, on_belly, flat) < 0.01
    assert self_intersection_depth(BODY, SHAPE, on_belly) > 0.02  # the fingers at rest are bent: they would be in it
