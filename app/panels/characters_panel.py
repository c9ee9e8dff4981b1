"""The people of the scene: who is active, shown, locked; colour and name."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from app.document import edits
from app.document.identity import COLORS
from app.document.state import Character
from app.panels.widgets.buttons import IconButton
from app.services.session import Session
from app.theme import SPACE


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
        if [row.character_id for row in self.rows] != [c.id for c in characters]:
            for old in self.rows:
                old.setParent(None)
                old.deleteLater()
            self.rows = [CharacterRow(c.id, self._session) for c in characters]
            for row in self.rows:
                row.removed.connect(self.remove)
                self._column.addWidget(row)
        for row, character in zip(self.rows, characters, strict=True):
            row.show_character(character, character.id == self._session.view.character)

    def remove(self, id: str) -> None:
        """Take a person out."""
        name = self._session.document.character(id).name
        self._session.edit(f"Delete {name}", edits.remove_character(id))


class CharacterRow(QWidget):
    """A person's row: colour, name (double-click renames), eye, lock and a menu."""

    removed = Signal(str)

    def __init__(self, id: str, session: Session) -> None:
        super().__init__()
        self.character_id, self._session = id, session
        self.setObjectName("row")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(32)
        self.swatch = Swatch()
        self.swatch.clicked.connect(self._choose_color)
        self.name = QLineEdit()
        self.name.setReadOnly(True)
        self.name.setFrame(False)
        self.name.setStyleSheet("QLineEdit[readOnly=true] { background: transparent; border-color: transparent; }")
        self.name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.name.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.name.editingFinished.connect(self._rename)
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
        """Show the character as it is now."""
        if not self.name.isModified() and self.name.text() != character.name:
            self.name.setText(character.name)
            self.name.setCursorPosition(0)
        self.eye.set_icon("eye" if character.visible else "eye_off", "muted" if character.visible else "faint")
        self.lock.set_icon("lock" if character.locked else "unlock", "tolerated" if character.locked else "faint")
        self.swatch.set_color(character.color)
        if self.property("selected") != active:
            self.setProperty("selected", active)
            self.style().unpolish(self)
            self.style().polish(self)

    def start_renaming(self) -> None:
        """Type a new name."""
        self.name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self.name.setReadOnly(False)
        self.name.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.name.setFocus()
        self.name.selectAll()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        self._session.select(self.character_id)
        if event.button() == Qt.MouseButton.RightButton:
            self._menu(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        self.start_renaming()

    def _rename(self) -> None:
        text = self.name.text()
        self.name.setModified(False)
        self.name.setReadOnly(True)
        self.name.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._session.edit("Rename person", edits.rename_character(self.character_id, text))
        self.name.setText(self._session.document.character(self.character_id).name)

    def _toggle_visible(self) -> None:
        shown = self._session.document.character(self.character_id).visible
        self._session.edit("Hide person" if shown else "Show person", edits.set_visible(self.character_id, not shown))

    def _toggle_locked(self) -> None:
        locked = self._session.document.character(self.character_id).locked
        self._session.edit(
            "Unlock person" if locked else "Lock person", edits.set_locked(self.character_id, not locked)
        )

    def _choose_color(self) -> None:
        menu = QMenu(self)
        for color in COLORS:
            action = menu.addAction(color)
            action.setIcon(_disc(color))
            action.triggered.connect(lambda _checked=False, color=color: self._set_color(color))
        menu.addSeparator()
        menu.addAction("Another colour…", self._dialog)
        menu.exec(self.swatch.mapToGlobal(QPoint(0, self.swatch.height())))

    def _dialog(self) -> None:
        color = QColorDialog.getColor(QColor(self.swatch.color), self, "Colour of the person")
        if color.isValid():
            self._set_color(color.name())

    def _set_color(self, color: str) -> None:
        self._session.edit("Change colour", edits.set_color(self.character_id, color))

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction("Rename", self.start_renaming)
        menu.addAction("Duplicate", self.duplicate)
        menu.addAction("Colour…", self._choose_color)
        menu.addSeparator()
        menu.addAction("Delete", lambda: self.removed.emit(self.character_id))
        menu.exec(place)

    def duplicate(self) -> None:
        """A second person with the same body and pose."""
        copy = edits.duplicate_of(self._session.document, self.character_id)
        if self._session.edit(f"Duplicate as {copy.name}", edits.add_character(copy)):
            self._session.select(copy.id)


class Swatch(QToolButton):
    """A round dot in a character's colour."""

    def __init__(self) -> None:
        super().__init__()
        self.color = "#000000"
        self.setFixedSize(QSize(22, 22))
        self.setToolTip("Colour")
        self.setAccessibleName("Colour")

    def set_color(self, color: str) -> None:
        """Show another colour."""
        if color != self.color:
            self.color = color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Called by Qt."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.color))
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
