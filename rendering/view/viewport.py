"""The view of the scene: one of pyqtgraph's canvases with a camera, a look and a pointer of our own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6 import QtCore, QtGui, QtWidgets

from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.camera.moving import blend, carried
from rendering.camera.navigation import DEFAULT_PRESET, PRESETS, Preset
from rendering.camera.photo_halves import is_in_copy
from rendering.drawing.offscreen import keeping_context, read_frame, surface_format
from rendering.drawing.quality import Quality
from rendering.drawing.renderer import SceneRenderer
from rendering.gl.api import GL
from rendering.items.frame import Frame
from rendering.picking.picking import Hit, pick
from rendering.scene.theme import DARK, Theme
from rendering.scene.values import Scene
from rendering.view.canvas import Canvas, Painter, make_canvas
from rendering.view.pointer_dispatch import PointerDispatch, Tool

if TYPE_CHECKING:
    from rendering.view.pen import Pen

REST_MS = 220  # without a change, after which the smooth picture is drawn
GLIDE_MS = 240


def prepare_opengl() -> None:
    """Ask Qt for OpenGL 3.3 core in every window; call it before the QApplication is made."""
    QtGui.QSurfaceFormat.setDefaultFormat(surface_format())


class Viewport(QtWidgets.QWidget):
    """Shows a Scene through a Camera. Pixels are logical, from the top left.

    The pointer goes to `tool` first, unless navigation claims it; see rendering.view.pointer_dispatch.
    """

    camera_changed = QtCore.Signal(object)
    photo_left = QtCore.Signal(object, int)  # the camera before a move, and the number of the move
    painted = QtCore.Signal(float)  # milliseconds
    failed = QtCore.Signal(str)  # OpenGL could not draw; said once

    def __init__(
        self,
        parent: QtWidgets.QWidget | None = None,
        make: Callable[[Painter, QtWidgets.QWidget], Canvas] = make_canvas,
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 120)
        self._scene, self._theme = Scene(), DARK
        self._next: Callable[[], Scene] | None = None
        self._camera: Camera = OrbitCamera()
        self._view: View | None = None  # of that camera
        self._renderer: SceneRenderer | None = None
        self._quality = Quality(software=True)
        self._moving = True
        self._finest = False
        self._rest = QtCore.QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._refine)
        self._glide = QtCore.QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=GLIDE_MS)
        self._glide.setEasingCurve(QtCore.QEasingCurve.Type.InOutCubic)
        self._glide.valueChanged.connect(self._glided)
        self._from = self._to = OrbitCamera()
        self._failure = ""
        self.pivot: NDArray[np.floating] | None = None
        self._pointer_dispatch = PointerDispatch(self)
        self._canvas = make(self, self)

    # What is shown

    @property
    def scene(self) -> Scene:
        """What is drawn."""
        if self._next is not None:
            make, self._next = self._next, None
            self._scene = make()
        return self._scene

    def set_scene(self, scene: Scene | Callable[[], Scene]) -> None:
        """Draw another scene; parts that are the same objects as before cost nothing.

        A function that makes the scene is called only when it is needed, so that of many changes between two pictures
        only the last one is built.
        """
        if callable(scene):
            self._next = scene
        elif scene is self._scene and self._next is None:
            return
        else:
            self._scene, self._next = scene, None
        self._changed()

    @property
    def theme(self) -> Theme:
        """The colours."""
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        self._changed()

    @property
    def camera(self) -> Camera:
        """The view's camera; while it glides, where it is now."""
        return self._camera

    @property
    def final_view(self) -> View:
        """As `current_view`, with the camera where a glide is taking it."""
        gliding = self._glide.state() == QtCore.QAbstractAnimation.State.Running
        return replace(self.current_view, camera=self._to) if gliding else self.current_view

    def set_camera(self, camera: Camera, *, glide: bool = False) -> None:
        """Look from elsewhere, at once or in a short glide between two orbit cameras."""
        self._glide.stop()
        if glide and isinstance(camera, OrbitCamera) and isinstance(self._camera, OrbitCamera):
            self._from, self._to = self._camera, camera
            self._glide.start()
            return
        self._camera = camera
        self._changed()
        self.camera_changed.emit(camera)

    def carry_camera(self, way: ArrayLike) -> None:
        """Take the camera along by a way (3,) in metres; a glide and a drag of the camera go on from there. One that
        looks through a photo stays."""
        if not isinstance(self._camera, OrbitCamera):
            return
        self._from, self._to, self._camera = (carried(camera, way) for camera in (self._from, self._to, self._camera))
        self._pointer_dispatch.carry(way)
        self._changed()
        self.camera_changed.emit(self._camera)

    def move_camera(self, camera: Camera, *, glide: bool = False, step: int = 0) -> None:
        """As `set_camera`, but at the user's wish: says which camera is left.

        step: the number of a drag or a run of scrolling, which is one move however often it comes; 0 for a jump.
        """
        left = self.final_view.camera
        if camera != left:
            self.photo_left.emit(left, step)
        self.set_camera(camera, glide=glide)

    def _glided(self, share: float) -> None:
        self._camera = self._to if share >= 1.0 else blend(self._from, self._to, share)
        self._changed()
        self.camera_changed.emit(self._camera)

    @property
    def current_view(self) -> View:
        """Camera and size, for projecting, picking and dragging."""
        width, height = max(1, self.width()), max(1, self.height())
        view = self._view
        if view is None or view.camera is not self._camera or (view.width, view.height) != (width, height):
            view = self._view = View(self._camera, width, height)
        return view

    def orbit_pivot(self) -> ArrayLike:
        """(3,) metres, the point to orbit about: `pivot` if set, else the camera's target or the figures."""
        if self.pivot is not None:
            return self.pivot
        if isinstance(self._camera, OrbitCamera):
            return self._camera.target
        roots = [f.joints[0] for f in self.scene.figures]
        return np.mean(roots, axis=0) if roots else self._camera.eye - 3.0 * self._camera.rotation[:, 2]

    # Pointer

    @property
    def tool(self) -> Tool | None:
        """What gets the pointer."""
        return self._pointer_dispatch.tool

    def set_tool(self, tool: Tool | None) -> None:
        """Give the pointer to another tool; the present one is cancelled if it holds a drag."""
        self._pointer_dispatch.set_tool(tool)

    @property
    def navigation(self) -> Preset:
        """Which buttons and keys move the camera."""
        return self._pointer_dispatch.preset

    def set_navigation(self, preset: Preset | str = DEFAULT_PRESET) -> None:
        """Choose how the mouse moves the camera: a Preset or the name of one."""
        self._pointer_dispatch.preset = PRESETS[preset] if isinstance(preset, str) else preset

    def pick(self, x: float, y: float) -> Hit | None:
        """What lies under a pixel; nothing does in the copy of a photo."""
        view = self.current_view
        return None if is_in_copy(view, (x, y)) else pick(view, self.scene, (x, y))

    def cancel_drag(self) -> bool:
        """End a drag of tool or camera as if it had not begun; False if there is none."""
        return self._pointer_dispatch.cancel()

    # Pictures

    @property
    def at_rest(self) -> bool:
        """Whether nothing has changed since the picture that shows, and it is as fine as it will be."""
        return self._finest

    @property
    def device(self) -> str:
        """The name of the OpenGL device, empty before the first picture."""
        return self._renderer.device if self._renderer else ""

    def grab_image(
        self, size: tuple[int, int] | None = None, *, transparent: bool = True, handles: bool = False
    ) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of what is shown, at any size in pixels (None: the widget's own).

        transparent: figures alone, on alpha 0. handles: with handles, joints, gizmo and the selected figure's glow.
        """
        scene = self.scene if handles else self.scene.without_tools()
        return self.grab_scene(scene, self._camera, size or (self.width(), self.height()), transparent=transparent)

    def grab_scene(
        self, scene: Scene, camera: Camera, size: tuple[int, int], *, transparent: bool = True
    ) -> NDArray[np.uint8]:
        """(H, W, 4) uint8 RGBA of any scene, seen by any camera, in this view's light."""
        return self.pen(size, transparent=transparent)(scene, camera)

    def pen(self, size: tuple[int, int], *, transparent: bool = True) -> Pen:
        """What draws pictures of (width, height) pixels as this view would now.

        In one larger than the view, lines are as much wider.
        """
        from rendering.view.pen import Pen  # only once a picture is taken

        larger = min(size[0] / max(self.width(), 1), size[1] / max(self.height(), 1))
        return Pen(self._grab, self._theme, size, max(1.0, larger), transparent)

    def _grab(self, scene: Scene, frame: Frame) -> NDArray[np.uint8]:
        with keeping_context():
            try:
                if not self._canvas.take_context() or self._renderer is None:
                    raise RuntimeError(self._failure or "OpenGL is not available, so there is no picture to take.")
                return read_frame(self._renderer, scene, frame, samples=8)
            finally:
                self._canvas.doneCurrent()

    # What the canvas asks for

    def begin(self) -> None:
        """Remake everything for a new context."""
        try:
            self._renderer = SceneRenderer()
        except Exception as error:  # drivers fail in their own ways; the window must live on and say so
            self._renderer = None
            self._fail(f"This computer's OpenGL cannot draw the scene: {error}".splitlines()[0])
            return
        self._quality = Quality(software=self._renderer.is_software, finest=min(4, self._renderer.max_samples))

    @property
    def scale(self) -> float:
        """The share of its pixels, on each side, that the next picture is drawn with."""
        return self._quality.scale(moving=self._moving)

    def draw(self, fbo: int, pixel_ratio: float) -> None:
        """Draw into a framebuffer, and learn from the time it took."""
        if self._renderer is None:
            return
        begin = time.perf_counter()
        moving = self._moving
        quick = self._quality.quick(moving=moving)
        frame = Frame(self.current_view, self._theme, pixel_ratio, quick=quick)
        try:
            self._renderer.draw(self.scene, frame, fbo, self._quality.samples(moving=moving))
        except Exception as error:  # one bad frame must not take the window down
            self._fail(f"Drawing failed: {error}".splitlines()[0])
        if self._renderer.is_software:
            GL.glFinish()
        took = 1e3 * (time.perf_counter() - begin)
        self._quality.note(took, moving=moving)
        self._finest = not moving and not self._moving
        self.painted.emit(took)

    def cannot_draw(self, reason: str) -> None:
        """Report it, once."""
        self._fail(reason)

    def _fail(self, text: str) -> None:
        if not self._failure:
            self._failure = text
            QtCore.QTimer.singleShot(0, self, lambda: self.failed.emit(text))

    def _changed(self) -> None:
        self._moving, self._finest = True, False
        self._rest.start()
        self._canvas.update()

    def _refine(self) -> None:
        self._moving = False
        if self._quality.finer_at_rest:
            self._canvas.update()
        else:
            self._finest = True

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """A new size is a change."""
        super().resizeEvent(event)
        self._canvas.setGeometry(self.rect())
        self._changed()

    # Qt events go to PointerDispatch

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Give the press to the tool or the camera."""
        self._pointer_dispatch.press(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Drag what was pressed, or hover."""
        self._pointer_dispatch.move(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """End the drag of this button."""
        self._pointer_dispatch.release(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Give the double-click to the tool."""
        self._pointer_dispatch.double_click(event)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """Scroll or zoom the view."""
        self._pointer_dispatch.wheel(event)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        """Hover nothing once the pointer is outside."""
        self._pointer_dispatch.leave()
        super().leaveEvent(event)

    def event(self, event: QtCore.QEvent) -> bool:
        """Pinching on a trackpad zooms; a dialog that opens ends a drag, since it gets the release."""
        if event.type() == QtCore.QEvent.Type.WindowBlocked:
            self._pointer_dispatch.end_drag()
        if isinstance(event, QtGui.QNativeGestureEvent) and self._pointer_dispatch.gesture(event):
            return True
        return bool(super().event(event))
