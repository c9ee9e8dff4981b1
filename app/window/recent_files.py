"""Opening one of the recent files, which may be gone by now."""

from __future__ import annotations

from collections.abc import Callable
from os.path import exists, isdir
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.services.settings import SettingsStore

GONE = (
    "{} is no longer there. It was moved, renamed or deleted. Open it from where it is now; it is no longer among the "
    "recent files."
)
NO_FOLDER = (
    "{} cannot be found, nor can its folder. Connect its disk or network drive and try again, or open the file from "
    "where it is now."
)


def open_recent(path: Path, open_path: Callable[[Path], None], settings: SettingsStore, window: QWidget) -> None:
    """Open one of the recent files. One that is gone leaves the list, unless its whole folder is gone, too."""
    if exists(path):
        open_path(path)
        return
    folder_is_there = isdir(path.parent)
    messages.refuse(window, (GONE if folder_is_there else NO_FOLDER).format(path))
    if folder_is_there:
        settings.forget_recent(path)
