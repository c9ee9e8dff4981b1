"""The quality of pictures: the best at rest, and the best that stays fluent while something moves."""

from __future__ import annotations

from collections import deque
from statistics import median

FLUENT_MS = 20.0  # of the 33 ms in a 30th of a second; the rest is for solving, panels and the window
PATIENT_MS = 350.0
ENOUGH = 8  # frames to judge by
SCALES = (1.0, 0.75, 0.55)  # few: stretching costs a little of what each step saves


class Quality:
    """Chooses samples, light and size of the next picture by the frame times reported to it.

    Software OpenGL starts without multisampling while things move, since that alone triples the frame time there, and
    draws fewer pixels if it is still too slow; at rest the last picture is drawn once more, smoothly and in full.
    """

    def __init__(self, *, software: bool, finest: int = 4) -> None:
        self._software = software
        self.moving = 0 if software else finest
        self.resting = finest
        self._recent: deque[float] = deque(maxlen=ENOUGH)
        self._step = 0  # in SCALES

    def samples(self, *, moving: bool) -> int:
        """Samples for the next picture."""
        return self.moving if moving else self.resting

    def quick(self, *, moving: bool) -> bool:
        """Whether the next picture is lit by vertex."""
        return self._software and moving

    def scale(self, *, moving: bool) -> float:
        """The share of its pixels, on each side, that the next picture is drawn with."""
        return SCALES[self._step] if moving else 1.0

    @property
    def finer_at_rest(self) -> bool:
        """Whether a picture at rest is drawn better than a moving one."""
        return self._software or self.resting != self.moving

    def note(self, milliseconds: float, *, moving: bool) -> None:
        """Records how long a picture took."""
        if not moving:
            if milliseconds > PATIENT_MS:
                self.resting //= 2
            return
        self._recent.append(milliseconds)
        if len(self._recent) == ENOUGH and self._adapt(median(self._recent)):
            self._recent.clear()

    def _adapt(self, milliseconds: float) -> bool:
        """One step down if moving pictures take too long, one up if the larger ones would not; True if stepped."""
        if milliseconds > FLUENT_MS:
            if self.moving > 0:
                self.moving = 0
                return True
            if self._software and self._step < len(SCALES) - 1:
                self._step += 1
                return True
        elif self._step > 0 and milliseconds * (SCALES[self._step - 1] / SCALES[self._step]) ** 2 < FLUENT_MS:
            self._step -= 1
            return True
        return False
