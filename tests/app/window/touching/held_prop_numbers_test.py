"""A prop that a hand holds: its numbers in the panel, a number typed in a drag of it, and the wheel in such a drag."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, dragged_with_s, gizmo_of, held, part_at, the_prop
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_driver import (
    ViewMouse,
    active,
    laid_out,
    move_held,
    place_of,
    settled,
    strike,
    written,
)

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.panels.prop_panel import PropPanel
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.kinematics.rotations import geodesic_angle

pytestmark = pytest.mark.gl
KEY, HELD, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
IN_FRONT = (0.28, 0.65, 0.3)  # metres, the base of a stick before the left shoulder
CLOSE = OrbitCamera(target=(0.2, 1.0, 0.2), yaw=0.5, pitch=0.4, distance=2.2)


@pytest.fixture
def stick(editor: Editor) -> Prop:
    """A stick that the left hand is around, selected by a click in the list."""
    who, made = active(editor).id, added(editor, "stick", IN_FRONT)
    editor.session.edit("Short", edits.set_prop_size(made.id, (0.03, 0.8, 0.03)))
    editor.session.select(who)
    editor.viewport.set_camera(CLOSE)
    editor.refresh()
    dragged_with_s(editor, place_of(editor, "left_wrist"), the_prop(editor).frame.points((0.0, 0.5, 0.0)))
    row = editor.panels.people.prop_rows[0]
    QTest.mouseClick(row, LEFT, HELD.NoModifier, QPoint(60, row.height() // 2))
    editor.refresh()
    laid_out()
    assert held_well(editor)
    return the_prop(editor)


def panel_of(editor: Editor) -> PropPanel:
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    return panel


def held_well(editor: Editor) -> bool:
    """Whether the hand is where the prop is, and around as much of it as there is."""
    contact, person = held(editor), active(editor)
    here = contact.residual(skeleton_of(person), joints_of(person)) < 0.002
    return here and contact.around and contact.radius == pytest.approx(the_prop(editor).size[0] / 2)


def typed(editor: Editor, field: ValueSlider, text: str) -> None:
    """Double-click a number and type another."""
    written(editor, field, text)
    settled(editor.session)
    editor.refresh()


def scrubbed(editor: Editor, field: ValueSlider, *steps: int) -> None:
    start = field.rect().center()
    QTest.mousePress(field, LEFT, pos=start)
    for x in steps:
        move_held(field, start + QPoint(x, 0))
        QApplication.processEvents()
    QTest.mouseRelease(field, LEFT, pos=start + QPoint(steps[-1], 0))
    settled(editor.session)
    editor.refresh()


def rolled_over(field: ValueSlider) -> None:
    place = QPointF(field.rect().center())
    event = QWheelEvent(
        place, QPointF(field.mapToGlobal(place.toPoint())), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        HELD.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field, event)


def steps_since(editor: Editor, count: int) -> tuple[str, ...]:
    return editor.session.history.steps()[count:]


def test_a_typed_place_takes_the_hand_along_and_undo_brings_both_back(editor: Editor, stick: Prop) -> None:
    before, count = editor.session.document, len(editor.session.history.steps())
    wrist = place_of(editor, "left_wrist")
    typed(editor, panel_of(editor).places[1], "75")
    assert the_prop(editor).place[1] == pytest.approx(0.75)
    assert place_of(editor, "left_wrist")[1] - wrist[1] == pytest.approx(0.1, abs=0.02)
    assert held_well(editor)
    assert steps_since(editor, count) == ("Move Stick",)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert editor.session.document == before


@pytest.mark.slow
def test_a_scrubbed_place_is_one_step_and_escape_puts_stick_and_hand_back(editor: Editor, stick: Prop) -> None:
    field, count, before = panel_of(editor).places[0], len(editor.session.history.steps()), editor.session.document
    scrubbed(editor, field, 5, 10, 20)
    assert the_prop(editor).place[0] > stick.place[0] + 0.01
    assert held_well(editor)
    assert steps_since(editor, count) == ("Move Stick",)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    start = field.rect().center()
    QTest.mousePress(field, LEFT, pos=start)
    for x in (5, 12):
        move_held(field, start + QPoint(x, 0))
    assert not np.array_equal(the_prop(editor).place, stick.place)
    QTest.keyClick(field, KEY.Key_Escape)
    QTest.mouseRelease(field, LEFT, pos=start + QPoint(12, 0))
    settled(editor.session)
    assert editor.session.document == before


def test_a_typed_turn_turns_the_hand_with_the_stick(editor: Editor, stick: Prop) -> None:
    person = active(editor)
    wrist = skeleton_of(person).index("left_wrist")
    before = joints_of(person).rotations[wrist]
    typed(editor, panel_of(editor).angles[2], "20")
    assert np.degrees(geodesic_angle(the_prop(editor).turn, stick.turn)) == pytest.approx(20.0, abs=0.1)
    assert held_well(editor)
    assert np.degrees(geodesic_angle(joints_of(active(editor)).rotations[wrist], before)) > 5.0
    assert panel_of(editor).angles[2].text() == "20.0°"


def test_a_typed_diameter_keeps_the_hand_around_it(editor: Editor, stick: Prop) -> None:
    typed(editor, panel_of(editor).sizes[0], "5")
    assert the_prop(editor).size == pytest.approx([0.05, 0.8, 0.05])
    assert held_well(editor)


def test_a_number_typed_in_a_drag_of_it_is_that_many_centimetres(editor: Editor, stick: Prop) -> None:
    mouse = ViewMouse(editor)
    start, count = part_at(mouse, "y"), len(editor.session.history.steps())
    mouse.drag(start, QPoint(2, -6), release=False)
    QTest.keyClicks(editor.viewport, "8")
    mouse.release(start + QPoint(2, -6))
    settled(editor.session)
    assert the_prop(editor).place - stick.place == pytest.approx([0.0, 0.08, 0.0], abs=1e-4)
    assert held_well(editor)
    assert steps_since(editor, count) == ("Move Stick",)


def test_the_wheel_in_a_drag_of_it_turns_it_about_the_vertical_with_the_hand(editor: Editor, stick: Prop) -> None:
    mouse, count = ViewMouse(editor), len(editor.session.history.steps())
    start = part_at(mouse, "x")
    mouse.drag(start, QPoint(6, 0), release=False)
    mouse.roll(start + QPoint(6, 0), 4)
    settled(editor.session)
    turned = np.degrees(geodesic_angle(the_prop(editor).turn, stick.turn))
    assert turned == pytest.approx(20.0, abs=0.1)
    assert the_prop(editor).turn[:, 1] == pytest.approx([0.0, 1.0, 0.0], abs=1e-5), "about the vertical"
    mouse.roll(start + QPoint(6, 0), -1, HELD.ShiftModifier)
    mouse.release(start + QPoint(6, 0))
    settled(editor.session)
    assert np.degrees(geodesic_angle(the_prop(editor).turn, stick.turn)) == pytest.approx(19.0, abs=0.1)
    assert held_well(editor)
    assert steps_since(editor, count) == ("Move Stick",)
    assert gizmo_of(editor).position == pytest.approx(the_prop(editor).middle, abs=1e-4)


def test_the_wheel_on_the_pressed_stick_itself_is_taken_back_by_escape_with_the_hand(
    editor: Editor, stick: Prop
) -> None:
    mouse, before = ViewMouse(editor), editor.session.document
    low = mouse.place(stick.frame.points((0.0, 0.1, 0.0)))
    QTest.mousePress(editor.viewport, LEFT, pos=low)
    mouse.roll(low, 3)
    settled(editor.session)
    assert np.degrees(geodesic_angle(the_prop(editor).turn, stick.turn)) == pytest.approx(15.0, abs=0.1)
    assert held_well(editor)
    QTest.keyClick(editor.viewport, KEY.Key_Escape)
    mouse.release(low)
    settled(editor.session)
    assert editor.session.document == before


def test_the_wheel_over_a_number_changes_nothing(editor: Editor, stick: Prop) -> None:
    before = editor.session.document
    for field in (panel_of(editor).places[0], panel_of(editor).angles[1], panel_of(editor).sizes[0]):
        rolled_over(field)
    settled(editor.session)
    assert editor.session.document == before
