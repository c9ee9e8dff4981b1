"""The line in which a field's value is typed, laid over the field meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QToolTip, QWidget

from app.services.soon import soon
from solver.sentences import sentence_case

TOLD_MS, MOST_SAID = 5000, 80
SOON_MS = 50  # by then the focus has moved, which makes Qt take a tool tip away
STEPS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}


def _nothing() -> object:
    return None


class FieldEditor(QLineEdit):
    """Closes on Enter, Tab, a press elsewhere and when the focus leaves, which all take what was typed, and on Esc.

    take(text): called with what was typed, if anything was. belongs(): says what the value belongs to: once that has
    changed, what was typed is for something no longer shown, and nothing is taken. While nothing is typed, undo and
    redo are the scene's. ended(step): it has closed; step is 1 or -1 if Tab goes to another field, else 0.
    """

    ended = Signal(int)

    def __init__(
        self, field: QWidget, text: str, take: Callable[[str], None], belongs: Callable[[], object] = _nothing
    ) -> None:
        super().__init__(text, field)
        self._field, self._take, self._belongs = field, take, belongs
        self._was, self._over = belongs(), False

    def open(self, place: QRect) -> None:
        """Show it at a place in the field, in pixels, ready to type; about its middle where that is too low."""
        self.ensurePolished()
        more = max(0, self.minimumSizeHint().height() - place.height())
        self.setGeometry(place.adjusted(0, -(more // 2), 0, more - more // 2))
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def check(self) -> None:
        """Close without taking anything if the value belongs to something else now."""
        if self._belongs() != self._was:
            self.end(keep=False)

    def end(self, keep: bool, step: int = 0) -> None:
        """Close, keeping what was typed or not."""
        if self._over:
            return
        self._over = True
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        keep = keep and self.isModified() and self._belongs() == self._was
        if self.hasFocus():  # else Qt looks for another place for it, anywhere in the window
            self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.deleteLater()
        if keep:
            self._take(self.text())
        self.ended.emit(step)

    def event(self, event: QEvent) -> bool:
        """Handle Tab, and the shortcuts that a line of text would otherwise keep for itself."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._is_for_the_scene(event):
                event.ignore()
                return False
            step = STEPS.get(Qt.Key(event.key()), 0)
            if event.type() == QEvent.Type.KeyPress and step:
                self.end(keep=True, step=step)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Enter and Esc. No key goes on to the field below, where Enter would start typing again."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.end(keep=True)
        elif event.key() == Qt.Key.Key_Escape:
            self.end(keep=False)
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close and keep what was typed, unless the focus went to its own context menu."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own context menu
            self.end(keep=self._field.isEnabled() and self._field.isVisible())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Watch every event while it is open: a press elsewhere, even where nothing takes the focus, closes it.

        So does a shortcut, before it does its work, so that what is saved or exported has the number typed.
        """
        if QApplication.activePopupWidget() is not None:
            return False  # its own context menu
        pressed = event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QWidget) and watched is not self
        if pressed or event.type() == QEvent.Type.Shortcut:
            self.end(keep=True)
        return False

    def _is_for_the_scene(self, event: QKeyEvent) -> bool:
        undo, redo = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
        return (event.matches(undo) and not self.isUndoAvailable()) or (
            event.matches(redo) and not self.isRedoAvailable()
        )


def tell_refused(field: QWidget, reason: ValueError, stays: str) -> None:
    """Say below a field why what was typed was not taken, and what its value remains."""
    said = str(reason) if len(str(reason)) <= MOST_SAID else "that is not a number"
    tell_below(field, f"{sentence_case(said)}. It stays {stays}.")


def tell_below(field: QWidget, text: str) -> None:
    """Say below a field, with a sound, that it does not have the value typed."""
    QApplication.beep()

    def show() -> None:
        if field.isVisible():
            QToolTip.showText(field.mapToGlobal(QPoint(0, field.height() - 12)), text, field, QRect(), TOLD_MS)
            _let_clicks_through()

    soon(field, show, SOON_MS)


def _let_clicks_through() -> None:
    """A tip covers the next fields. A double-click on one would only close the tip, and what is typed then would be
    taken for the window's keys."""
    for tip in QApplication.topLevelWidgets():
        handle = tip.windowHandle()
        if tip.inherits("QTipLabel") and handle is not None:
            handle.setFlag(Qt.WindowType.WindowTransparentForInput)
