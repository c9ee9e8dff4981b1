"""Whoever takes hold of somebody out of reach steps up to them, and stands upright there; who has a hold stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from holding_each_other_test import HOLDS, MET, two
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from solver.effectors.kinds import Position

STRAIGHT = 6.0  # degrees from the feet to the neck


def lean(person: Character) -> float:
    """Degrees from the upright of the way from the ankles to the neck."""
    places, skeleton = joints_of(person).positions, skeleton_of(person)
    feet = (places[skeleton.index("left_ankle")] + places[skeleton.index("right_ankle")]) / 2
    way = places[skeleton.index("neck")] - feet
    return float(np.degrees(np.arccos(way[1] / np.linalg.norm(way))))


def stepped(before: Document, after: Document, id: str = "c1") -> float:
    """Metres over the floor."""
    way = after.character(id).pose.root_position - before.character(id).pose.root_position
    return float(np.hypot(way[0], way[2]))


@pytest.mark.parametrize("apart", [1.2, 2.5])
@pytest.mark.parametrize("facing", [False, True])
def test_a_hand_comes_onto_the_shoulder_of_somebody_out_of_reach_without_a_lean(apart: float, facing: bool) -> None:
    before = two(apart, facing)
    taken = edits.take_hold("c1", HOLDS["shoulder"])(before)
    after, missed = solved_and_missed(taken)
    assert missed < MET
    assert lean(after.character("c1")) < STRAIGHT
    assert stepped(before, taken) > 0.3
    assert taken.character("c2").pose == before.character("c2").pose


def test_two_who_hold_hands_from_far_away_meet_and_the_one_who_was_asked_goes() -> None:
    before = two(3.0, False)
    after = edits.take_hold("c1", HOLDS["hands"])(before)
    assert stepped(before, after) > 1.3
    assert stepped(before, after, "c2") == 0.0


@pytest.mark.parametrize("hold", ["shoulder", "hands"])
def test_nobody_steps_whose_arm_reaches(hold: str) -> None:
    before = two(0.8, False)
    assert stepped(before, edits.take_hold("c1", HOLDS[hold])(before)) == 0.0


def pinned(document: Document, id: str = "c1") -> Document:
    """With a pin on somebody's right ankle."""
    person = document.character(id)
    made = Position.on(skeleton_of(person), "right_ankle", joints_of(person))
    return edits.add_effector(id, replace(made, id="pin", pinned=True))(document)


def held_by_the_other(document: Document) -> Document:
    """With the second person's hand on the first one, held out from where that one is pinned."""
    return edits.take_hold("c2", HOLDS["shoulder"])(pinned(document, "c2"))


def locked(document: Document) -> Document:
    return edits.set_locked("c1", True)(document)


@pytest.mark.parametrize("tied", [pinned, held_by_the_other, locked])
def test_somebody_who_is_pinned_held_or_locked_stays_where_they_are(tied: Callable[[Document], Document]) -> None:
    before = tied(two(1.5, False))
    assert stepped(before, edits.take_hold("c1", HOLDS["shoulder"])(before)) == 0.0


def test_nobody_steps_into_what_stands_between_them() -> None:
    before = two(1.6, False)
    other = before.character("c2").pose.root_position
    box = new_prop(before, "box", (other[0] - 0.5, 0.0, other[2]))
    before = edits.add_prop(box)(before)
    after = edits.take_hold("c1", HOLDS["shoulder"])(before)
    feet = joints_of(after.character("c1")).positions[skeleton_of(after.character("c1")).index("left_ankle")]
    assert stepped(before, after) > 0.1
    assert np.abs(feet - box.place)[[0, 2]].max() > float(box.size.max()) / 2
