"""The wheel while a handle is held, and numbers typed while a prop is dragged, by mouse and keys in the window."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, gizmo_of, part_at, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, settled, strike

from app.document.posing.mirroring import heading
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, HELD, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton


def target(editor: Editor, joint: str, kind: str) -> np.ndarray:
    return next(e.target for e in active(editor).effectors if (e.joint, e.kind) == (joint, kind)).astype(np.float64)


def turn_about_sight(editor: Editor, before: np.ndarray, after: np.ndarray) -> float:
    """Degrees about the line of sight, which the turn keeps."""
    axis, turn = editor.viewport.camera.rotation[:, 2], after @ before.T
    assert turn @ axis == pytest.approx(axis, abs=1e-4)
    return float(np.degrees(np.arctan2(axis @ np.cross(side := editor.viewport.camera.rotation[:, 0], turn @ side),
                                       side @ turn @ side)))  # fmt: skip


def test_the_wheel_turns_a_held_wrist_about_the_line_of_sight_in_one_step(editor: Editor) -> None:
    session, mouse, document = editor.session, ViewMouse(editor), editor.session.document
    camera, old = editor.viewport.camera, target(editor, "left_wrist", "position")
    start = mouse.place(old)
    mouse.drag(start, QPoint(8, -8), QPoint(20, -30), release=False)
    moved = target(editor, "left_wrist", "position")
    ViewMouse(editor).roll(start + QPoint(20, -30), 1)
    first = target(editor, "left_wrist", "rotation")
    ViewMouse(editor).roll(start + QPoint(20, -30), 2)
    ViewMouse(editor).roll(start + QPoint(20, -30), -1, HELD.ShiftModifier)
    after = target(editor, "left_wrist", "rotation")
    assert turn_about_sight(editor, first, after) == pytest.approx(2 * 5 - 1, abs=0.05)
    assert "Turned by 14°" in editor.window.hint.text()
    assert target(editor, "left_wrist", "position") == pytest.approx(moved)
    assert editor.viewport.camera == camera, "the view does not zoom meanwhile"
    mouse.move(start + QPoint(30, -40))
    assert target(editor, "left_wrist", "rotation") == pytest.approx(after, abs=1e-6), "the drag goes on with the turn"
    mouse.release(start + QPoint(30, -40))
    settled(session)
    assert session.history.steps() == ("Move left wrist · position",)
    assert [e.kind for e in active(editor).effectors if e.joint == "left_wrist"] == ["position", "rotation"]
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == document


def test_it_turns_without_a_drag_and_escape_takes_it_back(editor: Editor) -> None:
    session, mouse, document = editor.session, ViewMouse(editor), editor.session.document
    before, place = target(editor, "left_ankle", "rotation"), mouse.place(target(editor, "left_ankle", "position"))
    QTest.mousePress(mouse.view, LEFT, HELD.NoModifier, place)
    ViewMouse(editor).roll(place, 3)
    assert turn_about_sight(editor, before, target(editor, "left_ankle", "rotation")) == pytest.approx(15, abs=0.05)
    QTest.keyClick(mouse.view, KEY.Key_Escape)
    mouse.release(place)
    assert session.document == document
    assert session.history.steps() == ()


def test_a_handle_that_turns_goes_on_from_where_its_drag_has_it(editor: Editor) -> None:
    id = next(e.id for e in active(editor).effectors if (e.joint, e.kind) == ("left_ankle", "rotation"))
    editor.session.select(active(editor).id, [id])
    mouse, gizmo = ViewMouse(editor), gizmo_of(editor)
    start = mouse.place(gizmo.position) + QPoint(94, 0)
    mouse.drag(start, QPoint(-2, -10), QPoint(-4, -20), release=False)
    dragged = target(editor, "left_ankle", "rotation")
    ViewMouse(editor).roll(start + QPoint(-4, -20), -2)
    turned = target(editor, "left_ankle", "rotation")
    assert turn_about_sight(editor, dragged, turned) == pytest.approx(-10, abs=0.05)
    mouse.release(start + QPoint(-4, -20))
    assert len(editor.session.history.steps()) == 1


def test_what_looks_somewhere_is_not_turned_and_the_wheel_alone_still_zooms(editor: Editor) -> None:
    mouse, camera = ViewMouse(editor), editor.viewport.camera
    start = mouse.place(target(editor, "head", "lookat"))
    kinds = [e.kind for e in active(editor).effectors]
    mouse.drag(start, QPoint(8, 0), QPoint(20, 0), release=False)
    ViewMouse(editor).roll(start + QPoint(20, 0), 1)
    assert [e.kind for e in active(editor).effectors] == kinds
    assert editor.viewport.camera == camera
    mouse.release(start + QPoint(20, 0))
    ViewMouse(editor).roll(start, 1)
    assert editor.viewport.camera != camera


def test_it_turns_a_whole_person_who_is_moved_in_one_step(editor: Editor) -> None:
    session, mouse, document = editor.session, ViewMouse(editor), editor.session.document
    root = editor.viewport.scene.root
    assert root is not None
    start, before = mouse.place(np.asarray(root.position) + [0.0, 0.0, 0.3]), active(editor)
    mouse.drag(start, QPoint(10, 4), QPoint(40, 10), release=False)
    there = active(editor).pose.root_position
    ViewMouse(editor).roll(start + QPoint(40, 10), 7)
    ViewMouse(editor).roll(start + QPoint(40, 10), -1, HELD.ShiftModifier)
    now = active(editor)
    assert now.pose.root_position == pytest.approx(there, abs=1e-5)
    angle = np.degrees(heading(now.pose.rotations[0]) - heading(before.pose.rotations[0]))
    assert angle == pytest.approx(34, abs=0.01)
    assert now.pose.rotations[1:] == pytest.approx(before.pose.rotations[1:])
    assert "turned by 34°" in editor.window.hint.text()
    mouse.release(start + QPoint(40, 10))
    assert session.history.steps() == ("Move Person 1",)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document == document


def test_it_turns_a_prop_that_is_held_and_only_pressed(editor: Editor) -> None:
    before, mouse = added(editor), ViewMouse(editor)
    steps = editor.session.history.steps()
    place = mouse.place(before.frame.points((0.3, 0.8, 0.5)))
    QTest.mousePress(mouse.view, LEFT, HELD.NoModifier, place)
    ViewMouse(editor).roll(place, -3)
    turn = the_prop(editor).turn @ before.turn.T
    assert turn @ [0, 1, 0] == pytest.approx([0, 1, 0], abs=1e-6)
    assert turn @ [0, 0, 1] == pytest.approx([-np.sin(np.radians(15)), 0, np.cos(np.radians(15))], abs=1e-6)
    assert the_prop(editor).place == pytest.approx(before.place, abs=1e-6)
    mouse.move(place + QPoint(30, 0))
    assert the_prop(editor).turn @ before.turn.T == pytest.approx(turn, abs=1e-6)
    mouse.release(place + QPoint(30, 0))
    assert editor.session.history.steps() == (*steps, f"Move {before.name}")


def begin(editor: Editor, part: str) -> tuple[ViewMouse, QPoint]:
    mouse = ViewMouse(editor)
    start = part_at(mouse, part)
    mouse.drag(start, QPoint(6, -4), QPoint(16, -10), release=False)
    return mouse, start + QPoint(16, -10)


def test_a_prop_moves_by_a_number_of_centimetres(editor: Editor) -> None:
    before = added(editor)
    mouse, end = begin(editor, "x")
    QTest.keyClicks(mouse.view, "25")
    assert the_prop(editor).place - before.place == pytest.approx([0.25, 0, 0], abs=1e-6)
    assert "25 cm along X" in editor.window.hint.text()
    QTest.keyClicks(mouse.view, "z")
    assert the_prop(editor).place - before.place == pytest.approx([0, 0, 0.25], abs=1e-6)
    for _ in range(2):
        QTest.keyClick(mouse.view, KEY.Key_Backspace)
    mouse.move(end + QPoint(30, 0))
    assert abs(float(the_prop(editor).place[2] - before.place[2]) - 0.25) > 1e-3, "the mouse has it back"
    mouse.release(end + QPoint(30, 0))


def test_a_prop_turns_by_degrees_and_grows_by_times(editor: Editor) -> None:
    before = added(editor)
    editor.session.set_view(prop_tool="turn")
    mouse, end = begin(editor, "y")
    QTest.keyClicks(mouse.view, "-90")
    turned = the_prop(editor).turn @ before.turn.T
    assert turned @ [1, 0, 0] == pytest.approx([0, 0, 1], abs=1e-5)
    QTest.keyClick(mouse.view, KEY.Key_Return)
    mouse.release(end)
    editor.session.set_view(prop_tool="scale")
    mouse, end = begin(editor, "y")
    QTest.keyClicks(mouse.view, "2")
    assert the_prop(editor).size == pytest.approx(before.size * [1, 2, 1], rel=1e-5)
    assert "2 times along Y" in editor.window.hint.text()
    QTest.keyClicks(mouse.view, "y")
    assert the_prop(editor).size == pytest.approx(before.size * 2, rel=1e-5)
    QTest.keyClick(mouse.view, KEY.Key_Escape)
    mouse.release(end)
    assert the_prop(editor).size == pytest.approx(before.size)
