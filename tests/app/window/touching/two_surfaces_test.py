"""A foot dragged with S from one box onto another: Esc and undo bring everything back."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import added, press_s, shown
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled

from app.window.editor import Editor
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.ik.memory import BegunAnew

pytestmark = [pytest.mark.gl, pytest.mark.slow]
PLACES = ((0.15, 0.0, 0.55), (0.95, 0.0, 0.55))


def on_two_boxes(editor: Editor) -> tuple[ViewMouse, QPoint]:
    """The left foot on the second box, by way of the first, with S and the button still held; where the pointer is."""
    who, boxes = active(editor).id, [added(editor, "box", place) for place in PLACES]
    editor.session.select(who)
    shown(editor)
    mouse = ViewMouse(editor)
    at = mouse.place(place_of(editor, "left_ankle"))
    mouse.drag(at, QPoint(4, 4), QPoint(8, 8), release=False)
    press_s(editor)
    for box in boxes:
        last = mouse.place(box.place + np.array([0.0, box.size[1], 0.0]))
        for share in (0.5, 1.0):
            mouse.move(at + (last - at) * share)
            settled(editor.session)
        at = last
        sole = next(e for e in active(editor).effectors if isinstance(e, Contact))
        assert isinstance(sole.source, PropSource)
        assert sole.source.prop == box.id
    return mouse, at


def test_esc_after_the_second_surface_leaves_nothing_of_either(editor: Editor) -> None:
    before, session = active(editor), editor.session
    mouse, at = on_two_boxes(editor)
    steps = session.history.steps()
    assert active(editor).pose != before.pose
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    mouse.release(at)
    settled(session)
    assert (active(editor).pose, active(editor).effectors) == (before.pose, before.effectors)
    assert session.history.steps() == steps[:-1]
    assert not isinstance(session.finding.memory, BegunAnew)


def test_both_surfaces_are_one_step_to_undo_and_to_do_again(editor: Editor) -> None:
    before, session = active(editor), editor.session
    mouse, at = on_two_boxes(editor)
    mouse.release(at)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(session)
    there = active(editor)
    assert not isinstance(session.finding.memory, BegunAnew)
    session.undo()
    settled(session)
    assert active(editor).pose == before.pose
    session.redo()
    settled(session)
    assert (active(editor).pose, active(editor).effectors) == (there.pose, there.effectors)
