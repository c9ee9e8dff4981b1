"""Where a thing in somebody's hand is at their mouth or at an ear: tilted as one drinks, or along the cheek."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, Prop
from app.document.model.prop_spots import grasp_of, spot_of
from app.document.posing.brought.in_hand import (
    Brought,
    first_hand_around,
    forearm_there,
    hand_there,
    held_things,
    put_about,
    reaches,
)
from app.document.posing.brought.to_read import before_eyes, is_in_floor, is_readable, not_reading
from app.document.posing.contact_patches import contact_of, patches_of, place_of_patch
from app.document.posing.hold_table import EARS, EYES, FACE, LIPS, CommonHold
from app.document.posing.holds.flat_grips import flat_end, held_edge
from app.document.posing.holds.grasping import square_around
from solver.contact.patch_table import opposes, side_of
from solver.contact.patches import Patch
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource, is_on_prop
from solver.errors import PoserError
from solver.ik.multi_solve.only_limb import LimbHold, arm_before_body, only_arms, only_joints
from solver.kinematics.rotations import from_rotation_vector, rotation_between
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, SPINE, Role

Array = NDArray[np.float64]
DRINKS = np.radians(24)  # from upright towards the face: more, and the nose is in a cup
CALLS = np.radians(45)  # from upright back to the ear: the other end is beside the mouth
LEANS = np.radians(12)  # from the cheek outwards, with room for fingers
FROM_END = 0.015  # metres from its end, where a thing touches the ear
BETWEEN_LIPS, OFF_EAR = 0.003, 0.002  # metres that an end is behind the lips' plane, and a side is off the ear's
ASLANT = np.radians([0.0, -15.0, 15.0, -30.0, 30.0, -45.0, 45.0, -60.0, 60.0])  # of what is flat, at the lips
HANDSET_M = 0.11  # metres: what is flat and wider is nothing to call with


def thing_for(document: Document, person: Character, part: str) -> tuple[Prop, Contact] | None:
    """Which of the things in somebody's hands a hold brings to a part of the face, or before the eyes, with the first
    hand that is around it; None for none. A vessel goes to the mouth first, and to the ear last; what is flat is read
    first, and what is no larger than a telephone goes to the ear before what is."""
    held = list(held_things(document, person))
    if part == EYES:
        return min(held, key=lambda each: not is_readable(*each), default=None)
    order = lambda each: (KINDS[each[0].kind].open_above != (part == LIPS), part != LIPS and _is_large(*each))  # noqa: E731
    return min(held, key=order, default=None)


def brought_to_face(document: Document, id: str, common: CommonHold) -> Brought | None:
    """What a hold brings to somebody's face, or before their eyes, by their id; None where hands are empty. PoserError
    for a thing of which that makes no sense, and where an arm is too short for how it is held."""
    person = document.character(id)
    held = thing_for(document, person, common.brings)
    if held is None:
        return None
    prop, hand = held
    if common.brings == EYES:
        if not is_readable(prop, hand):
            raise PoserError(f"“{common.title}” needs something flat, such as a book, and {prop.name} is not.")
        found = before_eyes(person, prop, hand)
    elif common.brings != LIPS and _is_large(prop, hand):
        raise PoserError(f"{prop.name} is too large to be held to an ear. It can be held to the mouth, or to be read.")
    else:
        person = not_reading(person, prop.id)
        found = brought(person, prop, hand, LIPS if common.brings == LIPS else EARS[side_of(hand.patch)])
    if found is None:
        raise PoserError(f"{prop.name} is held too far from its end for that. Slide the hand along it first.")
    if is_in_floor(person, found.prop):
        raise PoserError(f"{prop.name} has no room at the face of {person.name}: the floor is there.")
    return found


def _is_large(prop: Prop, hand: Contact) -> bool:
    """Whether it is something flat that is much larger than a telephone."""
    return opposes(hand.patch) and float(np.sort(prop.size)[1]) > HANDSET_M


def still_at_face(document: Document, id: str) -> Document:
    """The document with what somebody whose shape has changed holds to mouth or ear there again, at all their keys."""
    actor, shown = document.actor(id), document.character(id).frame
    rate = actor.clip.fps
    for person in (actor.at(key.frame) for key in actor.clip.keys):
        for e in (e for e in person.effectors if isinstance(e, Contact)):
            prop = _at_face(document, e)
            if prop is None or (prop.clip is None and person.frame != shown):
                continue
            seen, hand = prop.at_time(person.frame / rate), first_hand_around(person, prop.id)
            found = None if hand is None or prop.locked else brought(person, seen, hand, e.patch)
            if found is None:
                continue
            if prop.clip is None:
                there = replace(prop, place=found.prop.place, turn=found.prop.turn)
            else:
                clip = prop.clip.with_key(found.prop.key_at(prop.clip.frame_at(person.frame / rate)))
                there = replace(prop, clip=clip).at(document.frames.get(prop.slot, 0))
            document = replace(document, props=tuple(there if p.id == prop.id else p for p in document.props))
    return document


def _at_face(document: Document, contact: Contact) -> Prop | None:
    """The prop at which a contact holds lips or an ear; None for any other."""
    if contact.patch not in FACE or not isinstance(contact.source, PropSource):
        return None
    return document.prop(contact.source.prop)


def stays_while_brought(document: Document, person: Character, common: CommonHold) -> LimbHold:
    """What stays of somebody as a hold brings a hand to their face: all but the arm, and but head and neck where they
    look at what is brought before them; where that does not reach, trunk, neck and head bend as well."""
    skeleton, pose, held = skeleton_of(person), person.pose, thing_for(document, person, common.brings)
    if held is None:
        patches = patches_of(person)
        joints = [patches[patch].joint for patch, _ in common.pairs if patch in patches]
        return arm_before_body(skeleton, pose, joints, rig_of(skeleton).name(Role.HEAD))
    around = [e for e in person.effectors if isinstance(e, Contact) and e.around and is_on_prop(e.source, held[0].id)]
    arms = only_arms(skeleton, pose, [e.joint for e in around])
    spine, above = (frozenset(rig_of(skeleton).names_of(roles)) for roles in (SPINE, HEAD_AND_NECK))
    moving = frozenset(skeleton.names) - arms.frozen - arms.carried
    if common.brings == EYES:
        arms = only_joints(skeleton, moving | above, arms.limb, pose)
    return replace(arms, wider=replace(only_joints(skeleton, moving | spine | above, "torso", pose), last=spine))


def brought(person: Character, prop: Prop, hand: Contact, patch: str) -> Brought | None:
    """A thing in somebody's hand brought to their lips or ear, by the patch; None if it is held too far from its end
    for the arm.

    A vessel comes by its rim; anything else long by the end on the thumb's side, if the arm reaches so, else by the
    other end; a ball by its side. What is flat comes to the lips aslant if the forearm is more square to its edge so.
    """
    is_flat, grasp = opposes(hand.patch), grasp_of(prop)
    if grasp is None and not is_flat:
        return None
    axis, end = (None, 0.0) if grasp is None else (grasp.axis, 1.0)
    if is_flat:
        axis, end = flat_end(prop, hand)
    elif axis is not None and not KINDS[prop.kind].open_above and float(hand.facing @ prop.turn[:, axis]) > 0.0:
        end = -1.0
    ends = (end,) if axis is None or KINDS[prop.kind].open_above else (end, -end)
    person = square_around(person, prop, patch == LIPS and KINDS[prop.kind].open_above)
    hand = next(e for e in person.effectors if isinstance(e, Contact) and e.id == hand.id)
    row = patches_of(person)[patch]
    at = place_of_patch(person, row).astype(np.float64)
    gap = OFF_EAR if patch != LIPS else 0.0 if axis is None else -BETWEEN_LIPS
    for end in ends:
        to_end, off = _ways(person, row, axis is None)
        thing = prop
        if is_flat and axis is not None:
            thing = prop.turned_to(_with_thumb_behind(person, prop, hand, axis, end, to_end, off))
        placed = _placed(thing, axis, end, at + gap * off, to_end, off, patch == LIPS)
        if is_flat and patch == LIPS:
            every = (_aslant(placed, at + gap * off, off, angle) for angle in ASLANT)
            placed = min(every, key=lambda each: _amiss(person, each, hand))
        if reaches(person, placed, hand):
            source, place, normal = spot_of(placed, placed.frame.own(at), -(off @ placed.turn) * placed.size)
            return Brought(person, placed, replace(contact_of(row, place, normal), source=source))
    return None


def _ways(person: Character, patch: Patch, is_ball: bool) -> tuple[Array, Array]:
    """Two directions (3,) at right angles: along a thing to the end that is at this part of the face, and off it; a
    ball has no ends, and is square to the face there."""
    j = rig_of(skeleton_of(person)).joint(Role.HEAD)
    head = joints_of(person).rotations[j].astype(np.float64)
    _, up, ahead = head.T
    if is_ball:
        return up, head @ patch.normal.astype(np.float64)
    if patch.name == LIPS:
        return np.cos(DRINKS) * up - np.sin(DRINKS) * ahead, np.cos(DRINKS) * ahead + np.sin(DRINKS) * up
    off = head @ patch.normal.astype(np.float64)
    along = np.cos(CALLS) * up - np.sin(CALLS) * ahead
    along -= float(along @ off) * off
    along /= np.linalg.norm(along)
    return np.cos(LEANS) * along - np.sin(LEANS) * off, np.cos(LEANS) * off + np.sin(LEANS) * along


def _placed(prop: Prop, axis: int | None, end: float, at: Array, to_end: Array, off: Array, by_end: bool) -> Prop:
    """The thing so that it is touched at a place, (3,) metres. end: which way its axis goes to the end that is there.
    by_end: whether it is touched at the very end, or beside it."""
    turn = prop.turn.astype(np.float64)
    if axis is None:
        return put_about(prop, turn, at + off * prop.size[0] / 2.0)
    turn = rotation_between(turn[:, axis] * end, to_end) @ turn
    if not KINDS[prop.kind].is_round:
        turn = _with_side_to(turn, axis, to_end, off)
    across = float(prop.size[int(np.argmax(np.abs(off @ turn)))]) / 2.0
    length = float(prop.size[axis])
    inward = 0.0 if by_end else min(FROM_END, length / 4.0)
    return put_about(prop, turn, at + across * off - (length / 2.0 - inward) * to_end)


def _with_thumb_behind(
    person: Character, prop: Prop, hand: Contact, axis: int, end: float, to_end: Array, off: Array
) -> Array:
    """The turn (3, 3) of a flat thing whose long axis goes to its end there and whose face is square to `off`, with the
    thumb of the hand that holds it behind, or before it where thumb and fingers are on its faces."""
    behind = -joints_of(person).rotations[rig_of(skeleton_of(person)).joint(Role.HEAD)][:, 2].astype(np.float64)
    thin = int(np.argmin(prop.size))
    thumb = -(prop.turn.T.astype(np.float64) @ hand.facing)
    found: list[tuple[float, Array]] = []
    for face in (-1.0, 1.0):
        turn = np.zeros((3, 3))
        turn[:, axis], turn[:, thin] = end * to_end, face * off
        third = 3 - axis - thin
        turn[:, third] = np.cross(turn[:, (third + 1) % 3], turn[:, (third + 2) % 3])
        found.append((float(turn @ thumb @ (behind - off)), turn))
    return max(found, key=lambda each: each[0])[1]


def _with_side_to(turn: Array, axis: int, along: Array, off: Array) -> Array:
    """A bar's turn (3, 3), turned further about its axis until one of its sides is square to a direction, (3,)."""
    side = max((turn[:, k] * sign for k in range(3) if k != axis for sign in (1.0, -1.0)), key=lambda way: way @ off)
    angle = np.arctan2(float(np.cross(side, off) @ along), float(side @ off))
    return np.asarray(from_rotation_vector(angle * along) @ turn, np.float64)


def _aslant(prop: Prop, at: Array, off: Array, angle: float) -> Prop:
    """A thing at a place, (3,) metres, turned by radians about a direction, (3,) unit: about that place, or about its
    own middle if its rim is round, and comes to the same place so."""
    by = from_rotation_vector(angle * off)
    middle = prop.middle.astype(np.float64)
    if not KINDS[prop.kind].is_round:
        middle = at + by @ (middle - at)
    return put_about(prop, np.asarray(by @ prop.turn, np.float64), middle)


def _amiss(person: Character, prop: Prop, hand: Contact) -> float:
    """Radians that a forearm whose elbow hangs is from square to the edge by which the hand has a flat thing there."""
    there, inward = hand_there(prop, hand), prop.turn.astype(np.float64) @ held_edge(prop, hand)
    along = forearm_there(person, there)
    along -= float(along @ there.facing) * there.facing
    return float(np.arctan2(np.linalg.norm(np.cross(inward, along)), inward @ along))
