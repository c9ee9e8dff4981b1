"""Fills short gaps in the recorded readings of single trackers by interpolation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from solver.trackers.interpolation import interpolate_position, interpolate_rotation
from solver.trackers.outlier_filter import is_reachable
from solver.trackers.sample import Reading, TrackerSample

LONGEST_GAP_S = 1.0  # the longest silence: in a longer one a hand may have been anywhere


class GapFiller:
    """Fills short gaps of single trackers in a take, such as those of a slow one among fast ones.

    samples: all of the take, in order.
    """

    def __init__(self, samples: Sequence[TrackerSample]) -> None:
        self._times: dict[str, list[float]] = {}
        self._said: dict[str, list[Reading]] = {}
        for sample in samples:
            for name, reading in sample.readings.items():
                self._times.setdefault(name, []).append(sample.time_s)
                self._said.setdefault(name, []).append(reading)
        # what is silent together and jumps together begins anew, as a file does: some of it may have gone less far
        self._jumps = {
            (times[i], times[i + 1])
            for name, times in self._times.items()
            for i in range(len(times) - 1)
            if not self._agree(name, i, i + 1)
        }

    def filled(self, sample: TrackerSample) -> TrackerSample:
        """The sample, with trackers that are silent in it interpolated from one reading to the next."""
        silent = {name: self._between(name, sample.time_s) for name in self._times if name not in sample.readings}
        found = {name: reading for name, reading in silent.items() if reading is not None}
        return TrackerSample(sample.time_s, {**sample.readings, **found}) if found else sample

    def _between(self, name: str, now_s: float) -> Reading | None:
        times, said = self._times[name], self._said[name]
        after = bisect_right(times, now_s)
        if not 0 < after < len(times) or times[after] - times[after - 1] > LONGEST_GAP_S:
            return None
        if (times[after - 1], times[after]) in self._jumps:
            return None
        if not (self._agree(name, after - 2, after - 1) and self._agree(name, after, after + 1)):
            return None  # one of the two may be an outlier
        first = after - 1 if after < 2 or times[after - 1] - times[after - 2] > LONGEST_GAP_S else after - 2
        last = after if after + 1 == len(times) or times[after + 1] - times[after] > LONGEST_GAP_S else after + 1
        at, readings = times[first : last + 1], said[first : last + 1]
        place = interpolate_position(at, [reading.position for reading in readings], now_s)
        turn = interpolate_rotation(at, [reading.rotation for reading in readings], now_s)
        at_place, turned = (None if found is None else np.asarray(found, np.float32) for found in (place, turn))
        return Reading(at_place, turned, held=said[after].held)

    def resampled(self, sample: TrackerSample, now_s: float) -> TrackerSample:
        """All trackers interpolated at that time, near the sample's; as in the sample where that cannot be done."""
        there = self.filled(TrackerSample(now_s, {}))
        return TrackerSample(now_s, {**sample.readings, **there.readings})

    def _agree(self, name: str, first: int, second: int) -> bool:
        """Whether a tracker can have gone from one of its places to another, if both are told."""
        times, said = self._times[name], self._said[name]
        if first < 0 or second >= len(said):
            return True
        a, b = said[first].position, said[second].position
        return a is None or b is None or is_reachable(a, b, times[second] - times[first])
