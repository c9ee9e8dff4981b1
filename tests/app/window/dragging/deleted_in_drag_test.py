"""What is held is deleted, or taken back, by a key while it is dragged: the drag is over, and nothing is refused."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from prop_driver import added, on_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, move_held, place_of, settled, strike, until

from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor
from rendering.shapes.gizmo import outline

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view", "nothing_refused")]
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def nothing_refused(editor: Editor) -> Iterator[None]:
    """No box with a refusal opens, which would wait for an answer."""
    refused: list[str] = []
    editor.session.refused.disconnect(editor.user_messages.refuse)
    editor.session.refused.connect(refused.append)
    yield
    assert refused == []


def handle_of(editor: Editor, joint: str) -> QPoint:
    return ViewMouse(editor).place(next(e.target for e in active(editor).effectors if e.joint == joint))


def press_in_drag(editor: Editor, start: QPoint, key: Qt.Key, keys: Qt.KeyboardModifier) -> None:
    """Drag, press a key on the way, move on and let go."""
    mouse = ViewMouse(editor)
    mouse.drag(start, QPoint(0, -10), QPoint(5, -25), release=False)
    assert editor.tool.dragging
    strike(editor, key, keys)
    for way in (QPoint(10, -40), QPoint(12, -45)):
        mouse.move(start + way)
    assert not editor.tool.dragging
    mouse.release(start + QPoint(12, -45))
    settled(editor.session)


def test_a_person_whose_handle_is_held_is_deleted_and_the_other_one_stays(editor: Editor) -> None:
    other = active(editor)
    strike(editor, Qt.Key.Key_D, CTRL)
    settled(editor.session)
    assert active(editor).id != other.id
    press_in_drag(editor, handle_of(editor, "right_wrist"), Qt.Key.Key_Delete, CTRL)
    assert editor.session.document.characters == (other,)


def test_an_effector_that_is_held_is_deleted(editor: Editor) -> None:
    count = len(active(editor).effectors)
    press_in_drag(editor, handle_of(editor, "right_wrist"), Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    assert "right_wrist" not in {e.joint for e in active(editor).effectors}
    assert len(active(editor).effectors) == count - 1


def test_undo_takes_back_the_effector_that_the_drag_of_a_joint_added(editor: Editor) -> None:
    before = editor.session.document
    press_in_drag(editor, ViewMouse(editor).place(place_of(editor, "left_knee")), Qt.Key.Key_Z, CTRL)
    assert editor.session.document == before


@pytest.mark.sweep("undo once")
@pytest.mark.parametrize("back", ["undo once", "undo twice"])
def test_undo_in_the_drag_of_a_handle_takes_it_back_for_good_and_redo_still_brings_it(
    editor: Editor, back: str
) -> None:
    at_first = editor.session.document
    ViewMouse(editor).drag(handle_of(editor, "left_wrist"), QPoint(0, -10), QPoint(20, -60))
    settled(editor.session)
    before = editor.session.document
    start = handle_of(editor, "right_wrist")
    press_in_drag(editor, start, Qt.Key.Key_Z, CTRL)
    assert editor.session.document == before
    if back == "undo twice":
        strike(editor, Qt.Key.Key_Z, CTRL)
        assert editor.session.document == at_first
        strike(editor, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    strike(editor, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.history.undo_text == "Move right wrist · position"
    assert not np.allclose(handle_of(editor, "right_wrist").toTuple(), start.toTuple(), atol=5)


@pytest.mark.slow
def test_undo_in_the_drag_of_a_slider_takes_it_back_for_good(editor: Editor) -> None:
    before = active(editor).effectors
    bar = next(
        each for each in editor.window.findChildren(ValueSlider) if each.label == "Tolerance" and each.isVisible()
    )
    value, start = bar.value(), QPoint(20, bar.height() // 2)
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    move_held(bar, start + QPoint(10, 0))
    move_held(bar, start + QPoint(15, 0))
    assert active(editor).effectors != before
    strike(editor, Qt.Key.Key_Z, CTRL)
    move_held(bar, start + QPoint(20, 0))
    move_held(bar, start + QPoint(25, 0))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=start + QPoint(25, 0))
    assert active(editor).effectors == before
    until(lambda: bar.value() == value)


def scrubbed_past(editor: Editor, label: str, key: Qt.Key, keys: Qt.KeyboardModifier) -> None:
    """Drag a number of a panel, press a key on the way, move on and let go."""
    found = (each for each in editor.window.findChildren(ValueSlider) if each.label == label and each.isVisible())
    bar = next(found)
    start = QPoint(20, bar.height() // 2)
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    move_held(bar, start + QPoint(10, 0))
    move_held(bar, start + QPoint(15, 0))
    strike(editor, key, keys)
    move_held(bar, start + QPoint(40, 0))
    move_held(bar, start + QPoint(60, 0))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=start + QPoint(60, 0))
    settled(editor.session)


@pytest.mark.slow
def test_a_person_whose_place_is_dragged_in_the_panel_is_deleted_and_the_other_one_stays(editor: Editor) -> None:
    other = active(editor)
    strike(editor, Qt.Key.Key_D, CTRL)
    settled(editor.session)
    editor.refresh()
    scrubbed_past(editor, "X", Qt.Key.Key_Delete, CTRL)
    assert editor.session.document.characters == (other,)


@pytest.mark.slow
def test_a_number_that_is_dragged_goes_on_for_nobody_who_is_added_meanwhile(editor: Editor) -> None:
    editor.panels.section("Body").set_open(True)
    editor.refresh()
    shape = active(editor).shape
    scrubbed_past(editor, "Height", Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    first, second = editor.session.document.characters
    assert first.shape != shape
    assert second.shape == shape
    assert editor.session.history.undo_text == "Add Person 2"


def test_a_prop_that_is_held_is_deleted(editor: Editor) -> None:
    added(editor)
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    tip = outline(gizmo, "y", editor.viewport.current_view)[-1]
    press_in_drag(editor, ViewMouse(editor).place(tip), Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    assert editor.session.document.props == ()


@pytest.mark.slow
def test_a_prop_that_is_taken_along_with_a_person_is_deleted(editor: Editor) -> None:
    box, mouse = added(editor), ViewMouse(editor)
    mouse.click(QPoint(6, 6))
    mouse.click(on_prop(mouse, box), Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.view.props == {box.id}
    editor.session_view.refresh()
    root = editor.viewport.scene.root
    assert root is not None
    start = mouse.place(np.asarray(root.position) + [0.0, 0.0, 0.3])
    press_in_drag(editor, start, Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier)
    assert editor.session.document.props == ()
    assert len(editor.session.document.characters) == 1
