"""Where the comparison of solvers finds room: beside the view, floating, and on small screens."""

from __future__ import annotations

import pytest
from comparison_driver import opened, press
from PySide6.QtCore import QPoint, Qt
from window_driver import laid_out, until

from app.dialogs.gallery import COLUMNS
from app.panels.panel_column import VIEW_WANTS
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.timeout(600)]  # every solver may have to be compiled

WIDE = (1800, 800)  # where it floats and leaves the view enough


@pytest.mark.slow
@pytest.mark.parametrize("room", [(1440, 830), (1280, 740)])
def test_on_a_laptop_it_stands_beside_the_view_and_shows_all_columns(
    editor: Editor, a_few_solvers: None, room: tuple[int, int]
) -> None:
    editor.window.resize(*room)
    laid_out()
    before = editor.viewport.width()
    gallery = opened(editor)
    laid_out()
    assert not gallery.isWindow()
    assert editor.viewport.width() >= VIEW_WANTS
    edges = [tile.mapTo(gallery, QPoint(tile.width(), 0)).x() for tile in gallery.tiles]
    assert max(edges) <= gallery.width(), "no column is cut off"
    press(gallery.focusWidget() or gallery, Qt.Key.Key_Escape)
    until(editor.viewport.hasFocus)
    assert editor.viewport.width() == before


@pytest.mark.slow
def test_in_a_wide_window_it_floats_and_the_panels_stay(editor: Editor, a_few_solvers: None) -> None:
    editor.window.resize(*WIDE)
    laid_out()
    before = editor.viewport.width()
    assert opened(editor).isWindow()
    assert editor.viewport.width() == before


@pytest.mark.slow
def test_it_fits_a_small_screen(editor: Editor) -> None:
    editor.window.resize(*WIDE)
    gallery = opened(editor)
    room = gallery.screen().availableGeometry()
    gallery.place(room.bottomRight())
    assert room.contains(gallery.geometry())
    gallery.resize(gallery.width(), 380)
    laid_out()
    assert gallery.search.visibleRegion().boundingRect().height() == gallery.search.height()
    first, below = gallery.tiles[0], gallery.tiles[COLUMNS]
    assert below.visibleRegion().boundingRect().height() < below.height()
    first.setFocus()
    press(first, Qt.Key.Key_Down)
    laid_out()
    assert below.visibleRegion().boundingRect().height() == below.height()


@pytest.mark.slow
def test_in_a_narrow_one_there_are_fewer_in_a_row_and_down_goes_to_the_one_below(editor: Editor) -> None:
    editor.window.resize(*WIDE)
    gallery = opened(editor)
    gallery.resize(620, 400)  # as a screen of 683 pixels leaves it
    laid_out()
    assert gallery.width() == 620
    rows = [tile.y() for tile in gallery.tiles]
    assert [rows.count(y) for y in sorted(set(rows))][:2] == [3, 3]
    assert all(tile.x() + tile.width() <= gallery.tiles[0].parentWidget().width() for tile in gallery.tiles)
    gallery.tiles[1].setFocus()
    press(gallery.tiles[1], Qt.Key.Key_Down)
    below = next(tile for tile in gallery.tiles[4::3] if tile.isEnabled())
    assert gallery.focusWidget() is below
    gallery.resize(gallery.sizeHint())
    laid_out()
    assert gallery.tiles[COLUMNS - 1].y() == gallery.tiles[0].y()
