"""A transparent picture without its empty rim, by the export dialog."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, export_or_cancel, naming
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.viewport.picture import cropped
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL, SPACE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Space


def export_picture(editor: Editor, file: Path, crop: bool, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Ctrl+E, Picture, the tick or not, Export…, and a file name; the file's pixels."""

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Picture"), LEFT)
        assert dialog.crop.isVisible()
        QTest.keyClick(dialog.transparent, SPACE)
        assert not dialog.crop.isEnabled(), "a background has no empty rim"
        QTest.keyClick(dialog.transparent, SPACE)
        if dialog.crop.isChecked() != crop:
            QTest.keyClick(dialog.crop, SPACE)
        export_or_cancel(dialog)

    naming(monkeypatch, file)
    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)
    return np.asarray(Image.open(file))


def test_the_empty_rim_is_left_out_and_the_rest_is_as_in_the_whole_picture(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = export_picture(editor, tmp_path / "whole.png", False, monkeypatch)
    tight = export_picture(editor, tmp_path / "tight.png", True, monkeypatch)
    assert whole.shape[:2] == (editor.viewport.height(), editor.viewport.width())
    assert tight.shape[0] < 0.95 * whole.shape[0]
    assert tight.shape[1] < 0.5 * whole.shape[1], "somebody upright is narrow"
    rims = (tight[0], tight[-1], tight[:, 0], tight[:, -1])
    assert all((rim[..., 3] > 0).any() for rim in rims)
    assert (tight[..., 3] > 0).sum() == (whole[..., 3] > 0).sum()
    assert np.array_equal(tight, cropped(whole))


def test_a_picture_of_nothing_is_not_cropped() -> None:
    nothing = np.zeros((4, 6, 4), np.uint8)
    assert cropped(nothing) is nothing
