"""The people and the props of the scene: who is active, shown, locked; colour and name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.document.model.document import Character
from app.look.theme import SPACE
from app.panels.character_row import CharacterRow
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.row_reordering import RowReordering
from app.services.session import Session

if TYPE_CHECKING:
    from app.panels.prop_row import PropRow


class CharactersPanel(QWidget):
    """One row for each character, then one for each prop.

    add_asked(): the user wants another person. copy_asked(): a copy of what is selected. prop_asked(place): a prop, to
    be chosen at that place on the screen.
    said(text): what became of somebody who was merged, and of contacts with whoever was taken out.
    """

    add_asked = Signal()
    copy_asked = Signal()
    prop_asked = Signal(QPoint)
    said = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._column, self._below = QVBoxLayout(), QVBoxLayout()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SPACE, 0, SPACE, SPACE)
        for part in (whole, self._column, self._below):
            part.setSpacing(2)
        whole.addLayout(self._column)
        whole.addLayout(self._below)
        self.rows: list[CharacterRow] = []
        self.prop_rows: list[PropRow] = []
        self._order = RowReordering(self, lambda: self.rows)
        self._order.moved.connect(lambda old, place: self._put_person(self.rows[old].character_id, place))
        self._prop_order = RowReordering(self, lambda: self.prop_rows)
        self._prop_order.moved.connect(lambda old, place: self._put_prop(self.prop_rows[old].character_id, place))
        self.add = IconButton("add", "Add a person")
        self.add.clicked.connect(self.add_asked)
        self.add_prop = IconButton("box", "Add a prop")
        self.add_prop.clicked.connect(self._ask_for_prop)

    def refresh(self) -> None:
        """Show the document."""
        characters, view = self._session.document.characters, self._session.view
        if [row.character_id for row in self.rows] != [character.id for character in characters]:
            self._order.cancel()  # rows no longer show the same people as when one was pressed
        _shorten(self.rows, len(characters))
        for character in characters[len(self.rows) :]:
            self._add_row(character)
        for row, character in zip(self.rows, characters, strict=True):
            row.show_character(character, character.id == view.character and not view.prop)
        props = self._session.document.props
        if [row.character_id for row in self.prop_rows] != [prop.id for prop in props]:
            self._prop_order.cancel()
        _shorten(self.prop_rows, len(props))
        for prop in props[len(self.prop_rows) :]:
            self._add_prop_row(prop.id)
        for prop_row, prop in zip(self.prop_rows, props, strict=True):
            prop_row.show_prop(prop, prop.id == view.prop)

    def _add_row(self, character: Character) -> None:
        """Add a row. A row shows whoever is at its place in the list, so that focus and scroll position stay."""
        row = CharacterRow(character.id, self._session)
        row.removed.connect(self.remove)
        row.said.connect(self.said)
        row.copy_asked.connect(self.copy_asked)
        row.moved.connect(self._put_person)
        self._order.watch(row)
        self.rows.append(row)
        self._column.addWidget(row)
        row.show()

    def _add_prop_row(self, id: str) -> None:
        from app.panels.prop_row import PropRow  # only once there is a prop

        row = PropRow(id, self._session)
        row.removed.connect(self.remove_prop)
        row.copy_asked.connect(self.copy_asked)
        row.moved.connect(self._put_prop)
        self._prop_order.watch(row)
        self.prop_rows.append(row)
        self._below.addWidget(row)
        row.show()

    def rename(self) -> None:
        """Start renaming the one whose row has the focus, else the selected prop or the active person."""
        view, rows = self._session.view, (*self.rows, *self.prop_rows)
        meant = [row for row in rows if row.character_id == (view.prop or view.character)]
        for row in [row for row in rows if row.hasFocus()][:1] or meant:
            row.start_renaming()

    def remove(self, id: str) -> None:
        """Take a person out."""
        from app.services.steps.deleting import delete_people  # only once somebody is deleted

        self._tell(delete_people(self._session, [id]))

    def remove_prop(self, id: str) -> None:
        """Take a prop out."""
        from app.services.steps.deleting import delete_props  # only once something is deleted

        self._tell(delete_props(self._session, [id]))

    def _put_person(self, id: str, place: int) -> None:
        from app.document.edits.ordering import put_person_at  # only once the order changes

        self._session.edit("Move in the list of people", put_person_at(id, place))

    def _put_prop(self, id: str, place: int) -> None:
        from app.document.edits.ordering import put_prop_at  # only once the order changes

        self._session.edit("Move in the list of props", put_prop_at(id, place))

    def _tell(self, text: str) -> None:
        if text:
            self.said.emit(text)

    def _ask_for_prop(self) -> None:
        self.prop_asked.emit(self.add_prop.mapToGlobal(QPoint(0, self.add_prop.height())))


def _shorten(rows: list[CharacterRow] | list[PropRow], count: int) -> None:
    while len(rows) > count:
        last = rows.pop()
        last.hide()
        last.deleteLater()
