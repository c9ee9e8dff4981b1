"""Alt by itself is no key of the menu bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow


class LoneAlt(QObject):
    """Alt is held to turn the view and with its wheel: let go of, it would take the keyboard into the menu bar.

    A style can say so, too, but a menu bar with a style of its own loses its style sheet.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.menuBar()  # watches the window as well: the newest watcher is asked first
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep from the menu bar that Alt is pressed."""
        pressed = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt
        return pressed and event.type() == QEvent.Type.ShortcutOverride
