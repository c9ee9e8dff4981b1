"""Where the library's poses lie: those that came with the program, and the user's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from solver.resources import resource_folder


def shipped_folder() -> Path:
    """The poses that came with the program."""
    return resource_folder("assets", "poses")


def own_folder() -> Path:
    """The user's own poses, in the application's data folder; it is made when the first one is saved."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(base) / "poses"
