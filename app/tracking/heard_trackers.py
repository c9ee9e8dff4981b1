"""Which trackers are heard: what each said last, how often it sends, and who fell silent or came since."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from typing import NamedTuple

from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import SampleRates

MOST_TRACKERS = 64  # to list: a sender that makes up names must not fill the memory
STOOD_S = 1.0  # before measuring: somebody standing still was so a moment ago, and trackers drop out for moments


class _Heard(NamedTuple):
    first_s: float
    last_s: float
    reading: Reading  # the last one


class HeardTrackers:
    """The trackers of one source. listened_s: when it was last asked, in the seconds of its samples' clock.

    rates: how often each tracker sends.
    """

    def __init__(self) -> None:
        self.listened_s = 0.0
        self.rates = SampleRates()
        self._heard: dict[str, _Heard] = {}

    def take_in(self, samples: Sequence[TrackerSample]) -> list[str]:
        """Remember what trackers said. The names of those heard, in order; of new ones, no more than MOST_TRACKERS."""
        said: dict[str, None] = {}
        for sample in samples:
            for name, reading in sample.readings.items():
                if name in self._heard or len(self._heard) < MOST_TRACKERS:
                    first_s = self._heard[name].first_s if name in self._heard else sample.time_s
                    self._heard[name] = _Heard(first_s, sample.time_s, reading)
                    said[name] = None
            known = {name: reading for name, reading in sample.readings.items() if name in self._heard}
            self.rates.add_sample(TrackerSample(sample.time_s, known))
        return list(said)

    def is_heard(self, name: str) -> bool:
        """Whether a tracker had spoken shortly before the last listening: a window that has been busy for longer has
        not heard them yet, and they are not silent."""
        return self._silence_s(name) <= self.rates.timeout_s(name)

    def now(self, now_s: float) -> TrackerSample:
        """The last readings of all trackers heard within STOOD_S of the last listening, as a sample of that time."""
        readings = {name: each.reading for name, each in self._heard.items() if self._silence_s(name) <= STOOD_S}
        return TrackerSample(now_s, readings)

    def newcomers(self, worn: Collection[str], free: Collection[str]) -> int:
        """How many of the free trackers are heard and came since one that is worn fell silent; 0 if none did."""
        lost = [self._heard[name].last_s for name in worn if name in self._heard and not self.is_heard(name)]
        return sum(self._heard[name].first_s > min(lost) for name in free if self.is_heard(name)) if lost else 0

    def forget_all_but(self, names: Collection[str]) -> None:
        """Forget all other trackers, which will not be heard any more; how often they sent stays known."""
        self._heard = {name: each for name, each in self._heard.items() if name in names}

    def _silence_s(self, name: str) -> float:
        return self.listened_s - self._heard[name].last_s if name in self._heard else inf
