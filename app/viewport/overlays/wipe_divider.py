"""The divider over a photo, to drag left and right: the photo alone is on its left, the bodies are on its right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.panels.widgets.drag_end_guard import DragEndGuard
from app.services.session import Session
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport

WIDTH = 22  # pixels that take the pointer
GRIP = 34
LEAST = 0.01  # of the photo's width: further left it would be out of reach, and there would be no wipe


class WipeDivider(QWidget):
    """A child of the view that stands at the wipe in the view through the photo's camera."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._before: float | None = None  # the wipe when a drag of it began
        self._off = 0.0
        self.setAccessibleName("Wipe over the photo")
        self.setToolTip("Drag: the photo alone on the left, with the bodies on the right")
        self.setCursor(Qt.CursorShape.SplitHCursor)
        session.changed.connect(self._follow)
        viewport.camera_changed.connect(self._follow)
        viewport.installEventFilter(self)
        DragEndGuard(self, self._end)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the view's size."""
        if event.type() == QEvent.Type.Resize:
            self._follow()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._before, self._off = self._session.view.wipe, event.position().x() - WIDTH / 2
            self.setFocus()  # for Esc
        elif self._before is not None:
            self._put_back()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        camera = self._viewport.camera
        if self._before is None or not isinstance(camera, PhotoView):
            return
        width, height = self._viewport.width(), self._viewport.height()
        left, right = (camera.across(end, width, height) for end in (0.0, 1.0))
        at = self.mapToParent(event.position()).x() - self._off
        at = min(max(at, 4.0), width - 4.0)  # within reach, however far the photo is magnified
        self._session.set_view(wipe=min(max((at - left) / (right - left), LEAST), 1.0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels a drag."""
        if event.key() == Qt.Key.Key_Escape and self._before is not None:
            self._put_back()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line over the photo from top to bottom, with a grip in the middle of the visible part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, middle = WIDTH / 2, self.height() / 2
        for color, width in ((QColor(0, 0, 0, 110), 4.0), (QColor(255, 255, 255, 230), 1.6)):
            painter.setPen(QPen(color, width))
            painter.drawLine(int(x), 0, int(x), self.height())
        painter.setPen(QPen(QColor(0, 0, 0, 130), 1.0))
        painter.setBrush(QColor(255, 255, 255, 235))
        painter.drawRoundedRect(QRectF(x - 5, middle - GRIP / 2, 10, GRIP), 5, 5)

    def _put_back(self) -> None:
        if self._before is not None:
            self._session.set_view(wipe=self._before)
            self._end()

    def _end(self) -> None:
        if self._before is not None:
            self._before = None
            self._viewport.setFocus()

    def _follow(self, *_: object) -> None:
        view, camera = self._session.view, self._viewport.camera
        if not (view.through_photo and view.wipe > 0.0 and isinstance(camera, PhotoView)):
            self._before = None
            self.hide()
            return
        width, height = self._viewport.width(), self._viewport.height()
        x = camera.across(view.wipe, width, height)
        top, scale = camera.image_rect(width, height)[1:]
        bottom = min(top + scale * camera.lens.image_size[1], height)
        top = max(top, 0.0)
        self.setGeometry(round(x - WIDTH / 2), round(top), WIDTH, max(round(bottom) - round(top), GRIP))
        if self.isHidden():
            self.show()
            self.raise_()
