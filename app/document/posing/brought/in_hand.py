"""What somebody has in the hands, and what a hold moves to bring it somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of
from app.document.posing.holds.tilted_grips import hanging_forearm
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource, is_on_prop
from solver.kinematics.rotations import nearest_rotation
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
STRETCHED = 0.98  # of an arm's length, at which it counts as short


class Brought(NamedTuple):
    """Somebody, their hands where they then are on the thing, the thing, and the contact that keeps lips or ear at it;
    None for what is brought before the eyes."""

    person: Character
    prop: Prop
    contact: Contact | None = None


def held_things(document: Document, person: Character) -> Iterator[tuple[Prop, Contact]]:
    """What somebody's hands are around, each once, with the first of these hands; locked things do not count."""
    for prop in document.props:
        if not prop.locked and (hand := first_hand_around(person, prop.id)) is not None:
            yield prop, hand


def first_hand_around(person: Character, prop: str) -> Contact | None:
    """The person's first hand around a prop, by its id; none of a body whose hands do not close."""
    hands = (e for e in person.effectors if isinstance(e, Contact) and e.around and is_on_prop(e.source, prop))
    return next((e for e in hands if e.is_active and e.patch in patches_of(person)), None)


def put_about(prop: Prop, turn: Array, middle: Array) -> Prop:
    """The thing turned, (3, 3), with its middle at a place, (3,) metres."""
    there = prop.turned_to(nearest_rotation(turn))
    return there.moved(middle - there.middle)


def hand_there(prop: Prop, hand: Contact) -> Contact:
    """The contact of a hand where a thing now has it."""
    assert isinstance(hand.source, PropSource)
    place = prop.frame.points(hand.source.place + np.array([0.0, 0.5, 0.0]))
    return hand.onto(place, prop.turn @ hand.source.normal)


def forearm_there(person: Character, there: Contact) -> Array:
    """(3,) unit, from the elbow on: the forearm of a hand where it then is, if the elbow hangs."""
    patch, arm = patches_of(person)[there.patch], ARMS[side_of(there.patch)]
    return hanging_forearm(person, rig_of(skeleton_of(person)), arm, patch, there).astype(np.float64)


def reaches(person: Character, prop: Prop, hand: Contact) -> bool:
    """Whether the arm is long enough for where the thing has the hand."""
    arm, rig = ARMS[side_of(hand.patch)], rig_of(skeleton_of(person))
    shoulder = joints_of(person).positions[rig.joint(arm.root)]
    hollow = float(np.linalg.norm(hand.offset))
    far = float(np.linalg.norm(hand_there(prop, hand).target - shoulder))
    return far < STRETCHED * (rig.limb_length(arm) + hollow)
