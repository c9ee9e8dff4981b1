"""A box drawn over the photo with a rubber band, round somebody who was not found."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent

from app.services.session import Session
from app.viewport.overlays.box_mark import draw_band
from app.viewport.overlays.pick_overlay import PickOverlay
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport

CLICK = 5.0  # pixels of the view: anything no larger was a click
SHADE = QColor(10, 12, 16, 110)
SAYS = "Draw a box round the whole person · Esc leaves it"


class PhotoBox(PickOverlay):
    """Lies over the view, with a cross for a pointer, until a box is drawn, Esc is pressed or the photo is left.

    drawn(left, top, right, bottom): pixels of the photo, beyond which the box may extend.
    """

    drawn = Signal(float, float, float, float)

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport, "Box round somebody")
        self._session = session
        self._from: QPointF | None = None  # where the band begins, in the view
        self._to = QPointF()
        session.changed.connect(self._follow)
        viewport.camera_changed.connect(self._follow)

    def start(self) -> None:
        """Wait for a box."""
        self._from = None
        super().start()

    def stop(self) -> None:
        """Stop waiting for one."""
        self._from = None
        super().stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a band; another button cancels it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = event.position()
            self.setFocus()
        elif self._from is not None:
            self._from = None
        elif event.button() == Qt.MouseButton.RightButton:
            self.stop()
        else:
            event.ignore()  # moves the view
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Stretch the band."""
        if self._from is None:
            event.ignore()
            return
        self._to = event.position()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the box; a mere click makes none."""
        if event.button() != Qt.MouseButton.LeftButton or self._from is None:
            event.ignore()
            return
        band, camera = QRectF(self._from, event.position()).normalized(), self._viewport.camera
        self._from = None
        self.update()
        if min(band.width(), band.height()) <= CLICK or not isinstance(camera, PhotoView):
            return
        left, top, scale = camera.image_rect(self._viewport.width(), self._viewport.height())
        self.stop()
        self.drawn.emit(
            (band.left() - left) / scale, (band.top() - top) / scale,
            (band.right() - left) / scale, (band.bottom() - top) / scale,
        )  # fmt: skip

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels the band, and a second one leaves."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._from is not None:
            self._from = None
            self.update()
        else:
            self.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken everything but the box a little, and say what to do until there is one."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        around = QPainterPath()
        around.addRect(QRectF(self.rect()))
        if self._from is None:
            painter.fillPath(around, QColor(SHADE.red(), SHADE.green(), SHADE.blue(), SHADE.alpha() // 3))
            self.say(painter, SAYS)
            return
        band = QRectF(self._from, self._to).normalized()
        around.addRect(band)
        painter.fillPath(around, SHADE)
        draw_band(painter, band)

    def _follow(self, *_: object) -> None:
        """Stop when the photo's camera is left, and stay on top of whatever else lies over the photo."""
        if self.isHidden():
            return
        view = self._session.view
        if not view.through_photo or self._session.document.photo is None:
            self.stop()
        else:
            self.raise_()
            self.update()
