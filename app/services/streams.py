"""Streams: what poses a character over and over by itself, such as a clip that plays or a tracker.

A sample says what a character shall look like at a time, in one of three ways. A stream hands out each sample once, in
order. Nothing is dropped: a sender that is faster than the window finds its queue full and keeps the sample.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

from solver.effectors.resolve import Sample as Place
from solver.kinematics.pose import Pose

MOST_WAITING = 36_000  # samples of a queue: ten minutes at 60 a second


@dataclass(frozen=True)
class FrameSample:
    """A frame of the character's own clip. time_s: by the stream's clock, like those of all samples."""

    time_s: float
    frame: int


@dataclass(frozen=True)
class PoseSample:
    """A whole pose in the world."""

    time_s: float
    pose: Pose


@dataclass(frozen=True)
class TargetSample:
    """Where the targets are that follow streams, by the streams' names; the character's solver makes a pose of it."""

    time_s: float
    places: Mapping[str, Place]


Sample = FrameSample | PoseSample | TargetSample


class Stream(Protocol):
    """Where samples come from."""

    def due(self, now_s: float) -> Sequence[Sample]:
        """The samples up to now that were not handed out before, in their order."""
        ...


class Queue:
    """A stream that another thread fills. It holds up to `most` samples."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: deque[Sample] = deque()
        self._lock = Lock()

    def offer(self, sample: Sample) -> bool:
        """Put a sample in; False when it is full: the sender keeps the sample and offers it again later."""
        with self._lock:
            if len(self._waiting) >= self._most:
                return False
            self._waiting.append(sample)
            return True

    def due(self, now_s: float) -> Sequence[Sample]:
        """All that came in and whose time has come."""
        with self._lock:
            found: list[Sample] = []
            while self._waiting and self._waiting[0].time_s <= now_s:
                found.append(self._waiting.popleft())
            return found


class ClipStream:
    """The frames of a clip at its rate, over and over. first: the frame that is looked at when it begins."""

    def __init__(self, frames: int, fps: float, first: int = 0) -> None:
        self._frames, self._fps, self._first = frames, fps, first
        self._began_s: float | None = None
        self._shown = 0

    def due(self, now_s: float) -> Sequence[Sample]:
        """The frames since the last call; after a long halt no more than one round of them."""
        if self._began_s is None:
            self._began_s = now_s
        reached = int((now_s - self._began_s) * self._fps + 1e-6)
        start = max(self._shown, reached - self._frames)
        self._shown = reached
        return [
            FrameSample(self._began_s + number / self._fps, (self._first + number) % self._frames)
            for number in range(start + 1, reached + 1)
        ]
