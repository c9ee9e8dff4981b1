"""Flat things in a hand: between thumb and fingers by their edge, as a plate or a book is held, or by their narrow
sides, as a telephone is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, Prop
from app.document.posing.contact_patches import contact_of, patches_of
from solver.contact.fingertips.edges import inward_from_edge
from solver.contact.fingertips.thumb_and_fingers import Spans
from solver.contact.patch_table import THUMB_AND_FINGERS, side_of
from solver.contact.patches import Patch
from solver.effectors.contact import ANY_WAY, Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, Limb

Array = NDArray[np.float64]
FLAT = ("box", "plane", "cylinder")
LARGEST_M = 0.45  # what is longer lies on hands, or is leant on
THIN = 0.5  # its thickness to its smaller side, at most
BY_EDGE = 0.6  # of what a hand opens to: the thickness that it takes by an edge
IN_PALM_M, HANDY_M = 0.03, 0.25  # thickness and length up to which a thing fits within a hand that has it by its sides
DEPTH, BAND = 0.36, 0.5  # of the palm's length: how far from its edge a thing is taken at most, and from where on not
SAME_M = 5e-4  # metres: a hand that is less far from where it fits counts as there
LEAST_M = 0.012  # metres from its edge that it is taken, also where there is less room in the hand
ROOM = 0.9  # of what there is in the hand
NARROW_M = 0.045  # metres: half of what is narrow, which a small hand takes wherever it is touched
FROM_CORNER = 0.4  # of the palm's length
BEHIND, SKEW = 0.5, 0.12  # metres that an edge counts as further away over which the arm would reach, or aslant
EDGES = 24  # directions in which the rim of something round is tried
UP = np.array([0.0, 1.0, 0.0])
THUMB_UP, THUMB_NEAR, THUMB_NOW = 0.5, 0.4, 0.2  # how much it counts that the thumb is above, nearer, and where it was


class FlatGrasp(NamedTuple):
    """axis: the number of the own axis from the fingers to the thumb. by_edge: whether that is the thickness. thin: the
    number of the axis along which it is thin. radius: metres, half of what is between thumb and fingers."""

    axis: int
    by_edge: bool
    thin: int
    radius: float


def flat_grasp(prop: Prop, widest: float) -> FlatGrasp | None:
    """How thumb and fingers hold a flat thing; None for any other. widest: metres, what that hand opens to."""
    if not is_flat(prop):
        return None
    size, (thin, middle, long) = prop.size.astype(np.float64), _axes(prop)
    within = size[middle] <= widest and size[long] <= HANDY_M and size[thin] <= IN_PALM_M
    if within and not KINDS[prop.kind].is_round:
        return FlatGrasp(middle, False, thin, float(size[middle]) / 2.0)
    return FlatGrasp(thin, True, thin, float(size[thin]) / 2.0) if size[thin] <= BY_EDGE * widest else None


def flat_end(prop: Prop, hand: Contact) -> tuple[int, float]:
    """The number of the own axis along which a flat thing goes on from the hand that holds it, and to which end: of one
    that is held by its edge across to the other edge, of any other the upper end of its length."""
    assert isinstance(hand.source, PropSource)
    thin, _, long = _axes(prop)
    if int(np.abs(hand.source.normal).argmax()) != thin:
        return long, float(np.copysign(1.0, prop.turn[1, long]))
    inward = held_edge(prop, hand)
    axis = int(np.abs(inward).argmax())
    return axis, float(np.copysign(1.0, inward[axis]))


def held_edge(prop: Prop, hand: Contact) -> Array:
    """(3,) unit in a flat thing's own axes: square to the edge by which a hand has it, inward."""
    assert isinstance(hand.source, PropSource)
    return inward_from_edge(hand.source.place, prop.size, KINDS[prop.kind].has_axis)


