"""The dialog that asks under what name, with which tags and in which folder a pose goes into the library."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.document.library.pose_files import tags_of
from app.document.library.shelf import Entry
from app.look.theme import SPACE
from app.panels.widgets.buttons import NoWheelComboBox
from solver.formats.pose_json.read import LONGEST_NAME

NARROWEST = 260  # logical pixels of a field


class SaveDialog(QDialog):
    """Asks for them. picture: of the pose. folders: those there are. people: how many are in the scene."""

    def __init__(self, parent: QWidget, picture: QPixmap, name: str, folders: Sequence[str], people: int) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save pose to library")
        self.name, self.tags, self.folder = QLineEdit(name), QLineEdit(), NoWheelComboBox()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.selectAll()
        self.tags.setPlaceholderText("separated by commas")
        self.folder.setEditable(True)
        self.folder.addItems(["", *folders])
        if (line := self.folder.lineEdit()) is not None:
            line.setPlaceholderText("none")
        self.folder.setToolTip("A folder of your own: choose one, or type a new name")
        self.together = QCheckBox("Both people together" if people == 2 else f"All {people} people together")
        self.together.setVisible(people > 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.name.textChanged.connect(self._check)
        shown = QLabel()
        shown.setPixmap(picture)
        shown.setAlignment(Qt.AlignmentFlag.AlignTop)
        form = QFormLayout()
        form.setSpacing(SPACE)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for label, field in (("Name", self.name), ("Tags", self.tags), ("Folder", self.folder)):
            field.setMinimumWidth(NARROWEST)
            form.addRow(label, field)
        form.addRow("", self.together)
        form.addRow(self.buttons)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        whole.setSpacing(SPACE * 2)
        whole.addWidget(shown)
        whole.addLayout(form)
        self._check()

    def said(self) -> tuple[str, tuple[str, ...], str, bool]:
        """Name, tags, folder, and whether all people are saved together."""
        folder = "/".join(part.strip() for part in self.folder.currentText().split("/") if part.strip(" ."))
        return self.name.text().strip(), tags_of(self.tags.text()), folder, self.together.isChecked()

    def _check(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(bool(self.name.text().strip()))


class RenameDialog(SaveDialog):
    """Asks the same of a pose that is in the library."""

    def __init__(self, parent: QWidget, picture: QPixmap, entry: Entry, folders: Sequence[str]) -> None:
        super().__init__(parent, picture, entry.name, folders, 0)
        self.setWindowTitle("Rename pose")
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setText("Rename")
        self.tags.setText(", ".join(entry.tags))
        self.folder.setCurrentText(entry.folder)
