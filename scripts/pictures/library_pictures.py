"""The manual's pictures of the library of poses."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest

from app.library import folders
from app.library.control import LibraryControl
from scripts.pictures.manual_studio import LEFT, Picture, Studio

SHIFT = Qt.KeyboardModifier.ShiftModifier


def library(studio: Studio) -> QPixmap:
    """The panel with dance poses, one of them applied to the person beside it."""
    studio.fresh()
    with TemporaryDirectory() as folder, patch.object(folders, "own_folder", lambda: Path(folder)):
        studio.session.select(studio.person.id)
        studio.strike(Qt.Key.Key_P, SHIFT)
        control = studio.editor.pose_browsers.library
        control.panel.choose_folder("Dancing")
        _take(studio, control, "Arabesque")
        studio.session.select(studio.person.id)
        studio.look(target=(0.1, 0.92, 0.0), distance=5.4, yaw=0.75, pitch=0.1)
        studio.until(lambda: all(control.pictures.of(entry) for entry in control.panel.view.shelf.entries))
        studio.rest_pointer()
        panel, view = studio.area(control.panel), studio.area(studio.view)
        picture = studio.screen(QRect(panel.left(), panel.top(), view.right() - 130 - panel.left(), panel.height()))
        control.close()
    return picture


def _take(studio: Studio, control: LibraryControl, name: str) -> None:
    view = control.panel.view
    row = [entry.name for entry in view.shelf.entries].index(name)
    view.setCurrentIndex(view.shelf.index(row))
    studio.settle()
    place = view.visualRect(view.shelf.index(row)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    QTest.mouseDClick(view.viewport(), LEFT, pos=place)
    studio.settle()


LIBRARY_PICTURES: dict[str, Picture] = {"library": library}
