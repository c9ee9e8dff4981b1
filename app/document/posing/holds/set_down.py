"""Where a thing that is held comes to stand on what lies beneath it: which way up, and on the nearest level place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import KINDS, MESH, Prop
from solver.contact.solids import Solid
from solver.ik.limp.beneath import heights_beneath
from solver.kinematics.rotations import nearest_rotation, rotation_between
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS
from solver.values import FloatArray

Array = NDArray[np.float64]
DOWN, AHEAD = np.array([0.0, -1.0, 0.0]), (0.0, 0.0, 1.0)
NEARLY_UPRIGHT = 0.3  # sine of how far a stick leans at most that falls to where it is told
STEADY = 0.22  # of its height: a narrower base does not stand, as a stick's end or a telephone's edge
ANY_SIDE = ("box", "plane", "cylinder", "stick", MESH)  # what may lie on a side; cups and furniture stand upright
LEVEL = 0.004  # metres by which what it stands on may differ beneath it, and its own base may be uneven
TOUCHES = 0.002  # metres that it may be within another thing
CLEAR = 0.05  # metres from somebody's joints
ASIDE = np.arange(0.0, 0.13, 0.02)  # metres that it may come aside, to stand all on one level
WAYS = np.radians(np.arange(0.0, 360.0, 30.0))
INWARD = (1.0, 0.67, 0.33, 0.0)  # shares of the way from its middle to its rim at which it is looked what is beneath
LONG_M = 0.24  # metres, from which things jut out over edges
MANY = 400  # points of its surface that may be in something
FINE_M, AT_MOST = 0.02, 24  # metres between points within a thing, and how many each way
A_LITTLE = 0.01  # metres above its base, at which what bears a thing is asked for again


class Below(NamedTuple):
    """What a thing may come to stand on, or must not be in. joints: (N, 3) metres, of people about it. own: (N, 3), in
    the thing's own frame, points of it that must not be in any of that."""

    solids: tuple[Solid, ...]
    joints: Array
    own: Array


def set_down(document: Document, prop: Prop, by: ArrayLike, falls: ArrayLike = AHEAD) -> Prop | None:
    """The prop stood on what lies beneath it: floor, table, box, step or any other solid thing that is seen; None where
    that is nowhere level or free.

    It stays the way up that it nearly is, if it stands so, and comes aside by 12 cm at most, all of it on one level if
    possible. by: (3,) metres, the place of it that stays above where it is, as it is turned. falls: as in `way_up`.
    """
    below = Below(_solids_about(document, prop), _joints_about(document), _own_points(prop))
    upright = way_up(prop, by, falls)
    half_on: Prop | None = None
    for shift in _shifts():
        placed, is_level = _dropped(upright.moved(shift), below)
        if placed is not None and is_level and (half_on is None or not _juts_out(placed, half_on)):
            return placed
        half_on = half_on or placed
    return half_on


def _juts_out(prop: Prop, other: Prop) -> bool:
    """Whether a thing is better left jutting out over the edge of something: it is long, and would be lower else."""
    span = float(np.ptp(prop.corners[:, ::2], axis=0).max())
    return span > LONG_M and float(prop.place[1]) < float(other.place[1]) - LEVEL


def held_up(document: Document, wanted: Prop) -> Prop:
    """The prop where it is wanted, but on top of what is beneath it and that it would be taken through from above: the
    floor, or any solid thing that is seen. From the side it goes through."""
    now = next((prop for prop in document.props if prop.id == wanted.id), wanted)
    skin = wanted.frame.points(wanted.surface.vertices)
    low, was = float(skin[:, 1].min()), float(now.frame.points(now.surface.vertices)[:, 1].min())
    about = np.append(wanted.middle[[0, 2]], low)
    solids = [
        solid
        for prop in document.props
        if prop.visible and prop.id != wanted.id and _may_hold_up(prop.middle, prop.size, about, wanted.size)
        for solid in prop.solids()  # only of those: what is solid of a mesh takes a second or two to find
        if _may_hold_up(solid.place, solid.size, about, wanted.size)
    ]
    points = np.concatenate([_rim(skin[skin[:, 1] < low + LEVEL], wanted.middle), wanted.middle[None]])
    points[:, 1] = max(was, low) + LEVEL
    tops = heights_beneath(solids, points)
    top = max((float(height) for height in tops if height < was + LEVEL), default=low)  # none: it is below the floor
    return wanted.moved((0.0, top - low, 0.0)) if top > low else wanted


def _may_hold_up(middle: NDArray[np.floating], box: FloatArray, about: Array, size: FloatArray) -> bool:
    """Whether something in a box, (3,) metres, is anywhere above the bottom of a thing of a size, (3,) metres, and not
    aside of it.

    middle: (3,) metres, of the box. about: (3,) metres, x and z of the thing's middle, and the height of its bottom.
    """
    is_above = bool(middle[1] + float(np.linalg.norm(box)) / 2.0 > about[2])
    return is_above and _aside(middle, box, about[[0, 2, 1]]) < float(np.linalg.norm(size)) / 2.0