def is_flat(prop: Prop) -> bool:
    """Whether it is a flat thing that a hand may carry."""
    thin, middle, _ = _axes(prop)
    is_small = prop.kind in FLAT and float(prop.size.max()) <= LARGEST_M
    return is_small and float(prop.size[thin]) <= THIN * float(prop.size[middle])


def _axes(prop: Prop) -> tuple[int, int, int]:
    """The numbers of a thing's own axes, from the one along which it is thinnest."""
    thin, middle, long = (int(axis) for axis in np.argsort(prop.size, kind="stable"))
    return thin, middle, long


def hand_on_flat(
    character: Character, rig: Rig, arm: Limb, prop: Prop, source: PropSource, like: Effector | None, pinned: bool
) -> Contact | None:
    """A contact of an arm's hand that holds a flat thing between thumb and fingers; None for any other thing, and
    further from its edges than a hand takes it, where the palm lies on it. pinned: whether the hand's turn is."""
    patch = patches_of(character).get(f"{arm.side}_{THUMB_AND_FINGERS}")
    if patch is None or patch.spans is None or (grasp := flat_grasp(prop, float(patch.spans.gaps[-1]))) is None:
        return None
    palm, ahead = palm_length(rig, arm), _ahead(character, rig, arm, prop)
    depth = _depth(patch.spans, palm, grasp.radius)
    at_edge = partial(_at_edge, prop, grasp, source, palm=palm, depth=depth, ahead=ahead)
    place = at_edge() if grasp.by_edge else _within(prop, grasp, source, palm)
    if place is None:
        return None
    along = ANY_WAY if pinned else _away_from_thumb(character, rig, patch, prop.turn[:, grasp.axis], ahead, grasp)
    at = prop.middle + prop.turn @ (place * prop.size)
    held = PropSource(prop.id, place.astype(np.float32), np.asarray(prop.turn.T @ along, np.float32))
    made = replace(contact_of(patch, at, along, like), radius=grasp.radius, source=held)
    normal = patch.leaning_by(0.0, grasp.radius) if made.lies_flat else made.normal
    return replace(made, offset=patch.middle_of(grasp.radius), normal=normal)


def held_as_deep(character: Character, was: Prop, prop: Prop, hand: Contact, spans: Spans) -> Contact:
    """The contact of a hand that has a flat thing by an edge, with that edge no deeper in the hand than there is room,
    and no corner nearer than a hand takes it, as where the thing has another size. was: the thing as it was, which says
    by which edge the hand has it. spans: how that hand holds such things."""
    source, rig, thin = hand.source, rig_of(skeleton_of(character)), int(np.argmin(prop.size))
    inward = held_edge(was if int(np.argmin(was.size)) == thin else prop, hand)
    if not isinstance(source, PropSource) or int(np.abs(source.normal).argmax()) != thin or not inward.any():
        return hand
    half, palm = prop.size.astype(np.float64) / 2.0, palm_length(rig, ARMS[side_of(hand.patch)])
    at = 2.0 * half * source.place
    edge = 1.0 / float(np.linalg.norm(inward / half))
    place = at - max(edge + float(at @ inward) - _depth(spans, palm, hand.radius), 0.0) * inward
    if not KINDS[prop.kind].has_axis:
        across = 3 - thin - int(np.abs(inward).argmax())
        room = max(float(half[across]) - FROM_CORNER * palm, 0.0)
        place[across] = np.clip(place[across], -room, room)
    if np.linalg.norm(place - at) < SAME_M:
        return hand
    return replace(hand, source=replace(source, place=(place / prop.size).astype(np.float32)))


def palm_length(rig: Rig, arm: Limb) -> float:
    """Metres from the wrist to the knuckles."""
    wrist, knuckles = (rig.rest_positions[rig.joint(role)] for role in (arm.end, arm.tip))
    return float(np.linalg.norm(knuckles - wrist))


