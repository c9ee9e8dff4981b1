"""People who are borne by a prop come along over the floor as it is moved or turned: on the document, unsolved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.actor import actor_of, with_clip
from app.document.model.clip import STILL_FPS, SourceMotion
from app.document.model.document import Document
from app.document.posing.contact_patches import UP, contact_of, patches_of, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.sources import with_resolved_targets
from app.services.steps.contacts import with_people_on
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource, PropSource, Source
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector

TURN = np.asarray(from_rotation_vector([0.0, 1.4, 0.0]))
AWAY = np.array([0.4, 0.0, -0.2])


def held_by(document: Document, patch: str, source: Source) -> Document:
    """With the person's patch held where it is, on that."""
    person = document.character("c1")
    found = patches_of(person)[patch]
    return edits.hold("c1", replace(contact_of(found, place_of_patch(person, found), UP), source=source))(document)


def contact(document: Document, patch: str) -> Contact:
    person = with_resolved_targets(document).character("c1")
    return next(e for e in person.effectors if isinstance(e, Contact) and e.patch == patch)


@pytest.fixture
def scene() -> Document:
    """Somebody with the seat on a box, the left sole on the floor and the left palm on another box."""
    document = new_document()
    for place in ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0)):
        document = edits.add_prop(replace(new_prop(document, "box"), place=np.float32(place)))(document)
    document = held_by(document, "seat", PropSource("p1", np.float32([0.1, 0.5, 0.2]), UP))
    document = held_by(document, "left_palm", PropSource("p2", np.float32([0, 0.5, 0]), UP))
    return held_by(document, "left_sole", FloorSource())


def test_a_sitter_and_the_feet_go_along_with_a_box_and_a_hand_on_another_one_stays(scene: Document) -> None:
    box, before = scene.prop("p1"), scene.character("c1")
    moved = edits.chain(edits.set_prop_turn("p1", TURN), edits.move_prop("p1", AWAY))
    after = with_people_on(moved)(scene)
    now = after.character("c1")
    assert after.prop("p1") == moved(scene).prop("p1")
    for mine, theirs in ((now.pose, before.pose), (now.base_pose, before.base_pose)):
        along = box.place + TURN @ (theirs.root_position - box.place) + AWAY
        assert mine.root_position == pytest.approx(along, abs=1e-5)
        assert mine.rotations[0] == pytest.approx(TURN @ theirs.rotations[0], abs=1e-5)
        assert mine.rotations[1:] == pytest.approx(theirs.rotations[1:], abs=1e-6)
    sole, was = contact(after, "left_sole").target, contact(scene, "left_sole").target
    assert sole == pytest.approx(box.place + TURN @ (was - box.place) + AWAY, abs=1e-5)
    assert contact(after, "left_palm").target == pytest.approx(contact(scene, "left_palm").target, abs=1e-6)


