"""Which file of the user's own character an export goes onto."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from app.look.theme import SPACE
from app.panels.widgets.external_text import escaped
from app.panels.widgets.section import wrapped_label

CHARACTERS = "Characters (*.glb *.gltf *.vrm *.bvh)"


class OwnCharacterField(QWidget):
    """A file's name with a button that asks for another one. chosen: it is another one now."""

    chosen = Signal()

    def __init__(self, path: Path | None, folder: str) -> None:
        """path: the file that is proposed. folder: where the search for one begins, if none is."""
        super().__init__()
        self._folder = folder
        self.path: Path | None = None
        self.name = wrapped_label()
        self.choose = QPushButton("Choose…")
        self.choose.setAutoDefault(False)  # Return exports
        self.choose.clicked.connect(self._ask)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.name, 1)
        row.addWidget(self.choose)
        self._take(path)

    def _ask(self) -> None:
        start = str(self.path or self._folder)
        path, _ = QFileDialog.getOpenFileName(self, "Your character", start, CHARACTERS)
        if path:
            self._take(Path(path))
            self.chosen.emit()

    def _take(self, path: Path | None) -> None:
        self.path = path
        self.name.setText(escaped(path.name) if path else "No file yet")
        self.name.setToolTip(escaped(str(path)) if path else "")
