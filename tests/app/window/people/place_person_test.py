"""People added where one clicks on the floor, by mouse and keys in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, active, move_held, settled, strike, until
from window_driver import place_of as joint_place

from app.document.model.figure import body_of
from app.document.posing.placing import place_of
from app.viewport.overlays.place_mark import SAYS, PlaceMark
from app.window.editor import Editor
from solver.body.floor import posed_vertices

pytestmark = pytest.mark.gl

LEFT, RIGHT, HELD, KEY = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier, Qt.Key
ALT_SHIFT = HELD.AltModifier | HELD.ShiftModifier


def mark(editor: Editor) -> PlaceMark:
    """The ring, once its key was pressed."""
    strike(editor, KEY.Key_A, ALT_SHIFT)
    found = editor.viewport.findChild(PlaceMark)
    assert found is not None
    assert found.isVisible()
    return found


def on_floor(editor: Editor, x: float, z: float) -> QPoint:
    return ViewMouse(editor).place(np.array([x, 0.0, z]))


def test_a_person_stands_where_one_clicks_and_it_is_one_step(editor: Editor) -> None:
    session, first = editor.session, active(editor)
    ring = mark(editor)
    assert editor.actions["pose.add_here"].isCheckable()
    QTest.mouseClick(ring, LEFT, HELD.NoModifier, on_floor(editor, 0.9, -0.5))
    settled(session)
    assert place_of(active(editor)) == pytest.approx((0.9, -0.5), abs=0.02)
    assert active(editor).id != first.id
    assert not ring.isVisible(), "one click, one person"
    assert session.history.steps() == ("Add Person 2",)
    strike(editor, KEY.Key_Z, HELD.ControlModifier)
    assert session.document.characters == (first,)


def test_with_shift_several_are_placed_and_escape_ends_it(editor: Editor) -> None:
    ring = mark(editor)
    for x in (0.9, -0.9):
        QTest.mouseClick(ring, LEFT, HELD.ShiftModifier, on_floor(editor, x, 0.0))
    assert len(editor.session.document.characters) == 3
    assert ring.isVisible()
    editor.refresh()
    assert editor.actions["pose.add_here"].isChecked()
    QTest.keyClick(ring, KEY.Key_Escape)
    assert not ring.isVisible()
    assert editor.viewport.hasFocus()
    settled(editor.session)


def test_escape_leaves_it_also_after_a_click_on_the_ground_of_the_panels(editor: Editor) -> None:
    ring = mark(editor)
    ground = editor.panels.people.parentWidget()
    QTest.mouseClick(ground, LEFT, HELD.NoModifier, ground.rect().bottomLeft() + QPoint(20, -20))
    assert ring.isVisible()
    focus = editor.window.focusWidget()
    assert focus is ring
    QTest.keyClick(focus, KEY.Key_Escape)
    assert not ring.isVisible()
    assert editor.viewport.hasFocus()


@pytest.mark.slow
def test_nobody_is_added_inside_another_however_one_clicks(editor: Editor) -> None:
    first = active(editor)
    QTest.mouseClick(mark(editor), LEFT, HELD.NoModifier, on_floor(editor, *place_of(first)))
    settled(editor.session)
    second = active(editor)
    one, other = (posed_vertices(body_of(c), c.shape, c.pose) for c in (first, second))
    gap = np.linalg.norm(one[::7, None] - other[None, ::7], axis=-1).min()
    assert gap > 0.05
    assert np.hypot(*np.subtract(place_of(first), place_of(second))) < 0.9, "yet as near as there is room"


def test_the_ring_goes_along_with_the_pointer_and_leaves_with_the_right_button(editor: Editor) -> None:
    ring, document = mark(editor), editor.session.document
    at = on_floor(editor, 0.5, 0.5)
    empty = ring.grab().toImage()
    move_held(ring, at, buttons=Qt.MouseButton.NoButton)
    drawn = ring.grab().toImage()
    assert drawn != empty
    middle = ring.ring((at.x(), at.y())).mean(axis=0)
    assert middle == pytest.approx([0.5, 0.0, 0.5], abs=0.02)
    QTest.mouseClick(ring, RIGHT, HELD.NoModifier, at)
    assert not ring.isVisible()
    assert editor.session.document == document
    editor.actions["pose.add_here"].trigger()
    assert ring.isVisible()
    editor.actions["pose.add_here"].trigger()
    assert not ring.isVisible(), "the command once more leaves it, too"


def test_the_view_still_turns_while_one_chooses(editor: Editor) -> None:
    ring, before = mark(editor), editor.viewport.camera
    middle, start = Qt.MouseButton.MiddleButton, QPoint(200, 200)
    QTest.mousePress(ring, middle, HELD.NoModifier, start)
    move_held(ring, start + QPoint(40, 0), buttons=middle)
    QTest.mouseRelease(ring, middle, HELD.NoModifier, start + QPoint(40, 0))
    assert editor.viewport.camera != before
    assert ring.isVisible()


def test_in_a_narrow_view_what_to_do_is_said_in_two_lines_and_not_cut_off(editor: Editor) -> None:
    editor.window.resize(1024, 700)
    until(lambda: editor.viewport.width() < 500)
    ring = mark(editor)
    ground, one = ring.ground_of(SAYS), ring.fontMetrics().height()
    assert QRectF(ring.rect()).contains(ground)
    assert ground.height() > 2 * one
    QTest.keyClick(ring, KEY.Key_Escape)


def test_nothing_below_the_pointer_is_named_while_a_place_is_chosen(editor: Editor) -> None:
    """The wheel had it named, and the name stayed where it was after the click: “Right knee” far from any knee."""
    mouse = ViewMouse(editor)
    knee = mouse.place(joint_place(editor, "right_knee"))
    mouse.hover(knee)
    until(editor.hover_label.isVisible)
    ring = mark(editor)
    assert not editor.hover_label.isVisible()
    wheel = QWheelEvent(
        QPointF(knee), QPointF(ring.mapToGlobal(knee)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        HELD.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(ring, wheel)
    QTest.qWait(100)
    assert not editor.hover_label.isVisible()
    QTest.keyClick(ring, KEY.Key_Escape)


def test_a_line_of_the_message_ends_between_its_parts(editor: Editor) -> None:
    ring = mark(editor)
    ring.resize(ring.fontMetrics().horizontalAdvance(SAYS), ring.height())
    *_, last = ring.in_parts(SAYS).split(" ")
    assert last == "Esc\u00a0leaves\u00a0it"
    ring.resize(ring.fontMetrics().horizontalAdvance(SAYS) // 4, ring.height())
    assert ring.in_parts(SAYS).startswith("Click where"), "too long for a line of its own"
    QTest.keyClick(ring, KEY.Key_Escape)
