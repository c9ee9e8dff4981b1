"""Smooth interpolation between the readings of a tracker, and extrapolation shortly after the last one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.curves import eased
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.values import FloatArray

EXTRAPOLATED = 0.25  # of an interval: for so long a tracker keeps its speed after its last reading

Array = NDArray[np.floating]


def interpolate_position(times: Sequence[float], places: Sequence[FloatArray | None], now_s: float) -> Array | None:
    """(3,) metres, from places (3,) known at these times, at least one; None if any of them is missing.

    Readings next to those on both sides of `now_s` give the speed there. After the last reading it goes on, slows
    down, and stands still one interval later.
    """
    told = [place for place in places if place is not None]
    return _curve(times, np.asarray(told, np.float64), now_s) if len(told) == len(places) else None


def interpolate_rotation(times: Sequence[float], turns: Sequence[FloatArray | None], now_s: float) -> Array | None:
    """(3, 3), likewise, from rotation matrices (3, 3)."""
    told = [turn for turn in turns if turn is not None]
    if len(told) < len(turns):
        return None
    near = told[min(bisect_right(times, now_s), len(told) - 1)]
    away = to_rotation_vector(np.asarray(told, np.float64) @ np.asarray(near, np.float64).T)
    return np.asarray(from_rotation_vector(_curve(times, away, now_s)) @ near)


def _curve(times: Sequence[float], values: Array, now_s: float) -> Array:
    last = len(times) - 1
    after = bisect_right(times, now_s)
    if after == 0 or last == 0:
        return np.asarray(values[0])
    if after > last:
        long_s = times[last] - times[last - 1]
        done = min((now_s - times[last]) / long_s, 1.0)
        slower = max(done - EXTRAPOLATED, 0.0) ** 2 / (2.0 * (1.0 - EXTRAPOLATED))
        return np.asarray(values[last] + (done - slower) * (values[last] - values[last - 1]))
    a, b = after - 1, after
    long_s = times[b] - times[a]
    leaves, comes = (long_s * _speed(times, values, each) for each in (a, b))
    s = (now_s - times[a]) / long_s
    straight = (1.0 - eased(s)) * values[a] + eased(s) * values[b]
    return np.asarray(straight + s * (1.0 - s) * ((1.0 - s) * leaves - s * comes))


def _speed(times: Sequence[float], values: Array, at: int) -> Array:
    before, after = max(at - 1, 0), min(at + 1, len(times) - 1)
    return np.asarray((values[after] - values[before]) / (times[after] - times[before]))
