"""People and props mirrored together, and what ties them to one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.copies import Things
from app.document.edits.mirror_things import mirror_things, plane_of
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import surface_of
from app.document.posing.contact_patches import on_skin
from app.document.posing.create import new_character, new_document
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position
from solver.effectors.sources import FloorSource, JointSource, PropSource, SkinSource
from solver.kinematics.rotations import from_rotation_vector

HERE = np.float32([0.4, 1.2, 0.3])
SPOT = np.float32([-0.2, 0.5, 0.1])


def two(*effectors: Effector) -> Document:
    """Two people beside each other and a turned box; the first has the effectors."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    document = edits.move_character("c2", (1.5, 0.0, 0.2))(document)
    turn = from_rotation_vector(np.array([0.2, 0.6, 0.0]))
    box = replace(new_prop(document, "box"), place=np.float32([-1.5, 0.0, 0.4]), turn=turn)
    document = edits.add_prop(box)(document)
    for effector in effectors:
        document = edits.add_effector("c1", effector)(document)
    return document


def mirrored(document: Document, people: tuple[str, ...], props: tuple[str, ...] = ()) -> Document:
    return mirror_things(people, props)(document)


def source(document: Document, id: str, who: str = "c1") -> object:
    return document.character(who).effector(id).source


def on_the_skin(document: Document) -> SkinSource:
    """Where the right shoulder of the second person has its skin."""
    other = document.character("c2")
    place = joints_of(other).positions[skeleton_of(other).index("right_shoulder")]
    return on_skin(other, place)[0]


def test_somebody_else_stays_in_contact_with_the_mirrored_place_of_a_prop() -> None:
    floor = Position("left_ankle", HERE, id="floor", source=FloorSource())
    document = two(Contact("left_wrist", HERE, patch="left_palm", id="box", source=PropSource("p1", SPOT)), floor)
    after = mirrored(document, (), ("p1",))
    assert source(after, "box").place == pytest.approx(SPOT * [-1, 1, 1])  # type: ignore[attr-defined]
    assert source(after, "floor") == FloorSource()
    assert after.character("c2") == document.character("c2")


def test_who_is_mirrored_holds_on_to_what_was_mirrored_too_and_lets_go_of_the_rest() -> None:
    held = Contact("left_wrist", HERE, patch="left_palm", id="box", source=PropSource("p1", SPOT))
    hand = Position("right_wrist", HERE, id="hand", source=JointSource("c2", "left_wrist"))
    look = LookAt("head", HERE, id="look", source=JointSource("c2", "head"))
    own = Position("right_elbow", HERE, id="own", source=JointSource("c1", "head"))
    document = two(held, hand, look, own)
    both = mirrored(document, ("c1", "c2"), ("p1",))
    assert source(both, "hand") == replace(JointSource("c2", "right_wrist"), **_held(both, "hand"))
    assert source(both, "box").place == pytest.approx(SPOT * [-1, 1, 1])  # type: ignore[attr-defined]
    alone = mirrored(document, ("c1",))
    assert (source(alone, "hand"), source(alone, "box")) == (None, None)
    assert [source(alone, id).character for id in ("look", "own")] == ["c2", "c1"]  # type: ignore[attr-defined]


def _held(document: Document, id: str) -> dict[str, object]:
    """Where on the joint the place is, which the mirror of its own changes."""
    now = source(document, id)
    assert isinstance(now, JointSource)
    return {"offset": now.offset, "turn": now.turn}


def test_a_hand_on_somebody_s_shoulder_is_on_the_other_shoulder_in_the_mirror() -> None:
    document = two()
    skin = on_the_skin(document)
    touch = Contact("left_wrist", HERE, patch="left_palm", id="skin", source=skin)
    point = Position("right_wrist", HERE, id="point", source=skin)
    document = edits.add_effector("c1", point)(edits.add_effector("c1", touch)(document))
    after = mirrored(document, ("c1", "c2"))
    there = source(after, "skin")
    assert isinstance(there, SkinSource)
    assert (there.character, there.triangle != skin.triangle) == ("c2", True)
    assert source(after, "point") is None
    assert source(mirrored(document, ("c1",)), "skin") is None


def test_people_exchange_sides_across_the_middle_of_the_first_and_twice_brings_them_back() -> None:
    document = two()
    first, second = document.characters
    plane = plane_of(Things((first, second)))
    after = mirrored(document, ("c1", "c2"))
    there = after.character("c2").pose.root_position
    assert np.allclose(there, plane.points(second.pose.root_position.astype(np.float64)), atol=1e-5)
    again = mirrored(after, ("c1", "c2"))
    for was, now in zip(document.characters, again.characters, strict=True):
        assert np.allclose(joints_of(now).positions, joints_of(was).positions, atol=1e-4)


def test_a_prop_is_mirrored_throughout_its_motion() -> None:
    document = edits.animate_prop("p1", 10)(two())
    document = edits.set_prop_place("p1", (1.0, 0.5, 1.0))(document.at({document.prop("p1").slot: 9}))
    was, now = document.prop("p1"), mirrored(document, (), ("p1",)).prop("p1")
    assert was.clip is not None
    assert now.clip is not None
    plane = plane_of(Things((), (was,)))
    for before, after in zip(was.clip.keys, now.clip.keys, strict=True):
        assert np.allclose(after.place, plane.points(before.place.astype(np.float64)), atol=1e-5)
        assert np.allclose(after.turn, plane.world_rotations(before.turn), atol=1e-5)


def test_nothing_changes_where_all_looks_the_same_in_a_mirror_but_a_mesh_has_its_surface_mirrored() -> None:
    document, surface = new_document(), surface_of("stairs")
    stairs = replace(new_prop(document, "stairs"), place=np.float32([1.0, 0.0, 0.0]))
    document = edits.add_prop(stairs)(document)
    assert mirrored(document, (), ("p1",)) is document
    mesh = Prop("p2", "Rock", MESH, np.ones(3), mesh=PropMesh(surface.vertices, surface.faces))
    after = mirrored(edits.add_prop(mesh)(document), (), ("p2",)).prop("p2")
    assert after.mesh is not None
    assert np.array_equal(after.mesh.vertices, (surface.vertices * [-1, 1, 1]).astype(np.float32))
    assert np.array_equal(after.mesh.faces, surface.faces[:, ::-1])
