"""Contacts as values: on a surface that a floor, a skin or a prop gives, in a mirror, and as networks read them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.effectors.contact import Contact, other_side
from solver.effectors.kinds import Position, Rotation
from solver.effectors.resolve import Context, Figure, Prop, carrying_joint, has_sources, resolved, tied_figures
from solver.effectors.skin import Skin, vertex_normals
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector

SKELETON = body_skeleton()
WORLD = forward_kinematics(SKELETON, natural())
UP = np.float32([0, 1, 0])
HEAD = SKELETON.index("head")


def contact(**values) -> Contact:
    made = {"patch": "left_palm", "offset": np.float32([0.06, -0.03, 0]), "normal": np.float32([0, -1, 0])}
    return Contact("left_wrist", np.float32([0.3, 0.9, 0.2]), **{**made, **values})


def skin_on_head() -> Skin:
    """A square of skin 10 cm above the head joint, that the head carries."""
    at = SKELETON.rest_positions[HEAD]
    vertices = at + np.float32([[-0.1, 0.1, -0.1], [0.1, 0.1, -0.1], [0.1, 0.1, 0.1], [-0.1, 0.1, 0.1]])
    faces = np.array([[0, 2, 1], [0, 3, 2]])
    weights = np.zeros((4, len(SKELETON)), np.float32)
    weights[:, HEAD] = 1.0
    return Skin(vertices, vertex_normals(vertices, faces), faces, weights, SKELETON.rest_positions)


def on_head(**values) -> SkinSource:
    return SkinSource("c2", 0, np.float32([0.5, 0.5, 0.0]), **values)


def test_a_contact_on_the_floor_is_brought_down_to_it_and_faces_up() -> None:
    down = resolved(contact(source=FloorSource()), Context())
    assert down.target.tolist() == pytest.approx([0.3, 0.0, 0.2])
    assert down.facing.tolist() == [0, 1, 0]
    assert down.lies_flat
    assert resolved(down, Context()) is down


def test_a_contact_with_skin_goes_along_with_the_joints_that_carry_it() -> None:
    context = Context({"c2": Figure(SKELETON, WORLD)}, skins={"c2": skin_on_head()})
    held = resolved(contact(source=on_head()), context)
    turn = WORLD.rotations[HEAD]
    assert held.target == pytest.approx(WORLD.positions[HEAD] + turn @ [0, 0.1, 0], abs=1e-5)
    assert held.facing == pytest.approx(turn @ [0, 1, 0], abs=1e-5)
    assert carrying_joint(on_head(), context) == "head"
    assert has_sources([held])
    assert tied_figures([held]) == {"c2"}


@pytest.mark.parametrize("context", [Context(), Context({"c2": Figure(SKELETON, WORLD)}, skins={"c2": skin_on_head()})])
def test_a_contact_whose_skin_is_gone_or_has_another_number_of_triangles_stays(context: Context) -> None:
    source = SkinSource("c2", 2, np.float32([1, 0, 0]))
    held = contact(source=source)
    assert resolved(held, context) is held
    assert carrying_joint(source, context) == ""
    assert carrying_joint(JointSource("c2", "head"), context) == "head"


def test_a_contact_on_a_prop_keeps_its_face_as_that_is_moved_turned_and_resized() -> None:
    source = PropSource("box", np.float32([0, 0.5, 0.25]), UP)
    turn = from_rotation_vector([np.pi / 2, 0.0, 0.0])
    place = np.float32([1, 0, 0])
    box = Prop(place, turn, np.float32([1, 2, 4]))
    held = resolved(contact(source=source), Context(props={"box": box}))
    assert held.target == pytest.approx(place + turn @ [0, 1, 1], abs=1e-5)
    assert held.facing == pytest.approx(turn @ UP, abs=1e-5)
    assert resolved(held, Context()) is held
    round_one = resolved(contact(source=replace(source, normal=np.zeros(3))), Context(props={"box": box}))
    assert not round_one.lies_flat


def test_effectors_of_other_kinds_take_a_surface_s_place_and_leave_its_normal() -> None:
    position = Position("left_wrist", np.float32([0.3, 0.9, 0.2]), source=FloorSource())
    assert resolved(position, Context()).target.tolist() == pytest.approx([0.3, 0.0, 0.2])
    turned = Rotation("left_wrist", np.eye(3), source=FloorSource())
    assert resolved(turned, Context()) is turned
    context = Context({"c2": Figure(SKELETON, WORLD)}, skins={"c2": skin_on_head()})
    on_skin = replace(turned, source=on_head())
    assert resolved(on_skin, context) is on_skin


def test_a_contact_taken_to_a_pose_asks_for_nothing_there() -> None:
    held = contact(facing=UP).at_pose(SKELETON, WORLD)
    j = SKELETON.index("left_wrist")
    assert held.residual(SKELETON, WORLD) == pytest.approx(0, abs=1e-6)
    assert held.facing == pytest.approx(WORLD.rotations[j] @ [0, 1, 0], abs=1e-5)
    assert not contact().at_pose(SKELETON, WORLD).facing.any()


def test_a_contact_carried_by_a_turn_of_the_world_faces_the_turned_surface() -> None:
    turn = from_rotation_vector([0.0, 0.0, np.pi / 2])
    carried = contact(facing=UP).moved_by(RigidMotion(turn, np.zeros(3)))
    assert carried.facing == pytest.approx([-1, 0, 0], abs=1e-6)


def test_in_the_mirror_a_contact_is_one_of_the_other_side_s_patch() -> None:
    seen = contact(facing=np.float32([1, 0, 0])).mirrored(BODY_PLANE, "right_wrist")
    assert (seen.joint, seen.patch) == ("right_wrist", "right_palm")
    assert seen.offset == pytest.approx([-0.06, -0.03, 0])
    assert seen.facing.tolist() == [-1, 0, 0]
    assert seen.mirrored(BODY_PLANE, "left_wrist") == contact(facing=np.float32([1, 0, 0]))
    assert other_side("chin") == "chin"


def test_networks_read_where_its_patch_should_be() -> None:
    (read,) = contact(tolerance=0.25).as_networks_read()
    assert isinstance(read, Position)
    assert (read.tolerance, read.offset.tolist()) == (0.25, contact().offset.tolist())


def test_a_contact_is_told_in_another_frame_of_its_joint() -> None:
    turn = from_rotation_vector([np.pi / 2, 0.0, 0.0]).astype(np.float32)
    told = contact().on_joint("hand", turn)
    assert told.joint == "hand"
    assert told.normal == pytest.approx(turn @ [0, -1, 0], abs=1e-6)
    assert contact().on_joint("hand").offset.tolist() == contact().offset.tolist()


def test_directions_are_unit_and_those_without_a_length_mean_any_way() -> None:
    assert contact(facing=np.float32([0, 3, 0])).facing.tolist() == [0, 1, 0]
    assert not contact(facing=np.float32([0, 1e-9, 0])).lies_flat
    assert not contact().holds_joint


def test_a_point_of_skin_names_a_triangle() -> None:
    with pytest.raises(ValueError, match="triangle"):
        SkinSource("c1", -1, np.float32([1, 0, 0]))


def test_a_contact_tied_to_a_joint_lies_at_its_offset_and_faces_along_its_turn() -> None:
    context = Context({"c2": Figure(SKELETON, WORLD)})
    source = JointSource("c2", "head", np.float32([0, 0.1, 0]))
    held = resolved(contact(source=source), context)
    turn = WORLD.rotations[HEAD]
    assert held.target == pytest.approx(WORLD.positions[HEAD] + turn @ [0, 0.1, 0], abs=1e-5)
    assert held.facing == pytest.approx(turn @ [0, 1, 0], abs=1e-5)
    nobody = contact(source=replace(source, joint="tail"))
    assert resolved(nobody, context) is nobody


def test_a_place_is_aimed_as_another_is() -> None:
    one, other = Position("head", UP), Position("left_wrist", 2 * UP)
    assert one.with_target_of(other) == Position("head", 2 * UP)


def test_a_hand_around_a_thing_keeps_its_radius_in_the_mirror_and_grows_with_the_world() -> None:
    held = contact(patch="left_hand", radius=0.02, facing=UP)
    assert held.around
    assert not contact().around
    assert held.mirrored(BODY_PLANE, "right_wrist").radius == 0.02
    assert held.scaled(2.0).radius == pytest.approx(0.04)
    for radius in (-0.01, np.inf, np.nan):
        with pytest.raises(ValueError, match="radius"):
            contact(radius=radius)


def test_a_thing_that_leans_in_a_hand_leans_as_much_in_the_mirror_and_never_lies_along_the_hand() -> None:
    held = contact(patch="left_hand", radius=0.02, facing=UP, tilt=0.3)
    assert held.mirrored(BODY_PLANE, "right_wrist").tilt == held.scaled(2.0).tilt == 0.3
    for tilt in (-1.6, 1.6, np.nan):
        with pytest.raises(ValueError, match="quarter turn"):
            contact(tilt=tilt)
