"""Dragging rows of a list up and down."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from app.panels.widgets.drag_end_guard import DragEndGuard

LINE = 2  # logical pixels
BESIDE = 60  # logical pixels by which the pointer may leave the list; farther away nothing is moved


class RowReordering(QObject):
    """A row is pressed and dragged; a line shows where it will go. moved(old, place): a row was dragged from one place
    to another, both from 0.

    rows: those of the list, from the top. A row dragged far off to a side stays where it is; Esc ends the drag.
    """

    moved = Signal(int, int)

    def __init__(self, panel: QWidget, rows: Callable[[], Sequence[QWidget]]) -> None:
        super().__init__(panel)
        self._panel, self._rows = panel, rows
        self._pressed: tuple[QWidget, QPoint] | None = None
        self._gap: int | None = None
        self._line: QFrame | None = None

    def watch(self, row: QWidget) -> None:
        """Let a row be dragged."""
        row.installEventFilter(self)
        DragEndGuard(row, self.cancel)

    def cancel(self) -> None:
        """End a drag; every row stays where it is."""
        self._pressed = self._gap = None
        if self._line is not None:
            self._line.hide()
            self._line.deleteLater()
            self._line = None
            application = QApplication.instance()
            if application is not None:
                application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer from the press on a row; the press itself selects as usual. A drag takes Esc first."""
        if isinstance(event, QKeyEvent):
            return self._line is not None and event.key() == Qt.Key.Key_Escape and self._give_up(event)
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            self.cancel()
            row = next((each for each in self._rows() if each is watched), None)
            if row is not None and event.button() == Qt.MouseButton.LeftButton and not event.modifiers():
                self._pressed = row, event.globalPosition().toPoint()
            return False
        if self._pressed is None or watched is not self._pressed[0]:
            return False
        if event.type() == QEvent.Type.MouseMove:
            return self._drag(event.globalPosition().toPoint())
        if event.type() == QEvent.Type.MouseButtonRelease:
            return self._drop()
        return False

    def _give_up(self, event: QKeyEvent) -> bool:
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self.cancel()
        return True

    def _drag(self, place: QPoint) -> bool:
        assert self._pressed is not None
        far = (place - self._pressed[1]).manhattanLength() >= QApplication.startDragDistance()
        if self._line is None and not far:
            return False
        rows, at = self._rows(), self._panel.mapFromGlobal(place)
        within = -BESIDE <= at.x() <= self._panel.width() + BESIDE
        self._gap = sum(row.geometry().center().y() < at.y() for row in rows) if within else None
        if self._line is None:
            self._line = self._begun()
        if self._gap is not None:
            edge = (
                rows[self._gap].geometry().top() if self._gap < len(rows) else rows[-1].geometry().bottom() + LINE + 1
            )
            left, width = rows[0].geometry().left(), rows[0].width()
            self._line.setGeometry(left, edge - LINE, width, LINE)
            self._line.raise_()
        self._line.setVisible(self._gap is not None)
        return True

    def _begun(self) -> QFrame:
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)  # for Esc, as rows do not have the focus
        line = QFrame(self._panel)
        line.setObjectName("insertion")
        line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return line

    def _drop(self) -> bool:
        assert self._pressed is not None
        row, gap, dragged = self._pressed[0], self._gap, self._line is not None
        old = next((place for place, each in enumerate(self._rows()) if each is row), None)
        self.cancel()
        if gap is not None and old is not None and gap not in (old, old + 1):
            self.moved.emit(old, gap if gap < old else gap - 1)
        return dragged
