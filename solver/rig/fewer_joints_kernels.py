"""Compiled: the joints of a rig that lacks some of ours turned so that its shoulders, hands and head are where ours
are."""

from __future__ import annotations

from math import acos, atan2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.rotation_kernels import copy, exponential, multiply

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_HARDLY = 1e-3  # a bend's sine below which a limb's own axis says which way it goes


class Fewer(NamedTuple):
    """Our J joints on a rig that lacks some. parents (J,), offsets (J, 3) metres. shows (J,): which of ours each turns
    with. hips (3,): metres from the pelvis to the middle between the hips.

    Joints by index, an (N, 2) or (N, 3) each: spine, what leans from low to high, and to what; collars and shoulders;
    the neck, if there is one, and the head; legs and arms, root, hinge and end. bends (4, 3): about which axis a calf
    goes back and a forearm comes forward at rest. top: the joint that the spine leads to. pelvis: what that leans to;
    -1 where it stays, as the lowest joint of the spine bends.
    """

    parents: Indices
    offsets: Array
    shows: Indices
    hips: Array
    spine: Indices
    collars: Indices
    neck: Indices
    legs: Indices
    arms: Indices
    bends: Array
    top: int
    pelvis: int


class Room(NamedTuple):
    """places (J, 3) metres; middle (3,), between the hips; two ways (3,), and what turns one to the other (3, 3)."""

    places: Array
    middle: Array
    one: Array
    other: Array
    turn: Array
    product: Array


@kernel
def make_good(fewer: Fewer, goals: Array, off: NDArray[np.bool_], turned: Array) -> None:
    """Turn the joints (F, J, 3, 3), in the world, of frames that are off, so that they get to goals (F, J, 3)."""
    joints = goals.shape[1]
    room = Room(np.empty((joints, 3)), np.empty(3), np.empty(3), np.empty(3), np.empty((3, 3)), np.empty((3, 3)))
    for frame in range(goals.shape[0]):
        if off[frame]:
            _make_good(fewer, goals[frame], turned[frame], room)


@kernel
def _make_good(fewer: Fewer, goals: Array, turned: Array, room: Room) -> None:
    for i in range(3):
        room.middle[i] = goals[0, i] + _along(turned[0], fewer.hips, i)
    _find_places(fewer, turned, room)
    if fewer.pelvis >= 0:
        for i in range(3):
            room.one[i] = room.places[fewer.pelvis, i] - room.middle[i]
            room.other[i] = goals[fewer.pelvis, i] - room.middle[i]
        _turn(turned[0], room)
        _find_places(fewer, turned, room)
        _reach(fewer, fewer.legs, 0, goals, turned, room)
    for n in range(fewer.spine.shape[0]):
        joint, end = fewer.spine[n]
        for i in range(3):
            room.one[i] = room.places[end, i] - room.places[joint, i]
            room.other[i] = room.one[i] + goals[fewer.top, i] - room.places[fewer.top, i]
        _turn(turned[fewer.shows[joint]], room)
        _find_places(fewer, turned, room)
    _aim(fewer, fewer.collars, goals, turned, room)
    _reach(fewer, fewer.arms, fewer.legs.shape[0], goals, turned, room)
    _aim(fewer, fewer.neck, goals, turned, room)


@kernel
def _aim(fewer: Fewer, pairs: Indices, goals: Array, turned: Array, room: Room) -> None:
    """Turn joints so that others get to their goals, as nearly as they can."""
    for n in range(pairs.shape[0]):
        joint, end = pairs[n]
        for i in range(3):
            room.one[i] = room.places[end, i] - room.places[joint, i]
            room.other[i] = goals[end, i] - room.places[joint, i]
        _turn(turned[fewer.shows[joint]], room)
    _find_places(fewer, turned, room)


@kernel
def _reach(fewer: Fewer, limbs: Indices, first: int, goals: Array, turned: Array, room: Room) -> None:
    """Bend and turn limbs so that their ends get to their goals. first: the first one's row of `bends`."""
    for n in range(limbs.shape[0]):
        root, hinge, end = limbs[n]
        at, upper, lower = room.places[root], room.one, room.other
        for i in range(3):
            upper[i], lower[i] = room.places[hinge, i] - at[i], room.places[end, i] - room.places[hinge, i]
        a, b = _length(upper), _length(lower)
        far = sqrt((goals[end, 0] - at[0]) ** 2 + (goals[end, 1] - at[1]) ** 2 + (goals[end, 2] - at[2]) ** 2)
        axis = room.product[0]
        _cross(upper, lower, axis)
        sine, cosine = _length(axis), upper[0] * lower[0] + upper[1] * lower[1] + upper[2] * lower[2]
        bend = acos(min(max((far * far - a * a - b * b) / (2.0 * a * b), -1.0), 1.0)) - atan2(sine, cosine)
        for i in range(3):
            axis[i] += _HARDLY * a * b * _along(turned[root], fewer.bends[first + n], i)
        scale = bend / max(_length(axis), 1e-300)
        for i in range(3):
            axis[i] *= scale
        exponential(axis, room.turn)
        for i in range(3):
            upper[i] += _along(room.turn, lower, i)
        _apply(room.turn, turned[hinge], room)
        for i in range(3):
            lower[i] = goals[end, i] - at[i]
        _turn(turned[root], room)
        _apply(room.turn, turned[hinge], room)
    _find_places(fewer, turned, room)


@kernel
def _turn(joint: Array, room: Room) -> None:
    """Turn a joint (3, 3) by the smallest rotation from one way to the other."""
    axis = room.product[0]
    _cross(room.one, room.other, axis)
    sine = _length(axis)
    angle = atan2(sine, room.one[0] * room.other[0] + room.one[1] * room.other[1] + room.one[2] * room.other[2])
    for i in range(3):
        axis[i] *= angle / max(sine, 1e-300)
    exponential(axis, room.turn)
    _apply(room.turn, joint, room)


@kernel
def _apply(turn: Array, joint: Array, room: Room) -> None:
    multiply(turn, joint, room.product)
    copy(room.product, joint)


@kernel
def _find_places(fewer: Fewer, turned: Array, room: Room) -> None:
    """Fill in where the joints are."""
    for i in range(3):
        room.places[0, i] = room.middle[i] - _along(turned[0], fewer.hips, i)
    for j in range(1, fewer.parents.shape[0]):
        above = fewer.parents[j]
        for i in range(3):
            room.places[j, i] = room.places[above, i] + _along(turned[fewer.shows[above]], fewer.offsets[j], i)


@kernel
def _along(turn: Array, way: Array, i: int) -> float:
    return turn[i, 0] * way[0] + turn[i, 1] * way[1] + turn[i, 2] * way[2]


@kernel
def _length(way: Array) -> float:
    return sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2)


@kernel
def _cross(one: Array, other: Array, out: Array) -> None:
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = one[j] * other[k] - one[k] * other[j]
