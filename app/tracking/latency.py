"""How long it takes from a sample to the pixels that show it."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import NamedTuple

import numpy as np

WINDOW_S = 2.0
SEEN_S = 0.02  # a tracker later than this is visibly late


class Delay(NamedTuple):
    """Seconds: the median and the 95th percentile of the last WINDOW_S."""

    median_s: float
    p95_s: float


def delay_text(delay: Delay | None, slow_ones_later_s: float) -> str:
    """The delay in words, and how much later than others slow trackers show."""
    if delay is None:
        return "–"
    slow = f"; slow ones +{1e3 * slow_ones_later_s:.0f}" if slow_ones_later_s > SEEN_S else ""
    return f"{1e3 * delay.median_s:.0f} ms, 95% below {1e3 * delay.p95_s:.0f} ms{slow}"


class Latency:
    """Is told of each sample shown and of each picture painted; a sample counts with the first picture after it. Times
    are seconds, by one clock."""

    def __init__(self) -> None:
        self._shown: float | None = None
        self._newest = -inf
        self._found: deque[tuple[float, float]] = deque()

    def shown(self, sample_s: float) -> None:
        """Note that a sample of that time will be in the next picture. Shown once more, it does not count again."""
        if sample_s > self._newest:
            self._shown = self._newest = sample_s

    def painted(self, now_s: float) -> None:
        """Note that a picture was painted."""
        if self._shown is not None:
            self._found.append((now_s, now_s - self._shown))
            self._shown = None

    def delay(self, now_s: float) -> Delay | None:
        """The delay measured lately; None if there was nothing to measure."""
        while self._found and self._found[0][0] < now_s - WINDOW_S:
            self._found.popleft()
        if not self._found:
            return None
        values = [each for _, each in self._found]
        return Delay(float(np.median(values)), float(np.percentile(values, 95)))

    def forget(self) -> None:
        """Begin anew."""
        self._shown, self._newest = None, -inf
        self._found.clear()
