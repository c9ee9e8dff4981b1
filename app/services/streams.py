"""Streams: what poses a character over and over by itself, such as a tracker; playing is one that turns the clock.

A sample says what is to be seen at a time, as a moment of the scene or as a pose. A stream hands out each sample once,
in order. Nothing is dropped: a sender faster than the window finds its queue full and keeps the sample.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Generic, Protocol, TypeVar

from app.services.clock import Clock
from solver.kinematics.pose import Pose

MOST_WAITING = 36_000  # samples in a queue: ten minutes at 60 a second


@dataclass(frozen=True)
class ClockSample:
    """A time on the scene's clock, at which everybody is looked at; it poses nobody.

    time_s: by the stream's clock, like those of all samples. at_s: on the scene's clock. last: nothing comes after it.
    """

    time_s: float
    at_s: float
    last: bool = False


@dataclass(frozen=True)
class PoseSample:
    """A whole pose in the world."""

    time_s: float
    pose: Pose


Sample = ClockSample | PoseSample


class Stream(Protocol):
    """Where samples come from."""

    def due(self, now_s: float) -> Sequence[Sample]:
        """The samples up to now that were not handed out before, in order."""
        ...


class Timed(Protocol):
    """Anything that has a time."""

    @property
    def time_s(self) -> float:
        """By the stream's clock."""
        ...


T = TypeVar("T", bound=Timed)


class Queue(Generic[T]):
    """A stream that another thread fills. It holds up to `most` samples."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: deque[T] = deque()
        self._lock = Lock()

    def offer(self, sample: T) -> bool:
        """Put a sample in; False if the queue is full: the sender keeps the sample and offers it again later."""
        with self._lock:
            if len(self._waiting) >= self._most:
                return False
            self._waiting.append(sample)
            return True

    def due(self, now_s: float) -> Sequence[T]:
        """Everything that came in and whose time has come."""
        with self._lock:
            found: list[T] = []
            while self._waiting and self._waiting[0].time_s <= now_s:
                found.append(self._waiting.popleft())
            return found


class ClockStream:
    """The frames of a clock's range at their rate, over and over or once.

    begin: the frame looked at when it begins; if outside the range, or the last of a range that is played once, it
    begins at the first.
    """

    def __init__(self, clock: Clock, begin: int = 0, loop: bool = True) -> None:
        self.clock, self.loop = clock, loop
        self._length = clock.last - clock.first + 1
        inside = clock.first <= begin <= clock.last and (loop or begin < clock.last)
        self._first = begin - clock.first if inside else 0
        self._jumps = 0 if inside else 1  # the range's first frame has to be shown, too
        self._began_s: float | None = None
        self._shown = 0

    def due(self, now_s: float) -> Sequence[Sample]:
        """The frames since the last call; after a long pause, no more than one round of them."""
        if self._began_s is None:
            self._began_s = now_s
        reached = int((now_s - self._began_s) * self.clock.fps + 1e-6) + self._jumps
        if not self.loop:
            reached = min(reached, self._length - 1 - self._first + self._jumps)
        start = max(self._shown, reached - self._length)
        self._shown = reached
        return [self._sample(number - self._jumps) for number in range(start + 1, reached + 1)]

    def _sample(self, number: int) -> ClockSample:
        """What is shown `number` frames after the one it began with."""
        assert self._began_s is not None
        at = self._first + number
        last = not self.loop and at == self._length - 1
        return ClockSample(
            self._began_s + number / self.clock.fps, self.clock.time(self.clock.first + at % self._length), last
        )
