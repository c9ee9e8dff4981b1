"""Fingers that take a shape as their hand comes to hold, lie on or let go of something."""

from __future__ import annotations

from dataclasses import replace

from app.document.model.document import Character
from app.document.model.figure import body_of
from app.document.posing.contact_patches import refitted
from app.document.posing.fingertips import with_hands
from solver.body.fingers import has_fingers
from solver.body.hand_presets import preset_hands
from solver.body.hands import hands_at_rest
from solver.body.pressed_hands import pressed_hands
from solver.contact.grip import closed_around
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact


def with_hand_closed(character: Character, contact: Contact, straight: bool) -> Character:
    """The person with the hand of a contact closed around something of its radius; straight: around a bar."""
    now, side = character.hands or hands_at_rest(), side_of(contact.patch)
    around = closed_around(body_of(character), character.shape, contact.patch, contact.radius, straight, contact.tilt)
    closed = now.mixed(around, sides=(side,))
    return character if closed == now else with_hands(character, closed)


def with_hand_held(character: Character, patch: str, preset: str = "", share: float = 1.0) -> Character:
    """The person with the hand that a patch belongs to held as a preset says, or a share of the way there from pressed
    flat, which "" stands for; unchanged where their body has no such fingers."""
    body, now = body_of(character), character.hands or hands_at_rest()
    if not has_fingers(body):
        return character
    wanted = pressed_hands(body)
    if preset:
        wanted = wanted.mixed(preset_hands(preset, body), share)
    hands = now.mixed(wanted, sides=(side_of(patch),))
    return character if hands == character.hands else refitted(replace(character, hands=hands))
