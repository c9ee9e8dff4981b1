"""The view that goes along with somebody who walks, by its keys in the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, settled, strike

from app.document import edits
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FRAMES, METRES = 31, 3.0


@pytest.fixture
def walker(editor: Editor) -> Editor:
    """The window with somebody who goes three metres ahead."""
    assert editor.session.active is not None
    pose = editor.session.active.pose
    roots = pose.root_position + np.linspace(0, METRES, FRAMES)[:, None] * np.array([0, 0, 1])
    motion = Motion(roots, np.repeat(pose.rotations[None], FRAMES, axis=0), 30.0)
    editor.session.edit("Import", edits.import_motion("c1", motion))
    settled(editor.session)
    editor.refresh()
    return editor


def on_screen(editor: Editor) -> np.ndarray:
    """The pixel of the pelvis."""
    assert editor.session.active is not None
    place = ViewMouse(editor).place(editor.session.active.pose.root_position)
    return np.array([place.x(), place.y()])


def test_the_view_goes_to_a_walker_and_along_with_them_and_edits_nothing(walker: Editor) -> None:
    document = walker.session.history.document
    walker.player.go_to(10)
    camera = walker.viewport.camera
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    here = on_screen(walker)
    assert abs(here[0] - walker.viewport.width() / 2) <= 2, "in the middle"
    for _ in range(3):
        strike(walker, KEY.Key_Right)
    assert walker.player.frame == 13
    walker.player.go_to(FRAMES - 1)
    assert np.abs(on_screen(walker) - here).max() <= 2
    assert walker.viewport.camera.rotation == pytest.approx(camera.rotation)
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    walker.player.go_to(0)
    assert np.abs(on_screen(walker) - here).max() > 20, "no longer"
    assert walker.session.history.document == document


def test_posing_does_not_move_a_view_that_follows(walker: Editor) -> None:
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    camera = walker.viewport.camera
    pelvis = on_screen(walker)
    mouse, start = ViewMouse(walker), QPoint(*pelvis.tolist())
    mouse.drag(start, QPoint(10, 5), QPoint(40, 20))
    settled(walker.session)
    assert np.abs(on_screen(walker) - pelvis).max() > 10, "the pelvis itself has moved"
    assert walker.viewport.camera == camera
