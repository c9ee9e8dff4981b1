"""Which frames a timeline shows, and where: zoom and pan as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace

MARGIN = 16.0  # pixels at both ends, so that no mark is cut off
FEWEST = 8.0  # frames across the whole width, at the closest
LABEL_PX, TICK_PX = 52.0, 6.0  # the least distance between numbers, and between ticks


@dataclass(frozen=True)
class Scale:
    """width: pixels. frames: how many there are. start: the frame at the left margin. span: frames between the margins.

    Frames are counted from 0 and may lie between two whole ones.
    """

    width: float
    frames: int
    start: float = 0.0
    span: float = 1.0

    @property
    def room(self) -> float:
        """Pixels between the margins."""
        return max(self.width - 2 * MARGIN, 1.0)

    @property
    def pixels(self) -> float:
        """Pixels from one frame to the next."""
        return self.room / self.span

    @property
    def whole(self) -> bool:
        """Whether all frames show."""
        return self.span >= self._most - 1e-6

    def x(self, frame: float) -> float:
        """Where a frame is, in pixels."""
        return MARGIN + (frame - self.start) * self.pixels

    def at(self, x: float) -> float:
        """The frame at a place, perhaps between two whole ones or beyond the first or the last."""
        return self.start + (x - MARGIN) / self.pixels

    def nearest(self, x: float) -> int:
        """The frame nearest to a place."""
        return min(max(round(self.at(x)), 0), self.frames - 1)

    def visible(self) -> tuple[float, float]:
        """The frames at the left and the right edge."""
        return self.at(0.0), self.at(self.width)

    def zoomed(self, factor: float, x: float) -> Scale:
        """Closer by a factor, with the frame at `x` staying where it is."""
        still, span = self.at(x), min(max(self.span / factor, min(FEWEST, self._most)), self._most)
        return replace(self, span=span, start=still - (x - MARGIN) * span / self.room)._inside()

    def panned(self, pixels: float) -> Scale:
        """Moved so that frames go to the right by so many pixels."""
        return replace(self, start=self.start - pixels / self.pixels)._inside()

    def fitted(self, width: float, frames: int) -> Scale:
        """The scale for another width or number of frames; one that showed everything still does."""
        if self.whole or frames <= 1:
            return whole(width, frames)
        return replace(self, width=width, frames=frames, span=min(self.span, float(frames - 1)))._inside()

    def showing(self, frame: float, page: bool = True) -> Scale:
        """The scale, moved if need be to bring a frame into sight: by a page, or just so far that it is at the edge."""
        if self.start <= frame <= self.start + self.span:
            return self
        behind = 0.0 if frame < self.start else 1.0
        if page:
            behind = 0.9 - 0.8 * behind
        return replace(self, start=frame - behind * self.span)._inside()

    def steps(self) -> tuple[int, int]:
        """Frames from one number to the next and from one tick to the next."""
        number = next(step for step in _round_steps() if step * self.pixels >= LABEL_PX)
        tick = next(step for step in _round_steps() if step * self.pixels >= TICK_PX and number % step == 0)
        return number, tick

    @property
    def _most(self) -> float:
        return float(max(self.frames - 1, 1))

    def _inside(self) -> Scale:
        return replace(self, start=min(max(self.start, 0.0), self._most - self.span))


def whole(width: float, frames: int) -> Scale:
    """The scale that shows all frames."""
    return Scale(width, frames, 0.0, float(max(frames - 1, 1)))


def _round_steps() -> tuple[int, ...]:
    return tuple(digit * 10**power for power in range(8) for digit in (1, 2, 5))
