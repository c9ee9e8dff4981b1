"""A move of whole people that is done later than it was asked for, on people who were changed meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.put_off import done_later
from app.document.edits.world_contacts import moved_on, world_contacts
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.posing.holds.nearest_surface import resting_on_floor
from solver.body.body import BodyShape
from solver.effectors.contact import Contact
from solver.effectors.forms import PointEffector

SHIFT = np.array([0.4, 0.2, 0.0])


@pytest.fixture
def asked() -> Document:
    """Somebody whose right foot is held on the floor."""
    document = new_document()
    person = document.characters[0]
    foot = next(e for e in person.effectors if e.joint == "right_ankle" and isinstance(e, PointEffector))
    contact = resting_on_floor(person, "right_ankle", foot)
    assert contact is not None
    return edits.hold(person.id, contact, foot.id)(document)


def contacts(document: Document) -> list[Contact]:
    return [e for e in document.characters[0].effectors if isinstance(e, Contact)]


def test_a_move_that_lets_go_still_does_and_keeps_what_was_changed_meanwhile(asked: Document) -> None:
    (person,) = asked.characters
    move = moved_on(asked.characters, world_contacts(asked, [person.id]), SHIFT, hold=False)
    hand = next(e for e in person.effectors if e.joint == "left_wrist")
    now = edits.set_target(person.id, hand.id, hand.target + 0.1)(asked)
    now = edits.set_shape(person.id, BodyShape(gender="female"))(now)
    begun = now.characters[0]
    after = done_later(move, asked)(now)
    (there,) = after.characters
    assert contacts(now)
    assert not contacts(after)
    assert there.shape.gender == "female"
    assert there.pose.root_position == pytest.approx(begun.pose.root_position + SHIFT, abs=1e-5)
    assert there.effector(hand.id).target == pytest.approx(begun.effector(hand.id).target + SHIFT, abs=1e-5)
    assert {e.id for e in there.effectors} == {e.id for e in move(asked).characters[0].effectors}


def test_where_nobody_was_changed_or_no_whole_person_moves_it_is_the_edit_itself(asked: Document) -> None:
    (person,) = asked.characters
    move = edits.place_together(asked.characters, SHIFT, 0.5)
    assert done_later(move, asked)(asked) == move(asked)
    named = edits.rename_character(person.id, "Bo")
    now = edits.on_character(person.id, lambda c: replace(c, color="#ff0000"))(asked)
    assert done_later(named, asked)(now) == named(now)
    gone = edits.remove_character(person.id)
    assert done_later(gone, asked)(now).actors == ()


@pytest.mark.parametrize(
    ("first", "second", "x", "turn"),
    [
        (([0.4, 0.0, 0.0], 0.0), ([0.0, 0.0, 0.0], 0.5), 0.4, 0.5),
        (([0.0, 0.0, 0.0], 0.5), ([0.4, 0.0, 0.0], 0.0), 0.4, 0.5),
        (([0.4, 0.0, 0.0], 0.0), ([0.7, 0.0, 0.0], 0.0), 0.7, 0.0),
    ],
)
def test_of_two_moves_that_wait_the_second_keeps_of_the_first_what_it_does_not_change(
    first: tuple[list[float], float], second: tuple[list[float], float], x: float, turn: float
) -> None:
    asked = edits.place_together(new_document().characters, [0.0, 0.0, 1.0], 0.0)(new_document())
    start = asked.characters[0]
    now = asked
    for move in (first, second):
        now = done_later(edits.place_together([start], *move), asked)(now)
    (there,) = now.characters
    assert there.pose.root_position == pytest.approx(start.pose.root_position + [x, 0.0, 0.0], abs=1e-5)
    assert there.clip.placement.turn == pytest.approx(turn)
    hand, began = (
        next(e.target for e in each.effectors if e.joint == "left_wrist") - each.pose.root_position
        for each in (there, start)
    )
    assert hand == pytest.approx(there.clip.placement.rigid.turn @ began, abs=1e-5)
