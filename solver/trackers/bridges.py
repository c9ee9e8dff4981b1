"""What trackers would have said that were silent for a moment: between two of their words, once both are known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from solver.kinematics.rotations import interpolate
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sieve import near
from solver.values import FloatArray

LONGEST_S = 1.0  # of a silence: in a longer one a hand may have been anywhere


class Bridges:
    """Over the short silences of single trackers in a take, such as those of a slow one among fast ones.

    samples: all of the take, in order.
    """

    def __init__(self, samples: Sequence[TrackerSample]) -> None:
        self._times: dict[str, list[float]] = {}
        self._said: dict[str, list[Reading]] = {}
        for sample in samples:
            for name, reading in sample.readings.items():
                self._times.setdefault(name, []).append(sample.time_s)
                self._said.setdefault(name, []).append(reading)

    def over(self, sample: TrackerSample) -> TrackerSample:
        """The sample, with those that are silent in it where they were on their way from one word to the next."""
        silent = {name: self._between(name, sample.time_s) for name in self._times if name not in sample.readings}
        found = {name: reading for name, reading in silent.items() if reading is not None}
        return TrackerSample(sample.time_s, {**sample.readings, **found}) if found else sample

    def _between(self, name: str, now_s: float) -> Reading | None:
        times, said = self._times[name], self._said[name]
        after = bisect_right(times, now_s)
        if not 0 < after < len(times) or times[after] - times[after - 1] > LONGEST_S:
            return None
        if not (self._agree(name, after - 2, after - 1) and self._agree(name, after, after + 1)):
            return None  # one of the two may be wrong, and would be led up to
        a, b = said[after - 1], said[after]
        share = (now_s - times[after - 1]) / (times[after] - times[after - 1])
        return Reading(_place(a.position, b.position, share), _turn(a.rotation, b.rotation, share))

    def _agree(self, name: str, first: int, second: int) -> bool:
        """Whether a tracker can have gone from one of its places to another, where both are told."""
        times, said = self._times[name], self._said[name]
        if first < 0 or second >= len(said):
            return True
        a, b = said[first].position, said[second].position
        return a is None or b is None or near(a, b, times[second] - times[first])


def _place(a: FloatArray | None, b: FloatArray | None, share: float) -> FloatArray | None:
    return None if a is None or b is None else ((1.0 - share) * a + share * b).astype(a.dtype)


def _turn(a: FloatArray | None, b: FloatArray | None, share: float) -> FloatArray | None:
    return None if a is None or b is None else interpolate(a, b, share).astype(a.dtype)
