"""Ends drags whose release went elsewhere: to a dialog that opened meanwhile, or to a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget


class DragEndGuard(QObject):
    """Watches a widget with drags. end: called when no release will come; does nothing if nothing is dragged."""

    def __init__(self, widget: QWidget, end: Callable[[], None]) -> None:
        super().__init__(widget)
        self._end = end
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End a drag when a dialog opens, or when the pointer moves with no button held."""
        lost = event.type() == QEvent.Type.WindowBlocked
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            lost = event.buttons() == Qt.MouseButton.NoButton
        if lost:
            self._end()
        return False
