"""Somebody who holds something takes another pose: what goes along in the hand, and which contacts stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from copies import copy_of

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.actor import actor_of, with_clip
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.create import new_document
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource, PropSource, Source
from solver.kinematics.rotations import from_rotation_vector

UP_AND_AHEAD = from_rotation_vector(np.array([-0.6, 0.2, 0.9]))


def held(document: Document, patch: str, source: Source, radius: float = 0.0) -> Document:
    person = document.characters[0]
    found = patches_of(person)[patch]
    made = replace(contact_of(found, place_of_patch(person, found), UP), source=source, radius=radius)
    return edits.hold(person.id, made)(document)


@pytest.fixture
def scene() -> Document:
    """Somebody with the left hand around a stick, and both soles on the floor."""
    document = new_document()
    person = document.characters[0]
    hand = place_of_patch(person, patches_of(person)["left_hand"])
    stick = new_prop(document, "stick")
    stick = stick.moved(hand - stick.middle)
    document = edits.add_prop(stick)(document)
    document = held(document, "left_hand", PropSource(stick.id, np.zeros(3), -UP), 0.015)
    return held(held(document, "left_sole", FloorSource()), "right_sole", FloorSource())


def waving(document: Document) -> Character:
    """The person as somebody to copy from, with the left arm and the right leg elsewhere."""
    person = document.characters[0]
    turns = np.array(person.pose.rotations)
    for name in ("left_shoulder", "right_hip"):
        j = skeleton_of(person).index(name)
        turns[j] = UP_AND_AHEAD @ turns[j]
    return replace(person, pose=replace(person.pose, rotations=turns.astype(np.float32)))


def in_hand(document: Document) -> np.ndarray:
    """(3,) metres, the stick's place in the frame of the left wrist."""
    person, world = document.characters[0], joints_of(document.characters[0])
    j = skeleton_of(person).index("left_wrist")
    return np.asarray(world.rotations[j].T @ (document.props[0].place - world.positions[j]))


def contact(document: Document, patch: str) -> Contact:
    return next(e for e in document.characters[0].effectors if isinstance(e, Contact) and e.patch == patch)


def held_patches(document: Document) -> set[str]:
    return {e.patch for e in document.characters[0].effectors if isinstance(e, Contact)}


def test_the_stick_goes_where_the_hand_is_and_a_sole_off_the_floor_is_on_nothing(scene: Document) -> None:
    after = edits.paste_pose("c1", waving(scene))(scene)
    assert np.linalg.norm(after.props[0].place - scene.props[0].place) > 0.3
    assert in_hand(after) == pytest.approx(in_hand(scene), abs=1e-5)
    assert contact(after, "left_hand").source == contact(scene, "left_hand").source
    assert contact(after, "left_sole").source == FloorSource()
    assert held_patches(after) == {"left_hand", "left_sole"}


def test_going_back_to_the_base_pose_brings_the_stick_back(scene: Document) -> None:
    raised = edits.paste_pose("c1", waving(scene))(scene)
    as_base = edits.on_character("c1", lambda c: replace(c, base_pose=scene.characters[0].pose))(raised)
    after = edits.reset_to_base("c1")(as_base)
    assert after.props[0].place == pytest.approx(scene.props[0].place, abs=1e-4)
    assert after.props[0].turn == pytest.approx(scene.props[0].turn, abs=1e-5)


def test_a_hand_whose_contact_is_switched_off_takes_nothing_along(scene: Document) -> None:
    off = replace(contact(scene, "left_hand"), enabled=False)
    scene = edits.hold("c1", off, instead_of=off.id)(scene)
    after = edits.paste_pose("c1", waving(scene))(scene)
    assert after.props == scene.props
    assert contact(after, "left_hand").source == off.source


@pytest.mark.parametrize("reason", ["locked", "another key", "somebody else"])
def test_a_stick_that_is_locked_or_held_otherwise_stays_and_the_hand_is_around_nothing(
    scene: Document, reason: str
) -> None:
    person, stick = scene.characters[0], scene.props[0]
    if reason == "locked":
        scene = edits.set_prop_locked(stick.id, True)(scene)
    elif reason == "another key":
        clip = actor_of(person).clip
        later = clip.with_key(replace(clip.keys[0], frame=10))
        scene = scene.with_character(with_clip(person, later, 0))
    else:
        other = replace(copy_of(scene, "c1"), id="c9")
        scene = edits.add_character(replace(other, effectors=(contact(scene, "left_hand"),)))(scene)
    after = edits.paste_pose("c1", waving(scene))(scene)
    assert after.props == scene.props
    assert "left_hand" not in held_patches(after)
