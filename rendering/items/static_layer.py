"""The static layer of a picture: background, photo and floor, drawn once for each view and then copied."""

from __future__ import annotations

from collections.abc import Hashable

from rendering.gl.api import GL
from rendering.gl.clipping import clipped
from rendering.gl.render_targets import RenderTarget
from rendering.items.background import Background, half_of
from rendering.items.floor_edge import FloorEdge
from rendering.items.frame import Frame
from rendering.items.ground import Ground
from rendering.scene.values import Scene


class StaticLayer:
    """Draws what is behind the figures. It fills the whole picture, so copying it is a fraction of drawing it."""

    def __init__(self) -> None:
        self._background, self._ground, self._edge = Background(), Ground(), FloorEdge()
        self._kept: RenderTarget | None = None
        self._of: tuple[Hashable, ...] | None = None  # what _kept shows
        self._last: tuple[Hashable, ...] | None = None

    def prepare(self, scene: Scene) -> None:
        """Upload a new photo."""
        self._background.prepare(scene)

    def copy_to(self, scene: Scene, frame: Frame, fbo: int) -> bool:
        """Copy its colours into `fbo`, which is bound and has no samples, so that it takes a copy; False if there is no
        copy yet.

        It is made when the same background is asked for a second time, so that a moving camera does not pay for it. A
        software renderer copies at once, and has to wait for whatever was drawn or cleared in `fbo` before.
        """
        of = self._key(scene, frame)
        again, self._last = of == self._last, of
        if not again:
            return False
        width, height = frame.device_size
        if self._of != of or self._kept is None:
            kept = self._target(width, height)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, kept.fbo)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
            self.paint(scene, frame)
            self._kept, self._of = kept, of
        self._kept.resolve_to(fbo)
        return True

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw it."""
        self._background.paint(scene, frame)
        with clipped(half_of(scene, frame), frame.device_size, frame.pixel_ratio, frame.below):
            self._ground.paint(scene, frame)
            self._edge.paint(scene, frame)

    def _key(self, scene: Scene, frame: Frame) -> tuple[Hashable, ...]:
        """Everything the layer's picture depends on."""
        floor = self._ground.place(scene, frame)
        return (
            frame.view,
            frame.theme,
            frame.device_size,
            frame.transparent,
            scene.backplate,
            scene.grid,
            floor,
            scene.beside,
        )

    def _target(self, width: int, height: int) -> RenderTarget:
        if self._kept is not None and self._kept.fits(width, height, 0):
            return self._kept
        if self._kept is not None:
            self._kept.delete()
        return RenderTarget(width, height)
