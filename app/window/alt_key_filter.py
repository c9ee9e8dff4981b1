"""Event filters for Alt: by itself it does not open the menu bar, and letters typed with AltGr are no shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow

CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


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


class ThirdLevelLetters(QObject):
    """Leaves letters typed with AltGr to text fields: AltGr is Ctrl+Alt on Windows, and AltGr+A is “ą” on a Polish
    keyboard. Where the keys give no letter they are a shortcut, in a text field as well.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim such a letter for the text field that has the focus."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        if event.modifiers() & CTRL_ALT != CTRL_ALT or not event.text().isprintable() or not event.text():
            return False
        focus = QApplication.focusWidget()
        if focus is None or not focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
            return False
        event.accept()
        return True
