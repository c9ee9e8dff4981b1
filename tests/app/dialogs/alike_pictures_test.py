"""Several pictures for one sheet: each has the size and the background that the last one was given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from export_driver import exported, typed
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.model.document import Photo
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.3, 1.8, 5.5]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))


@pytest.mark.slow
def test_the_next_picture_has_the_size_that_was_typed_for_the_last_one_until_the_views_is_chosen(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, shown = (editor.viewport.width(), editor.viewport.height()), list[bool]()

    def first(dialog: ExportDialog) -> None:
        shown.append(dialog.as_view.isVisible())
        QTest.keyClick(dialog.proportions, Qt.Key.Key_Space)
        typed(dialog.width_px, "3cm")
        typed(dialog.height_px, "2cm")
        QTest.keyClick(dialog.transparent, Qt.Key.Key_Space)

    def back(dialog: ExportDialog) -> None:
        shown.append(dialog.as_view.isVisible())
        QTest.mouseClick(dialog.as_view, Qt.MouseButton.LeftButton)

    files = [tmp_path / f"{name}.png" for name in ("first", "alike", "own", "again")]
    for file, do in zip(files, (first, lambda _: None, back, lambda _: None), strict=True):
        exported(editor, "Picture", file, monkeypatch, do)
    pictures = [Image.open(file) for file in files]
    assert [picture.size for picture in pictures] == [(354, 236), (354, 236), own, own]
    assert all(picture.convert("RGBA").getextrema()[3] == (255, 255) for picture in pictures), "with a background"
    assert shown == [False, True]


@pytest.mark.slow
def test_a_picture_through_a_photos_camera_says_nothing_about_those_of_the_scene(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(dialog: ExportDialog) -> None:
        typed(dialog.width_px, 300)
        QTest.keyClick(dialog.transparent, Qt.Key.Key_Space)

    editor.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    for file, through, do in (("photo", True, small), ("scene", False, lambda _: None)):
        editor.session.set_view(through_photo=through)
        editor.refresh()
        exported(editor, "Picture", tmp_path / f"{file}.png", monkeypatch, do)
    picture = Image.open(tmp_path / "scene.png")
    assert picture.size == (editor.viewport.width(), editor.viewport.height())
    assert picture.convert("RGBA").getextrema()[3][0] == 0, "transparent, as pictures first are"
