"""A message: a sentence with the main point, one that says more, and buttons named after what they do."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.popups import ask
from app.panels.widgets.section import WrappedLabel, wrapped_label

LEAVES_IT = ("Cancel", "Later")
LOSES_SOMETHING = ("Don't save", "Save anyway", "Replace", "Discard")
WIDTH = 420  # pixels of text
ROLES = QDialogButtonBox.ButtonRole


class MessageDialog(QDialog):
    """Asks or tells. buttons: their titles, the first the default; "Cancel" also answers Esc.

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
        column.addSpacing(SPACE)
        self.buttons = QDialogButtonBox()
        for name in buttons:
            button = self.buttons.addButton(name, _role(name))
            button.clicked.connect(lambda _checked=False, name=name: self._answered(name))
        if details:
            column.addWidget(self._details(details))
        column.addWidget(self.buttons)
        first = next(b for b in self.buttons.buttons() if b.text() == buttons[0])
        assert isinstance(first, QPushButton)
        first.setDefault(True)  # only now is it one of this dialog's

    def ask(self) -> str:
        """Show it and return the title of the button pressed, "" for Esc."""
        ask(self)
        return self.answer

    def _answered(self, name: str) -> None:
        self.answer = name
        self.accept()

    def _details(self, text: str) -> QWidget:
        shown = QPlainTextEdit(text)
        shown.setReadOnly(True)
        shown.setMinimumHeight(160)
        shown.hide()
        toggle = self.buttons.addButton("Details", ROLES.HelpRole)
        assert isinstance(toggle, QPushButton)
        toggle.clicked.connect(lambda: shown.setVisible(shown.isHidden()))
        return shown


def _role(name: str) -> QDialogButtonBox.ButtonRole:
    if name in LEAVES_IT:
        return ROLES.RejectRole
    return ROLES.DestructiveRole if name in LOSES_SOMETHING else ROLES.AcceptRole


def _label(text: str, role: str) -> WrappedLabel:
    label = wrapped_label(text, role)
    label.setMinimumWidth(WIDTH)
    return label
