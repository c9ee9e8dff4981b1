"""Ctrl+Q while a film is being written says so first; who closes all the same leaves no file behind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from dialog_driver import answering, button, key, naming
from export_driver import typed
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_driver import strike, until

from app.dialogs.export_dialog import ExportDialog
from app.dialogs.message_dialog import MessageDialog
from app.window.editor import Editor

pytestmark = pytest.mark.gl

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def long_film(dialog: ExportDialog, seconds: str = "60") -> None:
    """Once round the people in a minute, in small images: it takes longer than any test."""
    until(dialog.isActiveWindow)
    QTest.mouseClick(next(b for b in dialog.format.findChildren(QPushButton) if b.text() == "Film"), LEFT)
    typed(dialog.film.width_px, "160")
    typed(dialog.film.seconds, seconds)
    button("Export…")(dialog)


@pytest.fixture
def film(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A film that is being written."""
    file = tmp_path / "round.mp4"
    naming(monkeypatch, file)
    with answering(long_film, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CTRL)
    until(lambda: editor.jobs.writing == "round.mp4")
    yield file
    editor.jobs.stop()


@pytest.mark.slow
@pytest.mark.parametrize("answer", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_the_window_stays_and_goes_on_writing(editor: Editor, film: Path, answer: Qt.Key) -> None:
    with answering(key(answer), kind=MessageDialog) as asked:
        strike(editor, Qt.Key.Key_Q, CTRL)
    assert asked[0].text.text() == "“round.mp4” is still being written."
    assert editor.window.isVisible()
    assert editor.jobs.writing == "round.mp4"


@pytest.mark.slow
def test_whoever_closes_anyway_gets_no_half_of_a_film(editor: Editor, film: Path) -> None:
    with answering(key(Qt.Key.Key_C), kind=MessageDialog):
        strike(editor, Qt.Key.Key_Q, CTRL)
    assert not editor.window.isVisible()
    assert not film.exists()


@pytest.mark.slow
def test_a_film_that_was_given_up_is_not_asked_about(editor: Editor, film: Path) -> None:
    editor.jobs.cancel()
    with answering(kind=MessageDialog):
        strike(editor, Qt.Key.Key_Q, CTRL)
    assert not editor.window.isVisible()


@pytest.mark.slow
def test_the_question_goes_once_the_film_is_written(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went on saying that the film was being written, and was lost if one closed the window."""
    naming(monkeypatch, tmp_path / "short.mp4")
    with answering(partial(long_film, seconds="2"), kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CTRL)
    with answering(lambda dialog: until(lambda: not dialog.isVisible()), kind=MessageDialog) as asked:
        strike(editor, Qt.Key.Key_Q, CTRL)
    assert asked[0].text.text() == "“short.mp4” is still being written."
    assert (tmp_path / "short.mp4").exists()
    assert editor.window.isVisible()
