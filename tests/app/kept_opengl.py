"""What windows of the tests draw with: one OpenGL context for many of them, and few pixels.

Compiling the shaders and uploading the bodies anew is a third of what a window takes to open with software OpenGL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rendering.drawing import offscreen
from rendering.drawing.quality import Quality
from rendering.drawing.renderer import SceneRenderer
from rendering.view import canvas, viewport

if TYPE_CHECKING:
    from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

MOST_WINDOWS = 20  # for one context, which keeps what each of them left in it
SHARE = 0.25  # of the view's pixels, on each side, that are drawn and stretched


class KeptOpenGL:
    """A context and its renderer, for one window after the other."""

    _made: tuple[QOpenGLContext, QOffscreenSurface] | None = None
    _renderer: SceneRenderer | None = None
    _windows = 0

    def lend(self, patch: pytest.MonkeyPatch) -> None:
        """Have the next window draw with it, or with a new one where this has served many."""
        self._windows += 1
        if self._windows > MOST_WINDOWS:
            self._made, self._renderer, self._windows = None, None, 1
        patch.setattr(canvas, "hidden_context", self._context)
        patch.setattr(viewport, "SceneRenderer", self._rendering)

    def _context(self) -> tuple[QOpenGLContext, QOffscreenSurface]:
        if self._made is None:
            self._made = offscreen.hidden_context()
        context, surface = self._made
        context.makeCurrent(surface)
        return self._made

    def _rendering(self) -> SceneRenderer:
        if self._renderer is None:
            self._renderer = SceneRenderer()
        return self._renderer


def draw_few_pixels(patch: pytest.MonkeyPatch) -> None:
    """Draw all that there is to draw as a slow computer does while something moves, at rest too, and smaller."""
    patch.setattr(Quality, "scale", lambda _quality, *, moving: SHARE)
    patch.setattr(Quality, "quick", lambda _quality, *, moving: True)
    patch.setattr(Quality, "samples", lambda _quality, *, moving: 0)
