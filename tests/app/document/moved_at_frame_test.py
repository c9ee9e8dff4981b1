"""Whole people who are animated by keys go elsewhere at one frame; all others with all their frames."""

from __future__ import annotations

import numpy as np
import pytest
from document_samples import only
from motion_samples import walker

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.world_contacts import Carried, WorldContacts, carrying
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.posing.mirroring import heading
from app.document.posing.placing import brought, carried, lowest_skin
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector

ASIDE = (0.5, 0.0, 1.0)  # metres


def animated(frame: int = 20) -> Document:
    return edits.set_clip_length("c1", 30)(new_document()).at_frame("c1", frame)


def root(document: Document, frame: int) -> np.ndarray:
    return only(document.at_frame("c1", frame)).pose.root_position.astype(np.float64)


def frames(document: Document) -> list[int]:
    return [key.frame for key in only(document).clip.keys]


def test_the_move_is_a_key_with_targets_and_base_pose_along() -> None:
    document = edits.place_together([only(animated())], ASIDE, 0.5)(animated())
    before, after = only(animated()), only(document)
    assert frames(document) == [0, 20]
    assert root(document, 0) == pytest.approx(root(animated(), 0), abs=1e-7)
    assert after.pose.root_position - before.pose.root_position == pytest.approx(ASIDE, abs=1e-5)
    assert after.base_pose.root_position == pytest.approx(after.pose.root_position, abs=1e-5)
    assert heading(after.pose.rotations[0]) - heading(before.pose.rotations[0]) == pytest.approx(0.5, abs=1e-5)
    ankles = [next(e for e in each.effectors if e.joint == "left_ankle") for each in (before, after)]
    apart = [each.target - person.pose.root_position for each, person in zip(ankles, (before, after), strict=True)]
    assert np.linalg.norm(apart[0]) == pytest.approx(np.linalg.norm(apart[1]), abs=1e-5)


def test_several_steps_of_an_arrow_key_add_up_at_the_frame() -> None:
    step = edits.move_characters(["c1"], (0.01, 0.0, 0.0))
    document = edits.chain(step, step, step)(animated())
    assert frames(document) == [0, 20]
    assert root(document, 20)[0] - root(document, 0)[0] == pytest.approx(0.03, abs=1e-6)


def test_all_frames_go_along_where_that_is_asked() -> None:
    document = edits.place_together([only(animated())], ASIDE, 0.0, whole=True)(animated())
    assert frames(document) == [0]
    assert root(document, 0) - root(animated(), 0) == pytest.approx(ASIDE, abs=1e-5)


def test_a_recorded_motion_goes_along_unless_one_frame_is_asked() -> None:
    walk = walker().at_frame("c1", 20)
    along = edits.place_together([only(walk)], ASIDE, 0.0)(walk)
    assert root(along, 50) - root(walk, 50) == pytest.approx(ASIDE, abs=1e-5)
    alone = edits.place_together([only(walk)], ASIDE, 0.0, whole=False)(walk)
    assert root(alone, 50) == pytest.approx(root(walk, 50), abs=1e-5)
    assert root(alone, 20) - root(walk, 20) == pytest.approx(ASIDE, abs=1e-5)


def test_no_way_at_all_makes_no_key() -> None:
    person = only(animated())
    assert brought(person, np.zeros(3)) is person


def test_somebody_carried_goes_along_at_the_frame_or_at_all() -> None:
    person, way = only(animated()), RigidMotion.move(ASIDE)
    alone = animated().with_character(carried(person, way, whole=False))
    assert frames(alone) == [0, 20]
    assert root(alone, 20) - root(alone, 0) == pytest.approx(ASIDE, abs=1e-5)
    along = animated().with_character(carried(person, way))
    assert frames(along) == [0]


@pytest.mark.parametrize(("whole", "there"), [(None, [0, 20]), (False, [0, 20]), (True, [0])])
def test_a_prop_with_keys_that_is_carried_goes_along_at_the_frame_or_at_all(
    whole: bool | None, there: list[int]
) -> None:
    stick = new_prop(animated(), "stick")
    held = edits.chain(edits.add_prop(stick), edits.animate_prop(stick.id, 30))(animated())
    held = held.at({"c1": 20, stick.slot: 20})
    stick = held.prop(stick.id)
    carries = WorldContacts(carried=(Carried(stick, "c1"),))
    moved = carrying([only(held)], carries, edits.place_together([only(held)], ASIDE, 0.0, whole))(held)
    after = moved.prop(stick.id)
    assert after.clip is not None
    assert [key.frame for key in after.clip.keys] == there
    assert after.place - stick.place == pytest.approx(ASIDE, abs=1e-5)
    assert after.at(0).place - stick.place == pytest.approx(np.array(ASIDE) * (whole is True), abs=1e-5)
    assert root(moved, 0) - root(held, 0) == pytest.approx(np.array(ASIDE) * (whole is True), abs=1e-5), "as its bearer"


