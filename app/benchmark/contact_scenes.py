"""Scenes in which a drag has contacts to keep: with the floor, oneself, a prop, solid, and between three people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.contacts import hold
from app.document.edits.props import add_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.model.prop import Prop
from app.document.model.prop_spots import spot_of
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.nearest_surface import resting_on_floor
from solver.effectors.kinds import Position
from solver.ik.options import SOLID_BODY, SOLID_FLOOR
from solver.rig.roles import LEGS, Role

APART, REACH = 0.65, 0.06  # metres between neighbours, and the radius of the circle dragged along
ONTO = "shoulder"  # where on a neighbour palms lie
ROUND = 60  # steps for once round it
UP = np.array([0.0, 1.0, 0.0], np.float32)

NewPerson = Callable[[Document], Character]  # somebody to add to a document


@dataclass(frozen=True)
class Drag:
    """A document and what is dragged in it: a position effector of one of its people. middle: (3,) metres."""

    document: Document
    person: str
    effector: str
    middle: NDArray[np.float64]

    def step(self, number: int) -> Edit:
        """The edit of one step of the pointer on its way round."""
        angle = 2.0 * np.pi * number / ROUND
        way = np.array([np.cos(angle) - 1.0, 0.4 * np.sin(angle) - 0.4, np.sin(angle)])
        return edits.set_target(self.person, self.effector, self.middle + REACH * way)


@dataclass(frozen=True)
class ContactScene:
    """How a scene is made, of people made as it is told. rate: the aim for its solves, steps a second. frames: for the
    whole with the picture."""

    make: Callable[..., Drag]
    rate: float = 60.0
    frames: float = 30.0


def floor_contacts(new: NewPerson = new_character) -> Drag:
    """Feet held on a solid floor, the pelvis dragged."""
    document = _people(1, new)
    (person,) = document.characters
    for leg in LEGS:
        contact = resting_on_floor(person, leg.end)
        assert contact is not None
        document = hold(person.id, contact)(document)
    return _dragged(edits.set_solver_option(person.id, SOLID_FLOOR.id, True)(document), Role.PELVIS)


def hands_on_hips(new: NewPerson = new_character) -> Drag:
    """Both palms on the person's own hips, the pelvis dragged."""
    document = _people(1, new)
    hips = next(common for common in COMMON_HOLDS if common.id == "hips")
    return _dragged(edits.take_hold(document.characters[0].id, hips)(document), Role.PELVIS)


def hand_on_prop(new: NewPerson = new_character) -> Drag:
    """A palm on a box beside the person, the pelvis dragged."""
    document = _people(1, new)
    (person,) = document.characters
    palm = patches_of(person)["left_palm"]
    at = joints_of(person).positions[skeleton_of(person).index(palm.joint)]
    size = np.array([0.4, 0.85, 0.4])
    place = np.array([at[0] + 0.2, 0.0, at[2] + 0.25])
    box = Prop("box", "Box", "box", size, place)
    source, top, normal = spot_of(box, (-0.25, 1.0, -0.1), UP)
    contact = replace(contact_of(palm, top, normal), source=source)
    return _dragged(hold(person.id, contact)(add_prop(box)(document)), Role.PELVIS)


def solid_hand(new: NewPerson = new_character) -> Drag:
    """A solid body, a hand dragged round in front of and against the belly."""
    document = _people(1, new)
    (person,) = document.characters
    joints, skeleton = joints_of(person), skeleton_of(person)
    belly = joints.positions[skeleton.index(Role.SPINE1)] + np.array([REACH, 0.0, 0.14])
    return _dragged(edits.set_solver_option(person.id, SOLID_BODY.id, True)(document), Role.LEFT_WRIST, belly)


def three_in_a_row(new: NewPerson = new_character) -> Drag:
    """Three people, each with a palm on a neighbour's shoulder; the first dragged."""
    document = _people(3, new)
    first, second, third = document.characters
    for person, other, side, others in (
        (first, second, "left", "right"),
        (second, third, "left", "right"),
        (third, second, "right", "left"),
    ):
        source, at, normal = on_patch(other, "_".join((others, ONTO)))
        contact = replace(contact_of(patches_of(person)[f"{side}_palm"], at, normal), source=source)
        document = hold(person.id, contact)(document)
    return _dragged(document, Role.PELVIS)


CONTACT_SCENES: Mapping[str, ContactScene] = {
    "feet on a solid floor": ContactScene(floor_contacts),
    "hands on hips": ContactScene(hands_on_hips),
    "hand on a box": ContactScene(hand_on_prop),
    "solid body, hand at the belly": ContactScene(solid_hand),
    "three people, each holding another": ContactScene(three_in_a_row, 20.0, 20.0),
}


def _people(count: int, new: NewPerson) -> Document:
    document = Document()
    for number in range(count):
        person = new(document)
        document = edits.add_character(person)(document)
        added = document.character(person.id)  # placed clear of the others, which is not what is wanted
        shift = np.array([number * APART, 0.0, 0.0]) - added.pose.root_position * [1.0, 0.0, 1.0]
        document = edits.move_character(person.id, shift)(document)
    return document


def _dragged(document: Document, joint: str, middle: NDArray[np.floating] | None = None) -> Drag:
    """The first person's joint dragged around where it is, or around another place."""
    person = document.characters[0]
    at = joints_of(person).positions[skeleton_of(person).index(joint)] if middle is None else middle
    held = next((e for e in person.effectors if e.joint == joint and isinstance(e, Position)), None)
    if held is None:
        held = Position(joint, np.asarray(at, np.float32), id="dragged")
        document = edits.add_effector(person.id, held)(document)
    return Drag(document, person.id, held.id, np.asarray(at, np.float64))
