"""The photo's focal length, scrubbed: camera and people follow at once, and bodies stay on the picture."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import laid_out, move_held, settled, strike

from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.camera import PinholeCamera
from solver.focal_length import focal_px
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
TILT = from_rotation_vector([-0.15, 0.0, 0.0]).astype(np.float32)
LENS = focal_px(49.97, (800, 600))  # the slider shows 50.0
CAMERA = PinholeCamera(np.float32([0.3, 1.8, 5.5]), TILT, LENS, (400.0, 300.0), (800, 600))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
NEAR = 0.006  # of the person's extent, which the middle joint may leave its place by


def test_scrubbing_the_focal_length_keeps_bodies_on_the_picture_at_each_move_as_one_step(editor: Editor) -> None:
    session, slider = editor.session, editor.panels.photo.focal
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    session.set_view(through_photo=True)
    settled(session)
    editor.refresh()
    laid_out()
    before = session.document

    def pixels() -> np.ndarray:
        photo, active = session.document.photo, session.active
        assert photo is not None
        assert active is not None
        return photo.camera.project(joints_of(active).positions.astype(np.float64))

    there, middle = pixels(), slider.rect().center()
    extent = np.linalg.norm(np.ptp(there, axis=0))
    seen = []
    QTest.mousePress(slider, LEFT, NONE, middle)
    for x in (10, 25, 40):
        move_held(slider, middle + QPoint(x, 0))
        camera = editor.viewport.camera
        assert isinstance(camera, PhotoView)
        seen.append(camera.lens.focal_px)
        off = np.linalg.norm(pixels() - there, axis=1) / extent
        assert np.median(off) < NEAR, "at each move"
    QTest.mouseRelease(slider, LEFT, NONE, middle + QPoint(40, 0))
    assert LENS < seen[0] < seen[1] < seen[2]
    assert session.history.undo_text == "Change focal length"
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before


def test_the_former_lens_brings_everything_back_in_the_same_scrub_and_in_the_next_one(editor: Editor) -> None:
    session, slider = editor.session, editor.panels.photo.focal
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    session.edit("Add character", edits.add_character(new_character(session.document)))
    settled(session)
    editor.refresh()
    laid_out()
    before, middle = session.document, slider.rect().center()
    there = middle + QPoint(30, 0)
    QTest.mousePress(slider, LEFT, NONE, middle)
    move_held(slider, there)
    assert session.document != before
    move_held(slider, middle)
    assert session.document == before
    move_held(slider, there)
    QTest.mouseRelease(slider, LEFT, NONE, there)
    longer = session.document
    QTest.mousePress(slider, LEFT, NONE, there)
    for x in (10, 0):
        move_held(slider, middle + QPoint(x, 0))
        assert session.document != longer
    QTest.mouseRelease(slider, LEFT, NONE, middle)
    assert session.document == before
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == longer
    session.edit("Move character", edits.move_character("c1", (0.2, 0.0, 0.0)))
    slider.commit(50.0)
    assert session.document != before, "what was done since stays"
