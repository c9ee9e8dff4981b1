"""Somebody set on a box by the cross at a later frame walks there and steps onto it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from prop_driver import press_s
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from root_driver import cross
from stepping_window_test import animated, solved
from window_driver import ViewMouse, place_of, settled

from app.document.edits.props import add_prop, new_prop
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = [pytest.mark.gl, pytest.mark.slow]

HIGH = 0.3  # metres of the box


def lowest(editor: Editor) -> float:
    """Metres of the lower ball."""
    return min(float(place_of(editor, ball)[1]) for ball in ("left_foot", "right_foot"))


def test_whoever_is_set_on_a_box_by_the_cross_walks_and_steps_up_there(editor: Editor) -> None:
    session = editor.session
    box = replace(new_prop(session.document, "box"), size=np.array([0.8, HIGH, 0.8]), place=np.array([0.0, 0.0, 1.2]))
    session.edit("Add a box", add_prop(box))
    timeline = animated(editor, 75, OrbitCamera(target=(0.0, 0.6, 0.6), yaw=0.7, pitch=0.6, distance=6.0))
    view, floor = ViewMouse(editor), lowest(editor)
    pressed = cross(view)
    way = view.place(np.array([0.0, HIGH, 1.2])) - pressed
    view.drag(pressed, QPoint(-6, 0), way, release=False)
    press_s(editor)
    view.release(pressed + way)
    QTest.keyRelease(editor.viewport, Qt.Key.Key_S)
    settled(session)
    assert lowest(editor) - floor == pytest.approx(HIGH, abs=0.01)
    heights = list[float]()
    for frame in range(0, 76, 3):
        timeline.to_frame(frame)
        solved(editor)
        heights.append(lowest(editor) - floor)
    on_floor, on_box = (sum(abs(height - level) < 0.02 for height in heights) for level in (0.0, HIGH))
    assert min(on_floor, on_box) >= 8
    assert on_floor + on_box >= len(heights) - 4, "the lower foot is on one of the two but for one step"
