"""Exporting a scene without people, by mouse and keys: the dialog says at once what cannot be, the rest is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, export_or_cancel
from PIL import Image
from prop_driver import added
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import settled, strike, until

from app.dialogs.export_dialog import NOBODY, NOTHING, ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def deserted(editor: Editor) -> Editor:
    """The window after Ctrl+Del: nobody is left."""
    strike(editor, Qt.Key.Key_Delete, CTRL)
    settled(editor.session)
    assert not editor.session.document.characters
    return editor


def press(dialog: ExportDialog, title: str) -> None:
    QTest.mouseClick(
        next(b for b in dialog.format.findChildren(QPushButton) if b.text() == title), Qt.MouseButton.LeftButton
    )


def said_of_each(editor: Editor) -> dict[str, str]:
    """What every page of the dialog says instead of letting one export; "" of those that can be exported."""
    said: dict[str, str] = {}

    def read(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        for title in ("BVH", "Pose JSON", "SMPL", "Mesh", "Picture", "Film"):
            press(dialog, title)
            said[title] = "" if dialog.export.isEnabled() else dialog.hint.text()
            if title == "Mesh" and dialog.props.isVisible():
                QTest.mouseClick(dialog.props, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.props.height() // 2))
                said["Mesh without props"] = "" if dialog.export.isEnabled() else dialog.hint.text()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    with answering(read, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CTRL)
    return said


def test_in_an_empty_scene_every_page_says_that_there_is_nothing_yet(deserted: Editor) -> None:
    said = said_of_each(deserted)
    assert {said[title] for title in ("BVH", "Pose JSON", "SMPL")} == {NOBODY}
    assert {said[title] for title in ("Mesh", "Picture", "Film")} == {NOTHING}


def test_props_alone_can_be_meshes_pictures_and_films_but_not_motions(deserted: Editor) -> None:
    added(deserted)
    said = said_of_each(deserted)
    assert {said[title] for title in ("BVH", "Pose JSON", "SMPL")} == {NOBODY}
    assert {said[title] for title in ("Mesh", "Picture", "Film")} == {""}
    assert said["Mesh without props"] == NOBODY


@pytest.mark.parametrize("page", ["Picture", pytest.param("Film", marks=pytest.mark.slow)])
def test_a_picture_or_a_film_of_a_prop_alone_shows_it(
    deserted: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    added(deserted)
    target = tmp_path / ("box.png" if page == "Picture" else "box.gif")
    monkeypatch.setattr("app.window.files.QFileDialog.getSaveFileName", lambda *_: (str(target), ""))

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        press(dialog, page)
        if page == "Film":
            dialog.film.file.setCurrentIndex(dialog.film.file.findData("gif"))
            dialog.film.width_px.setValue(64)
        export_or_cancel(dialog)

    with answering(answer, kind=ExportDialog):
        strike(deserted, Qt.Key.Key_E, CTRL)
    until(lambda: not deserted.jobs.busy and target.exists())
    pixels = np.asarray(Image.open(target).convert("RGBA"), dtype=np.int64)
    assert np.ptp(pixels.reshape(-1, 4), axis=0).max() > 60, "not one colour"


@pytest.mark.sweep("bvh")
@pytest.mark.parametrize("last", ["bvh", "own", "npz"])
def test_the_dialog_opens_where_something_can_be_exported(deserted: Editor, last: str) -> None:
    editor = deserted
    editor.settings.set(export_format=last)
    opened: list[tuple[str, bool]] = []

    def read(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        opened.append((dialog.format.current(), dialog.export.isEnabled()))
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    def look() -> None:
        with answering(read, kind=ExportDialog):
            strike(editor, Qt.Key.Key_E, CTRL)

    look()
    added(editor)
    look()
    assert opened == [(last, False), ("mesh", True)], "in an empty scene as it was"
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    look()
    assert opened[2][0] == last, "what was used last is remembered"
