"""The view of the window: its camera, and what its pictures show."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QPoint, Qt
from window_driver import ViewMouse, settled, strike

from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera

pytestmark = pytest.mark.gl


def test_the_start_view_is_that_of_a_new_window(editor: Editor) -> None:
    camera, mouse = editor.viewport.camera, ViewMouse(editor)
    editor.session_view.start_view()  # the window may have been laid out since it chose its own
    first = editor.viewport.camera
    mouse.drag(QPoint(30, 30), QPoint(130, 60))
    editor.session_view.moves.set_lens(100)
    editor.session_view.moves.toggle_flat()
    assert editor.viewport.camera != first
    editor.session_view.start_view()
    assert editor.viewport.camera == first
    assert isinstance(camera, OrbitCamera)
    assert (first.yaw, first.pitch, first.fov_y) == (camera.yaw, camera.pitch, camera.fov_y)


@pytest.mark.slow
def test_an_exported_picture_shows_nobody_as_selected(editor: Editor) -> None:
    session = editor.session
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    pictures = []
    for character in session.document.characters:
        session.select(character.id, [character.effectors[0].id])
        view = editor.session_view
        pictures.append(view.pen((320, 240), True)(view.still(), view.camera()).tobytes())
    assert len(pictures) == 2
    assert pictures[0] == pictures[1], "who is selected shows in the picture"


def test_a_deleted_person_is_forgotten_by_the_view(editor: Editor) -> None:
    session, view = editor.session, editor.viewport
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    view.pick(5, 5)
    view.grab_image((64, 48))
    stays, goes = (weakref.ref(figure.mesh) for figure in view.scene.figures)
    strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert len(view.scene.figures) == 1
    view.grab_image((64, 48))
    gc.collect()
    assert stays() is view.scene.figures[0].mesh
    assert goes() is None
