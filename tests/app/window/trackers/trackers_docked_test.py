"""The trackers' panel in a window of 1024 x 700, where it would cover the figure: docked beside the view instead."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from trackers_driver import click, opened, playing, tracking, widened
from window_driver import laid_out, strike, until

from app.dialogs.trackers_dialog import TrackersDialog
from app.library.panel import LibraryPanel
from app.look.theme import SPACE
from app.panels.panel_column import VIEW_WANTS, SideArea
from app.panels.widgets.buttons import IconButton
from app.window.editor import Editor

pytestmark = pytest.mark.gl


@pytest.fixture
def narrow(editor: Editor) -> Editor:
    """The window at that size."""
    editor.window.resize(1024, 676)
    laid_out()
    return editor


def on_screen(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint()), widget.size())


def sides(editor: Editor) -> list[str]:
    return [each.title for each in editor.window.findChildren(SideArea) if each.isVisible()]


def cross_of(panel: TrackersDialog) -> IconButton:
    return next(each for each in panel.findChildren(IconButton) if each.toolTip() == "Close the trackers")


def test_in_a_narrow_window_the_panel_stands_beside_the_view_and_the_other_panels_make_room(narrow: Editor) -> None:
    before = sides(narrow)
    panel = opened(narrow)
    laid_out()
    assert not on_screen(panel).intersects(on_screen(narrow.viewport))
    assert narrow.viewport.width() >= VIEW_WANTS
    assert on_screen(narrow.window).contains(on_screen(panel))
    assert panel.isAncestorOf(QApplication.focusWidget())
    click(cross_of(panel))
    until(lambda: narrow.trackers.panel is None)
    assert sides(narrow) == before


def test_esc_closes_the_docked_panel_and_its_key_opens_it_again(narrow: Editor) -> None:
    panel = opened(narrow)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    until(lambda: narrow.trackers.panel is None)
    narrow.viewport.setFocus()
    assert opened(narrow) is not panel
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_T)
    until(lambda: narrow.trackers.panel is None)


@pytest.mark.parametrize("room", [(1280, 800), (1366, 740)])
def test_on_a_laptop_the_panel_covers_neither_view_nor_job_bar(editor: Editor, room: tuple[int, int]) -> None:
    editor.window.resize(*room)
    laid_out()
    panel = opened(editor)
    laid_out()
    assert not on_screen(panel).intersects(on_screen(editor.viewport))
    assert editor.viewport.width() >= VIEW_WANTS


def test_in_a_wide_window_the_panel_floats_and_the_panels_stay(editor: Editor) -> None:
    widened(editor)
    before = sides(editor)
    assert opened(editor).isWindow()
    assert sides(editor) == before


@pytest.mark.slow
def test_the_library_takes_the_docked_panels_place_and_what_was_recorded_becomes_a_motion(
    narrow: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = playing(narrow, monkeypatch)
    click(panel.record_button)
    until(lambda: len(tracking(narrow).take or ()) > 10)
    strike(narrow, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: narrow.trackers.panel is None)
    (library,) = narrow.window.findChildren(LibraryPanel)
    assert library.isVisible()
    until(lambda: narrow.session.history.steps() == ("Record trackers",))
    until(lambda: not narrow.jobs.busy)
    library.close()


@pytest.mark.parametrize("room", [(1707, 690), (1707, 560), (1480, 1000)])
def test_the_floating_panel_keeps_off_the_edges_of_a_low_screen_with_the_systems_frame(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, room: tuple[int, int]
) -> None:
    screen = QRect(QPoint(), QSize(*room))

    def framed(panel: TrackersDialog) -> QRect:
        return QRect(panel.pos(), panel.size() + QSize(8, 34))

    monkeypatch.setattr(TrackersDialog, "screen", lambda _: SimpleNamespace(availableGeometry=lambda: screen))
    monkeypatch.setattr(TrackersDialog, "frameGeometry", framed)
    widened(editor)
    panel = playing(editor, monkeypatch)
    laid_out()
    assert panel.isWindow()
    assert screen.adjusted(SPACE, SPACE, -SPACE, -SPACE).contains(framed(panel))
