"""The cameras of earlier views, to go back and forward through: a pure value beside any document's history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rendering.camera.camera import Camera

AsNow = Callable[[Camera], Camera | None]  # how to look from a camera of before; None if that is no longer possible
MOST = 100  # cameras kept in each direction


@dataclass(frozen=True)
class CameraHistory:
    """before, after: cameras to go back and forward to, the nearest last. step: which move `before` ends with.

    A move has the same number for as long as it lasts; 0 is a jump, which is a step of its own.
    """

    before: tuple[Camera, ...] = ()
    after: tuple[Camera, ...] = ()
    step: int = 0

    def left(self, camera: Camera, step: int = 0) -> CameraHistory:
        """The steps after a camera is left for another; what lay ahead is forgotten."""
        if step and step == self.step:
            return self
        return CameraHistory((*self.before, camera)[-MOST:], (), step)

    def back(self, now: Camera, as_now: AsNow) -> tuple[CameraHistory, Camera]:
        """The steps and the camera after one step back from `now`; unchanged if there is none.

        Cameras from which one can no longer look, or equal to `now` (a move that was cancelled), are skipped.
        """
        rest, found = _nearest(self.before, now, as_now)
        return (self, now) if found is None else (CameraHistory(rest, (*self.after, now)[-MOST:]), found)

    def forward(self, now: Camera, as_now: AsNow) -> tuple[CameraHistory, Camera]:
        """Go one step forward, as `back` goes one step back."""
        rest, found = _nearest(self.after, now, as_now)
        return (self, now) if found is None else (CameraHistory((*self.before, now)[-MOST:], rest), found)


def _nearest(cameras: tuple[Camera, ...], now: Camera, as_now: AsNow) -> tuple[tuple[Camera, ...], Camera | None]:
    while cameras:
        *rest, last = cameras
        cameras, found = tuple(rest), as_now(last)
        if found is not None and found != now:
            return cameras, found
    return (), None
