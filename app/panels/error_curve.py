"""How far off a pose is with one, two, three ... recovered effectors: a curve whose points can be clicked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme

HEIGHT, MARGIN, HEAD, FOOT = 96, 12.0, 22.0, 8.0
RADIUS = 3.0
KEYS = (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class ErrorCurve(QWidget):
    """chosen(n): the user wants the first n effectors, chosen by a click, the arrow keys, Home or End."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._errors: tuple[float, ...] = ()
        self._taken = self._under = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Error by number of effectors")
        self.setToolTip("Mean joint error by number of recovered effectors. Click a point to take that many.")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """As high as a few rows."""
        return QSize(200, HEIGHT)

    def show_errors(self, errors_m: Sequence[float], taken: int) -> None:
        """Show errors, metres, with 1, 2, ... effectors. taken: how many of them are taken; 0 if others are."""
        self._errors, self._taken = tuple(errors_m), taken
        self.update()

    @property
    def text(self) -> str:
        """The text above the curve."""
        count = self._under or self._taken
        if not count:
            return "Click to take as many as you want"
        return f"{count} effector{'' if count == 1 else 's'}: {1e3 * self._errors[count - 1]:.1f} mm off"

    def point_of(self, count: int) -> QPointF:
        """Where the point for so many effectors is drawn."""
        span = max(len(self._errors) - 1, 1)
        x = MARGIN + (self.width() - 2 * MARGIN) * (count - 1) / span
        share = self._errors[count - 1] / max(*self._errors, 1e-6)
        return QPointF(x, self.height() - FOOT - RADIUS - (self.height() - HEAD - FOOT - 2 * RADIUS) * share)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background, the curve, its points, and in words what is pointed at."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.rule), 1))
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setPen(QColor(theme.text if self._under or self._taken else theme.faint))
        line = QRectF(MARGIN - 2, 3, self.width() - 2 * MARGIN, HEAD - 4)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), self.text)
        points = [self.point_of(count) for count in range(1, len(self._errors) + 1)]
        painter.setPen(QPen(QColor(theme.muted), 1.5))
        painter.drawPolyline(QPolygonF(points))
        for count, point in enumerate(points, 1):
            on, under = count <= self._taken, count in (self._under, self._taken)
            painter.setPen(QPen(QColor(theme.accent if on or under else theme.muted), 1.5))
            painter.setBrush(QColor(theme.accent if on else theme.field))
            painter.drawEllipse(point, RADIUS + 1.5 * under, RADIUS + 1.5 * under)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the nearest point means."""
        self._point(self._nearest(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        """Go back to saying what is taken."""
        self._point(0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take as many as the nearest point means."""
        if self._errors and event.button() is Qt.MouseButton.LeftButton:
            self._choose(self._nearest(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take one more or one fewer by the arrow keys, all by End, one by Home."""
        last, taken = len(self._errors), self._taken
        steps = dict(zip(KEYS, (taken + 1, taken + 1, taken - 1, taken - 1, 1, last), strict=True))
        wanted = steps.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        elif 1 <= wanted <= last:
            self._choose(wanted)

    def event(self, event: QEvent) -> bool:
        """Let its own keys come before shortcuts."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and event.key() in KEYS:
            event.accept()
            return True
        return super().event(event)

    def _choose(self, count: int) -> None:
        self._taken = count  # at once, as the next key may come before the panels are refreshed
        self.update()
        self.chosen.emit(count)

    def _nearest(self, x: float) -> int:
        counts = range(1, len(self._errors) + 1)
        return min(counts, key=lambda count: abs(self.point_of(count).x() - x), default=0)

    def _point(self, count: int) -> None:
        if count != self._under:
            self._under = count
            self.update()
