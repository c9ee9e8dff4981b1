"""Keys in the middle of a drag: what would change the thing that is dragged waits until it is let go of."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, active, place_of, settled, strike, until

from app.window.commands.actions import waits_for_release
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
CTRL, NO_KEYS = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.mark.sweep("77-Mirror pose")
@pytest.mark.parametrize(
    ("key", "title"), [(Qt.Key.Key_M, "Mirror pose"), (Qt.Key.Key_D, "Duplicate person"), (Qt.Key.Key_V, "Paste pose")]
)
def test_a_key_that_would_change_what_is_dragged_waits_and_says_so(editor: Editor, key: Qt.Key, title: str) -> None:
    editor.posing.clipboard.copy()
    mouse, steps = ViewMouse(editor), len(editor.session.history.steps())
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "right_wrist"))
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25), release=False)
    strike(editor, key, CTRL)
    assert editor.tool.dragging, "the drag goes on"
    assert editor.window.status.notices.shown == f"Let go of the mouse button first, then “{title}”."
    mouse.move(start + QPoint(-40, -60))
    mouse.release(start + QPoint(-40, -60))
    settled(editor.session)
    assert len(editor.session.document.characters) == 1
    assert len(editor.session.history.steps()) == steps + 1
    there, wanted = mouse.place(place_of(editor, "right_wrist")), start + QPoint(-40, -60)
    assert (there - wanted).manhattanLength() < 6, "it is the same hand that was dragged"


def test_once_it_is_let_go_of_the_same_key_acts(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "right_wrist"))
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25))
    strike(editor, Qt.Key.Key_D, CTRL)
    until(lambda: len(editor.session.document.characters) == 2)


@pytest.mark.slow
def test_a_switch_that_has_to_wait_does_not_look_switched(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "right_wrist"))
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25), release=False)
    strike(editor, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert not editor.session.view.symmetry
    assert not editor.actions["pose.symmetry"].isChecked()
    mouse.release(start)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("key", "modifiers", "title"),
    [
        (Qt.Key.Key_S, CTRL | Qt.KeyboardModifier.ShiftModifier, "Save as…"),
        (Qt.Key.Key_S, CTRL, "Save"),  # it has no name yet
        (Qt.Key.Key_O, CTRL, "Open…"),
        (Qt.Key.Key_Slash, NO_KEYS, "Search commands…"),
        (Qt.Key.Key_K, CTRL, "Search commands…"),
        (Qt.Key.Key_F1, NO_KEYS, "Mouse and keys"),
        (Qt.Key.Key_E, CTRL, "Export…"),
    ],
)
def test_a_key_that_would_open_something_over_the_drag_waits_and_says_so(
    editor: Editor, key: Qt.Key, modifiers: Qt.KeyboardModifier, title: str
) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "right_wrist"))
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25), release=False)
    strike(editor, key, modifiers)
    assert editor.tool.dragging
    assert QApplication.activePopupWidget() is None
    assert QApplication.activeModalWidget() is None
    assert editor.window.status.notices.shown == f"Let go of the mouse button first, then “{title}”."
    mouse.release(start)


def test_saving_in_the_middle_of_a_drag_leaves_it_going_on(editor: Editor, tmp_path: Path) -> None:
    editor.session.saved_as(tmp_path / "a.json")
    mouse, steps = ViewMouse(editor), len(editor.session.history.steps())
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "right_wrist"))
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25), release=False)
    strike(editor, Qt.Key.Key_S, CTRL)
    assert (tmp_path / "a.json").exists()
    assert editor.tool.dragging
    mouse.move(start + QPoint(-40, -60))
    mouse.release(start + QPoint(-40, -60))
    settled(editor.session)
    assert len(editor.session.history.steps()) == steps + 1
    assert editor.session.unsaved, "what was dragged since is not in the file"


def test_views_undo_and_deleting_do_not_wait(editor: Editor) -> None:
    free = [id for id in editor.actions.commands if not waits_for_release(id)]
    assert {"view.front", "edit.undo", "edit.delete", "file.save", "pose.pin"} <= set(free)
    assert "body.presets" not in free, "its menu would take the mouse"
    assert "view.next_photo" not in free, "choosing a photo is a step of its own"
