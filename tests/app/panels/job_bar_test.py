"""The bar of what runs, once Cancel is clicked."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from window_driver import laid_out, until

from app.look.theme import THEMES
from app.services.background.jobs import Cancelled, Progress
from app.window.editor import Editor

LONG = "Opening a photo of a garden party in the shade of old trees.jpg"  # longer than a small view has room for


@pytest.fixture
def going_on() -> threading.Event:
    return threading.Event()


def begun(editor: Editor, going_on: threading.Event) -> None:
    """A job that hears of Cancel late, as one that waits for a disk, and has said more by then."""

    def work(progress: Progress, cancelled: Cancelled) -> None:
        progress(0.3, "Looking for the second person")
        assert going_on.wait(60)

    editor.jobs.run(LONG, work, lambda _result: None)
    until(editor.job_bar.isVisible)


def test_cancel_is_heard_at_once_and_nothing_speaks_of_the_job_any_more(
    editor: Editor, going_on: threading.Event
) -> None:
    bar = editor.job_bar
    editor.window.resize(668, 440)
    begun(editor, going_on)
    editor.jobs.progressed.emit(0.4, LONG)
    assert bar.title.toolTip() == LONG
    QTest.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    editor.jobs.progressed.emit(0.5, LONG)  # on its way as Cancel was clicked
    laid_out()
    assert (bar.title.text(), bar.title.toolTip()) == ("Cancelling…", "")
    assert bar.title.width() >= bar.title.sizeHint().width()
    assert not bar.cancel.isEnabled(), "one click is enough, and shows that it is"
    going_on.set()
    until(lambda: not bar.isVisible())


def test_what_runs_next_can_be_cancelled_as_well(editor: Editor, going_on: threading.Event) -> None:
    bar = editor.job_bar
    for _ in range(2):
        begun(editor, going_on)
        bar.cancel.setFocus()
        QTest.keyClick(bar.cancel, Qt.Key.Key_Space)
        assert bar.title.text() == "Cancelling…"
        assert editor.window.focusWidget() is editor.viewport, "not to some field of a panel"
        going_on.set()
        until(lambda: not editor.jobs.busy)
        going_on.clear()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_how_much_is_left_to_do_shows_as_well_as_what_is_done(
    editor: Editor, going_on: threading.Event, theme: str
) -> None:
    editor.settings.set(theme=theme)
    begun(editor, going_on)
    editor.jobs.progressed.emit(0.5, "Half of it")
    laid_out()
    bar = editor.job_bar.bar
    picture, middle = bar.grab().toImage(), bar.height() // 2
    done, left = (picture.pixelColor(round(share * picture.width()), middle) for share in (0.2, 0.8))
    around = QColor(THEMES[theme].raised)
    assert difference(done, left) > 100
    assert difference(left, around) > 20
    going_on.set()
    until(lambda: not editor.job_bar.isVisible())


def difference(one: QColor, other: QColor) -> int:
    return sum(abs(a - b) for a, b in zip(one.getRgb(), other.getRgb(), strict=True))


def test_esc_cancels_a_job_before_its_bar_shows(editor: Editor, going_on: threading.Event) -> None:
    done: list[object] = []
    editor.viewport.setFocus()
    editor.jobs.run("Reading a photo", lambda _progress, _cancelled: going_on.wait(60), done.append)
    assert not editor.job_bar.isVisible()
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    going_on.set()
    until(lambda: not editor.jobs.busy)
    assert done == []
    assert not editor.job_bar.isVisible()
