"""An event filter that keeps Alt by itself from opening the menu bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow


class AltKeyFilter(QObject):
    """Alt is held to turn the view, and with the wheel; its release would otherwise take the keyboard to the menu bar.

    A style can prevent that, too, but a menu bar with a style of its own loses its style sheet.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.menuBar()  # watches the window as well: the newest watcher is asked first
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide presses of Alt from the menu bar."""
        pressed = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt
        return pressed and event.type() == QEvent.Type.ShortcutOverride
