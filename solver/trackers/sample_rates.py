"""The sample rate of each tracker, and how long to wait for its next reading."""

from __future__ import annotations

from collections import deque
from math import inf

import numpy as np

from solver.trackers.sample import TrackerSample

SILENT_S = 0.25  # after which a tracker that says nothing is not there
MISSED_TURN = 2.2  # or after so many of a slow one's intervals: one reading may be lost
LONGEST_S = 1.0  # a longer interval is a silence, and does not count
KNOWN, KEPT = 3, 7  # intervals: so many are needed, so many are remembered
CHANGED = 2  # intervals in a row, each longer than MISSED_TURN usual ones: from now on it sends less often
SLOW_S, FAST_S = 0.045, 0.038  # intervals: above the first it becomes slow, below the second fast again
PAUSE_S = 0.06  # if longer, and longer than MISSED_TURN intervals of the most frequent tracker, all have paused


class SampleRates:
    """Measures the interval of each tracker. It needs all samples, shown or not: a busy window makes no tracker
    slow."""

    def __init__(self) -> None:
        self._heard_s: dict[str, float] = {}
        self._apart: dict[str, deque[float]] = {}
        self._slow: set[str] = set()
        self._last_s: float | None = None
        self.paused_s = -inf  # when the last sample came before the latest pause

    def add_sample(self, sample: TrackerSample) -> None:
        """Take a sample in; samples come in order."""
        now_s = sample.time_s
        if sample.readings and self._last_s is not None and now_s - self._last_s > PAUSE_S:
            often_s = min((s for s in map(self.interval_s, self._heard_s) if s), default=inf)
            self.paused_s = self._last_s if now_s - self._last_s > MISSED_TURN * often_s else self.paused_s
        self._last_s = now_s if sample.readings else self._last_s
        for name in sample.readings:
            apart_s = now_s - self._heard_s.get(name, now_s)
            self._heard_s[name] = now_s
            if 0.0 < apart_s <= LONGEST_S:
                every_s = self._hear(name, apart_s)
                if every_s > SLOW_S:
                    self._slow.add(name)
                elif every_s < FAST_S:
                    self._slow.discard(name)

    def _hear(self, name: str, apart_s: float) -> float:
        """Remember an interval; gives the usual one from now on."""
        apart, before_s = self._apart.setdefault(name, deque(maxlen=KEPT)), self.interval_s(name)
        apart.append(apart_s)
        if before_s and min(list(apart)[-CHANGED:]) > MISSED_TURN * before_s:
            apart.extend([apart_s] * KEPT)  # forget the old ones
        return self.interval_s(name)

    def interval_s(self, name: str) -> float:
        """Seconds from one reading of a tracker to the next, the median; 0 while that is not known."""
        apart = self._apart.get(name, ())
        return float(np.median(apart)) if len(apart) >= KNOWN else 0.0

    def is_slow(self, name: str) -> bool:
        """Whether its rate is so low that steps would be seen."""
        return name in self._slow

    def timeout_s(self, name: str) -> float:
        """After how long a tracker that says nothing is not there."""
        return max(SILENT_S, MISSED_TURN * self.interval_s(name)) if name in self._slow else SILENT_S
