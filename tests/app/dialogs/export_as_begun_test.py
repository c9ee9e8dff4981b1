"""A film or a large picture looks from end to end as it began, whatever is done to the window meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, naming
from PIL import Image, ImageSequence
from prop_driver import added
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def typed(box: QAbstractSpinBox, value: int) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, str(value))
    QTest.keyClick(box, Qt.Key.Key_Tab)


def turntable(dialog: ExportDialog) -> None:
    film = dialog.film
    film.file.setFocus()
    QTest.keyClick(film.file, Qt.Key.Key_End)
    assert (film.kind(), film.film().turntable) == ("gif", True)
    for box, value in ((film.seconds, 1), (film.fps, 8), (film.width_px, 160)):
        typed(box, value)


def opaque_picture(dialog: ExportDialog) -> None:
    QTest.keyClick(dialog.transparent, Qt.Key.Key_Space)
    typed(dialog.width_px, 400)


def export(
    editor: Editor, page: str, target: Path, do: Callable[[ExportDialog], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+E, a page of the dialog, what is done there, its button and the file's name, until all is done."""
    naming(monkeypatch, target)

    def answer(dialog: ExportDialog) -> None:
        until(dialog.isActiveWindow)
        QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == page), LEFT)
        do(dialog)
        button("Export…")(dialog)

    with answering(answer, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)


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
    export(editor, "Film", tmp_path / "round.gif", turntable, monkeypatch)
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
    export(editor, "Picture", tmp_path / "calm.png", opaque_picture, monkeypatch)
    disturb(editor)
    export(editor, "Picture", tmp_path / "disturbed.png", opaque_picture, monkeypatch)
    calm, disturbed = (np.asarray(Image.open(tmp_path / f"{name}.png")) for name in ("calm", "disturbed"))
    assert calm.shape[0] * calm.shape[1] > 60_000, "in several strips"
    assert np.array_equal(calm, disturbed)
