"""How much smoothing a picture gets: all of it at rest, as much as stays fluent while something moves."""

from __future__ import annotations

from collections import deque
from statistics import median

FLUENT_MS = 28.0  # leaves room within a 30th of a second for the rest of the program
PATIENT_MS = 350.0
ENOUGH = 8  # frames to judge by


class Quality:
    """Chooses the number of samples by the frame times it is told.

    Software OpenGL begins without multisampling while things move, for it alone triples the frame there; at rest the
    last picture is drawn once more, smoothly and with light by the pixel.
    """

    def __init__(self, *, software: bool, finest: int = 4) -> None:
        self._software = software
        self.moving = 0 if software else finest
        self.resting = finest
        self.times: deque[float] = deque(maxlen=120)
        self._recent: deque[float] = deque(maxlen=ENOUGH)

    def samples(self, *, moving: bool) -> int:
        """Samples for the next picture."""
        return self.moving if moving else self.resting

    def quick(self, *, moving: bool) -> bool:
        """Whether the next picture does with light by the vertex."""
        return self._software and moving

    @property
    def finer_at_rest(self) -> bool:
        """Whether a picture at rest is drawn better than a moving one."""
        return self._software or self.resting != self.moving

    def note(self, milliseconds: float, *, moving: bool) -> None:
        """Learn how long a picture took."""
        self.times.append(milliseconds)
        if not moving:
            if milliseconds > PATIENT_MS:
                self.resting //= 2
            return
        self._recent.append(milliseconds)
        if len(self._recent) == ENOUGH and median(self._recent) > FLUENT_MS and self.moving > 0:
            self.moving = 0
            self._recent.clear()

    @property
    def frame_ms(self) -> float:
        """Median of the last frames in milliseconds, 0 before the first."""
        return float(median(self.times)) if self.times else 0.0
