"""How hands are on what they put down: from above on what lies low, and aslant to what stands low."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import grasp_of, nearest_on
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.fingertips import with_hands
from app.document.posing.hold_table import PALMS
from app.document.posing.holds.carried import contacts_on
from app.document.posing.holds.tilted_grips import leant
from solver.body.fingers import has_fingers
from solver.body.hand_presets import preset_hands
from solver.body.hands import hands_at_rest
from solver.body.pressed_hands import pressed_hands
from solver.contact.patch_table import opposes, side_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

FINGER_M = 0.02  # metres that fingers around a thing that lies need below it
ROOM_M = 0.06  # metres farther in than it was held by its edge that a palm lies on what is flat: fingers lie on it too
FAR_UP = np.array([0.0, 1.0, 0.0])  # metres above a thing, from where its top is nearest
STANDS = 0.7  # of a unit axis upwards, from which fingers around it go level
THICK_M, OVER_THIN = 0.05, 0.35  # metres, from which a hand over a thing is cupped; the share of it over a thinner one


def hands_on(person: Character, prop: Prop) -> list[Contact]:
    """The contacts of somebody's hands and arms with a prop."""
    arms = rig_of(skeleton_of(person)).names_of(role for arm in ARMS for role in arm.joints)
    return [contact for contact in contacts_on(prop, person.effectors) if contact.joint in arms]


def falls_to(person: Character, hands: Sequence[Contact]) -> NDArray[np.float64]:
    """(3,) unit, level: to where the top of a stick falls that these hands hold upright. From one hand it falls inward,
    as thumbs point there once palms are down; from two to the side of the upper one, so that arms do not cross."""
    left = joints_of(person).rotations[0][:, 0] * np.array([1.0, 0.0, 1.0])
    upper = max(hands, key=lambda hand: float(hand.target[1]))
    is_left = side_of(upper.patch) == 0
    way = left if is_left == (len(hands) > 1) else -left
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6), np.float64)


def hands_from_above(person: Character, placed: Prop) -> Character:
    """The person with palms on top of a thing that lies too low for fingers to go around it, in place of around it."""
    low = float(placed.frame.points(placed.surface.vertices)[:, 1].min())
    flat: dict[str, Effector] = {}
    for hand in hands_on(person, placed):
        if not (hand.around and isinstance(hand.source, PropSource)) or _is_level(hand, placed):
            continue
        middle = placed.frame.points(hand.source.place + np.array([0.0, 0.5, 0.0]))
        if float(middle[1]) - low > hand.radius + FINGER_M:
            continue
        side = side_of(hand.patch)
        person = _opened(person, side, _bent_over(hand))
        patch = patches_of(person)[PALMS[side]]
        if opposes(hand.patch):
            inward = placed.middle - middle
            middle = middle + inward * min(1.0, ROOM_M / max(float(np.linalg.norm(inward)), ROOM_M))
        source, at, normal = nearest_on(placed, middle + FAR_UP)
        flat[hand.id] = replace(contact_of(patch, at, normal, hand), source=source)
    return replace(person, effectors=tuple(flat.get(e.id, e) for e in person.effectors))


def hands_aslant(person: Character, placed: Prop) -> tuple[Contact, ...]:
    """The contacts of hands around a thing that stands low, in which it leans more than it did; as `Contact.tilt`."""
    rig, found = rig_of(skeleton_of(person)), []
    for hand in hands_on(person, placed):
        if not (hand.around and isinstance(hand.source, PropSource)) or opposes(hand.patch):
            continue
        if not _is_level(hand, placed):
            continue
        leaning = leant(person, rig, hand, placed)
        if leaning.tilt > hand.tilt:
            found.append(leaning)
    return tuple(found)


def _is_level(hand: Contact, prop: Prop) -> bool:
    """Whether a hand goes around a thing with its fingers level, as it stands."""
    if opposes(hand.patch):
        return False
    grasp = grasp_of(prop)
    return grasp is None or (grasp.axis is not None and abs(float(prop.turn[1, grasp.axis])) > STANDS)


def _bent_over(hand: Contact) -> float:
    """The share of the way to a cupped hand that fingers are bent over what a hand was around: not at all over what is
    flat, on which they lie."""
    if opposes(hand.patch):
        return 0.0
    return OVER_THIN if 2.0 * hand.radius < THICK_M else 1.0


def _opened(person: Character, side: int, bent: float) -> Character:
    """The person with the fingers of a hand open, bent by a share of the way to a cupped hand."""
    body = body_of(person)
    if not has_fingers(body):
        return person
    open_hands = pressed_hands(body).mixed(preset_hands("cupped", body), bent)
    return with_hands(person, (person.hands or hands_at_rest()).mixed(open_hands, sides=(side,)))
