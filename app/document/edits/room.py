"""Where props and copies of people and props have room: ways over the floor that meet nothing, near and in view."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.edits.clear_place import clear_of
from app.document.edits.copies import Things
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of
from app.document.model.placement import Placement
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.placing import skin_of
from app.document.posing.rest.borne import ON_M, TOP, borne_by, own_place
from solver.memoise import memoised

FLESH_M = 0.1  # metres around a joint that a prop keeps clear of
TOUCH_M = 1e-3  # metres by which boxes may overlap
GAP_M = 0.1  # metres beside something so large that no place near is free
ABOUT_M = 0.1  # metres around a place that bears somebody, which bear the copy where they bear the original
TOGETHER = 16  # ways along a top that are looked at together
STEP_M, MOST_STEPS = 0.2, 40  # of the search for a free place

Array = NDArray[np.float64]
Seen = Callable[[Array, Array], NDArray[np.int64]]  # of corners (N, 3), moved (W, 3) ways: how well each is seen
Box = tuple[Array, Array]  # (D,) metres each, its least and its greatest corner


def way_to_room(document: Document, things: Things, seen: Seen | None = None, here_too: bool = False) -> Array:
    """The (3,) metres over the floor by which copies of things are moved together so that none is in anybody or in any
    prop: the shortest of those with which they are seen as well as where the things are.

    Something that the things are wholly in, such as a room, does not count. seen: see `Seen`. here_too: whether they
    may be just where the things are, as these are not in this document.
    """
    ways = ways_over_floor() if here_too else ways_over_floor()[1:]
    low, high = _boxes(things)
    ways = ways[_free(document, ways, low, high)]
    if seen is not None and len(low):
        ways = _by_sight(ways, low, high, seen)
    if things.people:
        ways = clear_of(document, things.people, ways)
    if len(ways):
        return np.asarray(ways[0], np.float64)
    width = float(high[:, 0].max() - low[:, 0].min()) if len(low) else 0.0
    return np.array([width + GAP_M, 0.0, 0.0])


def way_on(document: Document, person: Character, prop: Prop, seen: Seen | None = None) -> Array | None:
    """The (3,) metres by which a copy of somebody whom a prop bears is moved along its top to where that bears them as
    well, and they are in nobody and in no other prop: the shortest of those with which they are seen as well as where
    they are. None if there is no room. seen: see `Seen`."""
    held = np.array([prop.frame.points(own_place(e)) for e in borne_by(person, prop)], np.float64)
    reach = max(float(np.linalg.norm(prop.size)), STEP_M)
    turn = Placement(float(np.arctan2(prop.turn[0, 2], prop.turn[0, 0]))).rigid.turn
    ways = ways_over_floor()[1:] @ turn.T
    ways = ways[np.linalg.norm(ways, axis=1) < reach]
    about = held[:, None] + ABOUT_M * np.array([(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)]) @ turn.T
    borne = np.array([place for place in about.reshape(-1, 3) if _bears(prop, place)]).reshape(-1, 3)
    if not len(borne):
        return None
    within = np.abs(prop.frame.own((borne + ways[:, None]).reshape(-1, 3))[:, [0, 2]]).max(axis=1) < 0.5 + TOUCH_M
    ways = ways[within.reshape(len(ways), len(borne)).all(axis=1)]
    if seen is not None:
        ways = _by_sight(ways, *_boxes(Things((person,))), seen)
    others = replace(document, props=tuple(each for each in document.props if each.id != prop.id))
    for start in range(0, len(ways), TOGETHER):  # most are told by the first, and a mesh has many faces
        some = [way for way in ways[start : start + TOGETHER] if all(_bears(prop, place + way) for place in borne)]
        if some and len(found := clear_of(others, [person], np.array(some))):
            return np.asarray(found[0], np.float64)
    return None


def _bears(prop: Prop, place: Array) -> bool:
    """Whether a place, (3,) metres, is on a prop's top."""
    _, there, facing = nearest_on(prop, place)
    return float(np.linalg.norm(there - place)) < ON_M and float(facing[1]) > TOP


def _by_sight(ways: Array, low: Array, high: Array, seen: Seen) -> Array:
    """Ways (W, 3) with those first by which boxes (N, 3) are seen as well as where they are."""
    corners = np.stack(np.meshgrid(*zip(low.min(axis=0), high.max(axis=0), strict=True)), axis=-1).reshape(-1, 3)
    best = int(seen(corners, np.zeros((1, 3)))[0])
    return ways[np.argsort(-np.minimum(seen(corners, ways), best), kind="stable")]


def _boxes(things: Things) -> tuple[Array, Array]:
    """(N, 3) metres, the least and the greatest corners of boxes around the props, and around the people's skin."""
    points = [prop.corners for prop in things.props]
    points += [np.asarray(skin_of(person), np.float64) for person in things.people]
    return np.array([p.min(axis=0) for p in points], np.float64), np.array([p.max(axis=0) for p in points], np.float64)


def _free(document: Document, ways: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """(W,) whether boxes (N, 3), moved each way, meet no prop of the document and no joint of anybody."""
    props = [prop.corners for prop in document.props]
    lows, highs = [p.min(axis=0) for p in props], [p.max(axis=0) for p in props]
    around = (low.min(axis=0), high.max(axis=0)) if len(low) else (np.zeros(3), np.zeros(3))
    kept = [not ((a <= around[0]).all() and (around[1] <= b).all() and (b - a > around[1] - around[0] + TOUCH_M).any())
            for a, b in zip(lows, highs, strict=True)]  # fmt: skip
    joints = [joints_of(person).positions.astype(np.float64) for person in document.characters]
    others_low = np.array([*np.array(lows).reshape(-1, 3)[kept], *(p - FLESH_M for each in joints for p in each)])
    others_high = np.array([*np.array(highs).reshape(-1, 3)[kept], *(p + FLESH_M for each in joints for p in each)])
    others = zip(others_low.reshape(-1, 3), others_high.reshape(-1, 3), strict=True)
    return ~boxes_meet(ways, zip(low, high, strict=True), others, TOUCH_M)


@memoised(1)
def ways_over_floor() -> Array:
    """(W, 3) metres, the shifts over the floor that are tried for a free place: none, then the shortest first, to the
    side before forwards and back."""
    steps = range(-MOST_STEPS, MOST_STEPS + 1)
    whole = [(i, 0, j) for i in steps for j in steps]
    whole.sort(key=lambda way: (way[0] ** 2 + way[2] ** 2, abs(way[2]), -way[0], -way[2]))
    return STEP_M * np.array(whole, np.float64)


def boxes_meet(ways: Array, boxes: Iterable[Box], others: Iterable[Box], overlap_m: float) -> NDArray[np.bool_]:
    """(W,) whether any of the boxes, moved each way (W, D), meets one of the others by more than `overlap_m`."""
    meets, mine = np.zeros(len(ways), np.bool_), list(boxes)
    for other_low, other_high in others:
        for low, high in mine:
            meets |= ((low + ways < other_high - overlap_m) & (other_low < high + ways - overlap_m)).all(axis=1)
    return meets
