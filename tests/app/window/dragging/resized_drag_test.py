"""A window that is resized while something is dragged: what is held stays under the pointer."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, laid_out, settled, strike

from app.viewport.tools.resized_view import pointer_in_view_of_start
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, View
from rendering.camera.navigation import Pointer

pytestmark = pytest.mark.gl


def target(editor: Editor) -> np.ndarray:
    return next(e.target for e in active(editor).effectors if e.joint == "left_wrist" and e.kind == "position")


@pytest.mark.parametrize("by", [QPoint(260, 140), QPoint(-200, -160)])
def test_a_handle_stays_under_the_pointer(editor: Editor, by: QPoint) -> None:
    mouse, window = ViewMouse(editor), editor.window
    start = mouse.place(target(editor))
    mouse.drag(start, QPoint(10, -10), QPoint(30, -40), release=False)
    settled(editor.session)
    window.resize(window.width() + by.x(), window.height() + by.y())
    laid_out()
    pointer = mouse.place(target(editor)) + QPoint(15, -25)
    mouse.move(pointer)
    assert np.hypot(*(mouse.place(target(editor)) - pointer).toTuple()) <= 2
    mouse.release(pointer)
    settled(editor.session)
    assert editor.session.history.steps() == ("Move left wrist · position",)


def test_as_long_as_the_pointer_rests_nothing_moves(editor: Editor) -> None:
    mouse, window = ViewMouse(editor), editor.window
    start = mouse.place(target(editor))
    mouse.drag(start, QPoint(10, -10), QPoint(30, -40), release=False)
    before = target(editor)
    window.resize(window.width() + 200, window.height() + 100)
    laid_out()
    for _ in range(2):  # to an axis, and free again
        strike(editor, Qt.Key.Key_X)
    assert target(editor) == pytest.approx(before, abs=1e-5)
    mouse.release(start)


@pytest.mark.parametrize("orthographic", [False, True])
def test_pixels_of_another_size_are_those_of_the_same_sight(orthographic: bool) -> None:
    camera = OrbitCamera(orthographic=orthographic)
    begun, now = View(camera, 800, 600), View(camera, 1300, 700)
    place = np.array([0.3, 1.2, 0.1])
    there = Pointer(*now.project(place), "left", shift=True)
    found = pointer_in_view_of_start(begun, now, there)
    assert found.pixel == pytest.approx(begun.project(place), abs=1e-6)
    assert (found.button, found.shift) == ("left", True)
    assert pointer_in_view_of_start(now, now, there) is there
