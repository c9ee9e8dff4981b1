"""The people of the scene: who is active, shown, locked; colour and name."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document import edits
from app.document.model.document import Character
from app.look.theme import SPACE
from app.panels.character_row import CharacterRow
from app.panels.widgets.buttons import IconButton
from app.services.session import Session


class CharactersPanel(QWidget):
    """One row for each character. add_asked(): the user wants another person."""

    add_asked = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE, 0, SPACE, SPACE)
        self._column.setSpacing(2)
        self.rows: list[CharacterRow] = []
        self.add = IconButton("add", "Add a person")
        self.add.clicked.connect(self.add_asked)

    def refresh(self) -> None:
        """Show the document."""
        characters = self._session.document.characters
        while len(self.rows) > len(characters):
            last = self.rows.pop()
            last.hide()
            last.deleteLater()
        for character in characters[len(self.rows) :]:
            self._add_row(character)
        for row, character in zip(self.rows, characters, strict=True):
            row.show_character(character, character.id == self._session.view.character)

    def _add_row(self, character: Character) -> None:
        """One more row. A row shows whoever stands at its place: focus and scroll stay where they are."""
        row = CharacterRow(character.id, self._session)
        row.removed.connect(self.remove)
        self.rows.append(row)
        self._column.addWidget(row)
        row.show()

    def remove(self, id: str) -> None:
        """Take a person out."""
        name = self._session.document.character(id).name
        self._session.edit(f"Delete {name}", edits.remove_character(id))
