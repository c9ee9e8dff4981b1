"""A gizmo's arrow that crosses another handle leaves that handle to be pressed."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from window_driver import ViewMouse, active, settled

from app.window.editor import Editor
from rendering.shapes.gizmo import outline

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]


def target(editor: Editor, joint: str) -> np.ndarray:
    return np.array(next(e.target for e in active(editor).effectors if e.joint == joint))


def test_a_wrist_under_the_tip_of_the_other_wrists_arrow_is_what_a_press_takes(editor: Editor) -> None:
    mouse, session = ViewMouse(editor), editor.session
    mouse.drag(mouse.place(target(editor, "right_wrist")), QPoint(0, -10), QPoint(0, -20))  # from now on it stays
    settled(session)
    gizmo = editor.viewport.scene.gizmo
    assert gizmo is not None
    tip = mouse.place(outline(gizmo, "x", editor.viewport.current_view)[-1])
    left = mouse.place(target(editor, "left_wrist"))
    mouse.drag(left, tip - left)
    settled(session)
    mouse.click(mouse.place(target(editor, "right_wrist")))
    place, still = mouse.place(target(editor, "left_wrist")), target(editor, "right_wrist")
    found = editor.viewport.pick(float(place.x()), float(place.y()))
    assert found is not None
    assert found.kind == "gizmo", "the arrow does cross it"
    mouse.drag(place, QPoint(0, -10), QPoint(0, -30))
    settled(session)
    assert np.array_equal(target(editor, "right_wrist"), still)
    assert mouse.place(target(editor, "left_wrist")).y() < place.y() - 20
