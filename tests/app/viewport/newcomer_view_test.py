"""A person who is added is seen: the camera moves if somebody would stand outside the view, and otherwise stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QAbstractAnimation, Qt, QVariantAnimation
from window_driver import ViewMouse, settled, strike, until

from app.document.model.document import Photo
from app.document.model.figure import body_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def add(editor: Editor) -> None:
    """A person by the key, and the camera where it comes to rest."""
    strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    at_rest(editor)


def at_rest(editor: Editor) -> None:
    (glide,) = editor.viewport.findChildren(QVariantAnimation) or [None]
    until(lambda: glide is None or glide.state() == QAbstractAnimation.State.Stopped)


def outside(editor: Editor) -> list[str]:
    """Who is not wholly in the view."""
    view = editor.viewport.current_view
    skins = {c.name: posed_vertices(body_of(c), c.shape, c.pose) for c in editor.session.document.characters}
    pixels = {name: view.project(skin) for name, skin in skins.items()}
    return [name for name, at in pixels.items() if not np.all((at >= 0) & (at <= (view.width, view.height)))]


@pytest.mark.slow
def test_everybody_is_in_view_after_each_new_person(editor: Editor) -> None:
    for _ in range(4):
        add(editor)
        assert outside(editor) == []


def test_people_added_in_quick_succession_are_all_in_view(editor: Editor) -> None:
    for _ in range(4):
        strike(editor, Qt.Key.Key_A, SHIFT)
    settled(editor.session)
    at_rest(editor)
    assert len(editor.session.document.characters) == 5
    assert outside(editor) == []


def test_the_camera_stays_where_there_is_room_for_the_new_person(editor: Editor) -> None:
    camera = editor.viewport.camera
    assert isinstance(camera, OrbitCamera)
    far = replace(camera, distance=3 * camera.distance)
    editor.viewport.set_camera(far)
    add(editor)
    assert len(editor.session.document.characters) == 2
    assert outside(editor) == []
    assert editor.viewport.camera == far


def test_a_copy_is_brought_into_view_as_well(editor: Editor) -> None:
    add(editor)
    mouse = ViewMouse(editor)
    camera = editor.viewport.camera
    assert isinstance(camera, OrbitCamera)
    editor.viewport.set_camera(replace(camera, distance=camera.distance / 2))
    strike(editor, Qt.Key.Key_D, CTRL)
    settled(editor.session)
    at_rest(editor)
    assert len(editor.session.document.characters) == 3
    assert outside(editor) == []
    assert mouse.view.current_view.camera.yaw == pytest.approx(camera.yaw), "seen from the same side"  # type: ignore[union-attr]


@pytest.mark.parametrize(("focal", "stays"), [(300.0, True), (2000.0, False)], ids=["wide", "narrow"])
def test_a_photos_camera_is_left_only_for_a_newcomer_outside_it(
    focal: float, stays: bool, editor: Editor, tmp_path: Path
) -> None:
    path = tmp_path / "meadow.png"
    Image.fromarray(np.full((480, 640, 3), 99, np.uint8)).save(path)
    camera = PinholeCamera(np.array([0.0, 1.0, 4.0]), np.eye(3), focal, (320.0, 240.0), (640, 480))
    editor.session.edit("Photo", lambda document: replace(document, photos=(Photo(str(path), "", camera),)))
    editor.session_view.look_through(True)
    assert isinstance(editor.viewport.camera, PhotoView)
    add(editor)
    assert isinstance(editor.viewport.camera, PhotoView) is stays
    assert editor.session.view.through_photo is stays
    assert stays or outside(editor) == []
