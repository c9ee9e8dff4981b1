"""A key whose command is grey says in the status bar why nothing happens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, activated, place_of, settled, strike, until

from app.window.commands.why_grey import NO_HANDLE, NOBODY, NOTHING_MOVES, why_grey
from app.window.editor import Editor

pytestmark = pytest.mark.gl
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def said(editor: Editor) -> str:
    return editor.window.status.notices.shown


def test_pin_with_no_handle_selected_says_that_it_takes_one(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier)
    assert "“Select none” is not possible now" in said(editor)
    strike(editor, Qt.Key.Key_P)  # answered at once, whatever was said before
    assert said(editor) == f"“Pin” is not possible now: {NO_HANDLE}."


def test_space_says_that_nothing_moves_yet(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Space)
    assert NOTHING_MOVES in said(editor)


def test_undo_says_that_nothing_was_done_and_no_longer_once_something_was(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Z, CTRL)
    assert why_grey()["edit.undo"] in said(editor)
    editor.window.status.notices.retract(said(editor))
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    strike(editor, Qt.Key.Key_Z, CTRL)
    assert len(editor.session.document.characters) == 1
    assert "not possible" not in said(editor)


def test_with_nobody_there_keys_say_so(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Delete, CTRL)
    settled(editor.session)
    strike(editor, Qt.Key.Key_M, SHIFT)
    assert NOBODY in said(editor)


def test_of_keys_that_differ_by_shift_alone_the_one_struck_is_told_of(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_Return, CTRL | SHIFT)
    assert "“Left out, next picture” is not possible now" in said(editor)
    strike(editor, Qt.Key.Key_Return, CTRL)
    assert "“Checked, next picture” is not possible now" in said(editor)


def test_the_key_of_surfaces_and_keys_without_a_command_say_nothing(editor: Editor) -> None:
    for key in (Qt.Key.Key_S, Qt.Key.Key_Shift, Qt.Key.Key_X, Qt.Key.Key_F9):
        strike(editor, key)
    assert said(editor) == ""


def test_a_drag_hears_nothing_of_keys_that_mean_something_in_it(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(start, QPoint(20, -10), release=False)
    until(lambda: editor.tool.dragging)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_S):
        QTest.keyClick(editor.viewport, key)
    assert "not possible" not in said(editor)
    mouse.release(start + QPoint(20, -10))


def test_a_key_of_the_view_says_nothing_elsewhere(editor: Editor) -> None:
    activated(editor.window)
    editor.refresh()
    button = editor.panels.body.presets
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_End, CTRL)  # the last frame, with the keyboard in the view
    assert said(editor) == ""
