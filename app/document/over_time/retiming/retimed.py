"""A source motion read anew at other times: a part of it, or all of it faster or slower.

Planted feet are found by their speed, which another pace changes; so those that the motion had go along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import InBetween, SourceMotion
from solver.body.hands import HandMotion
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.rig.contacts import FootContact
from solver.rig.roles import LEGS
from solver.values import FloatArray

CHUNK = 1024  # frames that are worked on at once
DIGITS = 9  # of a frame: a time that is whole but for rounding is that frame

Times = NDArray[np.float64]
Footings = Mapping[FootContact, FootContact]


def even_times(count: int, frames: int) -> Times:
    """(frames,) where each of so many frames is among `count`, with the same first and last one."""
    return np.round(np.linspace(0.0, count - 1.0, frames), DIGITS)


def footings_at(contacts: tuple[FootContact, ...], times: Times) -> Footings:
    """Planted feet as they are among frames read at `times` (N,), by what they were; those of fewer than two frames
    are left out."""
    found = dict[FootContact, FootContact]()
    for contact in contacts:
        first = int(np.searchsorted(times, contact.first))
        last = int(np.searchsorted(times, contact.last, side="right")) - 1
        if last > first:
            found[contact] = FootContact(contact.foot, first, last)
    return found


def between_at(between: InBetween, footings: Footings) -> InBetween:
    """The setting that lets the same planted feet go where they are now."""
    left, right = (
        tuple(now.first for was, now in footings.items() if was.foot == leg.tip and was.first in free)
        for leg, free in zip(LEGS, (between.free_left, between.free_right), strict=True)
    )
    return replace(between, free_left=left, free_right=right)


def source_at(source: SourceMotion, times: Times, footings: Footings) -> SourceMotion:
    """The motion as it is at `times` (N,), rising, counted in its own frames; a whole frame stays as it is to the last
    digit. footings: see `footings_at`."""
    motion, hands = source.motion, source.hands
    roots = _read(motion.root_positions, times, _places)
    if source.stride != 1.0 and times[0] > 0.0:  # the path is scaled about its first frame, which is another one now
        first = int(times[0])
        roots = roots + (source.path[first] - motion.root_positions[first])
    if isinstance(hands, HandMotion):
        hands = HandMotion(_read(hands.vectors, times, _fingers))
    return replace(
        source,
        motion=Motion(roots, _read(motion.rotations, times, _turns), motion.fps),
        hands=hands,
        footings=tuple(footings.values()),
    )


def _read(values: FloatArray, times: Times, curve: Callable[[FloatArray, Times], NDArray[np.float64]]) -> FloatArray:
    whole = times == np.round(times)
    read = np.empty((len(times), *values.shape[1:]), np.float32)
    read[whole] = values[times[whole].astype(int)]
    between = np.flatnonzero(~whole)
    for start in range(0, len(between), CHUNK):
        places = between[start : start + CHUNK]
        at = times[places]
        low = max(int(at[0]) - 1, 0)
        read[places] = curve(values[low : int(at[-1]) + 3], at - low)
    return read


def _places(known: FloatArray, at: Times) -> NDArray[np.float64]:
    points = known.astype(np.float64)
    # as if it went on beyond its ends, for a curve comes to rest at its own
    points = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    return curve_through(np.arange(len(points)) - 1.0, points, at)


def _turns(known: FloatArray, at: Times) -> NDArray[np.float64]:
    turns = known.astype(np.float64)
    before, after = (a @ np.swapaxes(b, -1, -2) @ a for a, b in ((turns[0], turns[1]), (turns[-1], turns[-2])))
    turns = np.concatenate([before[None], turns, after[None]])
    return rotation_curve_through(np.arange(len(turns)) - 1.0, turns, at)


def _fingers(known: FloatArray, at: Times) -> NDArray[np.float64]:
    return np.asarray(to_rotation_vector(_turns(np.asarray(from_rotation_vector(known), np.float32), at)))
