"""A number of frames, or a frame's number: click it to type another."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panels.widgets.arithmetic import parse_number, without_thousands
from app.panels.widgets.field_editor import FieldEditor, tell_refused
from app.panels.widgets.value_bar import Bar, paint_bar

MARGIN = 12  # pixels beside the number
LARGEST = 2**31 - 1  # that a signal can carry


class NumberField(QWidget):
    """A whole number. wanted(number): one was typed. closed: typing is over, with the focus on the field, and nothing
    was to get it afterwards."""

    wanted = Signal(int)
    closed = Signal()

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self._number, self._most = 1, 1
        self._editor: FieldEditor | None = None
        self._back: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setAccessibleName(name)
        self.setToolTip(tip)

    def number(self) -> int:
        """The number shown."""
        return self._number

    def set_number(self, number: int) -> None:
        """Show another number."""
        if number != self._number:
            self._number = number
            self.update()

    def set_most(self, number: int) -> None:
        """Have room for numbers up to this one."""
        if len(f"{number:,}") != len(f"{self._most:,}"):
            self._most = number
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the longest number there may be."""
        digits = self.fontMetrics().horizontalAdvance(re.sub(r"\d", "8", f"{self._most:,}"))
        return QSize(max(56, digits + 2 * MARGIN), 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the number as one that can be edited."""
        painter = QPainter(self)
        bar = Bar("", f"{self._number:,}", None, 0.0, True, self.underMouse(), self.hasFocus(), self.isEnabled())
        paint_bar(painter, self.size(), bar)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the user type a number."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.open_editor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type a number at Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_editor()
        else:
            super().keyPressEvent(event)

    def open_editor(self, back: QWidget | None = None) -> None:
        """Let the user type a number: Enter takes it, Esc leaves it. back: what gets the keyboard afterwards, if that
        is where it was asked for."""
        if self._editor is not None or not self.isEnabled():
            return
        self._back = back
        editor = self._editor = FieldEditor(self, str(self._number), self._typed)
        editor.setAlignment(Qt.AlignmentFlag.AlignCenter)
        editor.ended.connect(self._ended)
        editor.open(self.rect())

    def hideEvent(self, event: QHideEvent) -> None:
        """Drop what is being typed."""
        super().hideEvent(event)
        if self._editor is not None:
            self._editor.end(keep=False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that it has the focus."""
        super().focusInEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Drop what is being typed when there is no frame to choose any more."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled() and self._editor is not None:
            self._editor.end(keep=False)

    def _ended(self, _step: int) -> None:
        self._editor = None
        if not self.hasFocus():
            return
        if self._back is not None:
            self._back.setFocus()
        else:
            self.closed.emit()

    def _typed(self, text: str) -> None:
        try:
            number = round(parse_number(without_thousands(text)))
        except ValueError as reason:
            tell_refused(self, reason, f"{self._number:,}")
            return
        self.wanted.emit(max(-LARGEST, min(number, LARGEST)))
