"""Asks for a folder."""

from __future__ import annotations

from os.path import expanduser, isdir  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from app.panels.widgets.popups import ask


def choose_folder(window: QWidget, title: str, start: str) -> str:
    """The path of the folder that the user chooses or types, "" if they cancel; the dialog begins in `start`."""
    dialog = QFileDialog(window, title, start)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    if not ask(dialog):
        return ""
    # Qt's own dialog says that the folder above a typed one is chosen, too, and says so first.
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    typed = Path(expanduser(field.text())) if field is not None else Path()
    if typed.is_absolute() and isdir(typed):
        return str(typed)
    return next(iter(dialog.selectedFiles()), "")
