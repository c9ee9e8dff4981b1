"""Pictures without a window: a hidden surface, a framebuffer of any size, RGBA out."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui

from rendering.camera import Camera, View
from rendering.frame import Frame
from rendering.scene import Scene
from rendering.theme import DARK, Theme

LARGEST = 16384


@contextmanager
def keeping_context() -> Iterator[None]:
    """Collect no garbage meanwhile: a closed window that it destroys lets go of the current context, whosever it is."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class NoOpenGL(RuntimeError):
    """OpenGL 3.3 cannot be had here; the text says what to do, in one line."""


def surface_format() -> QtGui.QSurfaceFormat:
    """OpenGL 3.3 core with depth; set it as the default before the first window is made."""
    wanted = QtGui.QSurfaceFormat()
    wanted.setRenderableType(QtGui.QSurfaceFormat.RenderableType.OpenGL)
    wanted.setVersion(3, 3)
    wanted.setProfile(QtGui.QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSamples(0)
    return wanted


def render_image(
    scene: Scene,
    camera: Camera,
    size: tuple[int, int],
    *,
    transparent: bool = False,
    theme: Theme = DARK,
    samples: int = 8,
) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA of the scene. size: (width, height) pixels.

    transparent: figures alone with straight alpha, no room, floor, shadow or photo. A QGuiApplication must exist.
    Raises NoOpenGL where there is no OpenGL 3.3, ValueError for a size that no driver takes.
    """
    width, height = size
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise ValueError(f"a picture has 1 to {LARGEST} pixels on each side, not {width} x {height}")
    if QtGui.QGuiApplication.instance() is None:
        raise NoOpenGL("Drawing needs a QGuiApplication; make one first.")
    from rendering.renderer import SceneRenderer

    frame = Frame(View(camera, width, height), theme, 1.0, transparent)
    with keeping_context():
        context, surface = hidden_context()
        try:
            return read_frame(SceneRenderer(), scene, frame, samples)
        finally:
            context.doneCurrent()
            surface.destroy()


def read_frame(renderer: object, scene: Scene, frame: Frame, samples: int) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA with straight alpha, drawn with the current context."""
    from rendering.gl.targets import Target
    from rendering.renderer import SceneRenderer

    assert isinstance(renderer, SceneRenderer)
    width, height = frame.device_size
    target = Target(width, height)
    try:
        if not target.complete():
            raise ValueError(f"this graphics driver does not draw pictures of {width} x {height} pixels")
        renderer.draw(scene, frame, target.fbo, samples)
        pixels = target.read()
    finally:
        target.delete()
    return _straight_alpha(pixels) if frame.transparent else pixels


def hidden_context() -> tuple[QtGui.QOpenGLContext, QtGui.QOffscreenSurface]:
    """A new context, current, and the surface that it needs for as long as it lives. Raises NoOpenGL."""
    context = QtGui.QOpenGLContext()
    context.setFormat(surface_format())
    surface = QtGui.QOffscreenSurface()
    surface.setFormat(surface_format())
    surface.create()
    if not context.create() or not surface.isValid() or not context.makeCurrent(surface):
        raise NoOpenGL(
            "OpenGL 3.3 is not available here. On a machine without a screen, install a virtual one (xvfb) and put "
            "“xvfb-run -a” before the command."
        )
    if context.format().version() < (3, 3):
        major, minor = context.format().version()
        raise NoOpenGL(f"The graphics driver offers OpenGL {major}.{minor}; 3.3 is needed. Update the driver.")
    return context, surface


def _straight_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Blending over nothing leaves colours multiplied by alpha; a PNG wants them whole."""
    alpha = pixels[..., 3:].astype(np.float32)
    color = pixels[..., :3].astype(np.float32) * 255.0 / np.maximum(alpha, 1.0)
    out = np.concatenate([np.clip(color + 0.5, 0, 255), alpha], axis=-1).astype(np.uint8)
    out[out[..., 3] == 0] = 0
    return out
