"""Somebody moved by the cross and turned about by the ring at a later frame walks there and turns on arriving."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from root_driver import cross, tip_ring
from stepping_window_test import animated, solved
from window_driver import ViewMouse, active, place_of, root_of, settled

from app.document.model.figure import joints_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = [pytest.mark.gl, pytest.mark.slow]


def heading(editor: Editor) -> float:
    """Degrees that the active person faces away from where new people face."""
    editor.refresh()
    x, _, z = joints_of(active(editor)).rotations[0][:, 2]
    return float(np.degrees(np.abs(np.arctan2(x, z))))


def test_whoever_is_moved_by_the_cross_and_turned_about_by_the_ring_turns_on_arriving(editor: Editor) -> None:
    timeline = animated(editor, 100, OrbitCamera(target=(0.0, 0.6, 0.6), yaw=0.5, pitch=0.6, distance=7.0))
    view, start = ViewMouse(editor), np.asarray(root_of(editor).position)
    pressed = cross(view)
    view.drag(pressed, QPoint(-6, 0), view.place(start + [0.27, 0.0, 1.52]) - pressed)
    settled(editor.session)
    view.click(cross(view))
    near = max(tip_ring(view, "y"), key=lambda at: float(at[0] + at[2]))
    grip = view.place(near)
    view.drag(grip, QPoint(8, 2), release=False)
    for letter in "180":
        QTest.keyClick(view.view, letter)
    QTest.keyClick(view.view, Qt.Key.Key_Return)
    view.release(grip)
    settled(editor.session)
    assert heading(editor) == pytest.approx(180.0, abs=2.0)
    begin, end = start[2], float(np.asarray(root_of(editor).position)[2])
    assert end - begin == pytest.approx(1.5, abs=0.15)
    faced = list[tuple[float, float]]()
    for frame in range(0, 101, 5):
        timeline.to_frame(frame)
        solved(editor)
        faced.append(((place_of(editor, "pelvis")[2] - begin) / (end - begin), heading(editor)))
    assert max(facing for gone, facing in faced if gone < 0.5) < 25.0, "degrees: they head as they go"
    assert min(gone for gone, facing in faced if facing > 90.0) > 0.75
