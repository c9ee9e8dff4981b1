"""The view that goes along with somebody who walks, by its keys in the real window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, move_held, settled, strike, until

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


def test_an_orbit_in_the_middle_of_a_walk_goes_along_and_escape_ends_it_beside_the_walker(walker: Editor) -> None:
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    before, view = walker.viewport.camera, walker.viewport
    start, middle = QPoint(30, 200), Qt.MouseButton.MiddleButton
    QTest.mousePress(view, middle, Qt.KeyboardModifier.NoModifier, start)
    for frame in (10, 20, 30):
        walker.player.go_to(frame)
        move_held(view, start + QPoint(frame, 0), buttons=middle)
        assert abs(on_screen(walker)[0] - view.width() / 2) <= 2, "still in the middle"
    assert view.camera.rotation != pytest.approx(before.rotation)
    strike(walker, KEY.Key_Escape)
    QTest.mouseRelease(view, middle, Qt.KeyboardModifier.NoModifier, start)
    assert view.camera.rotation == pytest.approx(before.rotation)
    assert abs(on_screen(walker)[0] - view.width() / 2) <= 2


def test_a_glide_to_somebody_goes_on_while_they_walk(walker: Editor) -> None:
    strike(walker, KEY.Key_F, CTRL | SHIFT)
    view = walker.viewport
    far = 9.0
    view.set_camera(replace(view.camera, distance=far))
    strike(walker, KEY.Key_F)
    wanted = view.final_view.camera.distance
    assert wanted != pytest.approx(far)
    walker.player.go_to(10)
    until(lambda: view.camera.distance == pytest.approx(wanted))
    assert abs(on_screen(walker)[0] - view.width() / 2) < 40
