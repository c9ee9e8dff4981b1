"""Whether the arms alone bring hands to what they take: found out for a document, before anything is solved in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.arms_first import arms_on_moved_props, arms_on_props, arms_suffice
from solver.effectors.sources import FloorSource, PropSource

UP = np.float32([0, 1, 0])


@pytest.fixture
def document() -> Document:
    return new_document()


def on_own(document: Document, patch: str, place: str) -> Document:
    """With a patch of the person's on another one of the own."""
    person = document.characters[0]
    source, target, normal = on_patch(person, place)
    return edits.hold("c1", replace(contact_of(patches_of(person)[patch], target, normal), source=source))(document)


def test_for_a_hand_on_the_hip_all_but_its_own_arm_stays(document: Document) -> None:
    hold = arms_suffice(on_own(document, "left_palm", "left_hip"), "c1", {"left_palm"})
    assert hold is not None
    assert hold.base == document.characters[0].pose
    assert {"pelvis", "spine3", "head", "left_knee", "right_shoulder", "right_wrist"} <= hold.frozen
    assert not {"left_shoulder", "left_wrist"} & hold.frozen


def test_a_hand_does_not_come_down_to_the_floor_by_the_arm_alone(document: Document) -> None:
    palm = contact_of(patches_of(document.characters[0])["left_palm"], (0.3, 0.0, 0.3), UP)
    taken = edits.hold("c1", replace(palm, source=FloorSource()))(document)
    assert arms_suffice(taken, "c1", {"left_palm"}) is None


def test_a_knee_is_brought_nowhere_by_arms_nor_is_what_nobody_takes(document: Document) -> None:
    both = on_own(on_own(document, "left_palm", "left_hip"), "right_knee", "left_knee")
    assert arms_suffice(both, "c1", {"left_palm", "right_knee"}) is None
    assert arms_suffice(both, "c1", {"right_palm"}) is None


def test_of_two_who_are_solved_together_nobody_stays(document: Document) -> None:
    shoulder = next(hold for hold in COMMON_HOLDS if hold.id == "shoulder")
    pair = edits.add_character(new_character(document, "Ben"))(document)
    touching = edits.take_hold("c1", shoulder)(pair)
    patches = {e.patch for e in touching.characters[0].effectors if hasattr(e, "patch")}
    assert patches
    assert arms_suffice(touching, "c1", patches) is None


def test_as_a_prop_is_moved_arms_that_hold_it_move_alone_and_nobody_else_is_held_still(document: Document) -> None:
    stick = replace(new_prop(document, "stick"), place=np.float32([-0.3, 0.5, 0.3]))
    there = edits.add_prop(stick)(document)
    assert arms_on_props(there, {stick.id}) == {}
    source = PropSource(stick.id, np.float32([0, 0.1, 0]), UP)
    palm = contact_of(patches_of(document.characters[0])["right_palm"], stick.place, UP)
    held = edits.hold("c1", replace(palm, source=source))(there)
    hold = arms_on_props(held, {stick.id})["c1"]
    assert hold.gives_way
    assert [e.joint for e in hold.asked] == [palm.joint]
    assert {"pelvis", "head", "left_shoulder"} <= hold.frozen
    seat = replace(contact_of(patches_of(document.characters[0])["seat"], stick.place, UP), source=source)
    assert arms_on_props(edits.hold("c1", seat)(held), {stick.id}) == {}, "whom the prop bears goes along whole"


def test_nobody_is_held_still_where_the_prop_stays_or_the_step_changes_the_person_as_well(document: Document) -> None:
    stick = replace(new_prop(document, "stick"), place=np.float32([-0.3, 0.5, 0.3]))
    source = PropSource(stick.id, np.float32([0, 0.1, 0]), UP)
    palm = contact_of(patches_of(document.characters[0])["right_palm"], stick.place, UP)
    began = edits.chain(edits.add_prop(stick), edits.hold("c1", replace(palm, source=source)))(document)
    moved = edits.put_prop(stick.moved(np.array([0.0, 0.1, 0.0])))(began)
    assert arms_on_moved_props(began, began, moved).keys() == {"c1"}
    assert arms_on_moved_props(began, moved, began).keys() == {"c1"}, "back to where it began"
    assert arms_on_moved_props(began, began, began) == {}
    person = moved.characters[0]
    bent = person.pose.rotations.copy()
    bent[5] = np.float32([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    solved = edits.set_pose("c1", replace(person.pose, rotations=bent))(moved)
    assert arms_on_moved_props(began, moved, solved) == {}, "somebody else's pose"
    tolerant = edits.set_tolerance("c1", person.effectors[0].id, 0.7)(moved)
    assert arms_on_moved_props(began, began, tolerant) == {}
    assert arms_on_moved_props(began, tolerant, tolerant) == {}, "nor for the rest of that step"
    assert arms_on_moved_props(began, began, edits.set_solver("c1", "dls")(moved)) == {}
    assert arms_on_moved_props(began, moved, edits.remove_character("c1")(moved)) == {}
