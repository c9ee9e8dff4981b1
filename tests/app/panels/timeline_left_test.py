"""The timeline is held by the mouse, and the marks of somebody else show: the drag is over, nobody else is edited."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from timeline_driver import TimelineMouse, keys_of, set_moving
from window_driver import laid_out, move_held, settled, strike, until

from app.document import edits
from app.panels.timeline.lanes import FOOT, lanes_of
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
LEFT, CTRL, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def mouse(editor: Editor) -> TimelineMouse:
    """Two people, of whom the first jumps twice and the second glides; the first one's keys and feet show."""
    pose = editor.session.document.characters[0].pose
    roots = np.tile(pose.root_position, (90, 1))
    for begin in (20, 55):
        roots[begin : begin + 20, 1] += np.sin(np.linspace(0, np.pi, 20)) * 0.3
    motion = Motion(roots, np.broadcast_to(pose.rotations, (90, 24, 3, 3)), 30.0)
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    set_moving(editor, 90, (40,), "c2")
    editor.session.edit("Jump", edits.import_motion("c1", motion))
    editor.session.select("c1")
    editor.refresh()
    laid_out()
    mouse = TimelineMouse(editor)
    until(lambda: len(mouse.track.marks.contacts) == 6)
    return mouse


def last_bar(mouse: TimelineMouse) -> QPoint:
    """The middle of the last bar of a planted foot."""
    marks = mouse.track.marks
    foot, first, last = marks.contacts[-1]
    return QPoint(
        round(mouse.track.scale.x((first + last) / 2)), round(lanes_of(marks).feet + (foot + 0.5) * FOOT)
    )  # fmt: skip


def test_a_foot_whose_person_is_deleted_under_the_pressed_button_is_not_switched(
    editor: Editor, mouse: TimelineMouse
) -> None:
    place = last_bar(mouse)
    QTest.mousePress(mouse.track, LEFT, pos=place)
    mouse.press(Qt.Key.Key_Delete, CTRL)
    until(lambda: len(mouse.track.marks.contacts) < 6)
    mouse.release(place)
    assert [each.id for each in editor.session.document.characters] == ["c2"]
    assert editor.session.history.undo_text == "Delete Person 1"


def test_a_foot_of_a_motion_that_is_undone_under_the_pressed_button_is_not_switched(
    editor: Editor, mouse: TimelineMouse
) -> None:
    place = last_bar(mouse)
    QTest.mousePress(mouse.track, LEFT, pos=place)
    mouse.press(Qt.Key.Key_Z, CTRL)
    until(lambda: not mouse.track.marks.contacts)
    mouse.release(place)
    assert editor.session.history.redo_text == "Jump", "a switch would be a new step, after which nothing can be redone"


def test_keys_that_are_dragged_stay_where_they_are_once_another_person_is_active(
    editor: Editor, mouse: TimelineMouse
) -> None:
    editor.session.select("c2")
    editor.refresh()
    until(lambda: [place for _, place in mouse.track.marks.keys] == [0.0, 40.0])
    start = mouse.on("keys", 40)
    mouse.drag(start, mouse.on("keys", 45), mouse.on("keys", 50), release=False)
    assert keys_of(editor, "c2") == [0, 50]
    mouse.activate()
    editor.viewport.setFocus()
    mouse.press(Qt.Key.Key_PageUp)
    until(lambda: editor.session.view.character == "c1" and not mouse.track.held)
    move_held(mouse.track, mouse.on("keys", 70))
    mouse.release(mouse.on("keys", 70))
    assert keys_of(editor, "c2") == [0, 50]
    assert keys_of(editor, "c1") == [0]
    assert not mouse.track.chosen.frames, "the first person's keys were not selected"


def test_keys_that_were_copied_are_not_pasted_in_another_scene_where_somebody_has_the_same_id(
    editor: Editor, mouse: TimelineMouse
) -> None:
    mouse.strike(Qt.Key.Key_A, CTRL)
    mouse.strike(Qt.Key.Key_C, CTRL)
    editor.session.history.mark_saved()
    strike(editor, Qt.Key.Key_N, CTRL)
    set_moving(editor, 60)
    assert editor.session.view.character == "c1"
    assert not mouse.track.chosen.frames
    steps = editor.session.history.steps()
    mouse.to_frame(30)
    mouse.strike(Qt.Key.Key_V, CTRL)
    assert keys_of(editor) == [0]
    assert editor.session.history.steps() == steps
