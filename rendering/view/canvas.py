"""Where the viewport's pixels come from: OpenGL in the window, or in memory if OpenGL is software.

Qt composes a window that holds a QOpenGLWidget with OpenGL, panels and all. On a software renderer that takes longer
than the scene itself; there the scene is drawn off screen and painted like any other widget's picture.
"""

from __future__ import annotations

from typing import Protocol

from PySide6 import QtCore, QtGui, QtWidgets

from rendering.camera.camera import View
from rendering.drawing.offscreen import hidden_context, keeping_context, surface_format
from rendering.drawing.renderer import device_name, is_software
from rendering.drawing.surfaceless import NoOpenGL
from rendering.gl.api import GL
from rendering.gl.render_targets import RenderTarget
from rendering.view.gl_view import GLGraphicsItem, GLViewMixin, GLViewWidget


class Painter(Protocol):
    """What draws on a canvas; the OpenGL context is current in begin and draw."""

    @property
    def current_view(self) -> View:
        """Camera and size in logical pixels."""
        ...

    @property
    def scale(self) -> float:
        """The share of its pixels, on each side, that the next picture is drawn with, if it can be stretched."""
        ...

    def begin(self) -> None:
        """The context is new: make all its objects again."""
        ...

    def draw(self, fbo: int, pixel_ratio: float) -> None:
        """Draw into `fbo`. pixel_ratio: its pixels for each logical one."""
        ...

    def cannot_draw(self, reason: str) -> None:
        """There is no OpenGL to draw with."""
        ...


