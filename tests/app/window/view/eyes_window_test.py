"""Eyes in the real window follow the look-at's handle while it is dragged, and go back with it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, settled, strike

from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera
from solver.effectors.effector import Effector

pytestmark = pytest.mark.gl


def look(editor: Editor) -> Effector:
    return next(e for e in active(editor).effectors if e.kind == "lookat")


def off_target(editor: Editor) -> tuple[float, float]:
    """Degrees that the left eye looks to its left of the world's front, and beside the look's target."""
    eyes = np.asarray(editor.viewport.scene.figures[0].eyes)
    asked, ahead = look(editor).target - eyes[0, :, 3], eyes[0, :, 2]
    cosine = asked @ ahead / np.linalg.norm(asked) / np.linalg.norm(ahead)
    return float(np.degrees(np.arctan2(ahead[0], ahead[2]))), float(np.degrees(np.arccos(min(cosine, 1.0))))


def test_eyes_follow_a_look_that_is_dragged_and_go_back_when_it_is_undone(editor: Editor) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 1.4, 0.3), distance=4.0, yaw=0.3, pitch=0.1))
    mouse = ViewMouse(editor)
    start, far = mouse.place(look(editor).target), QPoint(180, -10)
    assert abs(off_target(editor)[0]) < 3.0
    mouse.drag(start, QPoint(8, 0), QPoint(50, -6), far, release=False)
    settled(editor.session)
    turned, missed = off_target(editor)
    assert turned > 15.0, "while the handle is held"
    assert missed < 2.0
    mouse.release(start + far)
    settled(editor.session)
    assert off_target(editor)[1] < 2.0
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(editor.session)
    assert abs(off_target(editor)[0]) < 3.0