def way_up(prop: Prop, by: ArrayLike = (0.0, 0.0, 0.0), falls: ArrayLike = AHEAD) -> Prop:
    """The prop turned, about a place (3,) metres, onto the side on which it stands and that is most nearly down.

    falls: (3,) unit, level, to where the top of a stick falls that is nearly upright.
    """
    kind, turn = KINDS[prop.kind], prop.turn.astype(np.float64)
    if kind.is_round and not kind.has_axis:
        return prop
    size = prop.size.astype(np.float64)
    sides = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0) if _stands_on(prop.kind, size, axis, sign)]
    axis, sign = max(sides, key=lambda side: float(side[1] * turn[:, side[0]] @ DOWN))
    lies_round = kind.has_axis and axis != 1
    if lies_round:
        along = turn[:, 1] * [1.0, 0.0, 1.0]
        if float(np.linalg.norm(along)) < NEARLY_UPRIGHT:
            along = np.copysign(1.0, turn[1, 1]) * np.asarray(falls, np.float64)
        by_turn = rotation_between(turn[:, 1], along / np.linalg.norm(along))  # it is not rolled about its axis
    else:
        by_turn = rotation_between(sign * turn[:, axis], DOWN)
    about = np.asarray(by, np.float64)
    there = about + by_turn @ (prop.place.astype(np.float64) - about)
    return replace(prop, turn=nearest_rotation(by_turn @ turn), place=there.astype(np.float32))


def _stands_on(kind: str, size: Array, axis: int, sign: float) -> bool:
    """Whether a thing stands with that side down: its base is broad enough, and it is no cup or chair upside down."""
    if kind not in ANY_SIDE:
        return (axis, sign) == (1, -1.0)
    return float(np.delete(size, axis).min()) >= STEADY * float(size[axis])


def _shifts() -> Iterator[Array]:
    """(3,) metres over the floor, the nearest first."""
    yield np.zeros(3)
    for far in ASIDE[1:]:
        yield from (far * np.array([np.cos(way), 0.0, np.sin(way)]) for way in WAYS)


def _dropped(prop: Prop, below: Below) -> tuple[Prop | None, bool]:
    """The prop lowered, or raised out of what its middle is within, and whether all of its base is on one level; None
    where it would topple, or where something is in its way."""
    skin = prop.frame.points(prop.surface.vertices)
    low, high = float(skin[:, 1].min()), float(skin[:, 1].max())
    middle = prop.middle
    across = _rim(skin[skin[:, 1] < low + LEVEL], middle) - middle
    points = np.concatenate([middle + share * across for share in INWARD])
    points[:, 1] = middle[1]
    heights = heights_beneath(below.solids, points)
    top = float(heights.max())
    if top > high:  # it is beside something taller
        return None, False
    bears, beside = heights > top - LEVEL, (points - middle)[:, ::2]
    placed = prop.moved((0.0, top - low, 0.0))
    if not _balances(beside[bears]) or _is_in_the_way(placed, below):
        return None, False
    points[:, 1] = top + A_LITTLE  # beside a side face the first answer is the height at which it was asked
    if not _balances(beside[heights_beneath(below.solids, points) > top - LEVEL]):
        return None, False
    return placed, bool(bears.all())


def _rim(base: Array, middle: Array) -> Array:
    """Of the points (N, 3) at the bottom of a thing those that are farthest out, each way."""
    ways = np.stack([np.cos(WAYS), np.sin(WAYS)], axis=1)
    return base[np.unique(np.argmax((base - middle)[:, ::2] @ ways.T, axis=0))]


def _balances(bearing: Array) -> bool:
    """Whether what bears a thing, (N, 2) metres from its middle, is on all sides of that."""
    angles = np.arange(0.0, 2.0 * np.pi, np.pi / 12)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return bool(((bearing @ ways.T).max(axis=0) > -LEVEL).all())


def _is_in_the_way(prop: Prop, below: Below) -> bool:
    """Whether a thing is in another one, or at somebody's joint."""
    own = prop.frame.own(below.joints)
    near = np.clip(own, (-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))
    if len(own) and float(np.linalg.norm((own - near) * prop.size, axis=1).min()) < CLEAR:
        return True
    points = prop.frame.points(below.own)
    return any(float(solid.distances(points).min()) < -TOUCHES for solid in below.solids)


def _own_points(prop: Prop) -> Array:
    """(N, 3), in a thing's own frame, points on it and all through it: what is smaller than its sides may be in it
    between its corners."""
    ways = [np.linspace(0.0, 1.0, min(int(np.ceil(size / FINE_M)) + 1, AT_MOST)) for size in prop.size]
    grid = np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1).reshape(-1, 3) - [0.5, 0.0, 0.5]
    points, skin = prop.frame.points(grid), prop.surface.vertices
    outside = np.min([solid.distances(points) for solid in prop.solids()], axis=0, initial=np.inf) > 0.0
    return np.concatenate([skin[:: max(len(skin) // MANY, 1)], grid[~outside]])


def _solids_about(document: Document, prop: Prop) -> tuple[Solid, ...]:
    """What is solid of all that is seen and that a thing may come onto, or into, as it is put down."""
    reach = float(np.linalg.norm(prop.size)) + float(ASIDE[-1])  # it may turn about another place than its middle
    return tuple(
        solid
        for other in document.props
        if other.visible and other.id != prop.id and _aside(other.middle, other.size, prop.middle) < reach
        for solid in other.solids()  # only of those: what is solid of a mesh takes a second or two to find
        if _aside(solid.place, solid.size, prop.middle) < reach
    )


def _aside(middle: NDArray[np.floating], box: FloatArray, place: Array) -> float:
    """Metres over the floor from a place to what is in a box, (3,) metres, about a middle; negative above or below."""
    return float(np.hypot(*(middle - place)[::2])) - float(np.linalg.norm(box)) / 2.0


def _joints_about(document: Document) -> Array:
    """(N, 3) metres: everybody's joints but those of their arms, which may be about what they hold."""
    arms = {role for arm in ARMS for role in (*arm.joints, *arm.fingers)}
    found: Sequence[Array] = [
        joints_of(person).positions[[role not in arms for role in rig_of(skeleton_of(person)).roles]].astype(np.float64)
        for person in document.characters
        if person.visible
    ]
    return np.concatenate([np.zeros((0, 3)), *found])
