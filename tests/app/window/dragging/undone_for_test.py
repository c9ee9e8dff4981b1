"""Undo and redo go over to the person whose step it is, and the status bar says whose."""

from __future__ import annotations

import pytest
from prop_driver import added
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, settled, strike

from app.window.editor import Editor

pytestmark = pytest.mark.gl
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def pull_wrist(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    mouse.drag(mouse.place(wrist.target), QPoint(5, -10), QPoint(10, -40))
    settled(editor.session)
    editor.refresh()


@pytest.fixture
def two(editor: Editor) -> Editor:
    """Person 2 was added and posed; Person 1 is active."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    editor.refresh()
    pull_wrist(editor)
    editor.session.select("c1")
    editor.refresh()
    return editor


def test_undo_and_redo_of_somebody_elses_step_select_that_person(two: Editor) -> None:
    notices = two.window.status.notices
    strike(two, Qt.Key.Key_Z, CTRL)
    assert active(two).name == "Person 2"
    assert notices.shown == "Undone for Person 2: move left wrist · position"
    two.session.select("c1")
    notices.retract("Undone")
    strike(two, Qt.Key.Key_Z, CTRL | SHIFT)
    assert active(two).name == "Person 2"
    assert notices.shown == "Done again for Person 2: move left wrist · position"


def test_nothing_is_said_about_the_active_persons_step_or_a_deleted_person(two: Editor) -> None:
    two.session.select("c2")
    two.refresh()
    strike(two, Qt.Key.Key_Z, CTRL)
    assert active(two).name == "Person 2"
    strike(two, Qt.Key.Key_Z, CTRL)
    assert active(two).name == "Person 1"
    assert "for Person" not in two.window.status.notices.shown


def test_undo_of_a_copy_goes_back_to_whom_it_was_made_from(two: Editor) -> None:
    two.session.select("c2")
    two.refresh()
    strike(two, Qt.Key.Key_D, CTRL)
    assert active(two).name == "Person 3"
    strike(two, Qt.Key.Key_Z, CTRL)
    assert active(two).name == "Person 2"
    strike(two, Qt.Key.Key_Z, CTRL | SHIFT)
    assert [person.name for person in two.session.document.characters] == ["Person 1", "Person 2", "Person 3"]


def test_undo_of_deleted_props_selects_them_again(editor: Editor) -> None:
    box, ball = added(editor), added(editor, "ball")
    editor.session.set_view(prop=box.id, props=frozenset({ball.id}))
    strike(editor, Qt.Key.Key_Delete)
    assert editor.session.document.props == ()
    strike(editor, Qt.Key.Key_Z, CTRL)
    view = editor.session.view
    assert {view.prop, *view.props} == {box.id, ball.id}
    while len(editor.session.document.props) == 2:
        strike(editor, Qt.Key.Key_Z, CTRL)
    assert (editor.session.view.prop, editor.session.view.props) == (box.id, frozenset())
    strike(editor, Qt.Key.Key_Z, CTRL | SHIFT)
    assert editor.session.view.prop == ball.id
