"""A message: a sentence with the main point, one that says more, and buttons named after what they do."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from string import ascii_uppercase

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.popups import ask
from app.panels.widgets.section import WrappedLabel, wrapped_label

LEAVES_IT = ("Cancel", "Later", "Keep writing")
LOSES_SOMETHING = ("Don't save", "Save anyway", "Replace", "Discard", "Close anyway")
WIDTH = 420  # pixels of text
ROLES = QDialogButtonBox.ButtonRole
DETAILS = "Details"
HELD = Qt.KeyboardModifier
ALONE_OR_WITH = (HELD.NoModifier, HELD.AltModifier, HELD.ControlModifier)  # Qt's Ctrl is ⌘ on a Mac


class MessageDialog(QDialog):
    """Asks or tells. buttons: their titles, the first the default; "Cancel" also answers Esc.

    Each button has a letter, underlined where that is usual: pressed alone, or with Alt, Ctrl or ⌘, it answers.

    details: what only helps developers, folded away.
    """

    def __init__(
        self,
        parent: QWidget | None,
        text: str,
        more: str = "",
        buttons: tuple[str, ...] = ("OK",),
        *,
        title: str = "Contrapposto",
        details: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.answer = ""
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 3, SPACE * 3, SPACE * 2)
        column.setSpacing(SPACE)
        self.text, self.more = _label(text, "title"), _label(more, "muted")
        column.addWidget(self.text)
        self.more.setVisible(bool(more))
        column.addWidget(self.more)
        column.addStretch(1)  # where somebody makes it larger, the two sentences stay together
        column.addSpacing(SPACE)
        self.buttons = QDialogButtonBox()
        self.letters = letters_of((*buttons, DETAILS) if details else buttons)
        for name in buttons:
            button = self.buttons.addButton(self._marked(name), _role(name))
            button.clicked.connect(lambda _checked=False, name=name: self._answered(name))
        if details:
            column.addWidget(self._details(details))
        column.addWidget(self.buttons)
        first = next(b for b in self.buttons.buttons() if b.text() == self._marked(buttons[0]))
        assert isinstance(first, QPushButton)
        first.setDefault(True)  # only now is it one of this dialog's

    def ask(self) -> str:
        """Show it and return the title of the button pressed, "" for Esc."""
        ask(self)
        return self.answer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button of a letter; a key held down since before the dialog opened presses none."""
        letter = chr(event.key()) if Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z else ""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = next((name for name, own in self.letters.items() if own == letter), None)
        if pressed is None or held not in ALONE_OR_WITH:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            next(b for b in self.buttons.buttons() if b.text() == self._marked(pressed)).click()

    def _marked(self, name: str) -> str:
        """A title with its letter marked, to be underlined; not on a Mac, where no letter is."""
        if sys.platform == "darwin":
            return name
        at = name.upper().index(self.letters[name]) if name in self.letters else 0
        return f"{name[:at]}&{name[at:]}" if name in self.letters else name

    def _answered(self, name: str) -> None:
        self.answer = name
        self.accept()

    def _details(self, text: str) -> QWidget:
        shown = QPlainTextEdit(text)
        shown.setReadOnly(True)
        shown.setMinimumHeight(160)
        shown.hide()
        toggle = self.buttons.addButton(self._marked(DETAILS), ROLES.HelpRole)
        assert isinstance(toggle, QPushButton)
        toggle.clicked.connect(lambda: shown.setVisible(shown.isHidden()))
        return shown


def letters_of(titles: Sequence[str]) -> dict[str, str]:
    """A capital letter for each title, by title: the first letter of a word if it is free, else any letter of it."""
    letters: dict[str, str] = {}
    for title in titles:
        wished = [word[0] for word in title.split()] + list(title)
        free = (each.upper() for each in wished if each.upper() in ascii_uppercase)
        letter = next((each for each in free if each not in letters.values()), "")
        if letter:
            letters[title] = letter
    return letters


def _role(name: str) -> QDialogButtonBox.ButtonRole:
    if name in LEAVES_IT:
        return ROLES.RejectRole
    return ROLES.DestructiveRole if name in LOSES_SOMETHING else ROLES.AcceptRole


def _label(text: str, role: str) -> WrappedLabel:
    label = wrapped_label(text, role)
    label.setMinimumWidth(WIDTH)
    return label
