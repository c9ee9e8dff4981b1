"""Patches of skin: where they are on a body of any shape, and the planes that lie on them."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.finger_chain import rest_points
from solver.body.finger_skin import finger_skins
from solver.body.hands import relaxed_hands, skin_with
from solver.contact.grip import closed_around
from solver.contact.patch_table import MIDDLE_ROWS, PATCH_ROWS
from solver.contact.patches import Patch, patches, with_fitted_patch
from solver.contact.skins import nearest_point, skin
from solver.effectors.contact import Contact, other_side
from solver.effectors.kinds import Position
from solver.effectors.skin import Skin
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import rest_pose

BODY = load_body("anny")
TALL = BodyShape(np.float32([3, 2, -1, 0, 0, 0, 0, 0, 0, 0]), "male")


def in_rest(patch: Patch, shape: BodyShape) -> np.ndarray:
    rig = BODY.rig(shape)
    return rig.rest_positions[rig.index(patch.joint)] + patch.middle


@pytest.mark.parametrize("shape", [BodyShape(), TALL], ids=["mean", "tall"])
def test_every_patch_lies_on_the_skin_and_none_of_its_skin_is_beyond_its_plane(shape: BodyShape) -> None:
    found = patches(BODY, shape)
    assert set(found) == set(PATCH_ROWS)
    vertices = BODY.vertices(shape)
    for patch in [patch for patch in found.values() if not patch.row.around]:
        beyond = (vertices[patch.vertices] - in_rest(patch, shape)) @ patch.normal
        assert -0.03 < beyond.max() < 2.5e-3, patch.name
        assert np.linalg.norm(patch.normal) == pytest.approx(1.0, abs=1e-5)


def test_patches_of_both_sides_are_each_other_s_mirror_image() -> None:
    found = patches(BODY, BodyShape())
    for name, patch in found.items():
        other = found[other_side(name)]
        assert other.middle == pytest.approx(patch.middle * [-1, 1, 1], abs=0.005), name


@pytest.mark.parametrize("shape", [BodyShape(), TALL], ids=["mean", "tall"])
def test_patches_between_both_sides_lean_to_neither_so_that_people_sit_straight(shape: BodyShape) -> None:
    for row in MIDDLE_ROWS:
        assert abs(patches(BODY, shape)[row.name].normal[0]) < 1e-3, row.name


@pytest.mark.parametrize("shape", [BodyShape(), TALL], ids=["mean", "tall"])
def test_the_hollow_of_a_hand_is_below_the_knuckles_and_goes_through_to_the_thumb(shape: BodyShape) -> None:
    for side, name in enumerate(("left_hand", "right_hand")):
        hollow, knuckles = patches(BODY, shape)[name], rest_points(BODY, shape)[side, 1:, 0]
        middle, tip = in_rest(hollow, shape), rest_points(BODY, shape)[side, 0, 3]
        assert np.linalg.norm((middle - knuckles.mean(axis=0))[[0, 2]]) < 0.02
        assert (middle[1] < knuckles[:, 1] - 0.01).all()
        assert (tip - middle) @ hollow.normal > 0.05
        assert hollow.into[1] < -1.0
        assert hollow.into @ hollow.normal == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("shape", [BodyShape(), TALL], ids=["mean", "tall"])
@pytest.mark.parametrize("side", [0, 1], ids=["left", "right"])
@pytest.mark.parametrize("radius", [0.003, 0.008, 0.015])
def test_thumb_and_index_finger_touch_a_small_ball_where_the_fingertips_hold_it(
    shape: BodyShape, side: int, radius: float
) -> None:
    tips = patches(BODY, shape)[("left_fingertips", "right_fingertips")[side]]
    rig = BODY.rig(shape)
    middle = rig.rest_positions[rig.index(tips.joint)] + tips.middle_of(radius)
    hands = closed_around(BODY, shape, tips.name, radius, straight=False)
    vertices = skin_with(BODY, shape, hands)
    away = [
        float(np.linalg.norm(vertices[f.vertices] - middle, axis=1).min()) - radius
        for f in finger_skins(BODY, shape, rest_pose(rig), side)
    ]
    assert away[:2] == pytest.approx([0.0, 0.0], abs=2e-3)
    assert min(away[2:]) > 5e-3, "the others are out of the way"
    assert hands == hands.mixed(relaxed_hands(), 1.0, (1 - side,)), "the other hand is at ease"


def test_what_a_hand_is_around_lies_off_its_hollow_by_the_radius_and_as_the_fingers_are_held_does_not_matter() -> None:
    held = Contact("left_wrist", np.zeros(3, np.float32), patch="left_hand", radius=0.02)
    hollow = patches(BODY, TALL)["left_hand"]
    again = with_fitted_patch(held, patches(BODY, TALL, relaxed_hands()))
    assert isinstance(again, Contact)
    assert again.offset == pytest.approx(hollow.middle + 0.02 * hollow.into)
    assert again.offset[1] < hollow.middle[1] - 0.02


def test_palms_and_soles_face_down_at_rest_and_foreheads_ahead() -> None:
    found = patches(BODY, BodyShape())
    for name in ("left_palm", "right_palm", "left_sole", "right_sole", "seat"):
        assert found[name].normal[1] < -0.9, name
    assert found["forehead"].normal[2] > 0.8
    assert in_rest(found["left_sole"], BodyShape())[1] == pytest.approx(0.0, abs=0.005)


def test_a_contact_is_fitted_to_the_patch_that_it_names_when_the_shape_changes() -> None:
    held = Contact("left_wrist", np.zeros(3, np.float32), patch="left_palm")
    of = patches(BODY, TALL)
    again = with_fitted_patch(held, of)
    assert isinstance(again, Contact)
    assert again.offset == pytest.approx(of["left_palm"].middle)
    assert again.normal == pytest.approx(of["left_palm"].normal)
    assert with_fitted_patch(again, of) is again
    knee = with_fitted_patch(Contact("left_knee", np.zeros(3, np.float32), patch="left_knee"), of)
    assert isinstance(knee, Contact)
    assert not knee.normal.any()  # round skin lies any way


def test_what_names_no_patch_of_its_joint_stays_as_it_is() -> None:
    of = patches(BODY, TALL)
    for effector in (
        Position("left_wrist", np.zeros(3, np.float32)),
        Contact("left_wrist", np.zeros(3, np.float32), patch="left_gill"),
        Contact("head", np.zeros(3, np.float32), patch="left_palm"),
    ):
        assert with_fitted_patch(effector, of) is effector


def test_patches_are_found_once_for_equal_hands_and_differ_with_the_fingers() -> None:
    relaxed = patches(BODY, BodyShape(), relaxed_hands())
    assert patches(BODY, BodyShape(), relaxed_hands()) is relaxed
    assert not np.allclose(relaxed["left_palm"].middle, patches(BODY, BodyShape())["left_palm"].middle, atol=1e-4)


def test_the_nearest_point_of_a_skin_is_on_it_and_passes_by_what_does_not_count() -> None:
    shape = BodyShape()
    rig, touched = BODY.rig(shape), skin(BODY, shape)
    world = forward_kinematics(rig, rest_pose(rig))
    palm = in_rest(patches(BODY, shape)["left_palm"], shape)
    found = nearest_point(touched, world, palm + [0, -0.02, 0])
    assert np.linalg.norm(found.place - palm) < 0.02
    assert found.shares.sum() == pytest.approx(1.0, abs=1e-5)
    place, normal = touched.point_at(found.triangle, found.shares, world)
    assert place == pytest.approx(found.place, abs=1e-4)
    assert normal[1] < -0.5
    hand = [rig.index(name) for name in ("left_wrist", "left_hand")]
    other = nearest_point(touched, world, palm, hand)
    assert touched.carrier(other.triangle, other.shares) not in hand
    far = nearest_point(touched, world, [5.0, 1.35, 0.0])
    assert far.place[0] > 0.8


@pytest.mark.parametrize(
    ("place", "shares"),
    [
        ((0.2, 0.3, 1.0), (0.5, 0.2, 0.3)),  # above its inside
        ((0.25, -0.5, 0.0), (0.75, 0.25, 0.0)),
        ((-0.5, 0.4, 0.2), (0.6, 0.0, 0.4)),
        ((1.25, 0.75, 0.0), (0.0, 0.75, 0.25)),
        ((2.0, -1.0, 0.3), (0.0, 1.0, 0.0)),  # beyond a corner
    ],
)
def test_the_nearest_point_of_a_triangle_is_inside_it_on_an_edge_or_at_a_corner(place, shares) -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    one = Skin(corners, np.tile([0.0, 0.0, 1.0], (3, 1)), np.array([[0, 1, 2]]), np.ones((3, 1)), np.zeros((1, 3)))
    found = nearest_point(one, WorldJoints(np.zeros((1, 3)), np.eye(3)[None]), np.array(place))
    np.testing.assert_allclose(found.shares, shares, atol=1e-6)
    np.testing.assert_allclose(found.place, shares @ corners, atol=1e-6)
