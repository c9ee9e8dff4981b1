"""Somebody whom another person holds off the ground goes along when that person is moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from world_contacts_test import contact, held_by, new_pair, people

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.world_contacts import WorldContacts, holding_on, moved_on, world_contacts
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.contact_patches import on_patch
from app.services.steps.contacts import are_aimed_at
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource, JointSource, PropSource
from solver.kinematics.rotations import from_rotation_vector

SHIFT = (0.3, 0.0, -0.1)
SIDES = (("left_palm", "right_upper_arm"), ("right_palm", "left_upper_arm"))


def lifted(height: float = 0.5, palms: int = 2) -> Document:
    """Somebody with so many palms on the arms of Ben, who is that far above the floor."""
    document = edits.move_character("c2", (-1.2, height, 0.4))(new_pair())
    for palm, arm in SIDES[:palms]:
        own, *_ = on_patch(document.character("c2"), arm)
        document = held_by(document, palm, own)
    return document


def carried(document: Document) -> list[str]:
    return [each.what.id for each in world_contacts(document, ["c1"]).carried]


def held_up(document: Document, on_box: bool) -> Document:
    if not on_box:
        return held_by(document, "left_heel", FloorSource(), "c2")
    box = new_prop(document, "box")
    return held_by(edits.add_prop(box)(document), "seat", PropSource(box.id, np.array([0, 1, 0], np.float32)), "c2")


@pytest.mark.parametrize(
    ("document", "along"),
    [
        (lifted(), True),
        (lifted(height=0.0), False),
        (lifted(palms=1), False),
        (held_up(lifted(), on_box=True), False),
        (held_up(lifted(), on_box=False), False),
        (edits.set_locked("c2", True)(lifted()), False),
        (edits.move_character("c1", (0.0, 0.5, 0.0))(lifted()), False),
    ],
    ids=["in both hands", "on the floor", "in one hand", "on a box", "held to the floor", "locked", "both in the air"],
)
def test_who_is_held_in_the_air_by_both_hands_is_carried(document: Document, along: bool) -> None:
    found = world_contacts(document, ["c1"])
    assert carried(document) == ["c2"] * along
    after = moved_on(people(document, "c1"), found, SHIFT, hold=True)(document)
    gone = joints_of(after.character("c2")).positions - joints_of(document.character("c2")).positions
    assert gone == pytest.approx(np.tile(np.array(SHIFT, np.float32) * along, (len(gone), 1)), abs=1e-5)
    assert not world_contacts(document, ["c2"]).carried, "who is carried carries nobody"


def test_who_stands_on_a_table_is_not_carried() -> None:
    document = lifted(height=0.75)
    table = replace(new_prop(document, "table"), place=np.array([0.0, 0.01, 0.4], np.float32))
    assert carried(document) == ["c2"]
    assert not carried(edits.add_prop(table)(document))


def test_a_rider_who_holds_on_with_both_hands_is_carried() -> None:
    document = edits.move_character("c2", (-1.2, 0.6, -0.3))(new_pair())
    for palm, place in SIDES:
        own, *_ = on_patch(document.character("c1"), place)
        document = held_by(document, palm, own, "c2")
    assert carried(document) == ["c2"]


def test_who_is_carried_turns_and_falls_with_the_other_one() -> None:
    document = lifted()
    found, start = world_contacts(document, ["c1"]), people(document, "c1")
    assert len(found) == 0, "their contacts stay as they are"
    for placed in (
        edits.place_together(start, SHIFT, 0.8),
        edits.tip_over(start, from_rotation_vector(np.array([0.0, 0.0, 1.2]))),
    ):
        after = holding_on(start, found, placed)(document)
        (one, other), (before, then) = (
            [joints_of(each).positions for each in people(of, "c1", "c2")] for of in (after, document)
        )
        lengths = np.linalg.norm(one[:, None] - other[None], axis=-1)
        assert lengths == pytest.approx(np.linalg.norm(before[:, None] - then[None], axis=-1), abs=1e-4), "as one"


def test_who_moves_over_time_is_carried_at_all_keys() -> None:
    document = edits.set_clip_length("c2", 20)(lifted())
    before = document.actor("c2").clip.placement
    after = moved_on(people(document, "c1"), world_contacts(document, ["c1"]), SHIFT, hold=True, angle=0.5)(document)
    placement = after.actor("c2").clip.placement
    assert placement.turn - before.turn == pytest.approx(0.5, abs=1e-5)


def test_a_third_person_who_holds_the_carried_one_holds_on_or_lets_go() -> None:
    document = lifted()
    document = edits.add_character(replace(document.character("c1"), id="c3", name="Cem", effectors=()))(document)
    own, *_ = on_patch(document.character("c3"), "left_shoulder")
    document = held_by(document, "left_sole", own, "c2")
    found, start = world_contacts(document, ["c1"]), people(document, "c1")
    held = contact(document, "left_sole", "c2")
    assert found.apart == {("c2", held.id)}
    kept = moved_on(start, found, SHIFT, hold=True)(document)
    assert contact(kept, "left_sole", "c2").source == held.source
    let_go = moved_on(start, found, SHIFT, hold=False)(document).character("c2")
    assert "left_sole" not in [getattr(e, "patch", "") for e in let_go.effectors]
    gone = let_go.pose.root_position - document.character("c2").pose.root_position
    assert gone == pytest.approx(SHIFT, abs=1e-5)


def test_who_is_tied_to_the_carried_one_is_solved_with_them() -> None:
    document = lifted()
    hand = Position("left_wrist", np.zeros(3, np.float32), source=JointSource("c2", "head"))
    third = replace(document.character("c1"), id="c3", name="Cem", effectors=())
    alone, tied = (edits.add_character(each)(document) for each in (third, replace(third, effectors=(hand,))))
    assert not are_aimed_at(alone, ["c1"], world_contacts(alone, ["c1"]))
    assert are_aimed_at(tied, ["c1"], world_contacts(tied, ["c1"]))
    assert world_contacts(document, ["c1", "c2"]) == WorldContacts()
