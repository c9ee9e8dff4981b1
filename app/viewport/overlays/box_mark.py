"""The box in the photo that is being read, for as long as that takes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.look.theme import current_theme
from rendering.camera.camera import PhotoCamera, PhotoView
from rendering.view.viewport import Viewport

Box = tuple[float, ...]  # left, top, right, bottom
RIM = (QColor(0, 0, 0, 140), 4.0)


def draw_band(painter: QPainter, band: QRectF) -> None:
    """A box round somebody, on a rim that shows on any photo."""
    for pen in (QPen(*RIM), QPen(QColor(current_theme().accent), 2.0)):
        painter.setPen(pen)
        painter.drawRect(band)


class BoxMark(QWidget):
    """Lies over the view and lets the pointer through; stays on its place in the photo however one looks at it."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._box: Box = ()
        self._lens: PhotoCamera | None = None  # of the photo that it is in
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("The box that is being read")
        self.hide()
        viewport.camera_changed.connect(lambda _camera: self.update())
        viewport.installEventFilter(self)

    def show_at(self, box: Box) -> None:
        """Show a box, in pixels of the photo that is looked through."""
        camera = self._viewport.camera
        self._box, self._lens = box, camera.lens if isinstance(camera, PhotoView) else None
        self.setGeometry(self._viewport.rect())
        self.show()
        self.raise_()

    def band(self) -> QRectF | None:
        """Where the box is in the view; None if the view is not through that photo."""
        camera = self._viewport.camera
        if not isinstance(camera, PhotoView) or camera.lens != self._lens or not self._box:
            return None
        left, top, scale = camera.image_rect(self._viewport.width(), self._viewport.height())
        x0, y0, x1, y1 = self._box
        return QRectF(left + scale * x0, top + scale * y0, scale * (x1 - x0), scale * (y1 - y0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the view's size."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._viewport.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box."""
        if (band := self.band()) is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_band(painter, band)
