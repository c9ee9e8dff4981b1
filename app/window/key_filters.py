"""Event filters for keys: Alt by itself does not open the menu bar, letters typed with AltGr are no shortcuts, and a
key that is held is known to be."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
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


class HeldKeyRepeats(QObject):
    """Lets the repeats of a held key count as such under X11, where they come as a release and a press.

    Qt calls them repeats if the press has come by the time it reads the release, which depends on how busy the window
    is. But both have the same time, by the X server's clock; a key that is struck twice has not. Widgets get the press
    as a repeat; commands that are done once, however long their key is held, are not done again.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._released = (0, 0)  # the last key that was let go of, as its code on the keyboard, and when
        self._again = False  # whether the key that is pressed now repeats
        window.installEventFilter(self)

    def add(self, action: QAction) -> None:
        """Do a command once for a held key, unless it goes on while its key is held."""
        action.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Watch the keys of the system's window, which is another one whenever Qt makes it anew."""
        kind = event.type()
        if kind == QEvent.Type.Shortcut:
            return self._again and isinstance(watched, QAction) and not watched.autoRepeat()
        if watched is self._window:
            handle = self._window.windowHandle() if kind == QEvent.Type.WinIdChange else None
            if handle is not None:
                handle.installEventFilter(self)
        elif isinstance(event, QKeyEvent):
            return self._is_sent_as_repeat(watched, event)
        return False

    def _is_sent_as_repeat(self, watched: QObject, event: QKeyEvent) -> bool:
        kind, stroke = event.type(), (event.nativeScanCode(), event.timestamp())
        if kind == QEvent.Type.KeyRelease:
            self._released = stroke
        elif kind == QEvent.Type.ShortcutOverride:  # comes first of a press; without a code it comes from no keyboard
            self._again = bool(stroke[0]) and stroke == self._released
        elif self._again and not event.isAutoRepeat():
            QCoreApplication.sendEvent(watched, _as_repeat(event))
            return True
        return False


def _as_repeat(event: QKeyEvent) -> QKeyEvent:
    codes = event.nativeScanCode(), event.nativeVirtualKey(), event.nativeModifiers()
    repeat = QKeyEvent(event.type(), event.key(), event.modifiers(), *codes, event.text(), True, event.count())
    repeat.setTimestamp(event.timestamp())
    return repeat
