"""Several photos of one scene, each with its camera; and orbiting out of a photo about whom one works on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, laid_out, move_held, settled, strike

from app.document import edits
from app.document.in_photo.photo_list import photo_names
from app.document.model.document import Photo
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
FRONT = PinholeCamera(np.float32([0.6, 1.2, 4.5]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
SIDE_TURN = from_rotation_vector([0.0, np.pi / 2, 0.0]).astype(np.float32)
SIDE = replace(FRONT, position=np.float32([4.0, 1.2, 0.0]), rotation=SIDE_TURN)
CONTROL, NONE, MIDDLE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier, Qt.MouseButton.MiddleButton


@pytest.fixture
def twice_seen(editor: Editor) -> Editor:
    """Somebody at the side of one photo, and seen from the left in another."""
    for name, camera in (("front.png", FRONT), ("side.png", SIDE)):
        editor.session.edit("Photo", edits.add_photo(Photo(name, "0" * 64, camera, visible=False)))
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    editor.refresh()
    return editor


def looks_through(editor: Editor, camera: PinholeCamera) -> bool:
    here = editor.viewport.camera
    return isinstance(here, PhotoView) and here.lens == camera


def test_ctrl_0_and_the_panel_go_from_photo_to_photo_with_their_cameras(twice_seen: Editor) -> None:
    assert looks_through(twice_seen, FRONT)
    strike(twice_seen, Qt.Key.Key_0, CONTROL)
    assert looks_through(twice_seen, SIDE)
    twice_seen.refresh()
    choice = twice_seen.panels.photo.choice
    assert choice.currentText() == "2 of 2: side.png", "each keeps its number, whichever is behind the scene"
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Up)
    assert looks_through(twice_seen, FRONT)
    twice_seen.refresh()
    assert [choice.itemText(place) for place in range(2)] == ["1 of 2: front.png", "2 of 2: side.png"]
    assert choice.currentIndex() == 0
    strike(twice_seen, Qt.Key.Key_Z, CONTROL)
    assert looks_through(twice_seen, SIDE)


def test_two_photos_of_one_file_keep_their_numbers_and_changes_of_a_photo_mix_up_none(editor: Editor) -> None:
    for camera in (FRONT, SIDE):
        editor.session.edit("Photo", edits.add_photo(Photo("front.png", "0" * 64, camera, visible=False)))
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    editor.refresh()
    choice = editor.panels.photo.choice
    assert [choice.itemText(place) for place in range(2)] == ["1 of 2: front.png (1)", "2 of 2: front.png (2)"]
    assert (choice.currentIndex(), looks_through(editor, FRONT)) == (0, True)
    strike(editor, Qt.Key.Key_0, CONTROL)
    editor.refresh()
    assert (choice.currentIndex(), looks_through(editor, SIDE)) == (1, True)
    editor.session.edit("Fade", edits.set_photo_opacity(0.5))
    editor.refresh()
    assert choice.currentIndex() == 1
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Up)
    editor.refresh()
    assert (choice.currentIndex(), looks_through(editor, FRONT)) == (0, True)
    strike(editor, Qt.Key.Key_Z, CONTROL)
    editor.refresh()
    assert (choice.currentIndex(), looks_through(editor, SIDE)) == (1, True)


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    assert photo_names(["/a/monday/front.png", "/a/tuesday/front.png", "/a/tuesday/side.png"]) == [
        "1 of 3: front.png — monday",
        "2 of 3: front.png — tuesday",
        "3 of 3: side.png",
    ]


def test_one_photo_leaves_nothing_to_choose(twice_seen: Editor) -> None:
    assert not twice_seen.panels.photo.choice.isHidden()
    twice_seen.session.edit("Remove", edits.set_photo(None))
    twice_seen.refresh()
    assert twice_seen.panels.photo.choice.isHidden()


def test_the_list_of_photos_stands_below_the_name_once_there_are_several(editor: Editor) -> None:
    panel = editor.panels.photo
    assert panel.choice is None, "the window starts without"
    for camera in (FRONT, SIDE):
        editor.session.edit("Photo", edits.add_photo(Photo("front.png", "0" * 64, camera, visible=False)))
        editor.refresh()
    laid_out()
    assert panel.choice.isVisible()
    assert panel.name.y() < panel.choice.y() < panel.open.parentWidget().y()


def test_orbiting_out_of_the_photo_keeps_the_person_in_its_place_and_0_comes_back(twice_seen: Editor) -> None:
    active, view = twice_seen.session.active, twice_seen.viewport
    assert active is not None
    pelvis, start = active.pose.root_position, QPoint(40, 40)
    before = ViewMouse(twice_seen).place(pelvis)
    assert abs(before.x() - view.width() / 2) > 40, "not in the middle"
    QTest.mousePress(view, MIDDLE, NONE, start)
    offs = []
    for way in (QPoint(30, 4), QPoint(90, 12), QPoint(160, 20)):
        move_held(view, start + way, buttons=MIDDLE)
        offs.append(ViewMouse(twice_seen).place(pelvis))
    QTest.mouseRelease(view, MIDDLE, NONE, start + QPoint(160, 20))
    assert isinstance(view.camera, OrbitCamera)
    assert np.ptp([place.x() for place in offs]) <= 2
    assert np.ptp([place.y() for place in offs]) <= 2
    assert abs(offs[0].x() - before.x()) <= 2, "neither the photo's border nor its magnification counts"
    assert abs(offs[0].y() - before.y()) <= 2
    assert not twice_seen.session.view.through_photo
    strike(twice_seen, Qt.Key.Key_0)
    assert looks_through(twice_seen, FRONT)


def test_leaving_a_photo_shows_the_active_person_if_the_earlier_view_would_not(twice_seen: Editor) -> None:
    far = OrbitCamera(target=(0.0, 1.0, -60.0), yaw=0.3)
    twice_seen.session.set_view(through_photo=False)
    twice_seen.viewport.set_camera(far)
    strike(twice_seen, Qt.Key.Key_0)
    assert looks_through(twice_seen, FRONT)
    strike(twice_seen, Qt.Key.Key_0)
    active = twice_seen.session.active
    assert active is not None
    assert twice_seen.viewport.final_view.camera != far
    assert twice_seen.viewport.final_view.shows(active.pose.root_position)