def _depth(spans: Spans, palm: float, radius: float) -> float:
    """Metres from its edge that a hand takes a thing twice `radius` thick."""
    return min(DEPTH * palm, max(ROOM * spans.room(radius), LEAST_M))


def _ahead(character: Character, rig: Rig, arm: Limb, prop: Prop) -> Array:
    """(3,) unit and level: from the shoulder to the thing."""
    way = (prop.middle - joints_of(character).positions[rig.joint(arm.root)]) * [1.0, 0.0, 1.0]
    far = float(np.linalg.norm(way))
    return way / far if far > 1e-3 else joints_of(character).rotations[0][:, 2].astype(np.float64)


def _within(prop: Prop, grasp: FlatGrasp, source: PropSource, palm: float) -> Array:
    """(3,) in shares of its size from its middle: where a hand has a thing by its narrow sides."""
    place = np.zeros(3)
    long = 3 - grasp.axis - grasp.thin
    room = max(0.5 - FROM_CORNER * palm / float(prop.size[long]), 0.0)
    place[long] = np.clip(source.place[long], -room, room)
    return place


def _at_edge(
    prop: Prop, grasp: FlatGrasp, source: PropSource, *, palm: float, depth: float, ahead: Array
) -> Array | None:
    """(3,) as `_within`: where a hand has a thing by its edge, the one that is nearest to where it is touched and that
    the arm does not have to reach over the thing for; None where it is touched further in. depth: metres from its edge.
    """
    size = prop.size.astype(np.float64)
    touched = source.place * size
    touched[grasp.thin] = 0.0
    best, least = None, np.inf
    edges = [*_edges(prop, grasp, touched, depth, FROM_CORNER * palm)]
    if min(far for _, _, far in edges) > max(BAND * palm, NARROW_M) and abs(source.normal[grasp.thin]) > 0.5:
        return None
    for place, inward, _ in edges:
        square = float(prop.turn @ inward @ ahead)
        cost = float(np.linalg.norm(place - touched)) + BEHIND * max(0.0, -square) + SKEW * (1.0 - square)
        if cost < least:
            best, least = place / size, cost
    return best


def _edges(
    prop: Prop, grasp: FlatGrasp, touched: Array, depth: float, corner: float
) -> Iterator[tuple[Array, Array, float]]:
    """For each edge of a thing where a hand takes it, (3,) metres from its middle, the way inward, (3,) unit, and how
    far from that edge it is touched, metres; all in its own axes."""
    half = prop.size.astype(np.float64) / 2.0
    one, other = (axis for axis in range(3) if axis != grasp.thin)
    if KINDS[prop.kind].has_axis:
        for angle in np.arange(EDGES) * (2.0 * np.pi / EDGES):
            outward = np.zeros(3)
            outward[one], outward[other] = np.cos(angle), np.sin(angle)
            yield max(half[one] - depth, 0.0) * outward, -outward, float(half[one] - touched @ outward)
        return
    for axis, across in ((one, other), (other, one)):
        for sign in (-1.0, 1.0):
            place, outward = np.zeros(3), np.zeros(3)
            outward[axis] = sign
            room = max(half[across] - corner, 0.0)
            place[axis] = sign * max(half[axis] - depth, 0.0)
            place[across] = np.clip(touched[across], -room, room)
            yield place, -outward, float(half[axis] - sign * touched[axis])


def _away_from_thumb(
    character: Character, rig: Rig, patch: Patch, axis: NDArray[np.floating], ahead: Array, grasp: FlatGrasp
) -> NDArray[np.floating]:
    """(3,) one of the two directions along an axis, (3,): the one away from where the thumb had better be, above and on
    the person's side."""
    now = joints_of(character).rotations[rig.index(patch.joint)] @ patch.leaning_by(0.0, grasp.radius)
    thumb = THUMB_UP * UP - THUMB_NEAR * ahead + THUMB_NOW * now
    return np.asarray(-axis if thumb @ axis > 0.0 else axis, np.float32)
