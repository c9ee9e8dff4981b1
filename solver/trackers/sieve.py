"""What of trackers' words is believed: only numbers, no sudden jump at once, and nobody who is silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import nearest_rotation
from solver.trackers.sample import Reading, TrackerSample
from solver.values import FloatArray

FASTEST = 15.0  # metres a second; a hand that hits a ball reaches 12
FASTEST_TURN = 60.0  # radians a second
SLACK_M, SLACK_TURN = 0.03, 0.5  # what sensors may tremble by, however near in time two samples are
HELD_S, HELD_SAMPLES = 0.1, 3  # how long a jump is doubted
SILENT_S = 0.25  # after which a tracker that says nothing is not there
FARTHEST_M = 1e3  # from the origin: no room is as large
EYE, EXACT, ROUNDED = np.eye(3, dtype=np.float32), 1e-5, 1e-4
SHEARED = 0.1  # of a matrix's entries: farther from any rotation it is none


_Reached = Callable[[FloatArray, FloatArray, float], bool]  # whether one leads to the other within so many seconds


class Sifted(NamedTuple):
    """readings: of all that are there. jumped: names of those whose jump is believed from now on."""

    readings: Mapping[str, Reading]
    jumped: frozenset[str]


@dataclass
class _Doubt:
    """A jump that is not yet believed: since when, how often it was said, and what was said last."""

    since_s: float
    count: int
    value: FloatArray
    time_s: float


@dataclass
class _Said:
    """What a tracker said last of its place, or of its turn."""

    value: FloatArray
    time_s: float
    doubt: _Doubt | None = None


class Sieve:
    """Takes one sample after another. A tracker is there until it has said nothing for SILENT_S."""

    def __init__(self) -> None:
        self._places: dict[str, _Said] = {}
        self._turns: dict[str, _Said] = {}

    def take(self, sample: TrackerSample) -> Sifted:
        """What is believed at the time of the sample."""
        now, jumped = sample.time_s, set()
        for name, reading in sample.readings.items():
            place, turn = _place(reading.position), _turn(reading.rotation)
            for value, said, reached in ((place, self._places, _near), (turn, self._turns, _turned_little)):
                if value is not None and _take(said, name, value, now, reached):
                    jumped.add(name)
        for said in (self._places, self._turns):
            for name in [name for name, last in said.items() if now - _heard(last) > SILENT_S]:
                del said[name]
        there = [*self._places, *(name for name in self._turns if name not in self._places)]
        return Sifted({name: Reading(_value(self._places, name), _value(self._turns, name)) for name in there},
                      frozenset(jumped))  # fmt: skip


def _take(said: dict[str, _Said], name: str, value: FloatArray, now: float, reached: _Reached) -> bool:
    """Believe a value, or doubt it; whether a jump is believed with it."""
    last = said.get(name)
    if last is None:
        said[name] = _Said(value, now)
        return False
    if reached(last.value, value, now - last.time_s):
        said[name] = _Said(value, now)
        return last.doubt is not None
    doubt = last.doubt
    if doubt is None or not reached(doubt.value, value, now - doubt.time_s):
        last.doubt = _Doubt(now, 1, value, now)
        return False
    if now - doubt.since_s >= HELD_S and doubt.count >= HELD_SAMPLES:
        said[name] = _Said(value, now)
        return True
    last.doubt = _Doubt(doubt.since_s, doubt.count + 1, value, now)
    return False


def _heard(last: _Said) -> float:
    return last.doubt.time_s if last.doubt is not None else last.time_s


def _value(said: dict[str, _Said], name: str) -> FloatArray | None:
    return said[name].value if name in said else None


def _near(before: FloatArray, after: FloatArray, seconds: float) -> bool:
    return float(np.linalg.norm(after - before)) <= FASTEST * max(seconds, 0.0) + SLACK_M


def _turned_little(before: FloatArray, after: FloatArray, seconds: float) -> bool:
    allowed = min(FASTEST_TURN * max(seconds, 0.0) + SLACK_TURN, np.pi)
    # the entries of two rotations are 2 √2 sin(½ angle) apart
    return float(np.linalg.norm(after - before)) <= 2.0 * sqrt(2.0) * sin(0.5 * allowed) + ROUNDED


def _place(value: NDArray[np.floating] | None) -> FloatArray | None:
    """The place, None for what is none."""
    if value is None or np.shape(value) != (3,) or not np.isfinite(value).all() or np.abs(value).max() > FARTHEST_M:
        return None
    return np.asarray(value, np.float32)


def _turn(value: NDArray[np.floating] | None) -> FloatArray | None:
    """The nearest rotation, None for what is far from any."""
    if value is None or np.shape(value) != (3, 3) or not np.isfinite(value).all() or np.abs(value).max() > 2.0:
        return None
    given = np.asarray(value, np.float32)
    if np.abs(given @ given.T - EYE).max() < EXACT and np.vdot(np.cross(given[0], given[1]), given[2]) > 0:
        return given
    turn = nearest_rotation(value).astype(np.float32)
    return turn if np.abs(turn - value).max() < SHEARED else None
