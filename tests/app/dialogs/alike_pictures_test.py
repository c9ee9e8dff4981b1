"""Several pictures for one sheet: each has the size and the background that the last one was given."""

from __future__ import annotations

from pathlib import Path

import pytest
from export_driver import exported, typed
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl


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
