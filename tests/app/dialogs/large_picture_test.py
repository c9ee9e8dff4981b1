"""A large picture is drawn and written while the window goes on, says how far it is, and can be given up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, export_or_cancel
from PIL import Image
from prop_driver import added
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.viewport.picture import png_bytes
from app.window.editor import Editor

pytestmark = pytest.mark.gl

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def export_picture(editor: Editor, file: Path, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+E, Picture, a width, Export…, and a file name."""

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Picture"), LEFT)
        QTest.keyClick(dialog.transparent, Qt.Key.Key_Space)
        dialog.width_px.setValue(width)
        export_or_cancel(dialog)

    monkeypatch.setattr("app.window.files.QFileDialog.getSaveFileName", lambda *_: (str(file), ""))
    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)


@pytest.mark.slow
def test_a_large_picture_says_how_far_it_is_and_is_seamless(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.window.exporting.STRIP", 60_000)
    monkeypatch.setattr("app.viewport.picture.LARGE", 60_000)
    added(editor, "box")
    told: list[tuple[float, str]] = []
    editor.jobs.progressed.connect(lambda share, text: told.append((share, text)))
    export_picture(editor, tmp_path / "view.png", 400, monkeypatch)
    until(lambda: not editor.jobs.busy)
    picture = np.asarray(Image.open(tmp_path / "view.png")).astype(int)
    assert picture.shape[0] * picture.shape[1] > 120_000, "in several strips"
    view = editor.session_view
    whole = view.pen((picture.shape[1], picture.shape[0]), False)(view.still(), view.camera()).astype(int)
    assert np.abs(picture - whole).max() <= 2, "the background's grain lies elsewhere; all else is the same"
    shares = [share for share, _ in told]
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert told[0][1] == "Drawing view.png"
    assert editor.window.status.notice.text().startswith("Wrote view.png")


@pytest.mark.slow
def test_a_large_picture_can_be_given_up_while_it_is_drawn(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_picture(editor, tmp_path / "view.png", 8000, monkeypatch)
    until(editor.job_bar.isVisible)
    QTest.mouseClick(editor.job_bar.cancel, LEFT)
    until(lambda: not editor.jobs.busy)
    assert list(tmp_path.glob("*.png")) == []


def test_compressing_tells_how_far_it_is_and_stops_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.viewport.picture.LARGE", 100_000)
    pixels = np.random.default_rng(0).integers(0, 255, (400, 400, 4)).astype(np.uint8)
    shares: list[float] = []
    data = png_bytes(pixels, shares.append)
    assert data == png_bytes(pixels)
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert 0.95 < shares[-1] <= 1.0

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        png_bytes(pixels, stop)
