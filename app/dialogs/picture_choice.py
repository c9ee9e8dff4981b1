"""Which of several pictures is wanted: of a file that has the key points of several, or of a folder being labelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from app.panels.widgets.external_text import in_title, shortened
from app.panels.widgets.popups import ask
from app.panels.widgets.section import wrapped_label
from solver.estimates.several_pictures import PictureInFile
from solver.sentences import counted

WIDTH, HEIGHT = 460, 420  # logical pixels
FEW = 8  # pictures that are seen at a glance, without anything to find them by


class ListedPicture(NamedTuple):
    """key: by which the choice is known. text: in the list. name: whole, as its tip has it, by which it is found."""

    key: str
    text: str
    name: str


class PictureChoice(QDialog):
    """Lists pictures, with a field to find one by its name if they are many.

    title, question: of the dialog. by: what the field finds one by, in words. current: the place of the one chosen at
    first. typing: whether the field is there for a few as well, and has the keyboard.
    """

    def __init__(
        self,
        title: str,
        question: str,
        pictures: Sequence[ListedPicture],
        parent: QWidget | None = None,
        *,
        by: str = "its name",
        current: int = 0,
        typing: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        what = wrapped_label()
        what.setText(question)
        self.sought = QLineEdit()
        self.sought.setPlaceholderText(f"Find a picture by {by}")
        self.sought.setVisible(typing or len(pictures) > FEW)
        self.sought.textChanged.connect(self._show_found)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)  # there may be thousands
        self.list.setSpacing(2)
        for picture in pictures:
            item = QListWidgetItem(picture.text)
            item.setData(Qt.ItemDataRole.UserRole, picture.key)
            item.setToolTip(picture.name)
            self.list.addItem(item)
        self.list.setCurrentRow(current)
        self.list.itemActivated.connect(self.accept)
        self.list.currentItemChanged.connect(self._changed)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (what, self.sought, self.list, self.buttons):
            column.addWidget(widget)
        self.resize(WIDTH, HEIGHT)
        (self.sought if typing else self.list).setFocus()

    @property
    def key(self) -> str:
        """The key of the chosen picture; "" for none."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None and not item.isHidden() else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down, which the field has no use for, go to the list."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.list.setFocus()
            QApplication.sendEvent(self.list, event)
        else:
            super().keyPressEvent(event)

    def _show_found(self, text: str) -> None:
        items = [self.list.item(row) for row in range(self.list.count())]
        for item in items:
            item.setHidden(text.casefold() not in item.toolTip().casefold())
        found = [row for row, item in enumerate(items) if not item.isHidden()]
        meant = [row for row in found if items[row].data(Qt.ItemDataRole.UserRole) == text.strip()]
        if meant or not self.key:
            self.list.setCurrentRow((*meant, *found, -1)[0])
        self._changed()

    def _changed(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(bool(self.key))


def ask_for_picture(name: str, pictures: Sequence[PictureInFile], window: QWidget) -> str:
    """The key of the picture of a file whose people the user wants; "" if they cancel. name: of the file."""
    question = f"This file has the key points of {counted(len(pictures), 'picture')}. Whose people are wanted?"
    listed = [ListedPicture(one.key, f"{_short(one.name)}   {_people(one.people)}", one.name) for one in pictures]
    dialog = PictureChoice(f"Pictures of {in_title(name)}", question, listed, window)
    return dialog.key if ask(dialog) else ""


def ask_where_to_go(pictures: Sequence[ListedPicture], current: int, window: QWidget) -> str:
    """The key of the picture of a folder to go to; "" if the user cancels. current: the place of the open one."""
    question = "Which picture is to be opened? The one that is open is kept as it is."
    by = "its number or its name"
    dialog = PictureChoice("Go to a picture", question, pictures, window, by=by, current=current, typing=True)
    return dialog.key if ask(dialog) else ""


def _short(name: str) -> str:
    return shortened(name.removeprefix("../"))


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"
