"""Pictures without a window: a hidden context, a framebuffer of any size, RGBA out.

Qt is imported only where it is needed: on a server its libraries may be missing, and pictures are drawn without it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import Camera
from rendering.drawing.surfaceless import NoOpenGL, surfaceless_context
from rendering.items.frame import Frame, picture_frame
from rendering.scene.theme import DARK, Theme
from rendering.scene.values import Scene

if TYPE_CHECKING:
    from PySide6 import QtGui

LARGEST = 16384


@contextmanager
def keeping_context() -> Iterator[None]:
    """Hold off garbage collection: destroying a closed window would release the current context, whoever owns it."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def surface_format() -> QtGui.QSurfaceFormat:
    """OpenGL 3.3 core with depth and stencil; set it as the default before the first window is made."""
    from PySide6 import QtGui

    wanted = QtGui.QSurfaceFormat()
    wanted.setRenderableType(QtGui.QSurfaceFormat.RenderableType.OpenGL)
    wanted.setVersion(3, 3)
    wanted.setProfile(QtGui.QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setStencilBufferSize(8)
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
    lines: float = 1.0,
) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA of the scene. size: (width, height) pixels.

    transparent: figures alone with straight alpha, no background, floor, shadow or photo. lines: see `picture_frame`.
    Raises NoOpenGL if there is no OpenGL 3.3 (see `drawing_context`), ValueError for a size that no driver takes.
    """
    (image,) = render_images(
        [(scene, camera)], size, transparent=transparent, theme=theme, samples=samples, lines=lines
    )
    return image


def render_images(
    shots: Iterable[tuple[Scene, Camera]],
    size: tuple[int, int],
    *,
    transparent: bool = False,
    theme: Theme = DARK,
    samples: int = 8,
    lines: float = 1.0,
) -> Iterator[NDArray[np.uint8]]:
    """One image for each scene and camera, as `render_image` makes it, drawn one after another in one context."""
    _check_size(size)
    with drawing_context():
        from rendering.drawing.renderer import SceneRenderer

        renderer = SceneRenderer()
        for scene, camera in shots:
            yield read_frame(renderer, scene, picture_frame(camera, size, theme, transparent, lines), samples)


def needs_application() -> bool:
    """Whether `drawing_context` asks for a QGuiApplication on this system: on Linux EGL does without."""
    return sys.platform != "linux"


@contextmanager
def drawing_context() -> Iterator[None]:
    """OpenGL 3.3 core, current while the block lasts: Qt's if a QGuiApplication runs, else EGL's. Raises NoOpenGL.

    No screen is needed on Linux; elsewhere a QGuiApplication must run.
    """
    with keeping_context():
        if _application_runs():
            context, surface = hidden_context()
            try:
                yield
            finally:
                context.doneCurrent()
                surface.destroy()
        elif needs_application():
            raise NoOpenGL("Drawing needs a QGuiApplication; make one first.")
        else:
            with surfaceless_context():
                yield


def _application_runs() -> bool:
    qt = sys.modules.get("PySide6.QtGui")
    return qt is not None and isinstance(qt.QGuiApplication.instance(), qt.QGuiApplication)


def read_frame(renderer: object, scene: Scene, frame: Frame, samples: int) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 RGBA with straight alpha, drawn with the current context."""
    from rendering.drawing.renderer import SceneRenderer
    from rendering.gl.render_targets import RenderTarget

    assert isinstance(renderer, SceneRenderer)
    width, height = frame.drawn_size
    target = RenderTarget(width, height)
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
    from PySide6 import QtGui

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
        raise NoOpenGL(f"The graphics driver offers OpenGL {major}.{minor}, but 3.3 is needed. Update the driver.")
    return context, surface


class OffscreenRenderer:
    """Draws many pictures with one hidden context, so that each mesh is uploaded once. A QGuiApplication must run.

    Raises NoOpenGL if there is no OpenGL 3.3. Use it in the thread that made it, and close it.
    """

    def __init__(self) -> None:
        from rendering.drawing.renderer import SceneRenderer

        with keeping_context():
            self._context, self._surface = hidden_context()
            try:
                self._renderer = SceneRenderer()
            finally:
                self._context.doneCurrent()

    def draw(
        self,
        scene: Scene,
        camera: Camera,
        size: tuple[int, int],
        *,
        transparent: bool = False,
        theme: Theme = DARK,
        samples: int = 8,
    ) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of the scene; see `render_image`."""
        frame = picture_frame(camera, size, theme, transparent)
        with keeping_context():
            self._context.makeCurrent(self._surface)
            try:
                return read_frame(self._renderer, scene, frame, samples)
            finally:
                self._context.doneCurrent()

    def close(self) -> None:
        """Release the context and all that is in it."""
        self._surface.destroy()


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise ValueError(f"a picture has 1 to {LARGEST} pixels on each side, not {width} x {height}")


def _straight_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colours divided by alpha: blending over nothing leaves them multiplied by it, and a PNG wants them straight."""
    out = pixels * (pixels[..., 3:] > 0)
    alpha = out[..., 3]
    blended = np.nonzero((alpha > 0) & (alpha < 255))  # few pixels, at edges; all others keep their colours
    some = out[blended].astype(np.float32)
    some[:, :3] = np.clip(some[:, :3] * 255.0 / some[:, 3:] + 0.5, 0, 255)
    out[blended] = some
    return out
