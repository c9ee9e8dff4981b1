"""A film or a large picture looks from end to end as it began, whatever is done to the window meanwhile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from export_driver import exported, typed
from PIL import Image, ImageSequence
from prop_driver import added
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def turntable(dialog: ExportDialog) -> None:
    film = dialog.film
    film.file.setFocus()
    QTest.keyClick(film.file, Qt.Key.Key_End)
    assert (film.kind(), film.film().turntable) == ("gif", True)
    for box, value in ((film.seconds, 1), (film.fps, 8), (film.width_px, 160)):
        typed(box, value)


def opaque_picture(dialog: ExportDialog) -> None:
    if dialog.transparent.isChecked():  # the next picture is as the last one
        QTest.keyClick(dialog.transparent, Qt.Key.Key_Space)
    typed(dialog.width_px, 400)


def disturb(editor: Editor) -> None:
    """The other theme, and a window half as large, once a part is drawn."""

    def change(_share: float, _text: str) -> None:
        editor.jobs.progressed.disconnect(change)
        editor.settings.set(theme="light")
        editor.window.resize(editor.window.width() // 2, editor.window.height() // 2)

    editor.settings.set(theme="dark")
    editor.jobs.progressed.connect(change)


@pytest.mark.slow
def test_a_film_keeps_the_theme_that_it_began_with(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disturb(editor)
    exported(editor, "Film", tmp_path / "round.gif", monkeypatch, turntable)
    assert editor.settings.values.theme == "light"
    with Image.open(tmp_path / "round.gif") as film:
        corners = [np.asarray(image.convert("L"))[2, 2] for image in ImageSequence.Iterator(film)]
    assert len(corners) == 8
    assert max(corners) < 80, "dark in every image"


@pytest.mark.slow
def test_a_picture_drawn_in_strips_is_the_same_whatever_becomes_of_the_window(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.window.exporting.STRIP", 30_000)
    added(editor, "box")
    exported(editor, "Picture", tmp_path / "calm.png", monkeypatch, opaque_picture)
    disturb(editor)
    exported(editor, "Picture", tmp_path / "disturbed.png", monkeypatch, opaque_picture)
    calm, disturbed = (np.asarray(Image.open(tmp_path / f"{name}.png")) for name in ("calm", "disturbed"))
    assert calm.shape[0] * calm.shape[1] > 60_000, "in several strips"
    assert np.array_equal(calm, disturbed)
