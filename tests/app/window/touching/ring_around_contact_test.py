"""A joint that a contact holds and a ring turns: the middle of the ring drags the contact, the ring itself turns."""

from __future__ import annotations

import numpy as np
import pytest
from prop_driver import box_to_step_on, dragged_with_s, held, press_s, the_prop
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, place_of, settled

from app.window.editor import Editor
from solver.effectors.forms import TURN
from solver.effectors.sources import PropSource

pytestmark = pytest.mark.gl
FOOT = "left_ankle"


def stepped_up(editor: Editor) -> None:
    """The person with the left foot on a low box, put there by the mouse."""
    dragged_with_s(editor, *box_to_step_on(editor, FOOT))
    assert isinstance(held(editor).source, PropSource)
    editor.refresh()
    editor.session_view.refresh()


def turn_of(editor: Editor) -> np.ndarray:
    """(3, 3) what the left foot's rotation handle asks for."""
    (turn,) = (e.target for e in active(editor).effectors if e.form == TURN and e.joint == FOOT)
    return turn


@pytest.mark.slow
@pytest.mark.parametrize("beside", [0, 7])
def test_a_foot_on_a_box_is_taken_by_its_ankle_and_put_elsewhere_with_s(editor: Editor, beside: int) -> None:
    stepped_up(editor)
    before, asked = held(editor), turn_of(editor)
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, FOOT)) + QPoint(beside, 0)
    end = mouse.place(the_prop(editor).frame.points((0.1, 1.0, 0.1)))
    mouse.drag(start, QPoint(4, 4), release=False)
    press_s(editor)
    mouse.move(end)
    mouse.release(end)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(editor.session)
    assert editor.session.history.steps()[-1] == "Hold left sole on Box"
    assert held(editor).id == before.id
    assert held(editor).target[2] > before.target[2] + 0.1
    assert turn_of(editor) == pytest.approx(asked), "nothing was turned"


@pytest.mark.slow
def test_the_ring_around_the_ankle_still_turns_the_foot_and_says_that_s_does_nothing_for_it(editor: Editor) -> None:
    stepped_up(editor)
    before, asked, said = held(editor), turn_of(editor), list[str]()
    editor.tool.hint.connect(said.append)
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, FOOT)) + QPoint(0, -13)
    mouse.drag(start, QPoint(15, 0), release=False)
    press_s(editor)
    mouse.move(start + QPoint(25, 5))
    mouse.release(start + QPoint(25, 5))
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(editor.session)
    assert "A ring only turns: drag the joint in its middle, or the handle, onto a surface" in said
    assert np.abs(turn_of(editor) - asked).max() > 0.05
    assert held(editor).target == pytest.approx(before.target, abs=1e-6)
