"""A prop in the list of people and props."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QColorDialog, QMenu

from app.document import edits
from app.document.model.prop import Prop
from app.panels.character_row import CharacterRow
from app.services.session import Session
from app.services.view_state import selected_props, toggling_prop


class PropRow(CharacterRow):
    """A prop's row: like a person's, with a square of its colour."""

    def __init__(self, id: str, session: Session) -> None:
        super().__init__(id, session)
        self.swatch.square = True

    def show_prop(self, prop: Prop, selected: bool) -> None:
        """Show a prop as it is now."""
        self.show_thing(prop, selected, prop.id in self._session.view.props)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the prop; with Ctrl or Shift, in addition to what is selected. The right button opens the menu."""
        right, view = event.button() == Qt.MouseButton.RightButton, self._session.view
        if not right and event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            self._session.set_view(**toggling_prop(view, self.character_id))
        elif not right or self.character_id not in view.props:
            self._session.set_view(prop=self.character_id)
        if event.button() == Qt.MouseButton.RightButton:
            self._menu(event.globalPosition().toPoint())

    def duplicate(self) -> None:
        """Ask for a copy of the prop."""
        self._session.set_view(prop=self.character_id)
        self.copy_asked.emit()

    def _rename(self, text: str) -> None:
        self._session.edit("Rename prop", edits.rename_prop(self.character_id, text))

    def _belongs(self) -> object:
        return self.character_id, self._session.history.revision, self._session.view.prop

    def _toggle_visible(self) -> None:
        shown = self._session.document.prop(self.character_id).visible
        self._session.edit("Hide prop" if shown else "Show prop", edits.set_prop_visible(self.character_id, not shown))

    def _toggle_locked(self) -> None:
        locked = self._session.document.prop(self.character_id).locked
        edit = edits.set_prop_locked(self.character_id, not locked)
        self._session.edit("Unlock prop" if locked else "Lock prop", edit)

    def _dialog(self) -> None:
        color = QColorDialog.getColor(QColor(self.swatch.color), self, "Colour of the prop")
        if color.isValid():
            self._set_color(color.name())

    def _set_color(self, color: str) -> None:
        """Give the prop its colour, and further selected ones the same if it is selected."""
        selected = [prop.id for prop in selected_props(self._session.document, self._session.view)]
        ids = selected if self.character_id in selected else [self.character_id]
        self._session.edit("Change colour", edits.chain(*(edits.set_prop_color(id, color) for id in ids)))

    def _fill(self, menu: QMenu) -> None:
        menu.addAction("Rename", self.start_renaming)
        menu.addAction("Duplicate", self.duplicate)
        menu.addAction("Colour…", self._choose_color)
        self._fill_places(menu, [prop.id for prop in self._session.document.props])
        menu.addSeparator()
        menu.addAction("Delete", lambda: self.removed.emit(self.character_id))
