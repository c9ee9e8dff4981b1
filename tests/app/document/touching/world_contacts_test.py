"""Whole people who hold on to things, moved on the document itself: who comes apart, who holds on, who is let go of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.world_contacts import WorldContacts, holding_on, letting_go, moved_on, world_contacts
from app.document.model.document import Document
from app.document.posing.contact_patches import UP, contact_of, on_patch, patches_of, place_of_patch
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.services.steps.contacts import contacts_with_world
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, PropSource, Source
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

SHIFT = (0.3, 0.0, -0.1)


def held_by(document: Document, patch: str, source: Source, id: str = "c1") -> Document:
    """With a person's patch held where it is, on that."""
    person = document.character(id)
    found = patches_of(person)[patch]
    return edits.hold(id, replace(contact_of(found, place_of_patch(person, found), UP), source=source))(document)


def contact(document: Document, patch: str, id: str = "c1") -> Contact:
    return next(e for e in document.character(id).effectors if isinstance(e, Contact) and e.patch == patch)


def patches(document: Document, ids: frozenset[tuple[str, str]]) -> set[str]:
    return {document.character(id).effector(effector).patch for id, effector in ids}  # type: ignore[attr-defined]


@pytest.fixture
def scene() -> Document:
    """Somebody with the right palm on the floor, the left one on a box, and the seat on the own body; Ben beside."""
    document = new_document()
    box = new_prop(document, "box")
    document = edits.chain(edits.add_character(new_character(document, "Ben")), edits.add_prop(box))(document)
    document = held_by(document, "left_palm", PropSource(box.id, np.float32([0, 0.5, 0]), UP))
    document = held_by(document, "right_palm", FloorSource())
    own, *_ = on_patch(document.character("c1"), "left_thigh")
    return held_by(document, "seat", own)


def people(document: Document, *ids: str) -> Sequence:  # type: ignore[type-arg]
    return [document.character(id) for id in ids]


def test_what_is_on_the_world_comes_apart_and_what_is_on_oneself_goes_along(scene: Document) -> None:
    found = world_contacts(scene, ["c1"])
    assert patches(scene, found.apart) == {"left_palm"}
    assert patches(scene, found.floor) == {"right_palm"}
    assert len(found) == 2
    assert found.lost(level=True) == found.apart
    assert found.lost(level=False) == found.apart | found.floor
    assert contacts_with_world(scene, ["c2"]) is None, "Ben holds on to nothing"
    assert contacts_with_world(new_document(), ["c1"]) is None


@pytest.mark.parametrize(
    ("height", "sides", "locked", "carried"),
    [
        (0.9, (-0.5, 0.5), False, True),
        (0.0, (-0.5, 0.5), False, False),
        (0.9, (0.5, 0.5), False, False),
        (0.9, (-0.5, 0.5), True, False),
    ],
    ids=["between the palms", "on the floor", "both palms on one side", "locked"],
)
def test_a_box_between_both_palms_is_carried(
    height: float, sides: tuple[float, float], locked: bool, carried: bool
) -> None:
    document = new_document()
    box = replace(new_prop(document, "box"), place=np.float32([0.0, height, 0.4]), locked=locked)
    document = edits.add_prop(box)(document)
    for patch, side in zip(("left_palm", "right_palm"), sides, strict=True):
        facing = np.float32([np.sign(side), 0, 0])
        document = held_by(document, patch, PropSource(box.id, np.float32([side, 0, 0]), facing))
    found = world_contacts(document, ["c1"])
    assert [each.what.id for each in found.carried] == [box.id] * carried
    assert len(found) == (0 if carried else 2)
    after = moved_on(people(document, "c1"), found, SHIFT, hold=True)(document)
    assert after.prop(box.id).place - box.place == pytest.approx(np.float32(SHIFT) * carried, abs=1e-5)