class Canvas(GLViewMixin):  # type: ignore[misc]
    """The base of both kinds: our camera for pyqtgraph's items, and our scene as one of them. Pointer events pass by.

    `framebuffer` and `take_context` are each kind's own; Qt's metaclass leaves no room for an ABC that would say so.
    """

    def __init__(self, painter: Painter, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.painter = painter
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
        self.addItem(_SceneItem(self))

    def initializeGL(self) -> None:
        """Prepare a new context for drawing."""
        with keeping_context():
            super().initializeGL()
            self.painter.begin()

    def paintGL(self) -> None:
        """Draw the picture in the current context."""
        with keeping_context():
            super().paintGL()

    def viewMatrix(self) -> QtGui.QMatrix4x4:
        """Our camera."""
        return QtGui.QMatrix4x4(*self.painter.current_view.view_matrix.ravel().tolist())

    def projectionMatrix(self, region: object, viewport: object) -> QtGui.QMatrix4x4:
        """Our lens."""
        return QtGui.QMatrix4x4(*self.painter.current_view.projection_matrix.ravel().tolist())

    def paint(self, *, region: object, viewport: object, useItemNames: bool = False) -> None:
        """Draw all items; nothing is cleared first, since our scene fills the picture."""
        self.setProjection(region, viewport)
        self.setModelview()
        self.drawItemTree(useItemNames=useItemNames)

    def framebuffer(self) -> tuple[int, float]:
        """What is drawn into, and its pixels for each logical one."""
        raise NotImplementedError

    def take_context(self) -> bool:
        """Make the context current, and make one first if there is none; False if there can be none.

        Called within keeping_context, for as long as the context is needed.
        """
        raise NotImplementedError


class WindowCanvas(Canvas, GLViewWidget):  # type: ignore[misc]
    """Draws straight into the window, which suits a graphics card."""

    def __init__(self, painter: Painter, parent: QtWidgets.QWidget) -> None:
        super().__init__(painter, parent)
        self.setFormat(surface_format())

    def framebuffer(self) -> tuple[int, float]:
        """Qt's own for this widget."""
        return self.defaultFramebufferObject(), self.devicePixelRatioF()

    def take_context(self) -> bool:
        """Likewise; also for a widget that was never shown."""
        if not self.isValid():
            self.grabFramebuffer()
        self.makeCurrent()
        return bool(self.isValid())


class MemoryCanvas(Canvas, QtWidgets.QWidget):  # type: ignore[misc]
    """Draws off screen and paints the pixels; a picture of fewer pixels is stretched.

    What lies over it may come and go without drawing again: Qt asks for the pixels once more, and they are kept.
    """

    _context: QtGui.QOpenGLContext | None = None  # in the class, since pyqtgraph asks before __init__ is done
    _surface: QtGui.QOffscreenSurface
    _target: RenderTarget | None = None
    _image: QtGui.QImage | None = None  # of the target's pixels
    _stale = True  # whether they need drawing again
    _begun = False  # whether the painter knows the context
    _inverts = False  # whether its driver turns pictures over
    _ratio = _screen_ratio = 1.0

    def __init__(self, painter: Painter, parent: QtWidgets.QWidget) -> None:
        super().__init__(painter, parent)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def isValid(self) -> bool:
        """Whether there is a context; pyqtgraph asks."""
        return self._context is not None

    def context(self) -> QtGui.QOpenGLContext | None:
        """The context; pyqtgraph asks."""
        return self._context

    def take_context(self) -> bool:
        """One of its own, for as long as the widget lives."""
        if self._context is None:
            try:
                self._context, self._surface = hidden_context()
            except NoOpenGL as error:
                self.painter.cannot_draw(str(error))
                return False
        elif not self._context.makeCurrent(self._surface):
            return False
        if not self._begun:
            self._begun = True
            self._inverts = self._context.hasExtension(b"GL_MESA_pack_invert")
            self.initializeGL()
        return True

    def adopt(self, context: QtGui.QOpenGLContext, surface: QtGui.QOffscreenSurface) -> None:
        """Draw with this context, which nothing else uses; making another would take 30 ms."""
        self._context, self._surface = context, surface

    def doneCurrent(self) -> None:
        """Release the context."""
        if self._context is not None:
            self._context.doneCurrent()

    def framebuffer(self) -> tuple[int, float]:
        """One in memory."""
        assert self._target is not None
        return self._target.fbo, self._ratio

    def update(self, *where: object) -> None:
        """Draw anew."""
        self._stale = True
        super().update(*where)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Mark the pixels as out of date."""
        self._stale = True
        super().resizeEvent(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint the pixels; draw and fetch them first if there are none yet."""
        with keeping_context():
            self._paint()

    def _paint(self) -> None:
        painter = QtGui.QPainter(self)
        if self._image is None or self._stale or self._screen_ratio != self.devicePixelRatioF():
            if not self.take_context():
                painter.fillRect(self.rect(), QtCore.Qt.GlobalColor.black)
                return
            self._stale = False  # before drawing, during which the next change may already come
            self._image = self._drawn()
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self.rect(), self._image)

    def _drawn(self) -> QtGui.QImage:
        self._screen_ratio = self.devicePixelRatioF()
        self._ratio = self._screen_ratio * self.painter.scale
        width, height = (max(1, round(side * self._ratio)) for side in (self.width(), self.height()))
        if self._target is None or not self._target.fits(width, height, 0):
            if self._target is not None:
                self._target.delete()
            self._target = RenderTarget(width, height)
        self.paintGL()
        # the order and mode of painting in which Qt stretches fastest
        pixels = self._target.read(GL.GL_BGRA, inverts=self._inverts)
        return QtGui.QImage(pixels.data, width, height, 4 * width, QtGui.QImage.Format.Format_RGB32)


class _SceneItem(GLGraphicsItem):  # type: ignore[misc]
    """Our scene as one item of pyqtgraph's widget, so that the order of passes stays ours."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas

    def paint(self) -> None:
        """Draw the scene."""
        self._canvas.painter.draw(*self._canvas.framebuffer())


_software: list[bool] = []  # whether OpenGL is software, once known


def make_canvas(painter: Painter, parent: QtWidgets.QWidget) -> Canvas:
    """The kind of canvas that suits this computer's OpenGL."""
    if _software:
        return (MemoryCanvas if _software[0] else WindowCanvas)(painter, parent)
    try:
        context, surface = hidden_context()
    except NoOpenGL:
        return MemoryCanvas(painter, parent)  # nothing can be drawn; a plain window at least opens
    _software.append(is_software(device_name()))
    context.doneCurrent()
    if not _software[0]:
        surface.destroy()
        return WindowCanvas(painter, parent)
    canvas = MemoryCanvas(painter, parent)
    canvas.adopt(context, surface)
    return canvas
