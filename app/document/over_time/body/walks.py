"""How feet take turns where a person goes further between two keys than one step of each foot reaches: they walk.

Ahead and back, each foot comes past the other; sideways the second one is put beside the first, so that legs do not
cross. A step ends where the body is half way between where the feet stand before and after it.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pace = tuple[float, float, float, float]

MOST_TURN, FAST_TURN = np.radians([75.0, 110.0])  # that a foot turns in one step at most, and in a hurry
# At ease, in a hurry, and running: lengths of the leg that each of several steps is long at most, what a foot turns in
# one, seconds that they take at least, and how much of a step's time it begins before the one before has ended.
PACES: tuple[Pace, ...] = ((0.55, MOST_TURN, 0.3, 0.0), (0.75, FAST_TURN, 0.3, 0.0), (1.0, FAST_TURN, 0.2, 0.25))
RUNS_LEG_M = 0.77  # metres of leg from which on running steps take so long
LEVEL_M = 0.02  # metres up or down that feet go at most in more than one step each
STILL = 0.2  # of one step's share of the time, in which both feet stand after the first key and before the second
EVENLY = 0.5  # of a step's length in time, how much is the same for all of them; the rest goes by where the body is


class Landing(NamedTuple):
    """One step of a walk. leg: its index in `LEGS`. start, end: how much of its foot's way is done before and after."""

    leg: int
    start: float
    end: float


def paces_of(leg: float) -> tuple[Pace, ...]:
    """`PACES` of somebody with legs so many metres long: who runs on short ones takes quicker steps."""
    *slow, (reach, turn, least_s, overlap) = PACES
    return (*slow, (reach, turn, least_s * min(sqrt(leg / RUNS_LEG_M), 1.0), overlap))


def walk(first: int, far: float, aside: bool) -> list[Landing]:
    """The steps of a walk in order of time, at least two. first: the leg that steps first. far: how many steps long the
    way is. aside: whether it is sideways."""
    parts = max(ceil(far), 1)
    if aside:
        return [Landing(leg, part / parts, (part + 1) / parts) for part in range(parts) for leg in (first, 1 - first)]
    made, done = list[Landing](), [0.0, 0.0]
    for step in range(1, parts + 2):
        leg = first if step % 2 else 1 - first
        made.append(Landing(leg, done[leg], min(step / parts, 1.0)))
        done[leg] = made[-1].end
    return made


def times_of(steps: list[Landing], body: Array) -> list[tuple[float, float]]:
    """When each step begins and ends, as shares of the time. body: (N,) rising, how much of its way the body has gone
    at N times in a row, from 0 to 1."""
    still = STILL / len(steps)
    evenly = np.linspace(still, 1.0 - still, len(steps) + 1)
    ends, done = [0.0], [0.0, 0.0]
    for step in steps[:-1]:
        done[step.leg] = step.end
        ends.append(sum(done) / 2)
    gone = np.interp(ends, body, np.linspace(0.0, 1.0, len(body)))
    gone[0], gone = evenly[0], np.append(gone, evenly[-1])
    shares = EVENLY * evenly + (1.0 - EVENLY) * gone
    return list(pairwise(shares.tolist()))


def wider(time: tuple[float, float], overlap: float) -> tuple[float, float]:
    """A step's share of the time, longer at both ends by a share of how long it is."""
    more = overlap * (time[1] - time[0])
    return max(time[0] - more, 0.0), min(time[1] + more, 1.0)
