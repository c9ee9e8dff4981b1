"""The pointer in the view: what a press, a drag, a key and a double-click do to the document."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled

from app.document.model.figure import joints_of, skeleton_of
from app.viewport.tools.clicks import add_to_joint
from app.window.editor import Editor

pytestmark = pytest.mark.gl


def effector(editor: Editor, joint: str, kind: str = "position"):
    return next(e for e in active(editor).effectors if e.joint == joint and e.kind == kind)


def joint_place(editor: Editor, joint: str) -> np.ndarray:
    character = active(editor)
    return joints_of(character).positions[skeleton_of(character).index(joint)]


def test_a_dragged_handle_takes_the_joint_along_and_is_one_undo_step(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    start = mouse.place(effector(editor, "left_wrist").target)
    mouse.drag(start, QPoint(10, -20), QPoint(25, -60), QPoint(40, -90))
    target = effector(editor, "left_wrist").target
    assert np.linalg.norm(mouse.view.current_view.project(target) - np.array([start.x() + 40, start.y() - 90])) < 1.5
    assert np.linalg.norm(joint_place(editor, "left_wrist") - target) < 0.005
    assert editor.session.history.steps() == ("Move left wrist · position",)
    editor.session.undo()
    assert editor.session.document == before


def test_escape_during_a_drag_puts_everything_back(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    start = mouse.place(effector(editor, "right_wrist").target)
    mouse.drag(start, QPoint(-30, -30), QPoint(-60, -90), release=False)
    assert editor.session.document != before
    QTest.keyClick(editor.window, Qt.Key.Key_Escape)
    assert editor.session.document is before or editor.session.document == before
    mouse.move(start + QPoint(-90, -90))
    mouse.release(start + QPoint(-90, -90))
    assert editor.session.document == before
    assert editor.session.history.steps() == ()


def test_the_right_button_cancels_as_well(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    start = mouse.place(effector(editor, "left_ankle").target)
    mouse.drag(start, QPoint(-30, -30), QPoint(-60, -90), release=False)
    QTest.mousePress(mouse.view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, start)
    assert editor.session.document == before
    QTest.mouseRelease(mouse.view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, start)
    mouse.release(start)  # later tests have the same mouse
    assert editor.session.document == before


def test_an_axis_key_keeps_the_drag_to_that_axis(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    old = effector(editor, "left_wrist").target
    start = mouse.place(old)
    mouse.drag(start, QPoint(20, -20), QPoint(40, -60), release=False)
    QTest.keyClick(editor.window, Qt.Key.Key_Y)
    mouse.release(start + QPoint(40, -60))
    moved = effector(editor, "left_wrist").target - old
    assert abs(moved[1]) > 0.02
    assert np.allclose(moved[[0, 2]], 0, atol=1e-6)


def test_a_dragged_joint_gets_an_effector_in_the_same_step(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    elbow = joint_place(editor, "left_elbow")
    start = mouse.place(elbow)
    mouse.drag(start, QPoint(10, -10), QPoint(30, -40))
    target = effector(editor, "left_elbow").target
    assert np.linalg.norm(joint_place(editor, "left_elbow") - target) < 0.9 * np.linalg.norm(elbow - target)
    assert len(editor.session.history.steps()) == 1
    editor.session.undo()
    assert editor.session.document == before


def test_a_double_click_on_a_joint_adds_an_effector_that_moves_nothing(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    place = joint_place(editor, "right_knee")
    QTest.mouseDClick(mouse.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, mouse.place(place))
    mouse.release(mouse.place(place))
    settled(editor.session)
    assert np.allclose(effector(editor, "right_knee").target, place, atol=1e-6)
    assert np.linalg.norm(joint_place(editor, "right_knee") - place) < 0.005
    assert editor.session.view.effectors == {effector(editor, "right_knee").id}


def test_a_click_selects_and_the_delete_key_removes(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    chosen = effector(editor, "left_ankle")
    QTest.mouseClick(mouse.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, mouse.place(chosen.target))
    assert editor.session.view.effectors == {chosen.id}
    assert editor.session.history.steps() == ()
    editor.actions["edit.delete"].trigger()
    assert chosen.id not in {e.id for e in active(editor).effectors}


def test_rings_turn_a_rotation_effector(editor: Editor) -> None:
    add_to_joint(editor.session, "rotation", "right_wrist")
    settled(editor.session)
    turned = effector(editor, "right_wrist", "rotation")
    editor.session_view.refresh()
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    assert gizmo.kind == "rotate"
    mouse = ViewMouse(editor)
    centre = mouse.place(gizmo.position)
    edge = QPoint(centre.x() + 94, centre.y())
    mouse.drag(edge, QPoint(-10, -40), QPoint(-30, -70))
    now = effector(editor, "right_wrist", "rotation").target
    angle = np.degrees(np.arccos((np.trace(turned.target.T @ now) - 1) / 2))
    assert angle == pytest.approx(np.degrees(np.arctan2(70, 64)), abs=6)


def test_a_drag_that_begins_on_a_handle_never_moves_the_camera(editor: Editor) -> None:
    mouse, camera = ViewMouse(editor), editor.viewport.camera
    start = mouse.place(effector(editor, "right_wrist").target)
    mouse.drag(start + QPoint(5, 5), QPoint(30, 10), QPoint(60, 20))
    assert editor.viewport.camera == camera


def test_a_drag_on_empty_space_orbits_and_edits_nothing(editor: Editor) -> None:
    mouse, camera, before = ViewMouse(editor), editor.viewport.camera, editor.session.document
    mouse.drag(QPoint(30, 30), QPoint(30, 10), QPoint(60, 20))
    assert editor.viewport.camera != camera
    assert editor.session.document is before


def test_selected_handles_move_together(editor: Editor) -> None:
    ids = [effector(editor, j).id for j in ("left_wrist", "right_wrist")]
    old = [effector(editor, j).target for j in ("left_wrist", "right_wrist")]
    editor.session.select(active(editor).id, ids)
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(old[0]), QPoint(0, -20), QPoint(0, -40))
    moved = [effector(editor, j).target - o for j, o in zip(("left_wrist", "right_wrist"), old, strict=True)]
    assert np.allclose(moved[0], moved[1], atol=1e-6)
    assert moved[0][1] > 0.02


def test_clicks_go_through_the_handles_of_one_joint(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    place = mouse.place(effector(editor, "left_ankle").target)
    chosen = []
    for _ in range(3):
        QTest.mouseClick(mouse.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        chosen.append(editor.session.selected_effectors[0].kind)
    assert chosen == ["position", "rotation", "position"]