@pytest.mark.parametrize(("whole", "there"), [(None, [0, 20]), (False, [0, 20]), (True, [])])
def test_a_prop_that_stood_still_and_is_carried_at_one_frame_stays_at_the_others(
    whole: bool | None, there: list[int]
) -> None:
    stick = new_prop(animated(), "stick")
    held = edits.add_prop(stick)(animated())
    carries = WorldContacts(carried=(Carried(stick, "c1"),))
    moved = carrying([only(held)], carries, edits.place_together([only(held)], ASIDE, 0.0, whole))(held)
    after = moved.prop(stick.id)
    assert ([key.frame for key in after.clip.keys] if after.clip is not None else []) == there
    assert after.place - stick.place == pytest.approx(ASIDE, abs=1e-5)
    assert after.at(0).place - stick.place == pytest.approx(np.array(ASIDE) * (whole is True), abs=1e-5)
    back = carrying([only(held)], carries, edits.place_together([only(held)], (0.0, 0.0, 0.0), 0.0, whole))(moved)
    assert back.prop(stick.id).clip is None, "there and back leaves no trace"


def test_a_prop_that_is_carried_at_a_frame_stays_where_it_was_at_the_keys_on_both_sides() -> None:
    keyed = edits.chain(edits.set_key("c1", 10), edits.set_key("c1", 29))(animated(20))
    stick = new_prop(keyed, "stick")
    held = edits.add_prop(stick)(keyed)
    moved = edits.carried_at_frame(stick, "c1", edits.move_prop(stick.id, ASIDE))(held)
    clip = moved.prop(stick.id).clip
    assert clip is not None
    assert [key.frame for key in clip.keys] == [10, 20, 29]
    assert [float(key.place[0] - stick.place[0]) for key in clip.keys] == pytest.approx([0.0, 0.5, 0.0], abs=1e-6)
    assert (clip.fps, len(clip)) == (only(keyed).clip.fps, 30)
    further = edits.carried_at_frame(stick, "c1", edits.put_prop(stick.moved((0.7, 0.0, 0.0))))(moved).prop(stick.id)
    assert further.clip is not None
    assert further.clip.key(10) is clip.key(10), "the same key all through a drag"
    assert further.place[0] - stick.place[0] == pytest.approx(0.7, abs=1e-6)


def test_a_prop_goes_along_throughout_with_somebody_whose_only_key_that_is() -> None:
    held = animated(0)
    stick = new_prop(held, "stick")
    moved = edits.carried_at_frame(stick, "c1", edits.move_prop(stick.id, ASIDE))(edits.add_prop(stick)(held))
    assert moved.prop(stick.id).clip is None
    assert moved.prop(stick.id).place - stick.place == pytest.approx(ASIDE, abs=1e-5)


def test_a_prop_with_keys_falls_over_at_the_frame_with_its_bearer_who_is_animated() -> None:
    stick = new_prop(animated(), "stick")
    held = edits.chain(edits.add_prop(stick), edits.animate_prop(stick.id, 30))(animated())
    held = held.at({"c1": 20, stick.slot: 20})
    stick, tip = held.prop(stick.id), from_rotation_vector(np.array([1.2, 0.0, 0.0]))
    carries = WorldContacts(carried=(Carried(stick, "c1"),))
    after = carrying([only(held)], carries, edits.tip_over([only(held)], tip))(held).prop(stick.id)
    assert after.turn == pytest.approx(tip @ stick.turn, abs=1e-5)
    assert after.at(0).turn == pytest.approx(stick.turn, abs=1e-6)


def test_set_on_the_floor_at_a_frame_leaves_the_others_in_the_air() -> None:
    high = edits.move_character("c1", (0.0, 0.4, 0.0))(animated())
    document = edits.stand_on_floor("c1")(high)
    assert lowest_skin(only(document)) == pytest.approx(0.0, abs=1e-3)
    assert lowest_skin(only(document.at_frame("c1", 0))) == pytest.approx(lowest_skin(only(high)), abs=1e-6)
