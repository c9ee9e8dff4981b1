"""The folders of the library: the one that came with the program, and the user's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths

from app.document.library.shelf import Shelf, shelf_of
from solver.resources import resource_folder

CLASSES = (  # of the poses that came with the program, in the order in which people look for them
    "Standing", "Gesturing", "Walking", "Running", "Jumping", "Sitting on a chair", "Sitting on a box",
    "Sitting on the floor", "Kneeling", "Crouching", "Crawling", "Lying", "Tumbling", "Climbing", "Fighting", "Dancing",
    "Working", "Two people",
)  # fmt: skip


def shipped_folder() -> Path:
    """The poses that came with the program."""
    return resource_folder("assets", "poses")


def own_folder() -> Path:
    """The user's own poses, in the application's data folder; it is made when the first one is saved."""
    base = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(base) / "poses"


def in_library(path: Path) -> bool:
    """Whether a file is one of the library's, in either folder."""
    file = path.resolve()
    return any(file.is_relative_to(folder.resolve()) for folder in (own_folder(), shipped_folder()))


def whole_shelf() -> Shelf:
    """What both folders hold now: the user's own poses first, then the others by class."""
    own, shipped = shelf_of(own_folder(), own=True), shelf_of(shipped_folder())
    order = {name: number for number, name in enumerate(CLASSES)}
    in_order = sorted(shipped.entries, key=lambda entry: order.get(entry.folder, len(order)))
    return Shelf((*own.entries, *in_order), own.trouble or shipped.trouble)
