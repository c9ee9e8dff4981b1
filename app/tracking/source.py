"""Where the samples of trackers come from: the network, or a file that is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from solver.trackers.sample import TrackerSample


class Source(Protocol):
    """Where samples come from."""

    def due(self, now_s: float) -> Sequence[TrackerSample]:
        """The samples up to now that were not handed out before, in order."""
        ...

    def begins_anew_s(self, time_s: float) -> float:
        """When, after a moment, a file is at its end and begins anew; infinity for what goes on."""
        ...

    def stop(self) -> None:
        """Give back what it holds."""
        ...
