"""Hands that close around things thin enough: where they take them, and which way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, Prop
from app.document.model.prop_spots import grasp_of
from app.document.posing.contact_patches import contact_of, patches_at, patches_of, patches_on
from app.document.posing.holds.flat_grips import hand_on_flat, held_as_deep, palm_length
from app.document.posing.holds.tilted_grips import tilt_around
from solver.contact.fingertips.pinch import THICKEST as PINCHED
from solver.contact.patch_table import FINGERTIPS, opposes, side_of
from solver.contact.patches import Patch
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.effectors.sources import PropSource
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, SIDES, Limb

Array = NDArray[np.floating]
THICKEST = 1.05  # of the palm's length: a diameter that fingers still close around
ENDS = 0.7  # of a unit normal along a thing's axis, from which its end is what is touched
MARGIN = 0.4  # of the palm's length, which a hand keeps from the ends
BELOW = 0.25  # likewise of one that is as low as can be: the little finger is below a cup
USUAL_UP, USUAL_AHEAD, USUAL_INWARD = 0.5, 0.35, 0.25  # how much these count next to the hand's present turn
UP = np.array([0.0, 1.0, 0.0])


def hand_around(
    character: Character, prop: Prop, joint: str, source: PropSource, like: Effector | None = None
) -> Contact | None:
    """A contact of the hand that a joint belongs to, closed around a prop at a place of its surface; None if the joint
    is not a hand's, or the prop is nothing that a hand can close around there.

    It takes a ball by its middle, any way round; a stick, a cylinder or a bar by its axis, with the thumb on the side
    it is nearest to, with a preference for up, ahead and inward. A small ball comes between thumb and index finger, a
    flat thing between thumb and fingers. A hand whose turn is pinned keeps it. like: the effector it replaces.
    """
    (arm, patch), grasp = _hand_of(character, joint), grasp_of(prop)
    if arm is None or patch is None:
        return None
    rig = rig_of(skeleton_of(character))
    flat = hand_on_flat(character, rig, arm, prop, source, like, _is_pinned(character, patch.joint))
    if flat is not None or grasp is None:
        return flat
    palm, (axis, radius) = palm_length(rig, arm), grasp
    if 2.0 * radius > THICKEST * palm or (axis is not None and _is_end(prop, float(source.normal[axis]))):
        return None
    place, along = np.zeros(3, np.float32), ANY_WAY
    if axis is not None:
        room = _room_along(palm, prop, axis)
        place[axis] = np.clip(source.place[axis], -room, room)
        if not _is_pinned(character, patch.joint):
            along = _away_from_thumb(character, rig, arm, patch, prop.turn[:, axis])
    elif 2.0 * radius <= PINCHED * palm:
        patch = patches_of(character)[f"{arm.side}_{FINGERTIPS}"]
    at = prop.middle + prop.turn @ (place * prop.size)
    source = PropSource(prop.id, place, np.asarray(prop.turn.T @ along, np.float32))
    made = contact_of(patch, at, along, like)
    made = replace(made, radius=radius, source=source)
    tilt = tilt_around(character, rig, arm, patch, made)
    normal = patch.leaning_by(tilt) if made.lies_flat else made.normal
    return replace(made, tilt=tilt, offset=patch.middle_of(radius, tilt), normal=normal)


def square_around(person: Character, prop: Prop, low: bool) -> Character:
    """The person with a thing square in the hands that are around it, whose fingers are to be closed anew. low: as low
    on it as hands go, so that no thumb is at the rim of a vessel."""
    rig, grasp = rig_of(skeleton_of(person)), grasp_of(prop)

    def changed(e: Effector) -> Effector:
        if not (isinstance(e, Contact) and e.around and isinstance(e.source, PropSource) and e.source.prop == prop.id):
            return e
        if low and grasp is not None and grasp.axis is not None:
            place, palm = e.source.place.copy(), palm_length(rig, ARMS[side_of(e.patch)])
            place[grasp.axis] = -_room_along(palm, prop, grasp.axis, BELOW)
            e = replace(e, source=replace(e.source, place=place))
        if not e.tilt:
            return e
        patch = patches_of(person)[e.patch]
        return replace(e, tilt=0.0, offset=patch.middle_of(e.radius), normal=patch.normal)

    return replace(person, effectors=tuple(map(changed, person.effectors)))


def regrasped(character: Character, was: Prop, prop: Prop, effector: Effector) -> Effector:
    """The effector of a hand around a prop, held off its axis by the prop's present radius; itself where it holds no
    prop so, where a hand no longer goes around that, or where it has become a bar along another axis. was: the prop
    before it had another size."""
    if not (isinstance(effector, Contact) and effector.around and isinstance(effector.source, PropSource)):
        return effector
    hollow, grasp = patches_of(character).get(effector.patch), grasp_of(prop)
    if effector.source.prop != prop.id or hollow is None:
        return effector
    if opposes(effector.patch):
        radius = float(prop.size[int(abs(effector.source.normal).argmax())]) / 2.0
        way = hollow.leaning_by(0.0, radius) if effector.lies_flat else effector.normal
        held = replace(effector, radius=radius, offset=hollow.middle_of(radius), normal=way)
        return held if hollow.spans is None else held_as_deep(character, was, prop, held, hollow.spans)
    if grasp is None or effector.radius == grasp.radius or not _goes_along(effector, grasp.axis):
        return effector
    return replace(effector, radius=grasp.radius, offset=hollow.middle_of(grasp.radius, effector.tilt))


def _goes_along(contact: Contact, axis: int | None) -> bool:
    """Whether a prop's own axis goes through the hand that a contact holds around it; so if the hand's turn is open."""
    if axis is None or not contact.lies_flat or not isinstance(contact.source, PropSource):
        return True
    return int(abs(contact.source.normal).argmax()) == axis


def _room_along(palm: float, prop: Prop, axis: int, margin: float = MARGIN) -> float:
    """How far a hand may be from a thing's middle along its axis, as a share of its length. palm: metres."""
    return max(0.5 - margin * palm / float(prop.size[axis]), 0.0)


def _is_end(prop: Prop, along: float) -> bool:
    """Whether a hand that touches a prop there lies on its end. along: of the unit normal, upwards along its axis."""
    return -along > ENDS if KINDS[prop.kind].open_above else abs(along) > ENDS


def _away_from_thumb(character: Character, rig: Rig, arm: Limb, patch: Patch, axis: Array) -> Array:
    """(3,) one of the two directions along an axis, (3,): the one away from where the thumb had better be."""
    world = joints_of(character)
    root = world.rotations[0]
    inward = root[:, 0] * (-1.0 if arm.side == SIDES[0] else 1.0)
    thumb = world.rotations[rig.index(patch.joint)] @ patch.normal
    thumb = thumb + USUAL_UP * UP + USUAL_AHEAD * root[:, 2] + USUAL_INWARD * inward
    return np.asarray(-axis if thumb @ axis > 0.0 else axis, np.float32)


def _hand_of(character: Character, joint: str) -> tuple[Limb | None, Patch | None]:
    """The arm whose hand a joint is, and the hollow of that hand; None if it is not a hand, or has no fingers."""
    held = patches_on(character, joint)
    hollow = next((patch for patch in patches_at(character, held[0].joint) if patch.row.around), None) if held else None
    return next((arm for arm in ARMS if hollow and arm.end == hollow.row.joint), None), hollow


def _is_pinned(character: Character, joint: str) -> bool:
    return any(
        isinstance(e, TurnEffector) and e.joint == joint and e.pinned and e.is_active for e in character.effectors
    )
