"""Drawing that keeps to a part of the picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rendering.gl.api import GL

Part = tuple[float, float, float, float]  # left, top, right and bottom, logical pixels


@contextmanager
def clipped(part: Part | None, size: tuple[int, int], pixel_ratio: float, below: int = 0) -> Iterator[None]:
    """While this lasts, nothing is drawn outside that part; None for everywhere. size: of the picture, in pixels of the
    device. pixel_ratio: how many of these a logical pixel is wide. below: rows under those that the framebuffer holds.
    """
    if part is None:
        yield
        return
    width, height = size
    left, right = (min(max(round(x * pixel_ratio), 0), width) for x in (part[0], part[2]))
    top, bottom = (min(max(round(y * pixel_ratio), 0), height) for y in (part[1], part[3]))
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(left, height - bottom - below, max(right - left, 0), max(bottom - top, 0))
    yield
    GL.glDisable(GL.GL_SCISSOR_TEST)
