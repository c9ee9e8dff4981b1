"""A slider and a number in one bar: drag to change, double-click to type, right-click to reset."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QSizePolicy, QWidget

from app.panels.widgets.arithmetic import parse_number
from app.theme import current_theme

DRAG_STARTS = 3  # pixels


class ValueSlider(QWidget):
    """One number between `low` and `high`.

    edited(value): at every change by the user. finished(): the scrub or the typing is over. cancelled(): Esc during a
    scrub. set_value changes it silently. compact: no label and a lower bar, for rows of a list.
    """

    edited = Signal(float)
    finished = Signal()
    cancelled = Signal()

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        *,
        default: float = 0.0,
        decimals: int = 2,
        suffix: str = "",
        units: Mapping[str, float] | None = None,
        bounded: bool = True,
        compact: bool = False,
        span: float | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.label, self.low, self.high, self.default = label, low, high, default
        self.decimals, self.suffix, self.units = decimals, suffix, units
        self._bounded, self._compact, self._span = bounded, compact, span or high - low
        self._value = default
        self._start: tuple[float, float, float] | None = None  # x, value then, scrubbed so far
        self._scrubbing = False
        self._editor: QLineEdit | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName(label)
        self.setToolTip(f"{label}: drag to change, Shift for fine steps; double-click to type; right-click to reset")

    def value(self) -> float:
        """The number as it is now."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show another number without telling anyone."""
        if value != self._value:
            self._value = value
            self.update()

    def text(self) -> str:
        """The number as shown."""
        return f"{self._value:z.{self.decimals}f}{self.suffix}".replace("-", "−")

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(72, 22) if self._compact else QSize(200, 26)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(56, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Called by Qt."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        outline = QPainterPath()
        outline.addRoundedRect(box, 5, 5)
        painter.fillPath(outline, QColor(theme.field if self.isEnabled() else theme.panel))
        if self._bounded:
            painter.save()
            painter.setClipPath(outline)
            origin = self._x(0.0 if self.low < 0 < self.high else self.low)
            here = self._x(self._value)
            lively = self.isEnabled() and (self.underMouse() or self._scrubbing)
            painter.fillRect(
                QRectF(min(origin, here), 0, max(abs(here - origin), 1.5), self.height()),
                QColor(theme.accent_soft if self.isEnabled() else theme.raised),
            )
            if lively or self._value != self.default:
                painter.fillRect(QRectF(here - 1, 0, 2, self.height()), QColor(theme.accent if lively else theme.muted))
            painter.restore()
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.rule), 1))
        painter.drawPath(outline)
        self._paint_text(painter)
        painter.end()

    def _paint_text(self, painter: QPainter) -> None:
        theme = current_theme()
        inner = QRectF(self.rect()).adjusted(8, 0, -8, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._compact:
            painter.setPen(QColor(theme.text if self.isEnabled() else theme.faint))
            painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignHCenter), self.text())
            return
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.faint))
        painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignLeft), self.label)
        painter.setPen(QColor(theme.faint if not self.isEnabled() or self._value == self.default else theme.text))
        painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignRight), self.text())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = (event.position().x(), self._value, 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if self._start is None:
            return
        x, value, moved = self._start
        step = event.position().x() - x
        if not self._scrubbing and abs(step) < DRAG_STARTS:
            return
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self._scrubbing:
            self._before = self._value
        self._scrubbing = True
        moved += step * (0.1 if fine else 1.0)
        self._start = (event.position().x(), value, moved)
        wanted = value + moved / max(self.width(), 1) * self._span
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            tenth = self._span / 20
            wanted = round(wanted / tenth) * tenth
        self._change(wanted)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        scrubbed, self._scrubbing, self._start = self._scrubbing, False, None
        self.update()
        if scrubbed:
            self.finished.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        self.open_editor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        key, step = event.key(), self._span / (200 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 40)
        if key == Qt.Key.Key_Escape and self._scrubbing:
            self._scrubbing, self._start = False, None
            self.set_value(self._before)
            self.cancelled.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.commit(self._value + (step if key == Qt.Key.Key_Right else -step))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_editor()
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.commit(self.default)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Called by Qt."""
        menu = QMenu(self)
        menu.addAction(f"Reset to {self.default:.{self.decimals}f}{self.suffix}", lambda: self.commit(self.default))
        menu.addAction("Type a value…", self.open_editor)
        menu.addSeparator()
        menu.addAction("Copy", lambda: QApplication.clipboard().setText(self.text()))
        menu.addAction("Paste", lambda: self._typed(QApplication.clipboard().text()))
        menu.exec(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusInEvent(event)
        self.update()

    def commit(self, value: float) -> None:
        """Set the number as if the user had: one change, at once finished."""
        if self._change(value):
            self.finished.emit()

    def open_editor(self) -> None:
        """Type the number."""
        editor = self._editor = QLineEdit(f"{self._value:z.{self.decimals}f}", self)
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setGeometry(self.rect())
        editor.setToolTip("Arithmetic and units are understood: 5cm + 2, 90deg / 4")
        editor.selectAll()
        editor.show()
        editor.setFocus()
        editor.editingFinished.connect(self._close_editor)

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            text = editor.text()
            editor.deleteLater()
            self._typed(text)

    def _typed(self, text: str) -> None:
        bare = text.replace("°", "").strip() if self.suffix == "°" else text.removesuffix(self.suffix.strip())
        try:
            value = parse_number(bare, self.units, self.suffix.strip())
        except ValueError:
            QApplication.beep()  # the old number stays
            return
        self.commit(value)

    def _change(self, value: float) -> bool:
        if self._bounded:
            value = min(max(value, self.low), self.high)
        value = round(value, self.decimals + 1)
        if value == self._value:
            return False
        self.set_value(value)
        self.edited.emit(value)
        return True

    def _x(self, value: float) -> float:
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low) * self.width()


def dot(painter: QPainter, centre: QPointF, radius: float, color: str) -> None:
    """A filled disc."""
    painter.setBrush(QColor(color))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(centre, radius, radius)
