"""Walks of people who come to face another way than they go: they go ahead, and turn as they arrive.

Turned evenly all the way, they would go sideways in its middle, with crossed legs. Who faces away as they set out turns
first. Both feet turn in their last steps, or their first ones, and by more than `EACH` on the spot as well. Where there
is no time for steps on the spot, they turn in those on the way.
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


def turning(
    far: float, where: int, turn: float, first: int = 0, aside: bool = False, beside: float | None = None
) -> list[TurningStep]:
    """The steps of a walk with those in which its feet turn, some of them on the spot. far: how many steps long the way
    is. where: as `turns_where` says. turn: radians, to the left: the foot on that side turns first. first, aside: as of
    `walk`, where nobody turns at one end alone. beside: of the way, how far a foot is beside the middle of both,
    of those who turn on the way and no more on the spot than they have to; None if they turn at its end."""
    if where == 0:
        return [TurningStep(*step, step.end - step.start) for step in walk(first, far, aside)]
    each, first = max(ceil(abs(turn) / EACH), 1), int((turn < 0.0) == (where > 0))
    parts = max(ceil(far), 1)
    on_spot = 2 * (each - 1) if beside is None else max(2 * each - parts - 1, 0)
    steps = walk(first if (parts + on_spot) % 2 else 1 - first, parts, False)
    legs = (1 - steps[-1].leg, steps[-1].leg) * each
    made, left = list[TurningStep](), [each] * 2
    for step in reversed([*steps, *(Landing(leg, 1.0, 1.0) for leg in legs[:on_spot])]):
        made.append(TurningStep(step.leg, step.start, step.end, 1.0 / each if left[step.leg] > 0 else 0.0))
        left[step.leg] -= 1
    if beside is not None:
        made = _evenly(made[::-1], turn, beside)[::-1]
    if where > 0:
        return made[::-1]
    return [step._replace(start=1.0 - step.end, end=1.0 - step.start) for step in made]


def _evenly(steps: list[TurningStep], turn: float, beside: float) -> list[TurningStep]:
    """The steps, in order of time, with feet as far apart along the way while the body heads across it as they are
    otherwise: one foot is behind the body there, and the other one ahead. turn, beside: as of `turning`."""
    made, done, turned = list[TurningStep](), [0.0, 0.0], [0.0, 0.0]
    for step in steps:
        turned[step.leg] += step.turn
        ahead = float(np.sin(turned[step.leg] * turn)) * beside * (-1.0 if step.leg else 1.0)
        end = min(max(step.end + ahead, done[step.leg]), 1.0) if turned[step.leg] < 1.0 else 1.0
        made.append(step._replace(start=done[step.leg], end=end))
        done[step.leg] = end
    return made
