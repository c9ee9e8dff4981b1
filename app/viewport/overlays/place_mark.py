"""A ring on the floor under the pointer, for choosing where somebody is to stand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF

from app.look.theme import current_theme
from app.viewport.overlays.pick_overlay import PickOverlay
from rendering.camera.camera import View
from rendering.view.viewport import Viewport

RADIUS_M, POINTS = 0.35, 48  # of the ring
SAYS = "Click where the person should stand · Shift for several · Esc leaves it"
Pixel = tuple[float, float]


class PlaceMark(PickOverlay):
    """Lies over the view until a place is clicked or Esc is pressed. floor(view, pixel): (3,) metres, the place on the
    floor under a pixel.

    placed(x, z): metres on the floor.
    """

    placed = Signal(float, float)

    def __init__(self, viewport: Viewport, floor: Callable[[View, Pixel], NDArray[np.float64]]) -> None:
        super().__init__(viewport, "Place on the floor")
        self._floor = floor
        self._at: QPointF | None = None
        self.setMouseTracking(True)
        viewport.camera_changed.connect(self.update)

    def start(self) -> None:
        """Wait for a click."""
        super().start()
        here = self.mapFromGlobal(QCursor.pos())
        self._at = QPointF(here) if self.rect().contains(here) else None

    def ring(self, pixel: Pixel) -> np.ndarray:
        """(N, 3) metres, the ring around the place under a pixel."""
        around = np.linspace(0.0, 2.0 * np.pi, POINTS, endpoint=False)
        circle = np.stack([np.cos(around), np.zeros(POINTS), np.sin(around)], axis=1)
        return np.asarray(self._floor(self._viewport.current_view, pixel) + RADIUS_M * circle)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the place; the right button leaves, and other buttons move the view."""
        if event.button() == Qt.MouseButton.LeftButton:
            x, _, z = self._floor(self._viewport.current_view, _pixel(event.position())).tolist()
            if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.stop()
            self.placed.emit(x, z)
        elif event.button() == Qt.MouseButton.RightButton:
            self.stop()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the ring follow the pointer."""
        self._at = event.position()
        self.update()
        if event.buttons():
            event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Leave the end of a move of the view to the view."""
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Show no ring without a pointer."""
        self._at = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ring, and say what a click does."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        if self._at is not None:
            seen = self._viewport.current_view.project(self.ring(_pixel(self._at)))
            if np.isfinite(seen).all():
                ring, accent = QPolygonF([QPointF(float(x), float(y)) for x, y in seen]), QColor(theme.accent)
                painter.setBrush(QColor(accent.red(), accent.green(), accent.blue(), 60))
                for pen in (QPen(QColor(0, 0, 0, 120), 4.0), QPen(accent, 2.0)):
                    painter.setPen(pen)
                    painter.drawPolygon(ring)
                    painter.setBrush(Qt.BrushStyle.NoBrush)
        self.say(painter, SAYS)


def _pixel(place: QPointF) -> Pixel:
    return place.x(), place.y()
