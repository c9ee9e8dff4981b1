"""Numbers typed while something is dragged: exact along an axis, in place of the mouse."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, active, settled, until

from app.document.model.document import Character
from app.document.posing.mirroring import heading
from app.viewport.tools.typed_number import FARTHEST_CM, MOST_DIGITS
from app.window.editor import Editor
from rendering.shapes.root_handle import ring

pytestmark = pytest.mark.gl
KEY, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier


def wrist(editor: Editor) -> np.ndarray:
    return next(e.target for e in active(editor).effectors if e.joint == "left_wrist").astype(np.float64)


def begin(editor: Editor) -> tuple[ViewMouse, QPoint]:
    """A drag of the left wrist that is under way."""
    mouse = ViewMouse(editor)
    start = mouse.place(wrist(editor))
    mouse.drag(start, QPoint(8, -8), QPoint(20, -30), release=False)
    return mouse, start + QPoint(20, -30)


def press(editor: Editor, text: str) -> None:
    for letter in text:
        QTest.keyClicks(editor.viewport, letter)


def test_after_an_axis_a_number_is_centimetres_along_it(editor: Editor) -> None:
    session, old = editor.session, wrist(editor)
    mouse, end = begin(editor)
    press(editor, "y12.5")
    assert wrist(editor) - old == pytest.approx([0, 0.125, 0], abs=1e-6)
    assert "12.5 cm along Y" in editor.window.hint.text()
    mouse.move(end + QPoint(80, 80))
    assert wrist(editor) - old == pytest.approx([0, 0.125, 0], abs=1e-6), "the mouse waits"
    mouse.release(end + QPoint(80, 80))
    assert session.history.steps() == ("Move left wrist · position",)
    settled(session)
    assert wrist(editor) - old == pytest.approx([0, 0.125, 0], abs=1e-6)


def test_the_number_is_read_in_a_narrow_view_as_well(editor: Editor) -> None:
    editor.window.resize(1024, 700)
    until(lambda: editor.viewport.width() < 500)
    mouse, end = begin(editor)
    press(editor, "y12.5")
    assert editor.window.hint.text().startswith("12.5 cm along Y")
    assert "Esc" not in editor.window.hint.text(), "the last parts are left out"
    mouse.release(end)


def test_digits_are_numbers_and_no_views_and_a_minus_changes_the_sign(editor: Editor) -> None:
    old, camera = wrist(editor), editor.viewport.camera
    mouse, end = begin(editor)
    press(editor, "x1")
    assert (wrist(editor) - old)[0] == pytest.approx(0.01, abs=1e-6)
    press(editor, "-")
    assert (wrist(editor) - old)[0] == pytest.approx(-0.01, abs=1e-6)
    press(editor, "7")
    assert (wrist(editor) - old)[0] == pytest.approx(-0.17, abs=1e-6)
    assert editor.window.hint.text().startswith("−17 cm along X")
    press(editor, "-")
    assert (wrist(editor) - old)[0] == pytest.approx(0.17, abs=1e-6)
    press(editor, "z")
    assert wrist(editor) - old == pytest.approx([0, 0, 0.17], abs=1e-6), "the number goes along to another axis"
    mouse.release(end)
    assert editor.viewport.final_view.camera == camera


def test_an_absurd_number_goes_no_farther_than_a_scene_reaches_and_no_box_opens(editor: Editor) -> None:
    old, refused = wrist(editor), list[str]()
    editor.session.refused.connect(refused.append)
    mouse, end = begin(editor)
    press(editor, "y" + "9" * (MOST_DIGITS + 1))
    assert (wrist(editor) - old)[1] == pytest.approx(FARTHEST_CM / 100)
    assert refused == []
    QTest.keyClick(editor.viewport, KEY.Key_Escape)
    mouse.release(end)


def test_backspace_gives_the_drag_back_to_the_mouse(editor: Editor) -> None:
    old = wrist(editor)
    mouse, end = begin(editor)
    press(editor, "y")
    by_mouse = wrist(editor) - old
    press(editor, "9,")
    assert (wrist(editor) - old)[1] == pytest.approx(0.09, abs=1e-6)
    for _ in range(2):
        QTest.keyClick(editor.viewport, KEY.Key_Backspace)
    assert wrist(editor) - old == pytest.approx(by_mouse, abs=1e-6)
    mouse.move(end + QPoint(0, -40))
    assert (wrist(editor) - old)[1] > by_mouse[1] + 0.02
    mouse.release(end)


def test_backspace_takes_back_the_axis_that_only_the_number_had_chosen(editor: Editor) -> None:
    mouse, end = begin(editor)
    by_mouse = wrist(editor)
    press(editor, "9")
    assert "9 cm along" in editor.window.hint.text()
    QTest.keyClick(editor.viewport, KEY.Key_Backspace)
    assert wrist(editor) == pytest.approx(by_mouse, abs=1e-6)
    mouse.move(end + QPoint(40, -40))
    right, up = editor.viewport.camera.rotation[:, :2].T @ (wrist(editor) - by_mouse)
    assert min(right, up) > 0.02, "free again"
    mouse.release(end + QPoint(40, -40))


def test_an_axis_that_was_chosen_by_its_key_stays_when_the_number_is_erased(editor: Editor) -> None:
    old = wrist(editor)
    mouse, end = begin(editor)
    press(editor, "9x")
    QTest.keyClick(editor.viewport, KEY.Key_Backspace)
    mouse.move(end + QPoint(40, -40))
    assert (wrist(editor) - old)[1:] == pytest.approx([0, 0], abs=1e-6)
    mouse.release(end + QPoint(40, -40))


@pytest.mark.slow
def test_return_keeps_it_while_the_button_is_down_and_escape_takes_it_back(editor: Editor) -> None:
    session, start = editor.session, editor.session.document
    old = wrist(editor)
    mouse, end = begin(editor)
    press(editor, "y5")
    QTest.keyClick(editor.viewport, KEY.Key_Return)
    assert not editor.tool.dragging
    mouse.move(end + QPoint(60, 60))
    mouse.release(end + QPoint(60, 60))
    assert wrist(editor) - old == pytest.approx([0, 0.05, 0], abs=1e-6)
    settled(session)
    session.undo()
    assert session.document == start
    mouse, end = begin(editor)
    press(editor, "y5")
    QTest.keyClick(editor.viewport, KEY.Key_Escape)
    mouse.release(end)
    assert session.document == start


def test_without_an_axis_it_takes_the_one_gone_farthest_along(editor: Editor) -> None:
    old = wrist(editor)
    mouse, end = begin(editor)
    gone = wrist(editor) - old
    press(editor, "10")
    expected = np.zeros(3)
    expected[np.argmax(np.abs(gone))] = 0.1
    assert wrist(editor) - old == pytest.approx(expected, abs=1e-6)
    mouse.release(end)


def test_a_turn_takes_degrees(editor: Editor) -> None:
    mouse = ViewMouse(editor)

    def turn() -> np.ndarray:
        found = next(e for e in active(editor).effectors if e.joint == "left_ankle" and e.kind == "rotation")
        return found.target.astype(np.float64)

    id = next(e.id for e in active(editor).effectors if e.joint == "left_ankle" and e.kind == "rotation")
    editor.session.select(active(editor).id, [id])
    gizmo, old = editor.viewport.scene.gizmo, turn()
    assert gizmo is not None
    start = mouse.place(gizmo.position) + QPoint(94, 0)
    mouse.drag(start, QPoint(-2, -10), QPoint(-4, -20), release=False)
    press(editor, "30")
    angle = np.degrees(np.arccos((np.trace(turn() @ old.T) - 1) / 2))
    assert angle == pytest.approx(30, abs=1e-3)
    press(editor, "y")
    both = turn() @ old.T
    axis = np.asarray(gizmo.rotation)[:, 1]
    assert both @ axis == pytest.approx(axis, abs=1e-5)
    mouse.release(start)
    settled(editor.session)


@pytest.mark.slow
def test_the_root_handle_takes_numbers_too(editor: Editor) -> None:
    mouse, before = ViewMouse(editor), active(editor)
    scene = editor.viewport.scene
    assert scene.root is not None
    start = mouse.place(np.asarray(scene.root.position)) + QPoint(0, 8)
    mouse.drag(start, QPoint(4, 2), QPoint(30, 4), release=False)
    press(editor, "x50")
    moved = lambda c: c.pose.root_position - before.pose.root_position  # noqa: E731
    assert moved(active(editor)) == pytest.approx([0.5, 0, 0], abs=1e-5)
    QTest.keyClick(editor.viewport, KEY.Key_Escape)
    mouse.release(start)
    circle = ring(editor.viewport.scene.root, mouse.view.current_view)  # type: ignore[arg-type]
    start = mouse.place(circle[10])
    mouse.drag(start, QPoint(3, 2), QPoint(6, 3), release=False)
    press(editor, "90")
    mouse.release(start)
    after: Character = active(editor)
    turned = heading(after.pose.rotations[0]) - heading(before.pose.rotations[0])
    assert np.degrees(turned) == pytest.approx(90, abs=1e-3)


def test_the_axis_shows_as_a_line_through_the_scene_until_the_drag_ends(editor: Editor) -> None:
    mouse, end = begin(editor)
    assert editor.viewport.scene.guides == ()
    press(editor, "x")
    (guide,) = editor.viewport.scene.guides
    assert guide.axis == "x"
    assert guide.along == pytest.approx([1, 0, 0])
    QTest.keyClick(editor.viewport, KEY.Key_Y, SHIFT)
    assert {g.axis for g in editor.viewport.scene.guides} == {"z", "x"}, "a plane has two"
    assert editor.viewport.scene.without_tools().guides == ()
    mouse.release(end)
    assert editor.viewport.scene.guides == ()


def test_keys_that_are_no_numbers_stay_what_they_are(editor: Editor) -> None:
    mouse, end = begin(editor)
    old = wrist(editor)
    with_alt = QKeyEvent(
        QEvent.Type.KeyPress, KEY.Key_5, Qt.KeyboardModifier.AltModifier, "5"
    )  # as a keyboard sends it
    QApplication.sendEvent(editor.viewport, with_alt)
    assert wrist(editor) == pytest.approx(old, abs=1e-9), "with Alt it is another command's key"
    QTest.keyClick(editor.viewport, KEY.Key_Backspace)
    QTest.keyClick(editor.viewport, KEY.Key_Minus)
    assert wrist(editor) == pytest.approx(old, abs=1e-9), "a minus sign alone is not a number yet"
    press(editor, "..")
    assert wrist(editor) == pytest.approx(old, abs=1e-9)
    mouse.release(end)


def test_an_ankle_typed_three_millimetres_lower_is_not_red_as_its_sole_is_on_the_floor(editor: Editor) -> None:
    ankle = next(e for e in active(editor).effectors if e.joint == "left_ankle" and e.kind == "position")
    mouse = ViewMouse(editor)
    start = mouse.place(ankle.target)
    mouse.drag(start, QPoint(4, 8), QPoint(8, 16), release=False)
    press(editor, "y-0.3")
    mouse.release(start + QPoint(8, 16))
    settled(editor.session)
    after = active(editor)
    assert after.effector(ankle.id).target - ankle.target == pytest.approx([0, -0.003, 0], abs=1e-6)
    told = editor.session.finding.residuals[after.effectors.index(after.effector(ankle.id))]
    assert told.value > 0.001
    assert told.state == "tolerated"