def test_what_is_carried_falls_over_with_the_person_and_others_who_hold_it_let_go(scene: Document) -> None:
    stick = replace(new_prop(scene, "stick"), place=np.float32([0.3, 0.5, 0.3]))
    scene = edits.add_prop(stick)(scene)
    on_stick = PropSource(stick.id, np.float32([0, 0.1, 0]), np.float32([0, -1, 0]))
    scene = held_by(held_by(scene, "left_hand", on_stick), "right_hand", on_stick, "c2")
    assert not world_contacts(scene, ["c1"]).carried, "a hand that is not around it"
    around = replace(contact(scene, "left_hand"), radius=0.015)
    scene = edits.hold("c1", around)(scene)
    found = world_contacts(scene, ["c1"])
    theirs = contact(scene, "right_hand", "c2").id
    assert [each.what.id for each in found.carried] == [stick.id]
    assert ("c2", theirs) in found.apart
    tip, start = from_rotation_vector(np.array([0.0, 0.0, 1.2])), people(scene, "c1")
    after = holding_on(start, found, edits.tip_over(start, tip))(scene)
    assert after.prop(stick.id).turn @ stick.turn.T == pytest.approx(tip, abs=1e-5)
    (before, pose), fallen = (stick, start[0].base_pose), after.character("c1").base_pose
    local = pose.rotations[0].T @ (before.place - pose.root_position)
    assert fallen.rotations[0].T @ (after.prop(stick.id).place - fallen.root_position) == pytest.approx(local, abs=1e-5)
    free, others = letting_go(start, found.lost(level=True))
    assert isinstance(others(scene).character("c2").effector(theirs), Position)
    assert "left_hand" in [e.patch for e in free[0].effectors if isinstance(e, Contact)]


def test_a_contact_that_asks_for_nothing_does_not_count(scene: Document) -> None:
    off = edits.set_enabled("c1", contact(scene, "left_palm").id, False)(scene)
    assert world_contacts(off, ["c1"]).apart == frozenset()


def test_people_who_hold_hands_come_apart_unless_both_move(scene: Document) -> None:
    hands = next(hold for hold in COMMON_HOLDS if hold.id == "hands")
    both = edits.take_hold("c2", hands)(new_pair())
    assert {id for id, _ in world_contacts(both, ["c1"]).apart} == {"c1", "c2"}
    assert world_contacts(both, ["c2"]).apart == world_contacts(both, ["c1"]).apart
    assert world_contacts(both, ["c1", "c2"]) == WorldContacts()
    lost = world_contacts(both, ["c1"]).apart
    free, others = letting_go(people(both, "c1"), lost)
    assert not any(isinstance(e, Contact) for e in free[0].effectors)
    after = others(both)
    assert not any(isinstance(e, Contact) for e in after.character("c2").effectors)
    assert others(after) == after, "in the next move of a drag it is done already"


def new_pair() -> Document:
    document = new_document()
    return edits.add_character(new_character(document, "Ben"))(document)


def test_a_person_holding_on_goes_with_the_contacts_where_they_are(scene: Document) -> None:
    found, start = world_contacts(scene, ["c1"]), people(scene, "c1")
    placed = edits.place_together(start, (0.3, 0.2, -0.1), 0.0)
    after = holding_on(start, found, placed)(scene)
    assert contact(after, "left_palm") == contact(scene, "left_palm")
    slid = contact(after, "right_palm").target - contact(scene, "right_palm").target * [1, 0, 1]
    assert slid == pytest.approx([0.3, 0.0, -0.1], abs=1e-6)
    own = contact(after, "seat").target - contact(scene, "seat").target
    assert own == pytest.approx([0.3, 0.2, -0.1], abs=1e-6)
    gone = after.character("c1").pose.root_position - scene.character("c1").pose.root_position
    assert gone == pytest.approx([0.3, 0.2, -0.1], abs=1e-6)


