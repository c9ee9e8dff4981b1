"""Flat things that are taken from a table or the floor come up until the hand has room beneath."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of
from app.document.model.prop_spots import nearest_on
from app.document.posing.create import new_character, new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.placing import skin_of
from solver.body.finger_skin import finger_skins
from solver.effectors.contact import Contact

PHONE, BOOK, PLATE = (0.075, 0.009, 0.15), (0.15, 0.03, 0.21), (0.25, 0.02, 0.25)
FRONT_M = 0.3  # metres from the person to the near edge of a thing, at a height of 1.6 m


def before(size: tuple[float, float, float], on: str, kind: str = "box", body: str = "anny") -> Document:
    """Somebody with a thing before their right hand that lies on a table or the floor."""
    document = new_document(body=body)
    tall = float(joints_of(document.characters[0]).positions[:, 1].max()) / 1.6
    thing = new_prop(document, kind).sized(np.array(size))
    near = np.array([-0.15 * tall, 0.0, FRONT_M * tall])
    place = near + [0.0, 0.0, size[2] / 2.0]
    if on == "floor":
        return edits.add_prop(replace(thing, place=place.astype(np.float32)))(document)
    table = new_prop(document, "table")
    corners = table.corners
    inset = 0.12 if on == "table" else -0.06
    shift = near - [0.0, 0.0, inset] - [corners[:, 0].mean(), 0.0, corners[:, 2].min()]
    place[1] = corners[:, 1].max()
    return edits.chain(
        edits.add_prop(replace(thing, place=place.astype(np.float32))),
        edits.add_prop(replace(table.moved(shift), id="table", name="A table")),
    )(document)


def hand_for(document: Document) -> Contact:
    thing = document.props[0]
    near = thing.middle + [0.0, 0.02, 0.02 - thing.size[2] / 2.0]
    contact = hand_around(document.characters[0], thing, "right_wrist", nearest_on(thing, near)[0])
    assert contact is not None
    return contact


def taken(document: Document) -> Document:
    after, missed = solved_and_missed(edits.take_in_hand("c1", hand_for(document))(document), {}, {})
    assert missed < 1.5e-3
    return after


def lowest_finger(document: Document) -> float:
    """Metres that the fingers' skin is off the table and the floor; negative within."""
    person = document.characters[0]
    fingers = finger_skins(body_of(person), person.shape, person.pose, 1)
    skin = skin_of(person)[np.concatenate([each.vertices for each in fingers])]
    solids = [solid for prop in document.props[1:] for solid in prop.solids()]
    return min([float(skin[:, 1].min()), *(float(solid.distances(skin).min()) for solid in solids)])


@pytest.mark.parametrize(("size", "kind"), [(PHONE, "box"), (BOOK, "box"), (PLATE, "cylinder")])
@pytest.mark.parametrize("body", ["anny", "anny:child"])
@pytest.mark.parametrize("on", ["table", "floor"])
def test_fingers_have_room_beneath_what_they_take(
    size: tuple[float, float, float], kind: str, body: str, on: str
) -> None:
    assert lowest_finger(taken(before(size, on, kind, body))) > -0.004


def test_a_book_is_tipped_up_at_the_edge_that_is_taken_and_stays_on_the_table_with_the_other() -> None:
    document = before(BOOK, "table")
    after = taken(document)
    top = float(document.props[0].place[1])
    heights = after.props[0].corners[:, 1]
    assert heights.min() == pytest.approx(top, abs=0.005)
    near = after.props[0].corners[np.argsort(after.props[0].corners[:, 2])[:4], 1]
    assert near.min() > top + 0.015


def test_by_an_edge_that_juts_out_over_the_table_it_is_taken_as_it_lies() -> None:
    document = before(BOOK, "edge")
    assert taken(document).props[0] == document.props[0]


def test_a_telephone_held_by_its_narrow_sides_comes_up_level() -> None:
    phone = taken(before(PHONE, "table")).props[0]
    assert phone.turn[1, 1] == pytest.approx(1.0, abs=1e-5)
    assert phone.place[1] > before(PHONE, "table").props[0].place[1] + 0.005


def test_what_is_locked_or_in_other_hands_stays_where_it_is() -> None:
    document = before(BOOK, "table")
    thing = document.props[0]
    locked = edits.set_prop_locked(thing.id, True)(document)
    assert edits.take_in_hand("c1", hand_for(document))(locked).props[0].place == pytest.approx(thing.place)
    shared = edits.add_character(new_character(document))(document)
    shared = edits.hold("c2", replace(hand_for(document), id=""))(shared)
    assert edits.take_in_hand("c1", hand_for(document))(shared).props[0].place == pytest.approx(thing.place)


def test_a_cup_is_taken_as_it_stands() -> None:
    document = before((0.075, 0.105, 0.075), "table", "cup")
    after = edits.take_in_hand("c1", hand_for(document))(document)
    assert after.props[0] == document.props[0]
    assert any(isinstance(e, Contact) and e.around for e in after.characters[0].effectors)


def test_at_one_key_of_a_motion_it_comes_up_there_and_lies_at_the_others() -> None:
    document = edits.chain(edits.set_clip_length("c1", 21), edits.set_key("c1", 20))(before(BOOK, "table"))
    thing = document.props[0]
    after = edits.take_in_hand("c1", hand_for(document))(document).props[0]
    assert after.clip is not None
    frames = sorted(key.frame for key in after.clip.keys)
    assert frames == [0, 20]
    assert document.characters[0].frame == 0
    assert after.at(20).place == pytest.approx(thing.place)
