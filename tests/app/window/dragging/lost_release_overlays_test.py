"""A dialog that opens has the button's release: what lies over the view is not dragged on by the pointer alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import question
from photographed_people import put_before_green
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import ViewMouse, camera_of, move_held, strike, until

from app.viewport.overlays.horizon_line import HorizonLine
from app.viewport.overlays.light_ball import SIZE, LightBall
from app.viewport.overlays.photo_points import PhotoPoints
from app.viewport.overlays.wipe_divider import WipeDivider
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
LEFT, NONE, RIGHT_WRIST = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton, 16
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def before_a_photo(editor: Editor, tmp_path: Path) -> Editor:
    """One person in front of a plain picture, looked at through its camera."""
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.set_view(through_photo=True)
    return editor


def shown(editor: Editor, kind: type[QWidget]) -> QWidget:
    found = editor.viewport.findChild(kind)
    assert isinstance(found, kind)
    until(found.isVisible)
    return found


def begin(widget: QWidget, start: QPoint, by: QPoint) -> None:
    QTest.mousePress(widget, LEFT, pos=start)
    for share in (0.5, 1.0):
        move_held(widget, start + by * share)


def test_the_axes_turn_the_view_no_longer(editor: Editor) -> None:
    triad = editor.session_view.triad
    middle, before = triad.rect().center(), editor.viewport.camera
    begin(triad, middle, QPoint(12, 6))
    question(editor)
    turned = editor.viewport.camera
    assert turned != before
    move_held(triad, middle - QPoint(15, 10), buttons=NONE)
    assert editor.viewport.camera == turned


def test_the_light_is_kept_where_it_was_dragged(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_0, ALT)
    ball, middle = shown(editor, LightBall), QPoint(SIZE // 2, SIZE // 2)
    begin(ball, middle, QPoint(24, 0))
    question(editor)
    turn = editor.viewport.scene.style.turn
    assert editor.settings.values.key_turn == pytest.approx(turn), "as after a release"
    move_held(ball, middle - QPoint(20, 0), buttons=NONE)
    assert editor.viewport.scene.style.turn == turn
    editor.settings.set(key_turn=10.0)
    assert editor.session_view.style.turn == pytest.approx(10.0), "nothing is only tried any more"


def test_the_wipe_stays(before_a_photo: Editor) -> None:
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    divider = shown(before_a_photo, WipeDivider)
    begin(divider, divider.rect().center(), QPoint(-40, 0))
    question(before_a_photo)
    wipe = before_a_photo.session.view.wipe
    move_held(divider, divider.rect().center() + QPoint(120, 0), buttons=NONE)
    assert before_a_photo.session.view.wipe == wipe


def test_the_horizon_is_one_step_and_stays(before_a_photo: Editor) -> None:
    session = before_a_photo.session
    strike(before_a_photo, Qt.Key.Key_H, SHIFT)
    line = shown(before_a_photo, HorizonLine)
    assert isinstance(line, HorizonLine)
    grip = line.grips[1]
    begin(grip, grip.rect().center(), QPoint(0, 20))
    assert session.in_step
    question(before_a_photo)
    assert not session.in_step
    assert session.history.steps()[-1] == "Move horizon"
    camera = camera_of(before_a_photo)
    move_held(grip, grip.rect().center() - QPoint(0, 60), buttons=NONE)
    assert camera_of(before_a_photo) == camera


def test_a_point_in_the_photo_no_longer_follows_the_pointer(before_a_photo: Editor) -> None:
    session, view = before_a_photo.session, before_a_photo.viewport
    strike(before_a_photo, Qt.Key.Key_L, SHIFT)
    points = shown(before_a_photo, PhotoPoints)
    assert isinstance(points, PhotoPoints)
    until(lambda: points.at(RIGHT_WRIST) is not None)
    at = points.at(RIGHT_WRIST)
    assert at is not None
    start = at.toPoint()
    ViewMouse(before_a_photo).hover(start)
    begin(view, start, QPoint(-20, -20))
    assert session.in_step
    question(before_a_photo)
    assert not session.in_step
    document = session.document
    ViewMouse(before_a_photo).hover(start + QPoint(60, 40))
    assert session.document == document
