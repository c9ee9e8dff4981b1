"""A photo while it is read: over the view at once, with a box and a body as soon as somebody is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.services.background.jobs import Jobs
from app.services.background.photo_import import PhotoImport
from app.viewport.session_view import SessionView

if TYPE_CHECKING:
    from solver.photo.image_file import PhotoImage
    from solver.photo.people import PhotoResult

Box = tuple[float, float, float, float]
AROUND = QColor(24, 29, 35)
LINE, CORNER = QColor(122, 162, 247), 4.0
BODIES = 0.85  # opacity
FINEST = 700  # pixels of the longer side of drawn bodies: with OpenGL in software, the networks need the processor too


class PhotoReading(QWidget):
    """Covers the view until the people of the photo stand there or it is given up; Esc cancels.

    It stays while the user is asked whom to take and while handles are found: the old view would only flash up.
    """

    def __init__(self, pictures: SessionView, jobs: Jobs, photos: PhotoImport) -> None:
        view = pictures.viewport
        super().__init__(view)
        self._view, self._jobs, self._photos, self._pictures = view, jobs, photos, pictures
        self._people: PhotoResult | None = None
        self.bodies: QImage | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)  # of several refinements at once, draws the last
        self._soon.timeout.connect(self._draw_bodies)
        self._photo: QImage | None = None
        self._fitted: QPixmap | None = None
        self.boxes: tuple[Box, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        photos.reading.connect(self.show_photo)
        photos.seen.connect(self.show_people)
        jobs.idle.connect(self._over)
        view.installEventFilter(self)
        self.hide()

    def show_photo(self, image: PhotoImage) -> None:
        """Show a picture with nobody found yet."""
        self._pictures.pixels.give(image.path, image.sha256, image.rgb)
        pixels = np.ascontiguousarray(image.rgb, np.uint8)
        height, width = pixels.shape[:2]
        self._photo = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
        self._fitted = self._people = self.bodies = None
        self.boxes = ()
        self._soon.setInterval(0)
        self.setGeometry(self._view.rect())
        self.show()
        self.raise_()  # above points and lines over the photo that was there before
        for bar in self._view.findChildren(QWidget, "overlay"):
            bar.raise_()  # the progress, and Cancel
        self.setFocus()

    def show_people(self, people: object) -> None:
        """Show the people found so far, a `PhotoResult`: at once their boxes, then their bodies."""
        self._people = people  # type: ignore[assignment]
        self.boxes = tuple(person.box for person in people.people)  # type: ignore[attr-defined]
        if not self._soon.isActive():
            self._soon.start()
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
        if self.bodies is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setOpacity(BODIES)
            painter.drawImage(QRectF(left, top, width, height), self.bodies)
            painter.setOpacity(1.0)
        scale = width / self._photo.width()
        for pen in (QPen(QColor(0, 0, 0, 140), 4.0), QPen(LINE, 2.0)):
            painter.setPen(pen)
            for box in self.boxes:
                low_x, low_y, high_x, high_y = (scale * value for value in box)
                painter.drawRoundedRect(
                    QRectF(left + low_x, top + low_y, high_x - low_x, high_y - low_y), CORNER, CORNER
                )

    def _draw_bodies(self) -> None:
        if self._photo is None or self._people is None or not self.isVisible():
            return
        since = QElapsedTimer()
        since.start()
        width, height = self._photo.width(), self._photo.height()
        share = min(FINEST / max(width, height), 1.0)
        size, people = (round(width * share), round(height * share)), self._photos.document_of(self._people)
        try:
            drawn = np.ascontiguousarray(self._pictures.draw_people(people, self._people.camera, size))
        except RuntimeError:  # without OpenGL there are only boxes
            return
        high, wide = drawn.shape[:2]
        self.bodies = QImage(drawn.data, wide, high, 4 * wide, QImage.Format.Format_RGBA8888).copy()
        self._soon.setInterval(since.elapsed())  # a crowd takes most of a second: half is left to keys and networks
        self.update()

    def _over(self) -> None:
        self._soon.stop()
        self._pictures.pixels.take_back()
        if self.isVisible():
            self.hide()
            self._view.setFocus()
        self._photo = self._fitted = self._people = self.bodies = None
        self.boxes = ()
