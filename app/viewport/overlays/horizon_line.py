"""The horizon over a photo: a line with three grips; the middle one pitches the camera, the ends roll it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.document.in_photo.horizon import horizon_of, set_horizon
from app.document.model.document import Document
from app.services.session import Session
from app.viewport.overlays.over_photo import OverPhoto
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport

SIZE = 22  # pixels of a grip that take the pointer
INK, SHADE = QColor(255, 214, 102), QColor(0, 0, 0, 120)
TIPS = ("Drag up or down: roll the camera", "Drag up or down: tilt the camera", "Drag up or down: roll the camera")


class HorizonLine(OverPhoto):
    """Drawn over the view while one looks through the photo's camera; the pointer passes through all but the grips."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport)
        self.ends: tuple[QPointF, QPointF] | None = None  # in the view, at the photo's edges
        self.grips = tuple(_Grip(place, session, viewport) for place in (0, 1, 2))
        self.follow()

    def follow(self, *_: object) -> None:
        """Stand where the horizon is, or nowhere."""
        camera, photo = self._viewport.camera, self._session.document.photo
        shown = self._session.view.horizon and self._session.view.through_photo
        heights = horizon_of(photo.camera) if photo is not None and shown and isinstance(camera, PhotoView) else None
        for widget in (self, *self.grips):
            widget.setVisible(heights is not None)
        if heights is None or photo is None or not isinstance(camera, PhotoView):
            self.ends = None
            return
        width, height = self._viewport.width(), self._viewport.height()
        left, top, scale = camera.image_rect(width, height)
        right = left + scale * photo.camera.image_size[0]
        self.ends = QPointF(left, top + scale * heights[0]), QPointF(right, top + scale * heights[1])
        self.setGeometry(self._viewport.rect())
        for grip, share in zip(self.grips, (0.03, 0.5, 0.97), strict=True):
            at = self.ends[0] + (self.ends[1] - self.ends[0]) * share
            x, y = (min(max(v, SIZE), most - SIZE) for v, most in ((at.x(), width), (at.y(), height)))
            grip.setGeometry(round(x - SIZE / 2), round(y - SIZE / 2), SIZE, SIZE)
        self.update()
        for widget in (self, *self.grips):
            widget.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line across the photo."""
        if self.ends is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for color, width in ((SHADE, 3.5), (INK, 1.5)):
            painter.setPen(QPen(color, width))
            painter.drawLine(*self.ends)


class _Grip(QWidget):
    def __init__(self, place: int, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._place, self._session, self._viewport = place, session, viewport
        self._start: tuple[Document, tuple[float, float], float] | None = None  # and where the pointer was, in the view
        self._key: object | None = None
        self.setAccessibleName(("Left end of the horizon", "Horizon", "Right end of the horizon")[place])
        self.setToolTip(TIPS[place])
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        photo = self._session.document.photo
        heights = horizon_of(photo.camera) if photo is not None else None
        if event.button() == Qt.MouseButton.LeftButton and heights is not None:
            self._start = self._session.document, heights, self.mapToParent(event.position()).y()
            self._key = object()
            self.setFocus()  # for Esc
        elif self._start is not None:
            self._cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        camera = self._viewport.camera
        if self._start is None or not isinstance(camera, PhotoView):
            return
        document, (left, right), from_y = self._start
        _, _, scale = camera.image_rect(self._viewport.width(), self._viewport.height())
        by = (self.mapToParent(event.position()).y() - from_y) / scale
        ends = left + by * (self._place != 2), right + by * (self._place != 0)
        self._session.edit("Move horizon", set_horizon(document, *ends), self._key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._start is not None:
            self._session.close_step()
            self._end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._start is not None:
            self._cancel()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(SHADE, 1.5))
        painter.setBrush(INK)
        size = 6.5 if self._place == 1 else 5.0
        painter.drawEllipse(QPointF(SIZE / 2, SIZE / 2), size, size)

    def _cancel(self) -> None:
        if self._key is not None:
            self._session.cancel(self._key)
        self._end()

    def _end(self) -> None:
        self._start = self._key = None
        self._viewport.setFocus()