def test_what_a_solve_changed_on_the_way_is_kept_by_the_next_move(scene: Document) -> None:
    found, start = world_contacts(scene, ["c1"]), people(scene, "c1")
    once = holding_on(start, found, edits.place_together(start, SHIFT, 0.4))(scene)
    bent = np.array(once.character("c1").pose.rotations)
    bent[5] = from_rotation_vector([0.5, 0.0, 0.0])
    solved = once.with_character(replace(once.character("c1"), pose=replace(once.character("c1").pose, rotations=bent)))
    twice = holding_on(start, found, edits.place_together(start, SHIFT, 0.9))(solved)
    assert twice.character("c1").pose.rotations[1:] == pytest.approx(bent[1:], abs=1e-6)
    straight = edits.place_together(start, SHIFT, 0.9)(scene).character("c1").pose
    assert twice.character("c1").pose.rotations[0] == pytest.approx(straight.rotations[0], abs=1e-5)
    assert twice.character("c1").pose.root_position == pytest.approx(straight.root_position, abs=1e-5)


def test_a_person_letting_go_moves_as_one_and_keeps_the_floor_unless_they_rise(scene: Document) -> None:
    found, person = world_contacts(scene, ["c1"]), people(scene, "c1")
    ids = {patch: contact(scene, patch).id for patch in ("left_palm", "right_palm")}
    level = moved_on(person, found, SHIFT, hold=False)(scene).character("c1")
    assert isinstance(level.effector(ids["left_palm"]), Position)
    assert isinstance(level.effector(ids["right_palm"]), Contact)
    up = moved_on(person, found, (0.0, 0.2, 0.0), hold=False)(scene).character("c1")
    assert all(isinstance(up.effector(id), Position) for id in ids.values())
    assert up.pose.rotations == pytest.approx(person[0].pose.rotations)
    held = moved_on(person, found, SHIFT, hold=True)(scene)
    assert contact(held, "left_palm") == contact(scene, "left_palm")


def test_on_the_way_back_people_who_hold_on_come_nearer_to_how_they_were(scene: Document) -> None:
    """As if solves had bent the spine on the way."""
    start = scene.character("c1")
    held = world_contacts(scene, ["c1"])

    def moved_to(document: Document, far: float) -> Document:
        shift = np.array([far, 0.0, 0.0])
        return holding_on((start,), held, edits.place_together((start,), shift, 0.0))(document)

    def bent(document: Document) -> float:
        return float(geodesic_angle(document.character("c1").pose.rotations[3], start.pose.rotations[3]))

    away = moved_to(scene, 0.08)
    rotations = away.character("c1").pose.rotations.copy()
    rotations[3] = rotations[3] @ from_rotation_vector(np.array([0.4, 0.0, 0.0]))
    pose = Pose(away.character("c1").pose.root_position, rotations.astype(np.float32))
    away = away.with_character(replace(away.character("c1"), pose=pose))
    assert bent(moved_to(away, 0.09)) == pytest.approx(0.4, abs=1e-5), "further out all of it stays"
    half = moved_to(away, 0.04)
    assert bent(half) == pytest.approx(0.2, abs=1e-4)
    assert moved_to(half, 0.0).character("c1").pose == start.pose


def test_a_seat_that_is_let_go_of_slides_along_its_box_and_is_free_beside_it_and_where_its_owner_rises() -> None:
    document = new_document()
    seat = place_of_patch(document.character("c1"), patches_of(document.character("c1"))["seat"])
    box = new_prop(document, "box").sized((0.5, float(seat[1]), 0.5))
    document = edits.add_prop(replace(box, place=(seat * [1.0, 0.0, 1.0]).astype(np.float32)))(document)
    document = held_by(document, "seat", PropSource(box.id, np.float32([0, 0.5, 0]), UP))

    def moved_by(*shift: float) -> Document:
        found = world_contacts(document, ["c1"])
        return moved_on(people(document, "c1"), found, shift, hold=False)(document)

    slid = contact(moved_by(0.12, 0.0, -0.1), "seat")
    assert isinstance(slid.source, PropSource)
    assert slid.source.place == pytest.approx([0.24, 0.5, -0.2], abs=1e-3)
    assert slid.target - seat == pytest.approx([0.12, 0.0, -0.1], abs=1e-3)
    for shift in ((0.4, 0.0, 0.0), (0.0, 0.1, 0.0)):
        assert not any(isinstance(e, Contact) for e in moved_by(*shift).character("c1").effectors), shift
