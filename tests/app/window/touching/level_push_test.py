"""People pushed farther and nearer by keys and by the cross in a scene without a photo: level over the floor."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, active, settled, strike

from app.viewport.root_place import root_place
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl

KEY, SHIFT, CTRL = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
FROM_ABOVE = OrbitCamera(pitch=0.9)


def root(editor: Editor) -> np.ndarray:
    return active(editor).pose.root_position.astype(np.float64)


def test_somebody_seen_from_above_goes_level_over_the_floor_and_back_at_the_same_size(editor: Editor) -> None:
    editor.viewport.set_camera(FROM_ABOVE)
    start, build = root(editor), active(editor).shape
    for _ in range(3):
        strike(editor, KEY.Key_PageUp, SHIFT)
    settled(editor.session)
    way = root(editor) - start
    assert way[1] == pytest.approx(0.0, abs=1e-5)
    ahead = -FROM_ABOVE.rotation[:, 2] * (1.0, 0.0, 1.0)
    assert way @ ahead / np.linalg.norm(ahead) == pytest.approx(np.linalg.norm(way), rel=1e-3)
    assert np.linalg.norm(way) > 0.2
    assert active(editor).shape == build
    for _ in range(3):
        strike(editor, KEY.Key_PageDown, SHIFT)
    settled(editor.session)
    assert root(editor)[1] == pytest.approx(start[1], abs=1e-5)
    assert np.linalg.norm(root(editor) - start) < np.linalg.norm(way) / 4
    strike(editor, KEY.Key_Z, CTRL)
    assert np.linalg.norm(root(editor) - start) > np.linalg.norm(way) / 4, "each press is one step of undo"


@pytest.mark.parametrize("flat", [True, False])
def test_seen_from_the_top_farther_is_up_the_screen(editor: Editor, flat: bool) -> None:
    camera = OrbitCamera(target=(0.0, 0.9, 0.0), yaw=0.0, pitch=np.pi / 2, orthographic=flat)
    editor.viewport.set_camera(camera)
    start = root(editor)
    strike(editor, KEY.Key_PageUp, SHIFT)
    settled(editor.session)
    way = root(editor) - start
    assert np.linalg.norm(way) > 0.05
    assert way / np.linalg.norm(way) == pytest.approx(camera.rotation[:, 1], abs=1e-3)


def test_the_cross_dragged_with_ctrl_and_shift_stays_on_the_floor(editor: Editor) -> None:
    editor.viewport.set_camera(FROM_ABOVE)
    editor.refresh()
    start, build, mouse = root(editor), active(editor).shape, ViewMouse(editor)
    editor.session_view.refresh()
    cross = mouse.place(root_place(active(editor)) + [0.0, 0.0, 0.3])
    mouse.drag(cross, QPoint(10, -20), QPoint(20, -60), keys=CTRL | SHIFT)
    settled(editor.session)
    way = root(editor) - start
    assert np.linalg.norm(way) > 0.1
    assert way[1] == pytest.approx(0.0, abs=1e-5)
    assert active(editor).shape == build
