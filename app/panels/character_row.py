"""A person in the list of people."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHideEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QMenu, QToolButton, QWidget

from app.document import edits
from app.document.model.document import Character
from app.document.model.identity import COLOR_NAMES, COLORS
from app.document.model.prop import Prop
from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.elided import ElidedText
from app.panels.widgets.external_text import escaped, shortened
from app.panels.widgets.field_editor import FieldEditor
from app.panels.widgets.popups import add_entry, show_menu
from app.services.session import Session
from app.services.view_state import selecting_up_to, toggling_person


class CharacterRow(QWidget):
    """A person's row: colour, name (double-click renames), eye, lock and a menu.

    removed(id): the user wants it gone. moved(id, place): the user wants it at that place in its list.
    said(text): what became of somebody who was merged with it. copy_asked(): it is selected, and is to be copied.
    """

    removed = Signal(str)
    said = Signal(str)
    copy_asked = Signal()
    moved = Signal(str, int)

    def __init__(self, id: str, session: Session) -> None:
        super().__init__()
        self.character_id, self._session = id, session
        self.setObjectName("row")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(32)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.swatch = Swatch()
        self.swatch.clicked.connect(self._choose_color)
        self.name = ElidedText()
        self.name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.editor: FieldEditor | None = None
        self.eye = IconButton("eye", "Show or hide")
        self.eye.clicked.connect(self._toggle_visible)
        self.lock = IconButton("unlock", "Lock against selection in the view")
        self.lock.clicked.connect(self._toggle_locked)
        self.more = IconButton("more", "More")
        self.more.clicked.connect(lambda: self._menu(self.more.mapToGlobal(QPoint(0, self.more.height()))))
        line = QHBoxLayout(self)
        line.setContentsMargins(SPACE, 0, 2, 0)
        line.setSpacing(2)
        line.addWidget(self.swatch)
        line.addWidget(self.name, 1)
        for button in (self.eye, self.lock, self.more):
            line.addWidget(button)

    def show_character(self, character: Character, active: bool) -> None:
        """Show a character as it is now."""
        self.show_thing(character, active, character.id in self._session.view.others)

    def show_thing(self, character: Character | Prop, active: bool, also: bool) -> None:
        """Show the person or thing of the row. also: whether it is selected beside the active one."""
        if character.id != self.character_id:
            self.character_id = character.id
            self._stop_renaming()
        self.name.set_text(character.name)
        self.setToolTip(shortened(character.name))
        self.eye.set_icon("eye" if character.visible else "eye_off", "muted" if character.visible else "faint")
        self.lock.set_icon("lock" if character.locked else "unlock", "tolerated" if character.locked else "faint")
        self.swatch.set_color(character.color)
        if (self.property("selected"), self.property("also")) != (active, also):
            self.setProperty("selected", active)
            self.setProperty("also", also)
            self.style().unpolish(self)
            self.style().polish(self)

    def start_renaming(self) -> None:
        """Let the user type a new name."""
        if self.editor is None:
            self.editor = FieldEditor(self, self.name.text(), self._rename, self._belongs)
            self.editor.ended.connect(self._renaming_ended)
            self._session.changed.connect(self.editor.check)
            margin = SPACE // 2
            self.editor.open(self.name.geometry().adjusted(-margin, margin // 2, margin, -margin // 2))

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop renaming when hidden."""
        super().hideEvent(event)
        self._stop_renaming()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the person; with Ctrl or Shift, in addition to others. The right button opens the menu."""
        held, right = event.modifiers(), event.button() == Qt.MouseButton.RightButton
        if not right and held & Qt.KeyboardModifier.ControlModifier:
            self._session.set_view(**toggling_person(self._session.view, self.character_id))
        elif not right and held & Qt.KeyboardModifier.ShiftModifier:
            self._session.set_view(**selecting_up_to(self._session.view, self._session.document, self.character_id))
        elif not right or self.character_id not in self._session.view.others:
            self._session.select(self.character_id)
        if right:
            self._menu(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the person with Space or Enter, rename it with F2."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._session.select(self.character_id)
        elif event.key() == Qt.Key.Key_F2:
            self.start_renaming()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu on the menu key; the mouse opens it on the press."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self._menu(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Start renaming."""
        self.start_renaming()

    def _rename(self, text: str) -> None:
        self._session.edit("Rename person", edits.rename_character(self.character_id, text))

    def _belongs(self) -> object:
        return self.character_id, self._session.history.revision, self._session.view.character

    def _stop_renaming(self) -> None:
        if self.editor is not None:
            self.editor.end(keep=False)

    def _renaming_ended(self) -> None:
        self.editor = None

    def _toggle_visible(self) -> None:
        shown = self._session.document.character(self.character_id).visible
        self._session.edit("Hide person" if shown else "Show person", edits.set_visible(self.character_id, not shown))

    def _toggle_locked(self) -> None:
        locked = self._session.document.character(self.character_id).locked
        self._session.edit(
            "Unlock person" if locked else "Lock person", edits.set_locked(self.character_id, not locked)
        )

    def _choose_color(self) -> None:
        show_menu(self, self.swatch.mapToGlobal(QPoint(0, self.swatch.height())), self._fill_colors)

    def _fill_colors(self, menu: QMenu) -> None:
        for color, name in zip(COLORS, COLOR_NAMES, strict=True):
            action = menu.addAction(name)
            action.setIcon(_disc(color))
            action.triggered.connect(lambda _checked=False, color=color: self._set_color(color))
        menu.addSeparator()
        menu.addAction("Another colour…", self._dialog)

    def _dialog(self) -> None:
        color = QColorDialog.getColor(QColor(self.swatch.color), self, "Colour of the person")
        if color.isValid():
            self._set_color(color.name())

    def _set_color(self, color: str) -> None:
        self._session.edit("Change colour", edits.set_color(self.character_id, color))

    def _menu(self, place: QPoint) -> None:
        show_menu(self, place, self._fill)

    def _fill(self, menu: QMenu) -> None:
        menu.addAction("Rename", self.start_renaming)
        menu.addAction("Duplicate", self.duplicate)
        menu.addAction("Colour…", self._choose_color)
        others = [character for character in self._session.document.characters if character.id != self.character_id]
        if others:
            merge = menu.addMenu("Merge with")
            for other in others:
                action = merge.addAction(escaped(shortened(other.name)))
                action.triggered.connect(lambda _checked=False, id=other.id: self.merge(id))
        self._fill_places(menu, [character.id for character in self._session.document.characters])
        menu.addSeparator()
        menu.addAction("Delete", lambda: self.removed.emit(self.character_id))

    def _fill_places(self, menu: QMenu, ids: list[str]) -> None:
        """Offer the places before and after its own. ids: those of the whole list."""
        if len(ids) < 2:
            return
        place = ids.index(self.character_id)
        menu.addSeparator()
        for title, step in (("Move up", -1), ("Move down", 1)):
            move, possible = partial(self.moved.emit, self.character_id, place + step), 0 <= place + step < len(ids)
            add_entry(menu, title, move, "" if possible else f"it is the {'first' if step < 0 else 'last'} one")

    def duplicate(self) -> None:
        """Ask for a second person with the same body and pose."""
        self._session.select(self.character_id)
        self.copy_asked.emit()

    def merge(self, other: str) -> None:
        """Merge this person, who stays, with another who is the same."""
        from app.services.steps.deleting import merge_people  # only once somebody is merged

        if said := merge_people(self._session, self.character_id, other):
            self.said.emit(said)


class Swatch(QToolButton):
    """A round dot in a character's colour; a square one in a prop's."""

    def __init__(self) -> None:
        super().__init__()
        self.color, self.square = "#000000", False
        self.setFixedSize(QSize(22, 22))
        self.setToolTip("Colour")
        self.setAccessibleName("Colour")

    def set_color(self, color: str) -> None:
        """Show another colour."""
        if color != self.color:
            self.color = color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a disc, or a square, in the colour."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.color))
        if self.square:
            painter.drawRoundedRect(self.rect().adjusted(5, 5, -5, -5), 2, 2)
        else:
            painter.drawEllipse(self.rect().adjusted(5, 5, -5, -5))
        painter.end()


def _disc(color: str) -> QIcon:
    image = QPixmap(16, 16)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawEllipse(2, 2, 12, 12)
    painter.end()
    return QIcon(image)
