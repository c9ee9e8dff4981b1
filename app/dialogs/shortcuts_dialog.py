"""The page of mouse and keys: on the left what to do, on the right what happens; it scrolls and can be searched."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.look.theme import SPACE
from app.panels.widgets.section import wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea

WANTED = QSize(920, 720)  # logical pixels
SHARES = 5, 8  # of the width, for what to do and for what it does; longer text wraps
FRAME = 64  # pixels of the screen that stay free for a window's frame
SCROLLS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
NOTHING = "No key or mouse action has these words. “/” in the view searches all commands."


class ShortcutsDialog(QDialog):
    """sections: (title, rows of what to do and what it does). more: a sentence below them."""

    def __init__(self, parent: QWidget, sections: Iterable[tuple[str, Iterable[tuple[str, str]]]], more: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Mouse and keys")
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search mouse and keys")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self._sections = [_Section(title, rows) for title, rows in sections]
        self.nothing = wrapped_label(NOTHING)
        self.nothing.hide()
        self.page = _page([*self._sections, self.nothing])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 3, SPACE * 3, SPACE * 2)
        column.setSpacing(SPACE * 2)
        for widget in (self.field, self.page, wrapped_label(more), buttons):
            column.addWidget(widget)
        screen = parent.screen() or QApplication.primaryScreen()
        self.resize(WANTED.boundedTo(screen.availableSize() - QSize(FRAME, FRAME)))
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the keys that scroll do so while the field has the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in SCROLLS:
            QApplication.sendEvent(self.page.verticalScrollBar(), event)
            return True
        return super().eventFilter(watched, event)

    def shown(self) -> list[str]:
        """The texts on the left of the page now, from top to bottom."""
        return [what for section in self._sections for what in section.shown()]

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        for section in self._sections:
            section.narrow(words)
        self.nothing.setHidden(bool(self.shown()))
        self.page.verticalScrollBar().setValue(0)


class _Section(QWidget):
    """A title, and rows below it."""

    def __init__(self, title: str, rows: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self._title = title.lower()
        table = QGridLayout(self)
        table.setContentsMargins(0, 0, SPACE, SPACE * 2)
        table.setHorizontalSpacing(SPACE * 3)
        table.setVerticalSpacing(SPACE - 2)
        for column, share in enumerate(SHARES):
            table.setColumnStretch(column, share)
        table.addWidget(wrapped_label(title), 0, 0, 1, 2)
        self._rows = [(wrapped_label(what, "title"), wrapped_label(does, "")) for what, does in rows]
        for number, labels in enumerate(self._rows, 1):
            for column, label in enumerate(labels):
                table.addWidget(label, number, column, Qt.AlignmentFlag.AlignTop)

    def narrow(self, words: list[str]) -> None:
        """Show the rows that have all these words, in lower case; the section's title counts for each."""
        for row in self._rows:
            said = " ".join((self._title, *(label.text().lower() for label in row)))
            for label in row:
                label.setVisible(all(word in said for word in words))
        self.setVisible(bool(self.shown()))

    def shown(self) -> list[str]:
        """The texts on the left of the visible rows."""
        return [what.text() for what, _does in self._rows if not what.isHidden()]


def _page(widgets: Iterable[QWidget]) -> VerticalScrollArea:
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return VerticalScrollArea(content)
