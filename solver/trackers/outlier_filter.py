"""Rejects invalid readings and sudden jumps of trackers, and drops trackers that have fallen silent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import nearest_rotation
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import SILENT_S, SampleRates
from solver.values import FloatArray

FASTEST = 20.0  # metres a second, of a foot that kicks or a hand that throws
FASTEST_TURN = 60.0  # radians a second
SLACK_M, SLACK_TURN = 0.03, 0.5  # how much sensors may tremble, however near in time two samples are
HELD_S, HELD_SAMPLES = 0.1, 3  # how long a jump is doubted
OVERDUE = 0.95  # of its usual interval, after which a tracker is carried along
MISSED, SOONEST_S = 3, 0.08  # or after so many of its usual intervals, but no sooner
INTERVAL_DECAY = 0.9  # by how much the usual interval shrinks with each shorter one
FORGOTTEN_S = 1.0  # after which it is not known how often a tracker was heard
PAUSE_S = 0.05  # a longer silence of all says nothing about a single one
FARTHEST_M = 1e3  # from the origin: no room is as large
EYE, EXACT, ROUNDED = np.eye(3, dtype=np.float32), 1e-5, 1e-4
NOT_A_ROTATION = 0.1  # of a matrix's entries: if farther from any rotation, it is none


_IsReachable = Callable[
    [FloatArray, FloatArray, float], bool
]  # whether the second can follow the first in so many seconds


class FilteredSample(NamedTuple):
    """readings: of all that are there. jumped, turned: names of those for which a jump of the place, or of the turn, is
    believed from now on. fresh: names of those that say something new."""

    readings: Mapping[str, Reading]
    jumped: frozenset[str]
    turned: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()


@dataclass
class _PendingJump:
    """A jump that is not yet believed: since when, how often it was said, and what was said last."""

    since_s: float
    count: int
    value: FloatArray
    time_s: float


@dataclass
class _Heartbeat:
    """When a tracker was last heard, and how often it is: seconds of the stream, not counting pauses."""

    heard_s: float
    every_s: float = SILENT_S

    def beat(self, now_s: float) -> None:
        """Note that it was heard."""
        self.heard_s, self.every_s = now_s, max(now_s - self.heard_s, INTERVAL_DECAY * self.every_s)

    def is_overdue(self, now_s: float) -> bool:
        """Whether it should have been heard since."""
        return now_s - self.heard_s > OVERDUE * self.every_s

    def is_gone(self, now_s: float) -> bool:
        """Whether it should have been heard several times since."""
        return now_s - self.heard_s > max(MISSED * self.every_s, SOONEST_S)


@dataclass
class _LastValue:
    """What a tracker last said of its place, or turn. heard_once: it has said nothing else since it came. since_s: when
    it jumped, if that is believed with this reading. leapt_s: when it last went so far that only a pause of all before
    it made that no jump."""

    value: FloatArray
    time_s: float
    pending: _PendingJump | None = None
    heard_once: bool = False
    since_s: float | None = None
    leapt_s: float | None = None


class OutlierFilter:
    """Takes one sample after another. A tracker is there until it has said nothing for SILENT_S, or missed several of
    its usual turns while others went on. Until then it goes along with those: left where it was it would hold the body
    back, which would leap once it lets go.

    rates: how often each sends, if that is known: a slow one may be silent for longer.
    """

    def __init__(self, rates: SampleRates | None = None) -> None:
        self._rates = rates or SampleRates()
        self._places: dict[str, _LastValue] = {}
        self._turns: dict[str, _LastValue] = {}
        self._heartbeats: dict[str, _Heartbeat] = {}
        self._carried: dict[str, FloatArray] = {}  # metres that late ones were carried
        self._last_s: float | None = None
        self._stream_s = 0.0

    def filtered(self, sample: TrackerSample) -> FilteredSample:
        """The readings that are trusted at the time of the sample."""
        now, jumped, turned = sample.time_s, set(), set()
        amid = any(not said.heard_once for each in (self._places, self._turns) for said in each.values())
        self._stream_s += 0.0 if self._last_s is None else min(max(now - self._last_s, 0.0), PAUSE_S)
        self._last_s, stream_s = now, self._stream_s
        # nobody knows how far a tracker went that was heard only once
        before = {name: said.value for name, said in self._places.items() if not said.heard_once}
        for name, reading in sample.readings.items():
            place, turn = _place(reading.position), _turn(reading.rotation)
            if place is not None and _take(self._places, name, place, now, is_reachable, amid):
                jumped.add(name)
            if turn is not None and _take(self._turns, name, turn, now, _is_reachable_turn, amid):
                turned.add(name)
            if place is not None or turn is not None:
                self._heartbeats.setdefault(name, _Heartbeat(stream_s)).beat(stream_s)
        _believe_together(self._places, jumped, now)
        _believe_together(self._turns, turned, now)
        gone = {name for name, beat in self._heartbeats.items() if beat.is_gone(stream_s)}
        for said in (self._places, self._turns):
            for name in [name for name, last in said.items() if name in gone or self._silent(name, last, now)]:
                del said[name]
        beats = self._heartbeats.items()
        self._heartbeats = {name: beat for name, beat in beats if stream_s - beat.heard_s < FORGOTTEN_S}
        self._carry(before, jumped, stream_s)
        there = [*self._places, *(name for name in self._turns if name not in self._places)]
        readings = {name: Reading(self._place(name), _value(self._turns, name)) for name in there}
        fresh = {name for name in there if any(name in said and said[name].time_s == now
                                               for said in (self._places, self._turns))}  # fmt: skip
        return FilteredSample(readings, frozenset(jumped), frozenset(turned), frozenset(fresh))

    def _silent(self, name: str, last: _LastValue, now: float) -> bool:
        heard = last.pending.time_s if last.pending is not None else last.time_s
        return now - heard > self._rates.timeout_s(name)

    def _carry(self, before: Mapping[str, FloatArray], jumped: Collection[str], stream_s: float) -> None:
        """Late ones go as far as the others did, in the mean, since the last sample."""
        late = {name for name in self._places if self._heartbeats[name].is_overdue(stream_s)}
        others = [name for name in self._places if name not in late]
        moves = [self._places[name].value - before[name] for name in others if name in before and name not in jumped]
        by = np.sum(moves, axis=0) / max(len(others), 1)
        self._carried = {name: self._carried.get(name, 0.0) + by for name in late}

    def _place(self, name: str) -> FloatArray | None:
        said = self._places.get(name)
        if said is None or name not in self._carried:
            return None if said is None else said.value
        return np.asarray(said.value + self._carried[name], np.float32)


def _take(
    said: dict[str, _LastValue], name: str, value: FloatArray, now: float, reachable: _IsReachable, amid: bool
) -> bool:
    """Believe a value, or doubt it; whether a jump is believed with it.

    What was said only once is no reason to doubt the next reading for long, as either may be wrong. If all begin, as
    with a file's T-pose, the second reading is believed at once; amid others that are known, two have to agree.
    """
    last = said.get(name)
    if last is None or (last.heard_once and not amid):
        said[name] = _LastValue(value, now, heard_once=last is None)
        return False
    doubt = last.pending
    if reachable(last.value, value, now - last.time_s):
        went_on = doubt is not None and reachable(doubt.value, value, now - doubt.time_s)
        leapt_s = last.leapt_s if reachable(last.value, value, min(now - last.time_s, PAUSE_S)) else now
        said[name] = _LastValue(value, now, since_s=doubt.since_s if doubt and went_on else None, leapt_s=leapt_s)
        return doubt is not None
    if doubt is None or not reachable(doubt.value, value, now - doubt.time_s):
        last.pending = _PendingJump(now, 1, value, now)
        return False
    if last.heard_once or (now - doubt.since_s >= HELD_S and doubt.count >= HELD_SAMPLES):
        said[name] = _LastValue(value, now, since_s=doubt.since_s)
        return True
    last.pending = _PendingJump(doubt.since_s, doubt.count + 1, value, now)
    return False


def _believe_together(said: dict[str, _LastValue], jumped: set[str], now: float) -> None:
    """Trackers that jumped at the same moment as one that is believed now, and have kept to it, are believed with it.

    A short jump could have been a quick move by now, and a long one not yet: when a file begins again, one tracker
    would be back at the beginning while others are still at the end. After a pause it could have been one from the
    first: such a tracker jumped with the others.
    """
    moments = {said[name].since_s for name in jumped} - {None}
    jumped |= {name for name, last in said.items() if last.leapt_s in moments}
    for name, last in said.items():
        doubt = last.pending
        if doubt is not None and doubt.since_s in moments and doubt.time_s == now and doubt.count > 1:
            said[name] = _LastValue(doubt.value, now)
            jumped.add(name)


def _value(said: dict[str, _LastValue], name: str) -> FloatArray | None:
    return said[name].value if name in said else None


def is_reachable(before: FloatArray, after: FloatArray, seconds: float) -> bool:
    """Whether a tracker can get from one place, (3,) metres, to another within so many seconds."""
    return float(np.linalg.norm(after - before)) <= FASTEST * max(seconds, 0.0) + SLACK_M


def _is_reachable_turn(before: FloatArray, after: FloatArray, seconds: float) -> bool:
    allowed = min(FASTEST_TURN * max(seconds, 0.0) + SLACK_TURN, np.pi)
    # the entries of two rotations are 2 √2 sin(½ angle) apart
    return float(np.linalg.norm(after - before)) <= 2.0 * sqrt(2.0) * sin(0.5 * allowed) + ROUNDED


def _place(value: NDArray[np.floating] | None) -> FloatArray | None:
    """The place; None if the value is none."""
    if value is None or np.shape(value) != (3,) or not np.isfinite(value).all() or np.abs(value).max() > FARTHEST_M:
        return None
    return np.asarray(value, np.float32)


def _turn(value: NDArray[np.floating] | None) -> FloatArray | None:
    """The nearest rotation; None if the value is far from any."""
    if value is None or np.shape(value) != (3, 3) or not np.isfinite(value).all() or np.abs(value).max() > 2.0:
        return None
    given = np.asarray(value, np.float32)
    if np.abs(given @ given.T - EYE).max() < EXACT and np.vdot(np.cross(given[0], given[1]), given[2]) > 0:
        return given
    turn = nearest_rotation(value).astype(np.float32)
    return turn if np.abs(turn - value).max() < NOT_A_ROTATION else None
