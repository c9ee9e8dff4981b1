"""A pointer that keeps still while keys and a motion move what is under it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, settled, strike, until

from app.document import edits
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
CTRL = Qt.KeyboardModifier.ControlModifier


def wrist(editor: Editor) -> QPoint:
    assert editor.session.active is not None
    held = next(e for e in editor.session.active.effectors if (e.joint, e.kind) == ("left_wrist", "position"))
    return ViewMouse(editor).place(held.target)


@pytest.mark.slow
def test_a_name_goes_when_undo_takes_the_handle_away(editor: Editor) -> None:
    mouse, start = ViewMouse(editor), wrist(editor)
    mouse.drag(start, QPoint(10, -40), QPoint(30, -120))
    settled(editor.session)
    mouse.hover(QPoint(5, 5))
    mouse.hover(wrist(editor))
    assert editor.hover_label.text() == "Left wrist · position"
    strike(editor, Qt.Key.Key_Z, CTRL)
    until(lambda: editor.hover_label.isHidden() or "wrist" not in editor.hover_label.text())
    until(lambda: "wrist" not in str(editor.session.view.hover))
    strike(editor, Qt.Key.Key_Y, CTRL)
    until(lambda: editor.hover_label.isVisible() and editor.hover_label.text() == "Left wrist · position")


def test_what_walks_by_is_named_while_it_is_under_the_pointer_and_no_longer(editor: Editor) -> None:
    mouse, frames = ViewMouse(editor), 30
    assert editor.session.active is not None
    pose = editor.session.active.pose
    roots = pose.root_position + np.linspace(0, 2.5, frames)[:, None] * np.float32([1, 0, 0])
    motion = Motion(roots, np.repeat(pose.rotations[None], frames, axis=0), 30.0)
    editor.session.edit("Import", edits.import_motion("c1", motion))
    settled(editor.session)
    mouse.hover(wrist(editor))
    assert editor.hover_label.text() == "Left wrist · position"
    strike(editor, Qt.Key.Key_Space)
    until(editor.hover_label.isHidden)
    assert editor.player.playing
    assert editor.session.view.hover is None
    editor.player.stop()


@pytest.mark.slow
def test_nothing_is_named_while_a_drag_holds_something(editor: Editor) -> None:
    mouse, start = ViewMouse(editor), wrist(editor)
    mouse.hover(start)
    mouse.drag(start, QPoint(10, -40), release=False)
    named: list[str] = []
    editor.tool.hover_name.changed.connect(lambda text, *_: named.append(text))
    for way in range(20):
        mouse.move(start + QPoint(10, -40 - way))
    editor.session.edit("Recolour", edits.set_color("c1", "#ff0000"))
    assert not editor.tool.hover_refresh.waiting
    assert not any(named)
    mouse.release(start + QPoint(10, -60))


def test_a_pointer_that_has_left_names_nothing(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    mouse.hover(wrist(editor))
    editor.tool.hover(None)
    named: list[str] = []
    editor.tool.hover_name.changed.connect(lambda text, *_: named.append(text))
    editor.session.edit("Rename", edits.rename_character("c1", "Ben"))
    assert not editor.tool.hover_refresh.waiting
    assert named == []


def test_a_name_goes_when_the_panels_do_for_the_handle_is_elsewhere_then(editor: Editor) -> None:
    ViewMouse(editor).hover(wrist(editor))
    assert editor.hover_label.isVisible()
    strike(editor, Qt.Key.Key_Tab)
    until(editor.hover_label.isHidden)
    assert editor.session.view.hover is None
    ViewMouse(editor).hover(wrist(editor))
    until(editor.hover_label.isVisible)
