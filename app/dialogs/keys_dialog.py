"""The page about mouse and keys: on the left what to do, on the right what happens."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.section import note


class KeysDialog(QDialog):
    """rows: (what to do, what it does). more: a sentence below them."""

    def __init__(self, parent: QWidget, rows: Iterable[tuple[str, str]], more: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Mouse and keys")
        table = QGridLayout()
        table.setHorizontalSpacing(SPACE * 3)
        table.setVerticalSpacing(SPACE - 2)
        for number, (what, does) in enumerate(rows):
            key = QLabel(what)
            key.setProperty("role", "title")
            table.addWidget(key, number, 0)
            table.addWidget(QLabel(does), number, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 3, SPACE * 3, SPACE * 2)
        column.setSpacing(SPACE * 2)
        column.addLayout(table)
        column.addWidget(note(more))
        column.addWidget(buttons)
