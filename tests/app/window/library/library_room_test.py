"""The room that the library takes in the window, and what it takes it from."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import laid_out, move_held, strike, until

from app.library import folders
from app.panels.panel_column import VIEW_WANTS
from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.mark.slow
def test_five_hundred_poses_open_at_once_and_a_narrow_window_makes_room(own: Path, editor: Editor) -> None:
    own.mkdir()
    source = folders.shipped_folder() / "Standing" / "Shy.json"
    for number in range(500):
        shutil.copy(source, own / f"{number}.json")
    window, left = editor.window, editor.panels.left[0]
    window.resize(1024, 700)
    library = editor.pose_browsers.library
    started = time.process_time()
    strike(editor, Qt.Key.Key_P, SHIFT)
    assert len(library.panel.view.shelf.entries) > 600
    assert time.process_time() - started < 1.0  # twice what is promised: other tests run beside this one
    assert not left.isVisible()
    assert editor.viewport.width() > 300
    until(editor.actions["pose.library"].isChecked)
    QTest.mouseClick(library.panel.close_button, Qt.MouseButton.LeftButton)
    assert left.isVisible()
    assert not library.is_open
    until(lambda: not editor.actions["pose.library"].isChecked())


@pytest.mark.slow
def test_the_panels_that_it_stood_in_for_come_back_whatever_size_the_window_had_meanwhile(
    own: Path, editor: Editor
) -> None:
    strike(editor, Qt.Key.Key_P, SHIFT)
    laid_out()
    side, window = editor.window._columns.sides[0], editor.window
    assert side.isHidden()
    for width in (1024, 1440):
        window.resize(width, 700)
        laid_out()
    strike(editor, Qt.Key.Key_P, SHIFT)
    laid_out()
    assert side.isVisible()
    assert side.width() >= side.minimumWidth()
    for _ in range(2):  # and again, at once
        strike(editor, Qt.Key.Key_P, SHIFT)
        laid_out()
    assert side.width() >= side.minimumWidth()
    assert editor.viewport.width() >= 480


def test_what_the_user_makes_it_wide_it_is_again_after_a_narrow_window_and_the_view_has_its_room(
    own: Path, editor: Editor
) -> None:
    window, columns = editor.window, editor.window._columns
    window.resize(1440, 700)
    strike(editor, Qt.Key.Key_P, SHIFT)
    laid_out()
    library = editor.pose_browsers.library.panel
    edge = columns.handle(columns.indexOf(library) + 1)
    QTest.mousePress(edge, Qt.MouseButton.LeftButton, pos=edge.rect().center())
    move_held(edge, edge.rect().center() + QPoint(120, 0))
    QTest.mouseRelease(edge, Qt.MouseButton.LeftButton, pos=edge.rect().center())
    wide = library.width()
    for width in (900, 1440):
        window.resize(width, 700)
        laid_out()
        assert editor.viewport.width() >= VIEW_WANTS - columns.handleWidth()
    assert library.width() == wide > library.minimumWidth()


def test_six_poses_show_whole_on_a_small_screen(own: Path, editor: Editor) -> None:
    editor.window.resize(1024, 660)
    strike(editor, Qt.Key.Key_P, SHIFT)
    laid_out()
    view = editor.pose_browsers.library.panel.view
    cards = [view.visualRect(view.shelf.index(row)) for row in range(12)]
    assert len({card.left() for card in cards}) == 3
    assert sum(view.viewport().rect().contains(card) for card in cards) >= 6
