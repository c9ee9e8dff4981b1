"""A photo while it is read: over the view at once, with a box around everybody as soon as they are found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.services.jobs import Jobs

Box = tuple[float, float, float, float]
AROUND = QColor(24, 29, 35)
LINE, CORNER = QColor(122, 162, 247), 4.0


class PhotoReading(QWidget):
    """Covers the view until the job that reads the photo is over or cancelled; Esc cancels."""

    def __init__(self, view: QWidget, jobs: Jobs) -> None:
        super().__init__(view)
        self._view, self._jobs = view, jobs
        self._photo: QImage | None = None
        self._fitted: QPixmap | None = None
        self.boxes: tuple[Box, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        jobs.finished.connect(self._over)
        view.installEventFilter(self)
        self.hide()

    def show_photo(self, picture: object) -> None:
        """Show a picture, (H, W, 3) uint8, with nobody found yet."""
        pixels = np.ascontiguousarray(picture, np.uint8)
        height, width = pixels.shape[:2]
        self._photo = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
        self._fitted, self.boxes = None, ()
        self.setGeometry(self._view.rect())
        self.show()
        for bar in self._view.findChildren(QWidget, "overlay"):
            bar.raise_()  # what is done, and Cancel
        self.setFocus()

    def show_boxes(self, boxes: Sequence[Box]) -> None:
        """Show who is found by now: left, top, right, bottom in pixels of the picture."""
        self.boxes = tuple(boxes)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the view's size."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
            self._fitted = None
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels the reading."""
        if event.key() == Qt.Key.Key_Escape:
            self._jobs.cancel()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture as large as it fits, and the boxes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), AROUND)
        if self._photo is None:
            return
        ratio = self.devicePixelRatioF()
        if self._fitted is None:
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._fitted = QPixmap.fromImage(self._photo.scaled(self.size() * ratio, keep, smooth))
            self._fitted.setDevicePixelRatio(ratio)
        width, height = self._fitted.width() / ratio, self._fitted.height() / ratio
        left, top = (self.width() - width) / 2, (self.height() - height) / 2
        painter.drawPixmap(QRectF(left, top, width, height), self._fitted, QRectF(self._fitted.rect()))
        scale = width / self._photo.width()
        for pen in (QPen(QColor(0, 0, 0, 140), 4.0), QPen(LINE, 2.0)):
            painter.setPen(pen)
            for box in self.boxes:
                low_x, low_y, high_x, high_y = (scale * value for value in box)
                painter.drawRoundedRect(
                    QRectF(left + low_x, top + low_y, high_x - low_x, high_y - low_y), CORNER, CORNER
                )

    def _over(self) -> None:
        if self.isVisible():
            self.hide()
            self._view.setFocus()
        self._photo = self._fitted = None
        self.boxes = ()
