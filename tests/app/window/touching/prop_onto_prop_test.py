"""A prop dragged onto another one with S held."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, gizmo_of, press_s, shown, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, strike

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.prop import Prop
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.viewport.prop_place import floor_under
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from scripts.drags.contact_depths import sits, solved
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
ON_TABLE = np.array([0.1, 1.0, -0.2])  # own coordinates, of its top


def table_and_box(editor: Editor) -> Prop:
    """A table and, beside it, a box that lies on one of its sides and is selected; nobody is there."""
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    table, box = added(editor, "table", (0.0, 0.0, 0.0)), added(editor, "box", (1.2, 0.3, 0.8)).sized((0.3, 0.2, 0.4))
    editor.session.edit("Tip", edits.put_prop(box.turned_to(from_rotation_vector(np.array([0.0, 0.0, 1.5])))))
    shown(editor)
    return table


def lowest(prop: Prop) -> float:
    return float(prop.frame.points(prop.surface.vertices)[:, 1].min())


@pytest.mark.slow
def test_a_box_dragged_with_s_comes_to_lie_on_the_table_and_goes_on_over_the_floor_without_it(editor: Editor) -> None:
    table = table_and_box(editor)
    box = the_prop(editor)
    top = table.frame.points(ON_TABLE)
    dragged_with_s(editor, box.frame.points([0.0, 0.5, 0.5]), top)
    on = the_prop(editor)
    assert editor.session.history.undo_text == "Put Box on Table"
    np.testing.assert_allclose([on.place[0], lowest(on), on.place[2]], top, atol=0.04)  # a pixel is a centimetre or two
    np.testing.assert_array_equal(on.turn, box.turn)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(the_prop(editor).place, box.place)
    dragged_with_s(editor, box.frame.points([0.0, 0.5, 0.5]), top, let_go=True)
    assert editor.session.history.undo_text == "Move Box"
    assert the_prop(editor).place[1] == pytest.approx(box.place[1], abs=1e-5)


@pytest.mark.slow
def test_s_after_the_press_on_the_gizmo_and_before_the_drag_does_not_scale(editor: Editor) -> None:
    table_and_box(editor)
    box, mouse = the_prop(editor), ViewMouse(editor)
    middle = mouse.place(gizmo_of(editor).position)
    mouse.drag(middle, release=False)  # a press
    press_s(editor)
    for share in (0.1, 0.5, 1.0):
        mouse.move(middle + QPoint(0, round(60 * share)))
    mouse.release(middle + QPoint(0, 60))
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    after = the_prop(editor)
    np.testing.assert_array_equal(after.size, box.size)
    assert lowest(after) == pytest.approx(0.0, abs=1e-5)
    assert editor.session.view.prop_tool == "move"


@pytest.mark.slow
def test_a_seat_dragged_with_s_does_not_come_onto_or_below_what_its_sitter_holds(editor: Editor) -> None:
    document = solved(sits(new_document()), {}, {})[0]
    held = replace(new_prop(document, "box"), place=np.float32([1.1, 0.6, 0.6])).sized((0.3, 0.3, 0.3))
    grip = contact_of(patches_of(document.character("c1"))["right_hand"], held.place, UP)
    grip = replace(grip, radius=0.03, source=PropSource(held.id, np.float32([0, 0.1, 0]), -UP))
    document = edits.hold("c1", grip)(edits.add_prop(held)(document))
    editor.session.edit("Sit", lambda _: document)
    editor.refresh()
    editor.session.set_view(prop="p1")
    editor.viewport.set_camera(OrbitCamera(target=(0.4, 0.6, 0.3), yaw=0.5, pitch=0.5, distance=4.5))
    editor.refresh()
    mouse, seat = ViewMouse(editor), document.prop("p1")
    first = mouse.place(seat.frame.points([0.5, 0.5, 0.3]))
    mouse.drag(first, QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    for _ in range(2):
        over = mouse.place(editor.session.document.prop(held.id).frame.points([0.0, 0.5, 0.0]))
        mouse.move(over)
    there = editor.session.document.prop("p1").place
    mouse.release(over)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    assert there == pytest.approx(floor_under(editor.viewport.current_view, (over.x(), over.y())), abs=1e-3)


@pytest.mark.slow
def test_a_number_or_an_axis_typed_while_s_is_held_has_the_drag_until_it_is_taken_back(editor: Editor) -> None:
    table = table_and_box(editor)
    box, mouse, session = the_prop(editor), ViewMouse(editor), editor.session
    first, last = mouse.place(box.frame.points([0.0, 0.5, 0.5])), mouse.place(table.frame.points(ON_TABLE))
    mouse.drag(first, QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    mouse.move(last)
    on = the_prop(editor).place
    assert lowest(the_prop(editor)) == pytest.approx(table.size[1], abs=1e-3)
    QTest.keyClick(editor.viewport, Qt.Key.Key_X)
    assert the_prop(editor).place[[1, 2]] == pytest.approx(box.place[[1, 2]], abs=1e-5)
    QTest.keyClicks(editor.viewport, "25")
    assert the_prop(editor).place - box.place == pytest.approx([0.25, 0.0, 0.0], abs=1e-5)
    for key in (Qt.Key.Key_Backspace, Qt.Key.Key_Backspace, Qt.Key.Key_X):
        QTest.keyClick(editor.viewport, key)
    assert the_prop(editor).place == pytest.approx(on, abs=1e-5)
    QTest.keyClicks(editor.viewport, "25")
    QTest.keyClick(editor.viewport, Qt.Key.Key_Return)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    mouse.release(last)
    assert np.linalg.norm(the_prop(editor).place - box.place) == pytest.approx(0.25, abs=1e-5)
    assert session.history.undo_text == "Move Box"
