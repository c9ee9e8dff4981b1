"""How hips go in a jump: down into a crouch, up as legs push off, freely in the air, down as knees give, and up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.curves import even_way

Array = NDArray[np.float64]

GRAVITY = 9.81  # m/s²
LEAST_S, MOST_S = (0.24, 0.27), (0.95, 1.1)  # seconds before and after the flight, at least and at most
BEFORE, PUSHES, PUSHES_S = 0.46, 0.44, 0.27  # of what time is left, before the flight; of that, and at most, the push
GIVES, GIVES_S = 0.36, 0.22  # of the time after it, and seconds at most, in which knees give
DIPS, DEEPEST = 1.5, 0.3  # metres down in a second squared that hips sink of themselves; of a leg, most in a crouch
LEAST_DIP_M = 0.02
RISES_M, FLATTER, FARTHER = 0.05, 0.3, 0.12  # metres that hips fly up at least; less per metre down, more per metre on
HIGHEST_M = 0.42  # metres that hips fly up at most
AHEAD, BEHIND = (0.3, 0.4), (0.2, 0.25)  # of the way, and of a leg at most: hips ahead of feet that leave, and behind


class Arc(NamedTuple):
    """flies: metres up. crouches, leaves, lands, deepest: seconds after the first key. heights, ahead: (4, K) knots of
    the ways up and along the floor: times, values, speeds and accelerations."""

    flies: float
    crouches: float
    leaves: float
    lands: float
    deepest: float
    heights: Array
    ahead: Array

    def at(self, times: Array) -> Array:
        """(N, 2) metres that they have gone up and along the floor at some seconds after the first key."""
        return np.stack([_through(self.heights, times), _through(self.ahead, times)], axis=1)


def arc_of(
    far: float, rise: float, off: float, on: float, spans: tuple[float, float], leg: float, higher: float = 0.0
) -> Arc | None:
    """The hips' arc, if there is time for it and nothing is too high or far.

    far, rise: metres that they go from key to key. off, on: metres that they are higher as they leave and land than as
    they stand at the key. spans: seconds from key to key, and of a frame; on the way
    down feet land half way between two, as on one they would stop at once. leg: its length. higher: metres that they
    fly up besides.
    """
    seconds, frame = spans
    up = max(RISES_M + FARTHER * far + FLATTER * min(rise, 0.0), rise + on - off + RISES_M, 0.03) + higher
    falls = up - (rise + on - off)
    if up > HIGHEST_M:
        return None
    flight = float(np.sqrt(2.0 * up / GRAVITY) + np.sqrt(2.0 * falls / GRAVITY))
    before = min(max(BEFORE * (seconds - flight), LEAST_S[0]), MOST_S[0])
    if falls > up:
        least = np.ceil((LEAST_S[0] + flight) / frame - 0.5)
        before = (max(round((before + flight) / frame - 0.5), least) + 0.5) * frame - flight
    after = min(seconds - flight - before, MOST_S[1])
    if after < LEAST_S[1]:
        return None
    still = (seconds - flight - before - after) // (2.0 * frame) * frame
    push, give = min(PUSHES * before, PUSHES_S), min(GIVES * after, GIVES_S)
    leaving, landing = float(np.sqrt(2.0 * GRAVITY * up)), float(np.sqrt(2.0 * GRAVITY * falls))
    dip = min(max(leaving * push / 1.5 - off, LEAST_DIP_M), DIPS * (before - push) ** 2, DEEPEST * leg)
    start = still + before
    times = np.array([still, start - push, start, start + flight, start + flight + give, start + flight + after])
    deepest = rise + on - landing * give / 2.0
    values = np.array([0.0, -dip, off, rise + on, max(deepest, rise - 0.45 * leg), rise])
    speeds = np.array([0.0, 0.0, leaving, -landing, 0.0, 0.0])
    bends = np.array([0.0, 0.0, -GRAVITY, -GRAVITY, 0.0, 0.0])
    for turn in (1, 4):
        bends[turn] = _bend(turn, times, values, speeds, bends)
    pace = far / (flight + before / 2.0 + after / 2.0)
    first = min(AHEAD[0] * far, AHEAD[1] * leg, pace * before / 2.0)
    last = min(BEHIND[0] * far, BEHIND[1] * leg, pace * after / 2.0)
    pace = (far - first - last) / flight
    stops = start + flight + min(max(2.0 * last / max(pace, 1e-6), give), after)
    nothing = np.zeros(4)
    ahead = np.stack(
        [
            np.array([still, start, start + flight, stops]),
            np.array([0.0, first, far - last, far]),
            np.array([0.0, pace, pace, 0.0]),
            nothing,
        ]
    )
    crouches, leaves, lands, lowest = times[1:5].tolist()
    return Arc(up, crouches, leaves, lands, lowest, np.stack([times, values, speeds, bends]), ahead)


def _bend(turn: int, times: Array, values: Array, speeds: Array, bends: Array) -> float:
    """The acceleration at a knot at which jerk does not leap, of quintics from the knot before and to the one after."""
    (one, other), (came, goes) = np.diff(times)[turn - 1 : turn + 1], np.diff(values)[turn - 1 : turn + 1]
    left = 60.0 * came - 24.0 * speeds[turn - 1] * one - 36.0 * speeds[turn] * one - 3.0 * bends[turn - 1] * one**2
    right = (
        60.0 * goes - 36.0 * speeds[turn] * other - 24.0 * speeds[turn + 1] * other + 3.0 * bends[turn + 1] * other**2
    )
    return float((right / other**3 - left / one**3) / (9.0 / one + 9.0 / other))


def _through(knots: Array, at: Array) -> Array:
    """(N,) values at some times of quintics through knots, (4, K) as of `Arc`."""
    times, values, speeds, bends = knots
    within = np.clip(at, times[0], times[-1])
    step = np.clip(np.searchsorted(times, within, side="right") - 1, 0, len(times) - 2)
    length = np.diff(times)[step]
    way = even_way(
        (within - times[step]) / length,
        np.diff(values)[step],
        speeds[step] * length,
        speeds[step + 1] * length,
        (bends[step] * length**2, bends[step + 1] * length**2),
    )
    return np.asarray(values[step] + way)
