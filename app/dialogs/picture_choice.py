"""Which picture's people are wanted of a file that has the key points of several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.panels.widgets.external_text import in_title, shortened
from app.panels.widgets.popups import ask
from app.panels.widgets.section import wrapped_label
from solver.estimates.several_pictures import PictureInFile
from solver.sentences import counted

WIDTH, HEIGHT = 460, 420  # logical pixels
FEW = 8  # pictures that are seen at a glance, without anything to find them by


class PictureChoice(QDialog):
    """Lists the pictures of a file. name: of the file."""

    def __init__(self, name: str, pictures: Sequence[PictureInFile], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Pictures of {in_title(name)}")
        what = wrapped_label()
        what.setText(f"This file has the key points of {counted(len(pictures), 'picture')}. Whose people are wanted?")
        self.sought = QLineEdit()
        self.sought.setPlaceholderText("Find a picture by its name")
        self.sought.setVisible(len(pictures) > FEW)
        self.sought.textChanged.connect(self._show_found)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)  # there may be thousands
        self.list.setSpacing(2)
        for picture in pictures:
            people = "1 person" if picture.people == 1 else f"{picture.people} people"
            item = QListWidgetItem(f"{shortened(picture.name.removeprefix('../'))}   {people}")
            item.setData(Qt.ItemDataRole.UserRole, picture.key)
            item.setToolTip(picture.name)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self.accept)
        self.list.currentItemChanged.connect(self._changed)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (what, self.sought, self.list, self.buttons):
            column.addWidget(widget)
        self.resize(WIDTH, HEIGHT)
        self.list.setFocus()

    @property
    def key(self) -> str:
        """What the file calls the chosen picture by; "" for none."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None and not item.isHidden() else ""

    def _show_found(self, text: str) -> None:
        items = [self.list.item(row) for row in range(self.list.count())]
        for item in items:
            item.setHidden(text.casefold() not in item.toolTip().casefold())
        if not self.key:
            self.list.setCurrentRow(next((row for row, item in enumerate(items) if not item.isHidden()), -1))
        self._changed()

    def _changed(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(bool(self.key))


def ask_for_picture(name: str, pictures: Sequence[PictureInFile], window: QWidget) -> str:
    """The key of the picture that the user chooses; "" if they cancel."""
    dialog = PictureChoice(name, pictures, window)
    return dialog.key if ask(dialog) else ""
