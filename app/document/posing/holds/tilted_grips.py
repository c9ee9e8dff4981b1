"""How far a thing leans in the hand that closes around it.

A hand around what stands low goes down with its forearm: the wrist bends towards the thumb, and the thing stands aslant
in the hand. If the hand were square to it, the body would have to crouch until the forearm is nearly level.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of
from solver.contact.patch_table import side_of
from solver.contact.patches import Patch
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource, is_on_prop
from solver.kinematics.curves import eased_between
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, Limb

Array = NDArray[np.floating]
EASY = np.radians(10)  # by which a wrist bends towards thumb or little finger before what it holds leans
THICKNESS, MOST = (0.3, 0.37), (np.radians(32), np.radians(22))  # radii in hands, and how far things so thick lean
STEP = np.radians(2)  # fingers are closed anew for each
UPRIGHT = (0.5, 0.85)  # cosines of how far a thing is from upright: up to the first it does not lean in the hand
STRAIGHT = 0.02  # metres that an arm which reaches for something is short of straight
DOWN = np.array([0.0, -1.0, 0.0])


def tilt_around(character: Character, rig: Rig, arm: Limb, patch: Patch, contact: Contact) -> float:
    """Radians by which the thing that a new contact holds leans in the hand, in whole steps; as `Contact.tilt`.

    It is what the wrist does not do easily, with the body as it is and the elbow hanging; 0 for what lies, and for what
    stands high, where elbows rise instead. Where the hand is around the same thing already, it changes only by as much
    as another place of the thing takes: a body that has gone down for it would go down further else.
    """
    if not contact.lies_flat:
        return 0.0
    now, held = _tilt(character, rig, arm, patch, contact), _held_already(character, contact)
    if held is not None:
        now += held.tilt - _tilt(character, rig, arm, patch, held)
    return float(STEP * np.round(np.clip(now, 0.0, _most(patch, contact)) / STEP))


def leant(character: Character, rig: Rig, hand: Contact, prop: Prop) -> Contact:
    """The contact of a hand around a prop, which leans in it as it does where the prop now is."""
    assert isinstance(hand.source, PropSource)
    arm, patch = ARMS[side_of(hand.patch)], patches_of(character)[hand.patch]
    at = prop.frame.points(hand.source.place + np.array([0.0, 0.5, 0.0]))
    tilt = tilt_around(character, rig, arm, patch, hand.onto(at, prop.turn @ hand.source.normal))
    return replace(hand, tilt=tilt, offset=patch.middle_of(hand.radius, tilt), normal=patch.leaning_by(tilt))


def _most(patch: Patch, contact: Contact) -> float:
    """Radians by which a thing leans at most: around a thick one that leans more, fingers would not close."""
    return float(np.interp(contact.radius / np.linalg.norm(patch.middle), THICKNESS, MOST))


def _held_already(character: Character, contact: Contact) -> Contact | None:
    """The contact by which that hand is around the same thing already, the same way round."""
    for e in character.effectors:
        if isinstance(e, Contact) and e.patch == contact.patch and isinstance(contact.source, PropSource):
            same = e.around and is_on_prop(e.source, contact.source.prop)
            return e if same and float(e.facing @ contact.facing) > 0.0 else None
    return None


def _tilt(character: Character, rig: Rig, arm: Limb, patch: Patch, contact: Contact) -> float:
    """Radians, not rounded."""
    sloping = np.arcsin(np.clip(hanging_forearm(character, rig, arm, patch, contact) @ contact.facing, -1.0, 1.0))
    upright = eased_between(float(contact.facing @ DOWN), *UPRIGHT)
    return float(upright * np.clip(sloping - EASY, 0.0, _most(patch, contact)))


def hanging_forearm(character: Character, rig: Rig, arm: Limb, patch: Patch, contact: Contact) -> Array:
    """(3,) unit, from the elbow on, if the arm alone takes the thing, or is stretched towards it, its elbow hanging."""
    world = joints_of(character)
    shoulder, elbow, wrist = (world.positions[rig.index(role)].astype(np.float64) for role in arm.line)
    upper = float(np.linalg.norm(elbow - shoulder))
    lower = float(np.linalg.norm(wrist - elbow) + np.linalg.norm(patch.middle))
    way = contact.target - shoulder
    far = max(float(np.linalg.norm(way)), 1e-6)
    way /= far
    far = float(np.clip(far, abs(upper - lower) + STRAIGHT, upper + lower - STRAIGHT))
    along = np.clip((lower**2 + far**2 - upper**2) / (2.0 * lower * far), -1.0, 1.0)
    hangs = DOWN - float(DOWN @ way) * way
    hangs = hangs if float(np.linalg.norm(hangs)) > 1e-3 else -world.rotations[0][:, 2].astype(np.float64)
    return np.asarray(along * way - np.sqrt(1.0 - along**2) * hangs / np.linalg.norm(hangs), np.float64)
