"""Walks of people who come to face another way than they go: they go ahead, and turn as they arrive.

Turned evenly all the way, they would go sideways in its middle, with crossed legs. Who faces away as they set out turns
first. Both feet turn in their last steps, or their first ones, and by more than `EACH` on the spot as well.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.over_time.body.body_ways import UP, turn_of, way_off
from app.document.over_time.body.walks import Landing, walk
from solver.kinematics.rotations import from_rotation_vector

Array = NDArray[np.float64]

LEAST, ALONG = np.radians([75.0, 45.0])  # people turn by more, and head along the way at one key, off it by less
EACH = np.radians(100.0)  # that a foot turns in each of its steps at most


class TurningFeet(NamedTuple):
    """How feet go about a middle that goes straight. middles: (2, 3) metres, of the feet at both keys. turn: radians,
    to the left if positive."""

    middles: Array
    turn: float

    def way(self, start: Array, end: Array, share: Array, turned: Array) -> Array:
        """(N, 3) where a foot from `start` to `end` is when shares (N,) 0..1 of the way and of the turn are done."""
        arm, (one, other) = start - self.middles[0], self.middles
        round_ = from_rotation_vector(np.multiply.outer(np.append(turned, 1.0), self.turn * UP)) @ arm
        return np.asarray(one + share[:, None] * (other - one + end - other - round_[-1]) + round_[:-1])


def turns_where(ends: Array, turns: Array) -> int:
    """1 if somebody turns at the end of the way, -1 at its start, and 0 all along it. ends: (2, 3) metres of the
    pelvis. turns: (2, 3, 3) R_world_pelvis at both."""
    if abs(turn_of(turns)) < LEAST:
        return 0
    first, last = (abs(way_off(ends, turn)) for turn in turns)
    if first < ALONG and first < last:
        return 1
    return -1 if last < ALONG else 0


class TurningStep(NamedTuple):
    """As `Landing`. turn: how much of its foot's turn it does."""

    leg: int
    start: float
    end: float
    turn: float


def turning(far: float, where: int, turn: float, first: int = 0, aside: bool = False) -> list[TurningStep]:
    """The steps of a walk with those in which its feet turn, some of them on the spot. far: how many steps long the way
    is. where: as `turns_where` says. turn: radians, to the left: the foot on that side turns first. first, aside: as of
    `walk`, where nobody turns at one end alone."""
    if where == 0:
        return [TurningStep(*step, step.end - step.start) for step in walk(first, far, aside)]
    each, first = max(ceil(abs(turn) / EACH), 1), int((turn < 0.0) == (where > 0))
    parts = max(ceil(far), 1)
    steps = walk(first if parts % 2 else 1 - first, parts, False)
    spot = [Landing(leg, 1.0, 1.0) for leg in (first, 1 - first)] * (each - 1)
    made, left = list[TurningStep](), [each] * 2
    for step in reversed([*steps, *spot]):
        made.append(TurningStep(step.leg, step.start, step.end, 1.0 / each if left[step.leg] > 0 else 0.0))
        left[step.leg] -= 1
    if where > 0:
        return made[::-1]
    return [step._replace(start=1.0 - step.end, end=1.0 - step.start) for step in made]
