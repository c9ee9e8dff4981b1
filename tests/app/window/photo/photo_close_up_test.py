"""Looking closely at somebody in a photo, as closely while the camera is put right, and the panel that comes up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from photographed_people import put_before_green
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import active, laid_out, move_held, place_of, settled, strike, until

from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import body_of, joints_of
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView
from rendering.camera.photo_halves import photo_half
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([1.0, 1.0, 9.0]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
LEFT, NONE, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def far(editor: Editor, tmp_path: Path) -> Editor:
    """Somebody small in a photo, seen through its camera."""
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    editor.refresh()
    return editor


def looks(editor: Editor) -> PhotoView:
    camera = editor.viewport.camera
    assert isinstance(camera, PhotoView)
    return camera


def joints_in_view(editor: Editor) -> np.ndarray:
    return editor.viewport.current_view.project(joints_of(active(editor)).positions)


def test_framing_somebody_in_a_photo_comes_close_and_stays_in_its_camera(far: Editor) -> None:
    before = np.ptp(joints_in_view(far), axis=0)
    strike(far, Qt.Key.Key_F)
    after = joints_in_view(far)
    assert looks(far).lens == CAMERA
    assert np.ptp(after, axis=0).max() > 2.0 * before.max()
    assert (after > 0).all()
    assert (after < [far.viewport.width(), far.viewport.height()]).all()
    view = [far.viewport.width() / 2, far.viewport.height() / 2]
    assert (after.min(axis=0) + after.max(axis=0)) / 2 == pytest.approx(view, abs=0.1 * far.viewport.height())


def test_somebody_who_is_framed_in_a_photo_is_in_view_from_the_crown_to_the_toes(far: Editor) -> None:
    strike(far, Qt.Key.Key_F)
    person = active(far)
    skin = far.viewport.current_view.project(posed_vertices(body_of(person), person.shape, person.pose))
    assert (skin > 0).all()
    assert (skin < [far.viewport.width(), far.viewport.height()]).all()


def test_a_person_who_fills_the_photo_is_framed_by_the_whole_photo(far: Editor) -> None:
    far.session.edit("Move", edits.move_character(active(far).id, np.float32([1.0, 0.0, 8.1])))
    strike(far, Qt.Key.Key_F)
    assert looks(far) == PhotoView(CAMERA)


def test_out_of_the_photo_framing_is_for_the_free_camera(far: Editor) -> None:
    strike(far, Qt.Key.Key_0)
    strike(far, Qt.Key.Key_F)
    until(lambda: isinstance(far.viewport.camera, OrbitCamera))


def test_framing_somebody_while_the_photo_is_side_by_side_fills_the_half_that_is_the_photo_s(far: Editor) -> None:
    strike(far, Qt.Key.Key_S, SHIFT)
    before = np.ptp(joints_in_view(far), axis=0)
    strike(far, Qt.Key.Key_F)
    assert far.session.view.beside
    assert looks(far).halved
    after, view = joints_in_view(far), far.viewport.current_view
    half = np.array(photo_half(looks(far), view.width, view.height))
    assert np.ptp(after, axis=0).max() > 2.0 * before.max()
    assert (after > half[:2]).all()
    assert (after < half[2:]).all()
    middle = (half[:2] + half[2:]) / 2
    assert (after.min(axis=0) + after.max(axis=0)) / 2 == pytest.approx(middle, abs=0.1 * view.height)


def test_a_person_who_fills_the_photo_is_framed_by_the_whole_photo_beside_its_copy(far: Editor) -> None:
    strike(far, Qt.Key.Key_S, SHIFT)
    far.session.edit("Move", edits.move_character(active(far).id, np.float32([1.0, 0.0, 8.1])))
    strike(far, Qt.Key.Key_F)
    assert looks(far) == PhotoView(CAMERA, halved=True)


def person_in_view(editor: Editor) -> float:
    """The share of the active person's skin that the view shows."""
    person, view = active(editor), editor.viewport.final_view
    skin = view.project(posed_vertices(body_of(person), person.shape, person.pose))
    return float(np.mean(np.all((skin > 0) & (skin < (view.width, view.height)), axis=1)))


