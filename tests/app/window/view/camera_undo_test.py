"""Alt+Z goes back to where one looked from before, and touches nothing but the view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import random_photo
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from window_driver import ViewMouse, strike, until

from app.document import edits
from app.window.editor import Editor
from rendering.camera.camera import Camera, PhotoView

pytestmark = pytest.mark.gl

KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CORNER = QPoint(15, 15)  # beside the body


def back(editor: Editor) -> Camera:
    """Where the camera goes with Alt+Z."""
    strike(editor, KEY.Key_Z, ALT)
    return editor.viewport.final_view.camera


def forward(editor: Editor) -> Camera:
    strike(editor, KEY.Key_Z, ALT | SHIFT)
    return editor.viewport.final_view.camera


def turn_wheel(editor: Editor, notches: int) -> None:
    view, place = editor.viewport, QPoint(200, 200)
    for _ in range(notches):
        event = QWheelEvent(
            QPointF(place), QPointF(view.mapToGlobal(place)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, event)


def test_a_drag_is_one_step_and_a_run_of_the_wheel_another(looked_on: Editor) -> None:
    view, mouse = looked_on.viewport, ViewMouse(looked_on)
    start = view.camera
    mouse.drag(CORNER, QPoint(20, 5), QPoint(60, 10), QPoint(90, 40))
    turned = view.camera
    mouse.drag(CORNER, QPoint(10, 0), QPoint(30, 5))
    twice = view.camera
    turn_wheel(looked_on, 3)
    near = view.camera
    assert len({start, turned, twice, near}) == 4
    assert [back(looked_on) for _ in range(4)] == [twice, turned, start, start]
    assert [forward(looked_on) for _ in range(4)] == [turned, twice, near, near]


def test_a_jump_is_a_step_even_before_the_view_has_come_there(looked_on: Editor) -> None:
    view = looked_on.viewport
    start = view.camera
    strike(looked_on, KEY.Key_3)
    right = view.final_view.camera
    strike(looked_on, KEY.Key_1)
    front = view.final_view.camera
    assert len({start, right, front}) == 3
    assert back(looked_on) == right
    assert back(looked_on) == start
    until(lambda: view.camera == start)
    strike(looked_on, KEY.Key_7)
    assert forward(looked_on) == view.final_view.camera != front, "what lay ahead is forgotten"


def test_a_drag_that_was_cancelled_is_no_step(looked_on: Editor) -> None:
    view, mouse = looked_on.viewport, ViewMouse(looked_on)
    start = view.camera
    strike(looked_on, KEY.Key_5)
    flat = view.camera
    mouse.drag(CORNER, QPoint(20, 5), QPoint(60, 10), release=False)
    assert view.camera != flat
    strike(looked_on, KEY.Key_Escape)
    mouse.release(CORNER)
    assert view.camera == flat
    assert back(looked_on) == start


def test_a_photos_camera_is_left_and_entered_again(editor: Editor) -> None:
    session, view = editor.session, editor.viewport
    photo = replace(random_photo(np.random.default_rng(0), "/nowhere.jpg"), visible=False)
    session.edit("Photo", edits.set_photo(photo))
    outside, steps = view.camera, session.history.steps()
    strike(editor, KEY.Key_0)
    assert isinstance(view.camera, PhotoView)
    assert back(editor) == outside
    assert not session.view.through_photo
    again = forward(editor)
    assert isinstance(again, PhotoView)
    assert again.lens == photo.camera
    assert session.view.through_photo
    strike(editor, KEY.Key_0)
    assert view.camera == outside
    session.edit("No photo", edits.set_photo(None))
    assert not isinstance(back(editor), PhotoView), "the photo is gone"
    assert session.history.steps() != steps
    strike(editor, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.history.steps() == steps


def test_a_zoom_in_a_photo_is_undone_though_its_lens_has_been_changed_since(editor: Editor) -> None:
    session, view = editor.session, editor.viewport
    photo = replace(random_photo(np.random.default_rng(0), "/nowhere.jpg"), visible=False)
    session.edit("Photo", edits.set_photo(photo))
    session.set_view(through_photo=True)
    turn_wheel(editor, 3)
    zoomed = view.final_view.camera
    assert isinstance(zoomed, PhotoView)
    lens = replace(photo.camera, focal_px=photo.camera.focal_px * 1.1)
    session.edit("Lens", edits.set_photo(replace(photo, camera=lens)))
    assert back(editor) == PhotoView(lens)
    assert forward(editor) == replace(zoomed, lens=lens)
    strike(editor, KEY.Key_S, SHIFT)
    assert view.final_view.camera == PhotoView(lens, halved=True), "the whole photo beside the bodies"
    assert back(editor) == replace(zoomed, lens=lens, halved=True)


def test_another_scene_begins_without_steps(editor: Editor) -> None:
    strike(editor, KEY.Key_3)
    editor.session.open(editor.files.fresh())
    begun = editor.viewport.final_view.camera
    assert back(editor) == begun