def test_feet_stay_at_their_height_and_where_they_are_as_the_box_rises(scene: Document) -> None:
    raised = with_people_on(edits.move_prop("p1", (0.0, 0.1, 0.0)))(scene)
    assert raised.character("c1") == scene.character("c1"), "how high the pelvis is, a solve sees to"
    aslant = with_people_on(edits.move_prop("p1", (0.3, 0.1, 0.0)))(scene)
    gone = aslant.character("c1").pose.root_position - scene.character("c1").pose.root_position
    assert gone == pytest.approx([0.3, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("how", ["locked", "on another prop", "leaning", "one foot"])
def test_others_stay(scene: Document, how: str) -> None:
    seat = contact(scene, "seat")
    changed = {
        "locked": edits.set_locked("c1", True),
        "on another prop": edits.on_effector("c1", seat.id, lambda e: replace(e, source=replace(e.source, prop="p2"))),
        "leaning": edits.on_effector("c1", seat.id, lambda e: e.onto(e.target, np.float32([0, 0, 1]))),
        "one foot": edits.chain(
            edits.remove_effectors("c1", [seat.id]),
            lambda document: held_by(document, "right_sole", PropSource("p1", np.float32([0, 0.5, 0]), UP)),
        ),
    }[how](scene)
    after = with_people_on(edits.move_prop("p1", AWAY))(changed)
    assert after.character("c1") == changed.character("c1")
    assert with_people_on(edits.rename_prop("p1", "Bench"))(changed).character("c1") == changed.character("c1")


def test_who_stands_on_a_box_by_both_soles_goes_along_but_not_who_sits_elsewhere(scene: Document) -> None:
    for patch in ("left_sole", "right_sole"):
        scene = held_by(scene, patch, PropSource("p2", np.float32([0, 0.5, 0]), UP))
    move = with_people_on(edits.move_prop("p2", AWAY))
    assert move(scene).character("c1") == scene.character("c1"), "the feet alone are to follow"
    scene = edits.remove_effectors("c1", [contact(scene, "seat").id])(scene)
    after = move(scene)
    gone = after.character("c1").pose.root_position - scene.character("c1").pose.root_position
    assert gone == pytest.approx(AWAY, abs=1e-6)


def test_what_a_sitter_carries_goes_along_once(scene: Document) -> None:
    cup = replace(new_prop(scene, "cup"), place=np.float32([0.3, 1.0, 0.3]))
    scene = edits.add_prop(cup)(scene)
    scene = held_by(scene, "right_hand", PropSource(cup.id, np.float32([0, 0.1, 0]), np.float32([0, -1, 0])))
    scene = edits.hold("c1", replace(contact(scene, "right_hand"), radius=0.03))(scene)
    for moved in (edits.move_prop("p1", AWAY), edits.place_props("p1", [cup.id], scene.prop("p1").place + AWAY)):
        after = with_people_on(moved)(scene)
        assert after.prop(cup.id).place - cup.place == pytest.approx(AWAY, abs=1e-5)


def test_keys_on_the_box_go_along_and_others_stay(scene: Document) -> None:
    seat = contact(scene, "seat").id
    scene = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 10), edits.set_key("c1", 20))(scene)
    scene = edits.remove_effectors("c1", [seat])(scene.at_frame("c1", 20)).at_frame("c1", 10)

    def gone(after: Document, frame: int) -> np.ndarray:
        places = [document.actor("c1").at(frame).pose.root_position for document in (scene, after)]
        return np.asarray(places[1] - places[0])

    after = with_people_on(edits.move_prop("p1", AWAY))(scene)
    assert after.character("c1").frame == 10
    for frame, way in ((0, AWAY), (10, AWAY), (20, 0.0 * AWAY)):
        assert gone(after, frame) == pytest.approx(way, abs=1e-6), frame
    between = with_people_on(edits.move_prop("p1", AWAY))(scene.at_frame("c1", 5))
    assert [key.frame for key in between.actor("c1").clip.keys] == [0, 10, 20]
    assert gone(between, 5) == pytest.approx(AWAY, abs=1e-3)
    animated = edits.chain(
        edits.animate_prop("p1", 21, 30.0), edits.set_prop_key("p1", 10), edits.set_prop_key("p1", 20)
    )(scene)
    animated = animated.at({**animated.frames, animated.prop("p1").slot: 10})
    after = with_people_on(edits.move_prop("p1", AWAY))(animated)
    for frame, way in ((0, 0.0 * AWAY), (10, AWAY), (20, 0.0 * AWAY)):
        assert gone(after, frame) == pytest.approx(way, abs=1e-6), frame


def test_as_a_box_grows_each_key_goes_with_its_own_place_on_it(scene: Document) -> None:
    keyed = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 20))(scene).at_frame("c1", 20)
    other = PropSource("p1", np.float32([-0.3, 0.5, 0.2]), UP)
    keyed = edits.on_effector("c1", contact(scene, "seat").id, lambda e: replace(e, source=other))(keyed)
    wide = float(keyed.prop("p1").size[0])
    after = with_people_on(edits.size_props(["p1"], 0, 2.0 * wide))(keyed)
    for frame, place in ((0, 0.1), (20, -0.3)):
        gone = after.actor("c1").at(frame).pose.root_position - keyed.actor("c1").at(frame).pose.root_position
        assert gone == pytest.approx([place * wide, 0.0, 0.0], abs=1e-5), frame


def test_a_motion_goes_along_if_it_is_on_the_box_throughout_and_else_stays(scene: Document) -> None:
    person = scene.character("c1")
    still = Motion(np.stack([person.pose.root_position] * 9), np.stack([person.pose.rotations] * 9), STILL_FPS)
    clip = replace(actor_of(person).clip, source=SourceMotion(still, person.shape), fps=STILL_FPS)
    scene = scene.with_character(with_clip(person, clip))
    moved = with_people_on(edits.move_prop("p1", AWAY))
    assert moved(scene).actor("c1").at(8).pose.root_position - person.pose.root_position == pytest.approx(
        AWAY, abs=1e-6
    )
    up = edits.chain(edits.set_key("c1", 8), edits.remove_effectors("c1", [contact(scene, "seat").id]))
    scene = up(scene.at_frame("c1", 8)).at_frame("c1", 0)
    assert moved(scene).actor("c1").at(0) == scene.actor("c1").at(0)
