"""Smooths trackers with a low sample rate while they are followed, as the body would otherwise move in steps.

A reading is shown later by part of the usual interval, so that the next one has mostly arrived by then. Fast trackers
are shown at once, whatever others do. One whose rate changes is shown a little faster or slower than real time, until
its delay is right. After all fast ones have paused, the body goes on from where it is. If the next reading of one comes
soon, it catches up at once, but without a leap; if not, it has become slow.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.trackers.interpolation import interpolate_position, interpolate_rotation
from solver.trackers.outlier_filter import FilteredSample
from solver.trackers.sample import Reading
from solver.trackers.sample_rates import SampleRates
from solver.values import FloatArray

DELAY = 0.75  # of its interval that a slow tracker is shown later
MIN_HISTORY = 4  # readings that are remembered at least: two on each side
DELAY_CHANGE_RATE = 0.4  # seconds a second by which a delay grows or shrinks
SOON_S = 0.05  # in which a fast one catches up after a pause, unless it would have to hurry more than this:
HURRY, HURRY_TURN = 1.8, 6.0  # m/s and radians a second beyond its own speed

Array = NDArray[np.floating]
ZERO = np.zeros(3)


@dataclass
class _TrackerPath:
    """The last readings of a tracker, and the offset at which it is shown since the last one: places (3,) metres, less
    how far all had moved meanwhile, and a rotation vector. The offset is gone `lasts_s` after `began_s`.

    carried: (3,) metres that it goes along with the others while its reading is overdue. was_s, goal_s: the delay with
    which it was shown at `since_s`, and the one that it is to have. paused: whether it has sent one reading since a
    pause. catches_up_s: until when it is on its way back after one.
    """

    times: list[float] = field(default_factory=list)
    places: list[FloatArray | None] = field(default_factory=list)
    turns: list[FloatArray | None] = field(default_factory=list)
    place_away: Array = field(default_factory=lambda: ZERO)
    turn_away: Array = field(default_factory=lambda: ZERO)
    began_s: float = 0.0
    lasts_s: float = 0.0
    carried: Array = field(default_factory=lambda: ZERO)
    was_s: float = 0.0
    goal_s: float = 0.0
    since_s: float = 0.0
    paused: bool = False
    catches_up_s: float = -inf

    def delay_s(self, now_s: float) -> float:
        """The delay with which it is shown now."""
        most = DELAY_CHANGE_RATE * max(now_s - self.since_s, 0.0)
        return self.was_s + min(max(self.goal_s - self.was_s, -most), most)

    @property
    def last_s(self) -> float:
        """How long after the reading before it the last one came; 0 if it is the only one."""
        return self.times[-1] - self.times[-2] if len(self.times) > 1 else 0.0

    def begin_at(self, said_s: float, shown: Reading, along: Array, now_s: float) -> None:
        """Begin with where it has been shown since its last reading, as if it had been read there at `said_s`."""
        if not self.times:
            place = None if shown.position is None else np.asarray(shown.position - along, np.float32)
            self.times, self.places, self.turns = [said_s], [place], [shown.rotation]
        self.was_s = self.goal_s = max(self.delay_s(now_s), now_s - said_s)

    def catch_up(self, now_s: float) -> None:
        """Let the offset that a pause left fade evenly, as fast as SOON_S, HURRY and HURRY_TURN allow."""
        self.began_s = now_s
        self.lasts_s = max(
            SOON_S,
            float(np.linalg.norm(self.place_away)) / HURRY,
            float(np.linalg.norm(self.turn_away)) / HURRY_TURN,
        )
        self.catches_up_s = now_s + self.lasts_s

    def set_delay(self, goal_s: float, now_s: float) -> None:
        """Set the delay that it is to have from now on; a path without readings has it at once."""
        self.was_s = self.delay_s(now_s) if self.times else goal_s
        self.goal_s, self.since_s = goal_s, now_s

    def add(self, said_s: float, place: FloatArray | None, turn: FloatArray | None, shown_s: float) -> None:
        """Add a reading; those of the same or a later time are dropped. shown_s: the time of the path that is shown;
        the readings on both sides of it are kept."""
        earlier = bisect_left(self.times, said_s)
        first = min(earlier - MIN_HISTORY + 1, bisect_right(self.times, shown_s) - MIN_HISTORY // 2)
        keep = slice(max(first, 0), earlier)
        self.times = [*self.times[keep], said_s]
        self.places, self.turns = [*self.places[keep], place], [*self.turns[keep], turn]

    def at(self, now_s: float) -> tuple[Array | None, Array | None]:
        """Place and turn as shown now, with what is left of the offset."""
        path_s = now_s - self.delay_s(now_s)
        left = 1.0 - min(max((now_s - self.began_s) / self.lasts_s, 0.0), 1.0) if self.lasts_s > 0 else 0.0
        place, turn = (
            interpolate_position(self.times, self.places, path_s),
            interpolate_rotation(self.times, self.turns, path_s),
        )
        return (
            None if place is None else place + left * self.place_away + self.carried,
            None if turn is None else np.asarray(from_rotation_vector(left * self.turn_away) @ turn),
        )


class SlowTrackerSmoother:
    """Takes filtered samples, one after another, and gives the readings to show at any time.

    If most are fast, slow ones go along with them meanwhile, as far as they go in the mean: otherwise a pelvis among
    fast head, hands and feet would lag behind the body. rates: how often each sends.
    """

    def __init__(self, rates: SampleRates) -> None:
        self._rates = rates
        self._paths: dict[str, _TrackerPath] = {}
        self._latest: Mapping[str, Reading] = {}
        self._heard: dict[str, tuple[float, float]] = {}  # for when its last reading was, and when that was shown
        self._along = ZERO

    def is_changing(self, now_s: float) -> bool:
        """Whether what is shown still changes by then if nothing is heard: for a while after the last readings."""
        return any(
            now_s < path.times[-1] + max(self._rates.interval_s(name), path.last_s) + path.delay_s(now_s)
            for name, path in self._paths.items()
        )

    @property
    def heard(self) -> Collection[str]:
        """The names of all that are there."""
        return self._latest.keys()

    def delay_s(self, name: str, now_s: float) -> float:
        """How much later a tracker is shown than it is heard: a fast one by as much as its reading had to wait."""
        said_s, shown_s = self._heard[name]
        return self._paths[name].delay_s(now_s) if name in self._paths else shown_s - said_s

    def shown_time_s(self, name: str, now_s: float) -> float:
        """The time at which a tracker was where it is shown now."""
        return now_s - self._paths[name].delay_s(now_s) if name in self._paths else self._heard[name][0]

    def clear(self) -> None:
        """Forget all trackers."""
        self._paths.clear()
        self._latest = {}

    def add_sample(self, filtered: FilteredSample, said_s: float, now_s: float) -> None:
        """Add a filtered sample. said_s: the time that it is of. now_s: the time from which it is shown."""
        late = {name for name, path in self._paths.items() if path.delay_s(now_s) > 0.0 or path.catches_up_s > now_s}
        paused = self._after_pause(filtered)
        slow = {name for name in filtered.readings if name in late | paused or self._rates.is_slow(name)}
        self._go_along(filtered, [name for name in filtered.readings if name not in slow], slow)
        for name in slow & filtered.fresh:
            self._add(name, filtered, said_s, now_s, name in paused)
        self._paths = {name: path for name, path in self._paths.items() if name in slow}
        for name in set() if len(slow) < len(filtered.readings) else self._paths.keys() - filtered.fresh:
            self._carry(name, filtered.readings[name], said_s, now_s)
        self._latest = filtered.readings
        self._heard = {name: (said_s, now_s) if name in filtered.fresh else self._heard.get(name, (said_s, now_s))
                       for name in filtered.readings}  # fmt: skip

    def readings(self, now_s: float) -> Mapping[str, Reading]:
        """What is shown of all that are there."""
        return self._latest if not self._paths else {name: self._shown(name, now_s) for name in self._latest}

    def _go_along(self, filtered: FilteredSample, fast: Collection[str], slow: Collection[str]) -> None:
        if not slow or len(fast) <= len(slow):
            return
        moves = []
        for name in fast:
            now, was = filtered.readings[name].position, self._latest.get(name, Reading(None, None)).position
            if now is not None and was is not None and name not in filtered.jumped:
                moves.append(np.asarray(now, np.float64) - was)
        if moves:
            self._along = self._along + np.mean(moves, axis=0)

    def _after_pause(self, filtered: FilteredSample) -> set[str]:
        """Fast ones whose first reading after a pause of all comes, and would leap to where they are by now."""
        leapt = filtered.jumped | filtered.turned
        return {
            name
            for name in (filtered.fresh - leapt) & self._latest.keys()
            if self._heard[name][0] <= self._rates.paused_s and not self._rates.is_slow(name)
        }

    def _add(self, name: str, filtered: FilteredSample, said_s: float, now_s: float, paused: bool) -> None:
        said, path = filtered.readings[name], self._paths.get(name)
        place = None if said.position is None else np.asarray(said.position - self._along, np.float32)
        if path is None or name in filtered.jumped | filtered.turned:
            path = self._paths[name] = _TrackerPath()
            before = self._latest.get(name) if not filtered.jumped | filtered.turned else None
        else:
            before = self._shown(name, now_s)
        every_s = self._rates.interval_s(name) if self._rates.is_slow(name) else 0.0
        if paused and before is not None:
            every_s = said_s - self._heard[name][0]  # as if it were slow from now on, until its next reading
            path.begin_at(self._heard[name][0], before, self._along, now_s)
        only_paused = path.paused and every_s == 0.0
        path.paused = paused
        path.set_delay(DELAY * every_s, now_s)
        if only_paused:
            path.was_s = 0.0
        path.add(said_s, place, said.rotation, now_s - path.delay_s(now_s))
        path.carried = ZERO
        if every_s > 0.0 or path.catches_up_s <= now_s:  # what is left after a pause fades on
            self._set_offset(name, before, now_s)
        if only_paused:
            path.catch_up(now_s)
        elif every_s > 0.0:
            path.catches_up_s = -inf

    def _carry(self, name: str, reading: Reading, said_s: float, now_s: float) -> None:
        """One whose reading is overdue goes as far as the others did since it was due; one not yet due does not."""
        path, carried = self._paths[name], ZERO
        said = path.places[-1]
        overdue = said_s - path.times[-1] > self._rates.interval_s(name)
        if overdue and said is not None and reading.position is not None:
            carried = reading.position - self._along - said
        if not np.array_equal(carried, path.carried):
            before, path.carried = self._shown(name, now_s), carried
            self._set_offset(name, before, now_s)

    def _set_offset(self, name: str, before: Reading | None, now_s: float) -> None:
        """Begin to go from where a tracker is shown to where it should be by now, in the time between readings, or as
        long as its delay is still too long."""
        path = self._paths[name]
        path.began_s, path.lasts_s, path.place_away, path.turn_away = now_s, 0.0, ZERO, ZERO
        place, turn = path.at(now_s)
        if before is None:
            return
        path.lasts_s = max(self._rates.interval_s(name), path.delay_s(now_s), path.catches_up_s - now_s)
        if before.position is not None and place is not None:
            path.place_away = before.position - self._along - place
        if before.rotation is not None and turn is not None:
            path.turn_away = np.asarray(to_rotation_vector(before.rotation @ turn.T))

    def _shown(self, name: str, now_s: float) -> Reading:
        path = self._paths.get(name)
        if path is None:
            return self._latest[name]
        place, turn = path.at(now_s)
        return Reading(
            None if place is None else np.asarray(place + self._along, np.float32),
            None if turn is None else np.asarray(turn, np.float32),
        )
