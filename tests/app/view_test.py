"""The view of the window: its camera, and what its pictures show."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from window_hand import Hand

from app.workplace import Workplace
from rendering.camera import OrbitCamera

pytestmark = pytest.mark.gl


def test_the_start_view_is_that_of_a_new_window(workplace: Workplace) -> None:
    camera, hand = workplace.viewport.camera, Hand(workplace)
    workplace.stage.start_view()  # the window may have been laid out since it chose its own
    first = workplace.viewport.camera
    hand.drag(QPoint(30, 30), QPoint(130, 60))
    workplace.stage.set_lens(100)
    workplace.stage.toggle_flat()
    assert workplace.viewport.camera != first
    workplace.stage.start_view()
    assert workplace.viewport.camera == first
    assert isinstance(camera, OrbitCamera)
    assert (first.yaw, first.pitch, first.fov_y) == (camera.yaw, camera.pitch, camera.fov_y)
