"""Intersections of the skin itself: what counts, what does not, and how deep it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.hand_presets import preset_hands
from solver.contact.intersections import Skinned, intersections
from solver.contact.solids import Solid, SolidForm
from solver.effectors.kinds import Position
from solver.ik.exact import refine
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.roles import Role

BODY, SHAPE = load_body("anny"), BodyShape()
SKELETON = BODY.skeleton(SHAPE)
BASE = natural_pose(SKELETON)
CARRIER = BODY.weights.argmax(axis=1)


def place(pose: Pose, joint: str) -> np.ndarray:
    return np.asarray(forward_kinematics(SKELETON, pose).positions[SKELETON.index(joint)])


def hand_at(target: np.ndarray) -> Pose:
    """The natural pose with the left wrist there, solid or not."""
    return refine(IKProblem.without_masks(SKELETON, (Position(Role.LEFT_WRIST, np.float32(target)),), BASE), BASE).pose


def depths(*poses: Pose, things: tuple[Solid, ...] = (), floor: bool = False) -> list[np.ndarray]:
    found = intersections([Skinned(BODY, SHAPE, pose) for pose in poses], things, floor=floor)
    return [each for _, each in found]


def test_a_standing_person_intersects_nothing() -> None:
    assert not depths(BASE, floor=False)[0].any()


def test_a_hand_in_the_belly_is_found_with_the_skin_above_it_on_the_side_where_it_is() -> None:
    (found,) = depths(hand_at(place(BASE, Role.SPINE1) + [0.0, 0.0, 0.03]))
    joints = {SKELETON.names[joint] for joint in CARRIER[found > 0]}
    assert joints & {Role.LEFT_WRIST, Role.LEFT_HAND}
    assert joints & {Role.SPINE1, Role.SPINE2, Role.PELVIS}
    assert not joints & {Role.RIGHT_WRIST, Role.RIGHT_ELBOW, Role.HEAD, Role.LEFT_KNEE}
    assert 0.03 < found.max() < 0.2


def test_a_hand_beside_the_body_is_not_found() -> None:
    assert not depths(hand_at(place(BASE, Role.LEFT_SHOULDER) + [0.1, -0.2, 0.3]))[0].any()


@pytest.mark.parametrize("form", [SolidForm.BOX, SolidForm.BALL, SolidForm.CYLINDER])
def test_a_thing_is_as_deep_as_the_skin_is_within_it(form: SolidForm) -> None:
    head = place(BASE, Role.HEAD)
    thing = Solid(form, np.float32([0.3, 0.3, 0.3]), np.float32(head))
    (found,) = depths(BASE, things=(thing,))
    skin = intersections([Skinned(BODY, SHAPE, BASE)], floor=False)[0][0]
    inside = np.maximum(-thing.distances(skin), 0.0)
    assert inside.max() > 0.05
    np.testing.assert_allclose(found, np.where(inside > 0.004, inside, 0.0), atol=1e-9)


def test_skin_a_little_below_the_floor_does_not_count_and_more_does() -> None:
    ((skin, _),) = intersections([Skinned(BODY, SHAPE, BASE)], floor=False)
    sunk = lambda by: replace(BASE, root_position=BASE.root_position - np.float32([0.0, skin[:, 1].min() + by, 0.0]))  # noqa: E731
    assert not depths(sunk(0.004), floor=True)[0].any()
    assert depths(sunk(0.02), floor=True)[0].max() == pytest.approx(0.02, abs=1e-4)
    assert not depths(sunk(0.02))[0].any()


def test_two_people_intersect_each_other_and_from_further_off_they_do_not() -> None:
    beside = replace(BASE, root_position=BASE.root_position + np.float32([0.0, 0.0, 0.15]))
    one, other = depths(BASE, beside)
    assert (one > 0).sum() > 100
    assert (other > 0).sum() > 100
    away = replace(BASE, root_position=BASE.root_position + np.float32([0.0, 0.0, 0.9]))
    assert not any(found.any() for found in depths(BASE, away))


def test_fingers_count_as_the_hands_have_them() -> None:
    wrist = place(BASE, Role.LEFT_WRIST)
    thing = Solid(SolidForm.BALL, np.float32([0.4, 0.4, 0.4]), np.float32(wrist))
    (flat, at_rest), (fist, closed) = (
        intersections([Skinned(BODY, SHAPE, BASE, hands)], [thing])[0] for hands in (None, preset_hands("fist", BODY))
    )
    assert np.abs(flat - fist).max() > 0.02
    np.testing.assert_allclose(closed, np.where(thing.distances(fist) < -0.004, -thing.distances(fist), 0.0), atol=1e-9)
    assert np.abs(at_rest - closed).max() > 0.01