def test_out_of_the_photo_somebody_who_came_with_it_is_not_cut_off(editor: Editor, tmp_path: Path) -> None:
    editor.viewport.set_camera(OrbitCamera(target=(0.0, 0.6, 0.0), distance=2.0))
    photo = edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False))
    newcomer = edits.add_character(replace(active(editor), id="c9", name="Ann"))
    aside = edits.chain(edits.add_character(replace(active(editor), id="c8", name="Ben")),
                        edits.move_character("c8", (2.0, 0.0, 0.0)))  # fmt: skip
    editor.session.edit("Open a photo", edits.chain(photo, newcomer, aside))
    assert editor.viewport.final_view.shows(active(editor).pose.root_position)
    editor.session.set_view(character="c9", through_photo=True)
    strike(editor, Qt.Key.Key_0)
    until(lambda: isinstance(editor.viewport.camera, OrbitCamera))
    assert person_in_view(editor) == 1.0
    editor.session.set_view(character="c8")
    assert person_in_view(editor) == 1.0, "nor are the others who came with it"


def test_out_of_the_photo_a_close_look_that_one_had_is_as_it_was(far: Editor) -> None:
    strike(far, Qt.Key.Key_0)
    x, y, z = map(float, place_of(far, "head"))
    close = OrbitCamera(target=(x, y, z), distance=0.8)
    far.viewport.set_camera(close)
    assert 0.0 < person_in_view(far) < 1.0
    strike(far, Qt.Key.Key_0)
    assert looks(far) == PhotoView(CAMERA)
    strike(far, Qt.Key.Key_0)
    until(lambda: far.viewport.camera == close)


def test_the_key_for_the_next_person_brings_a_close_look_along(far: Editor) -> None:
    first = active(far)
    strike(far, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    far.session.edit("Move", edits.move_character(active(far).id, np.float32([2.2, 0.0, 0.0])))
    settled(far.session)
    strike(far, Qt.Key.Key_PageUp)
    assert looks(far) == PhotoView(CAMERA), "the whole photo stays"
    strike(far, Qt.Key.Key_F)
    assert active(far).id == first.id
    close = looks(far)
    strike(far, Qt.Key.Key_PageDown)
    assert active(far).id != first.id
    assert looks(far) != close
    skin = joints_in_view(far)
    assert (skin > 0).all()
    assert (skin < [far.viewport.width(), far.viewport.height()]).all()


@pytest.mark.slow
def test_one_stays_as_close_while_the_focal_length_is_scrubbed_and_another_photo_is_seen_whole(far: Editor) -> None:
    strike(far, Qt.Key.Key_F)
    laid_out()
    close, slider = looks(far), far.panels.photo.focal
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, NONE, middle)
    move_held(slider, middle + QPoint(20, 0))
    QTest.mouseRelease(slider, LEFT, NONE, middle + QPoint(20, 0))
    assert looks(far).lens.focal_px > CAMERA.focal_px
    assert (looks(far).zoom, looks(far).shift) == (close.zoom, close.shift)
    other = Photo("gone.png", "0" * 64, CAMERA, visible=False)
    far.session.edit("Another", edits.set_photo(other))
    assert looks(far) == PhotoView(CAMERA)


def test_the_photo_s_panel_comes_up_with_the_first_photo_unless_it_is_folded(editor: Editor, tmp_path: Path) -> None:
    panel, section = editor.panels.photo, editor.panels.section("Photo")
    editor.window.resize(1280, 560)
    laid_out()

    def top() -> int:
        return section.mapTo(editor.window, QPoint(0, 0)).y()

    below = top()
    photo = Photo("gone.png", "0" * 64, CAMERA, visible=False)
    editor.session.edit("Photo", edits.set_photo(photo))
    until(lambda: top() < below - 100)
    assert panel.focal.visibleRegion().boundingRect().height() > 0
    editor.session.undo()
    editor.refresh()
    section.set_open(False)
    laid_out()
    at = top()
    editor.session.edit("Photo", edits.set_photo(photo))
    editor.refresh()
    laid_out()
    assert top() == at
