"""Contacts made with symmetric posing on: the other hand lies on what is there, and nothing else holds it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.symmetry import symmetric
from app.document.model.document import Document
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.holds.mirrored_contacts import fingers_across
from solver.body.hands import relaxed_hands
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, PropSource, SkinSource
from solver.kinematics.rotations import from_rotation_vector

LYING = from_rotation_vector(np.array([0.0, 0.0, np.pi / 2])).astype(np.float32)
UPRIGHT = np.eye(3, dtype=np.float32)
UP = np.float32([0, 1, 0])


@pytest.fixture
def document() -> Document:
    """Two people."""
    alone = new_document()
    return edits.add_character(new_character(alone, "Ben"))(alone)


def with_thing(
    document: Document, kind: str, size: tuple[float, float, float], middle: tuple[float, float, float],
    turn: np.ndarray = UPRIGHT,
) -> Document:  # fmt: skip
    prop = replace(new_prop(document, kind).sized(size), turn=turn)
    return edits.add_prop(prop.moved(np.array(middle) - prop.middle))(document)


def laid(document: Document, contact: Contact) -> Document:
    return symmetric("c1", edits.chain(edits.hold("c1", contact), edits.close_hand("c1", contact)))(document)


def grasp(document: Document, near: tuple[float, float, float]) -> Contact:
    """The left hand around the prop, where it is nearest to that far from its middle."""
    (prop,) = document.props
    source, _, _ = nearest_on(prop, prop.middle + near)
    contact = hand_around(document.characters[0], prop, "left_wrist", source)
    assert contact is not None
    return contact


def palm(document: Document, place: tuple[float, float, float]) -> Contact:
    return contact_of(patches_of(document.characters[0])["left_palm"], np.float32(place), UP)


def of_the_right(document: Document) -> list[Contact | Position]:
    """What holds the right wrist."""
    found = document.characters[0].effectors
    return [e for e in found if isinstance(e, Contact | Position) and e.joint == "right_wrist"]


def test_both_hands_close_around_a_stick_that_lies_before_both(document: Document) -> None:
    scene = with_thing(document, "stick", (0.03, 0.9, 0.03), (0.0, 1.1, 0.4), LYING)
    both = laid(scene, grasp(scene, (0.2, 0.0, -0.5)))
    (right,), person = of_the_right(both), both.characters[0]
    left = next(e for e in person.effectors if isinstance(e, Contact) and e.joint == "left_wrist")
    assert isinstance(right, Contact)
    assert right.around
    assert isinstance(right.source, PropSource)
    assert right.target == pytest.approx(left.target * [-1, 1, 1], abs=0.01)
    assert right.facing == pytest.approx(-left.facing, abs=1e-5), "thumbs inward"
    assert person.hands is not None
    assert person.hands == person.hands.mixed(person.hands.mirrored(), 1.0, (1,))
    assert len(person.effectors) == len(document.characters[0].effectors)


def test_a_ball_before_the_middle_is_taken_by_both_and_one_beside_by_one(document: Document) -> None:
    for x, found in ((0.0, True), (0.3, False)):
        scene = with_thing(document, "ball", (0.08, 0.08, 0.08), (x, 1.1, 0.4))
        (right,) = of_the_right(laid(scene, grasp(scene, (0.1, 0.0, 0.0))))
        assert isinstance(right.source, PropSource) == found


def test_palms_lie_on_a_box_on_both_sides_as_far_as_it_goes(document: Document) -> None:
    for x, found in ((0.0, True), (0.5, False)):
        scene = with_thing(document, "box", (0.8, 0.1, 0.3), (x, 1.0, 0.4))
        source, at, _ = nearest_on(scene.props[0], (0.25, 1.2, 0.4))
        both = laid(scene, replace(palm(scene, tuple(at)), source=source))
        (right,) = of_the_right(both)
        assert isinstance(right.source, PropSource) == found
        assert right.target == pytest.approx(at * [-1, 1, 1], abs=0.01)


def test_on_the_floor_both_lie_there_and_on_somebody_else_one_alone(document: Document) -> None:
    (right,) = of_the_right(laid(document, replace(palm(document, (0.3, 0.0, 0.5)), source=FloorSource())))
    assert right.source == FloorSource()
    source, at, _ = on_patch(document.characters[1], "right_hip")
    (right,) = of_the_right(laid(document, replace(palm(document, tuple(at)), source=source)))
    assert right.source is None
    (right,) = of_the_right(laid(document, palm(document, (0.3, 1.0, 0.3))))
    assert right.source is None


def test_hands_come_to_both_hips_and_a_place_that_is_no_skin_on_the_other_side_is_in_the_air(
    document: Document,
) -> None:
    person = document.characters[0]
    source, at, _ = on_patch(person, "left_hip")
    contact = replace(palm(document, tuple(at)), source=source)
    (right,) = of_the_right(laid(document, contact))
    assert isinstance(right.source, SkinSource)
    assert right.source.spot == "right hip"
    (right,) = of_the_right(laid(document, replace(contact, target=np.float32([0.9, 1.0, 0.9]))))
    assert right.source is None


def test_letting_go_with_both_sides_frees_both(document: Document) -> None:
    scene = with_thing(document, "stick", (0.03, 0.9, 0.03), (0.0, 1.1, 0.4), LYING)
    both = laid(scene, grasp(scene, (0.2, 0.0, -0.5)))
    held = next(e.id for e in both.characters[0].effectors if isinstance(e, Contact))
    free = symmetric("c1", edits.let_go("c1", [held]))(both)
    assert [e.kind for e in of_the_right(free)] == ["position"]
    assert free.characters[0].hands == relaxed_hands()


def test_a_hand_that_lies_on_something_leaves_it_as_the_other_one_is_moved_and_no_two_effectors_pull_it(
    document: Document,
) -> None:
    right = contact_of(patches_of(document.characters[0])["right_palm"], np.float32((-0.3, 1.0, 0.3)), UP)
    lying = edits.hold("c1", right)(document)
    left = next(e for e in lying.characters[0].effectors if e.joint == "left_wrist")
    pinned = symmetric("c1", edits.set_pinned("c1", left.id, True))(lying)
    assert [(e.kind, e.pinned) for e in of_the_right(pinned)] == [("contact", True)], "it lies there as firmly"
    moved = symmetric("c1", edits.set_target("c1", left.id, (0.6, 1.4, 0.1)))(lying)
    (there,) = of_the_right(moved)
    assert there.kind == "position"
    assert there.target == pytest.approx((-0.6, 1.4, 0.1), abs=0.02)


def test_a_contact_that_is_made_looser_or_slides_goes_across_to_a_hand_that_is_held_otherwise(
    document: Document,
) -> None:
    lying = edits.hold("c1", palm(document, (0.3, 0.0, 0.3)))(document)
    left = next(e for e in lying.characters[0].effectors if isinstance(e, Contact))
    looser = symmetric("c1", edits.set_tolerance("c1", left.id, 0.5))(lying)
    assert [(e.kind, e.tolerance) for e in of_the_right(looser)] == [("position", 0.5)]
    slid = symmetric("c1", edits.set_target("c1", left.id, (0.4, 0.0, 0.3)))(lying)
    assert [e.kind for e in of_the_right(slid)] == ["contact"]


def test_a_hand_around_a_stick_keeps_it_as_the_other_one_is_moved(document: Document) -> None:
    scene = with_thing(document, "stick", (0.03, 0.9, 0.03), (0.3, 1.1, 0.4))
    contact = grasp(scene, (0.0, 0.0, 0.0))
    held = edits.hold("c1", contact)(scene)
    other = next(e for e in held.characters[0].effectors if e.joint == "right_wrist")
    moved = symmetric("c1", edits.set_target("c1", other.id, (-0.6, 1.4, 0.1)))(held)
    assert [e.kind for e in moved.characters[0].effectors if e.joint == "left_wrist"] == ["contact"]


def test_hands_that_are_not_known_and_patches_of_no_side_leave_fingers_as_they_are(document: Document) -> None:
    person = replace(document.characters[0], hands=None)
    assert fingers_across(person, palm(document, (0.0, 0.0, 0.0))) is person
    person = document.characters[0]
    assert fingers_across(person, replace(palm(document, (0.0, 0.0, 0.0)), patch="seat")) is person
