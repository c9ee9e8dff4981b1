"""Flat things that are taken from a table or the floor: tipped up at the edge that a hand takes, and raised, until
there is room for that hand beneath."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_of
from app.document.posing.holds.flat_grips import held_edge
from solver.body.hands import skin_with
from solver.contact.fingertips.thumb_and_fingers import held_between
from solver.contact.patch_table import opposes, side_of
from solver.contact.patches import Patch
from solver.contact.solids import Solid
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource, is_on_prop
from solver.ik.limp.beneath import heights_beneath
from solver.kinematics.rotations import axes_from, from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.float64]
UP = np.array([0.0, 1.0, 0.0])
HIGH_M = 0.25  # metres above the thing from where it is looked what is beneath a hand: no shelf above counts
ROOM_M = 0.004  # metres between a hand and what is beneath it
FREE_M = 0.012  # likewise of a hand that is free to turn about the way across a thing, and may come down further
LEAST_M = 0.001  # metres by which a thing is raised at least
TIPS = np.radians(np.arange(0.0, 49.0, 4.0))  # by which it is tipped up at the edge
EASY_TIP, DEAR_TIP = (
    np.radians(24.0),
    0.4,
)  # up to where tipping costs little, and metres that a radian beyond it counts
CHEAP_TIP = 0.02  # metres that a radian up to there counts
THUMB_BELOW = 0.02  # metres of raising that are worth a thumb on top
HANGS = 0.5  # the share of its weight by which skin belongs to the hand
MANY = 240  # points of its skin that are looked at
LEVEL = 0.5  # cosine of how far a flat thing that lies on something may slope


class TakenUp(NamedTuple):
    """A thing where it then is, and the contact of the hand that has it there."""

    prop: Prop
    hand: Contact


def taken_up(document: Document, person: Character, hand: Contact) -> TakenUp | None:
    """A flat thing that a hand is about to take, with room for it: tipped up about the far edge, raised, or both, with
    the thumb on top or beneath, whichever takes less. None where there is room as it lies, or if it is no flat thing,
    is locked, or is touched by somebody else."""
    prop = next((each for each in document.props if is_on_prop(hand.source, each.id)), None)
    if prop is None or prop.locked or not opposes(hand.patch) or not hand.lies_flat:
        return None
    if any(is_on_prop(e.source, prop.id) for each in document.characters for e in each.effectors if each is not person):
        return None
    solids, skin = tuple(_solids_about(document, prop)), _hand_skin(person, hand)
    patch, inward = patches_of(person)[hand.patch], _inward(person, prop, hand)
    either, tips, room = [(hand, 0.0)], TIPS[:1], FREE_M
    if _lies_by_edge(prop, hand):
        either, tips, room = [*either, (_turned_over(hand), THUMB_BELOW)], TIPS, ROOM_M
    best, least = None, np.inf
    for there, worth in either:
        points = _posed(skin, patch, there, inward)
        for tip in tips:
            about, turn = _far_edge(prop, inward), from_rotation_vector(tip * np.cross(UP, inward))
            now = about + (points - about) @ turn.T
            raised = _raised(now, solids, float(prop.middle[1]), room)
            cost = raised + worth + CHEAP_TIP * min(tip, EASY_TIP) + DEAR_TIP * max(tip - EASY_TIP, 0.0)
            if cost < least:
                best, least = (there, about, turn, raised, tip), cost
    assert best is not None
    there, about, turn, raised, tip = best
    if tip == 0.0 and raised < LEAST_M and there is hand:
        return None
    place = about + turn @ (prop.place.astype(np.float64) - about) + raised * UP
    up = replace(prop, place=place.astype(np.float32), turn=(turn @ prop.turn).astype(np.float32))
    target = about + turn @ (there.target.astype(np.float64) - about) + raised * UP
    return TakenUp(up, there.onto(target, turn @ there.facing))


def _hand_skin(person: Character, hand: Contact) -> Array:
    """(N, 3) metres in the wrist's frame: points of a hand with its fingers about what it holds."""
    body, side, rig = body_of(person), side_of(hand.patch), rig_of(skeleton_of(person))
    skin = skin_with(body, person.shape, held_between(body, person.shape, side, hand.radius)).astype(np.float64)
    joints = [rig.joint(role) for role in (ARMS[side].end, ARMS[side].tip)]
    mine = np.flatnonzero(body.weights[:, joints].sum(axis=1) > HANGS)
    return np.asarray(skin[mine[:: max(len(mine) // MANY, 1)]] - rig.rest_positions[joints[0]], np.float64)


def _inward(person: Character, prop: Prop, hand: Contact) -> Array:
    """(3,) unit: the way that the fingers come over the thing, level and from the edge where the hand has it inward; of
    one that does not lie in its hand by an edge, away from the shoulder."""
    if _lies_by_edge(prop, hand):
        way = (prop.turn.astype(np.float64) @ held_edge(prop, hand)) * (1.0 - UP)
    else:
        facing, rig = hand.facing.astype(np.float64), rig_of(skeleton_of(person))
        shoulder = joints_of(person).positions[rig.joint(ARMS[side_of(hand.patch)].root)]
        way = hand.target.astype(np.float64) - shoulder
        way -= float(way @ facing) * facing
    return np.asarray(way / np.linalg.norm(way), np.float64)


def _lies_by_edge(prop: Prop, hand: Contact) -> bool:
    """Whether a hand has a thing by its edge, and it lies about level."""
    assert isinstance(hand.source, PropSource)
    across = int(np.abs(hand.source.normal).argmax())
    return across == int(np.argmin(prop.size)) and abs(float(hand.facing @ UP)) > LEVEL


def _turned_over(hand: Contact) -> Contact:
    """The contact with the thumb on the other side."""
    assert isinstance(hand.source, PropSource)
    return replace(hand.onto(hand.target, -hand.facing), source=replace(hand.source, normal=-hand.source.normal))


def _posed(skin: Array, patch: Patch, hand: Contact, inward: Array) -> Array:
    """(N, 3) metres, a hand's points where it has the thing with its fingers pointing inward, (3,) unit."""
    middle = patch.middle_of(hand.radius).astype(np.float64)
    own = axes_from(patch.leaning_by(0.0, hand.radius).astype(np.float64), middle)
    there = axes_from(-hand.facing.astype(np.float64), inward)
    return np.asarray(hand.target + (skin - middle) @ own @ there.T, np.float64)


def _far_edge(prop: Prop, inward: Array) -> Array:
    """(3,) metres, of a thing's corners the one farthest inward, or the lowest of these: about it the thing tips."""
    corners = prop.corners.astype(np.float64)
    return np.asarray(corners[np.argmax(corners @ inward - 1e-3 * corners[:, 1])], np.float64)


def _raised(points: Array, solids: tuple[Solid, ...], height: float, room: float) -> float:
    """Metres by which points (N, 3) have to go up to be above what is beneath them, with room between, metres. height:
    metres, of the thing."""
    above = points.copy()
    above[:, 1] = np.maximum(above[:, 1], height + HIGH_M)
    return max(0.0, float((heights_beneath(solids, above) - points[:, 1]).max()) + room)


def _solids_about(document: Document, prop: Prop) -> Iterator[Solid]:
    """What is solid of all that is seen and that may be beneath a hand at a thing."""
    reach = float(np.linalg.norm(prop.size)) / 2.0 + HIGH_M
    for other in document.props:
        if other.visible and other.id != prop.id and _apart(other.middle, other.size, prop.middle) < reach:
            yield from (solid for solid in other.solids() if _apart(solid.place, solid.size, prop.middle) < reach)


def _apart(middle: NDArray[np.floating], size: NDArray[np.floating], place: NDArray[np.floating]) -> float:
    """Metres from a place to the ball about a box of a size, (3,) metres."""
    return float(np.linalg.norm(middle - place) - np.linalg.norm(size) / 2.0)
