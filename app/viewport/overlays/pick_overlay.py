"""An overlay that waits for the user to pick a place or a box in the view."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication, QWidget

from app.look.theme import current_theme
from app.services.soon import soon
from rendering.view.viewport import Viewport

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
PART, NO_BREAK = " · ", "\u00a0"
MOVES_VIEW = (QEvent.Type.Wheel, QEvent.Type.MouseButtonRelease)
WRAPPED = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
EDGE, BESIDE, ABOVE = 16, 12, 6  # pixels around the message, and between its edge and the text


class PickOverlay(QWidget):
    """Covers the view, with a cross for a pointer, from `start` on; has the keys meanwhile.

    name: the accessible name. ended(): nothing is waited for any more.
    """

    ended = Signal()

    def __init__(self, viewport: Viewport, name: str) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()
        viewport.installEventFilter(self)

    def start(self) -> None:
        """Begin to wait."""
        self.setGeometry(self._viewport.rect())
        self.show()
        self.raise_()
        self.setFocus()  # for Esc
        self._name_nothing()

    def stop(self) -> None:
        """Stop waiting."""
        if not self.isHidden():
            self.hide()
            self._viewport.setFocus()
            self.ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move nothing meanwhile: the window would say that there are no frames to go through."""
        if event.key() not in ARROWS:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the view's size; keyboard focus given to the view is meant for what lies over it."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._viewport.rect())
        elif event.type() == QEvent.Type.FocusIn and self.isVisible():
            self.setFocus()
        elif event.type() in MOVES_VIEW and self.isVisible():
            soon(self, self._name_nothing)  # after the view has looked below the pointer
        return False

    def _name_nothing(self) -> None:
        """What lies below is not what a click means."""
        if self.isVisible():
            QApplication.sendEvent(self._viewport, QEvent(QEvent.Type.Leave))

    def say(self, painter: QPainter, text: str) -> None:
        """Draw what to do, at the top, in more lines if the view is narrow."""
        theme, ground = current_theme(), self.ground_of(text)
        painter.setPen(QPen(QColor(theme.rule), 1.0))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(ground, 6, 6)
        painter.setPen(QColor(theme.text))
        painter.drawText(ground, WRAPPED, self.in_parts(text))

    def ground_of(self, text: str) -> QRectF:
        """The background of a text at the top."""
        most = QRect(0, 0, self._room, self.height())
        lines = self.fontMetrics().boundingRect(most, WRAPPED, self.in_parts(text))
        width, height = lines.width() + 2 * BESIDE, lines.height() + 2 * ABOVE
        return QRectF((self.width() - width) / 2, EDGE, width, height)

    def in_parts(self, text: str) -> str:
        """A text whose lines end between its parts, which have a dot between them, where a part fits into a line."""
        fits = lambda part: self.fontMetrics().horizontalAdvance(part) < self._room  # noqa: E731
        return PART.join(part.replace(" ", NO_BREAK) if fits(part) else part for part in text.split(PART))

    @property
    def _room(self) -> int:
        """Pixels of a line."""
        return max(self.width() - 2 * EDGE - 2 * BESIDE, 1)
