"""A hand is dragged high up with the mouse: the other arm hangs on beside the body, and goes through nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, place_of, settled, strike

from app.document.posing.solving import body_of
from app.window.editor import Editor
from solver.evaluation.standing.skin_intersection import self_intersection_depth

pytestmark = [pytest.mark.gl, pytest.mark.slow, pytest.mark.usefixtures("whole_view")]
STEPS = 24


@pytest.mark.parametrize(("hand", "idle"), [("left_wrist", "right_wrist"), ("right_wrist", "left_wrist")])
def test_a_hand_beside_the_thigh_stays_beside_it_while_the_other_reaches_up(
    editor: Editor, hand: str, idle: str
) -> None:
    strike(editor, Qt.Key.Key_1)
    mouse, place = ViewMouse(editor), place_of(editor, hand)
    start, end = mouse.place(place), mouse.place(place + [0.0, 1.05, 0.0])
    seen = [place_of(editor, idle)]
    mouse.drag(start, QPoint(0, 1), release=False)
    for step in range(1, STEPS + 1):
        mouse.move(start + (end - start) * step / STEPS)
        settled(editor.session)
        seen.append(place_of(editor, idle))
    mouse.release(end)
    settled(editor.session)
    reached, person = place_of(editor, hand), active(editor)
    assert reached[1] > place[1] + 0.9
    assert self_intersection_depth(body_of(person), person.shape, person.pose, person.hands) < 0.005
    assert np.linalg.norm(np.diff(seen, axis=0), axis=1).max() < 0.06
    up = mouse.place(reached)
    mouse.drag(up, *((start - end) * step / STEPS for step in range(1, STEPS + 1)))
    settled(editor.session)
    assert np.linalg.norm(place_of(editor, idle) - seen[0]) < 0.08, "a drag back leaves the arm hanging as it was"
