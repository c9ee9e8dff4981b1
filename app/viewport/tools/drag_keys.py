"""The keyboard while something is dragged: numbers and Return, which are otherwise keys of commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.viewport.tools.typed_number import typed

KEEP = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Keys of commands otherwise, and the drag's for now: C switches whether the contacts of whole people hold on, K whether
# these move at one frame or at all, S brings what is dragged onto the surface under the pointer, even where a prop was
# selected a moment ago, which S would scale.
DRAGS_OWN = (Qt.Key.Key_C, Qt.Key.Key_K, Qt.Key.Key_S)
EVENTS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)


class DragKeys(QObject):
    """Gets the view's keys first if `dragged`: number(text) is called for each text of a number, keep() on Return.

    part_before: what the drag kept to until a number had it keep to an axis, which goes again with the number; else "".
    """

    def __init__(
        self, view: QWidget, dragged: Callable[[], bool], number: Callable[[str], object], keep: Callable[[], object]
    ) -> None:
        super().__init__(view)
        self._dragged, self._number, self._keep = dragged, number, keep
        self.text = self.part_before = ""
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a number's keys, even from commands that otherwise have them."""
        if event.type() not in EVENTS or not isinstance(event, QKeyEvent) or not self._dragged():
            return False
        if event.key() in DRAGS_OWN and not event.modifiers():
            event.accept()
            return event.type() == QEvent.Type.ShortcutOverride
        keeps = event.key() in KEEP and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        text = None if keeps else typed(self.text, event)
        if not keeps and text is None:
            return False
        event.accept()
        if event.type() == QEvent.Type.ShortcutOverride:
            return True
        if text is None:
            self._keep()
        else:
            self.text = text
            self._number(text)
        return True
