"""Two photos of one scene, each with somebody of its own: what is put right of one leaves the people of the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button
from photographed_people import see
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_driver import ViewMouse, active, camera_of, laid_out, move_held, settled, strike, until

from app.document import edits
from app.document.in_photo.line_of_sight import distance, facing
from app.document.model.document import Character, Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.document.scene_file.io import save_scene
from app.viewport.overlays.floor_lines import FloorLines
from app.viewport.overlays.horizon_line import HorizonLine
from app.window.editor import Editor
from rendering.camera.camera import OrbitCamera, PhotoView
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
TILT = from_rotation_vector([-0.15, 0.0, 0.0]).astype(np.float32)
CAMERA = PinholeCamera(np.float32([0.3, 1.8, 5.5]), TILT, 700.0, (400.0, 300.0), (800, 600))
BESIDE = replace(CAMERA, position=CAMERA.position + np.float32([9.0, 0.0, 0.0]))
HERE, THERE = "a" * 64, "b" * 64
LEFT, SHIFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def two(editor: Editor) -> Editor:
    """One person in front of each photo, read off it; the first photo is looked at."""
    session = editor.session
    for name, sha256, camera in (("here.png", HERE, CAMERA), ("there.png", THERE, BESIDE)):
        session.edit("Photo", edits.add_photo(Photo(name, sha256, camera, visible=False)))
    session.set_view(through_photo=True)
    see(editor)
    sighting = active(editor).sighting
    assert sighting is not None
    here = replace(active(editor), sighting=replace(sighting, photo=HERE))
    session.edit("Seen", lambda document: document.with_character(here))
    new = new_character(session.document)
    pose = replace(new.pose, root_position=new.pose.root_position + np.float32([9.0, 0.0, 0.0]))
    other = replace(new, sighting=replace(sighting, photo=THERE))
    session.edit("Other", edits.add_character(other))
    session.edit("Beside", edits.set_pose(other.id, pose))
    session.select(here.id)
    settled(session)
    editor.refresh()
    laid_out()
    return editor


def focal_slider(editor: Editor) -> None:
    slider = editor.panels.photo.focal
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, NONE, middle)
    for x in (10, 40):
        move_held(slider, middle + QPoint(x, 0))
    QTest.mouseRelease(slider, LEFT, NONE, middle + QPoint(40, 0))


def floor(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_H, SHIFT)
    lines = editor.viewport.findChild(FloorLines)
    assert lines is not None
    at = ViewMouse(editor).place(np.array([2.0, 0.0, 1.0]))
    ViewMouse(editor).hover(at)
    ViewMouse(editor).drag(at, QPoint(0, 15), QPoint(0, 30))


def horizon(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_H, SHIFT)
    line = editor.viewport.findChild(HorizonLine)
    assert line is not None
    grip, view = line.grips[1], editor.viewport
    start = grip.rect().center()
    QTest.mousePress(grip, LEFT, NONE, start)
    from_view = grip.mapTo(view, start)
    for down in (10, 25):
        move_held(grip, grip.mapFrom(view, from_view + QPoint(0, down)))
    QTest.mouseRelease(grip, LEFT, NONE, grip.rect().center())


def pixels(character: Character, camera: PinholeCamera) -> np.ndarray:
    return camera.project(joints_of(character).positions.astype(np.float64))


@pytest.mark.sweep
@pytest.mark.parametrize("put_right", [focal_slider, floor, horizon])
def test_people_of_the_other_photo_stay_where_that_one_has_them(
    two: Editor, put_right: Callable[[Editor], None]
) -> None:
    own, other = two.session.document.characters
    own_before, other_before = pixels(own, CAMERA), pixels(other, BESIDE)
    put_right(two)
    settled(two.session)
    lens = camera_of(two)
    assert lens != CAMERA, "it was put right"
    assert two.session.document.photos[1].camera == BESIDE
    own, other = two.session.document.characters
    extent = np.linalg.norm(np.ptp(own_before, axis=0))
    assert np.median(np.linalg.norm(pixels(own, lens) - own_before, axis=1)) < 0.02 * extent
    assert np.abs(pixels(other, BESIDE) - other_before).max() < 0.01


def test_ctrl_j_looks_for_the_same_person_in_the_photo_that_the_active_one_was_read_off(two: Editor) -> None:
    session = two.session
    here, there = session.document.characters
    deeper = BESIDE.position + 1.1 * (there.pose.root_position - BESIDE.position)
    twin = replace(new_character(session.document), sighting=there.sighting)
    session.edit("Twin", edits.add_character(twin))
    session.edit("Behind", edits.set_pose(twin.id, replace(there.pose, root_position=deeper)))
    session.select(there.id)
    strike(two, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    until(lambda: "was merged into" in two.window.status.notices.shown)
    assert [person.id for person in session.document.characters] == [here.id, there.id]
    assert session.document.photos[0].sha256 == HERE, "the other photo need not come behind the scene for that"


def test_distance_and_facing_go_by_the_photo_that_the_active_person_was_read_off(two: Editor) -> None:
    session = two.session
    other = session.document.characters[1]
    session.select(other.id)
    two.refresh()
    rows = two.panels.photo.sight
    assert rows is not None
    away = distance(other, BESIDE.position)
    assert rows.distance.value() == pytest.approx(away, abs=0.01)
    assert rows.facing.value() == pytest.approx(np.degrees(facing(other, BESIDE.position)), abs=1)
    before = pixels(other, BESIDE)
    rows.distance.commit(1.05 * away)
    strike(two, Qt.Key.Key_PageUp, SHIFT)
    settled(session)
    assert distance(active(two), BESIDE.position) > 1.06 * away
    assert np.median(np.linalg.norm(pixels(active(two), BESIDE) - before, axis=1)) < 3.0


def test_a_photo_of_nobody_of_its_own_takes_all_along(two: Editor) -> None:
    session = two.session
    for person in session.document.characters:
        moved = replace(person, sighting=None)
        session.edit("Unseen", lambda document, moved=moved: document.with_character(moved))
    before = [person.pose.root_position for person in session.document.characters]
    focal_slider(two)
    after = [person.pose.root_position for person in session.document.characters]
    assert all(np.linalg.norm(a - b) > 0.1 for a, b in zip(after, before, strict=True))


@pytest.mark.parametrize("read_off", [True, False])
def test_orbiting_out_of_a_photo_shows_its_people_where_the_active_one_is_in_another(
    two: Editor, read_off: bool
) -> None:
    here, there = two.session.document.characters
    if not read_off:
        by_hand = replace(there, sighting=None)
        two.session.edit("By hand", lambda document: document.with_character(by_hand))
    strike(two, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert camera_of(two) == BESIDE
    two.session.select(here.id)
    view, middle, start = two.viewport, Qt.MouseButton.MiddleButton, QPoint(40, 40)
    assert not view.final_view.shows(here.pose.root_position)
    before = ViewMouse(two).place(there.pose.root_position)
    QTest.mousePress(view, middle, NONE, start)
    for way in (QPoint(30, 4), QPoint(90, 12)):
        move_held(view, start + way, buttons=middle)
    QTest.mouseRelease(view, middle, NONE, start + QPoint(90, 12))
    assert not two.session.view.through_photo
    off = ViewMouse(two).place(there.pose.root_position) - before
    assert max(abs(off.x()), abs(off.y())) < 0.1 * view.width()


@pytest.mark.slow
def test_the_active_person_after_opening_is_in_the_photo_shown(two: Editor, tmp_path: Path) -> None:
    there = two.session.document.characters[1]
    first = replace(two.session.document, photos=two.session.document.photos[::-1])
    save_scene(tmp_path / "two.json", first)
    with answering(button("Don't save")):
        two.files.open_path(tmp_path / "two.json")
        until(lambda: two.session.path is not None)
    assert active(two).name == there.name
    assert not two.session.selected_effectors


def test_the_next_photo_comes_with_somebody_of_it_active(two: Editor) -> None:
    here, other = two.session.document.characters
    assert active(two).id == here.id
    strike(two, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert active(two).id == other.id, "the other one is not in this photo, and keys would change them unseen"
    two.refresh()
    choice = two.panels.photo.choice
    assert choice is not None
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Up)
    assert active(two).id == here.id
    strike(two, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert two.session.document.photo is not None
    assert two.session.document.photo.sha256 == THERE


def looked_at(editor: Editor) -> PhotoView:
    camera = editor.viewport.camera
    assert isinstance(camera, PhotoView)
    return camera


def test_framing_in_a_photo_leaves_out_who_is_of_another_one(two: Editor) -> None:
    session, (here, there) = two.session, two.session.document.characters
    strike(two, Qt.Key.Key_F)
    close = looked_at(two)
    assert close.zoom > 1.0
    session.select(here.id)
    session.set_view(others=frozenset({there.id}))
    strike(two, Qt.Key.Key_F)
    assert looked_at(two).zoom == pytest.approx(close.zoom), "as close as without them"
    assert looked_at(two).shift == pytest.approx(close.shift)
    session.select(there.id)
    strike(two, Qt.Key.Key_F)
    assert looked_at(two) == PhotoView(close.lens), "who is not in the picture gets the whole of it"


def test_somebody_of_the_photo_that_undo_and_redo_bring_back_is_the_active_one(two: Editor) -> None:
    session = two.session
    here, there = (one.id for one in session.document.characters)
    for key, whose in ((Qt.Key.Key_0, there), (Qt.Key.Key_Z, here), (Qt.Key.Key_Y, there)):
        strike(two, key, Qt.KeyboardModifier.ControlModifier)
        assert session.view.character == whose


def test_undo_of_a_photo_that_was_added_from_elsewhere_shows_what_one_saw_before_and_redo_the_photo(
    two: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, session = tmp_path / "wall.png", two.session
    Image.fromarray(np.full((200, 300, 3), 120, np.uint8)).save(picture)
    strike(two, Qt.Key.Key_0)
    two.viewport.set_camera(two.viewport.final_view.camera)
    outside = two.viewport.camera
    assert isinstance(outside, OrbitCamera)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(picture), ""))
    two.actions["file.backdrop"].trigger()
    until(lambda: len(session.document.photos) == 3 and not two.jobs.busy)
    inside = looked_at(two).lens
    strike(two, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert two.viewport.final_view.camera == outside, "not through the photo that was there before"
    strike(two, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    again = two.viewport.final_view.camera
    assert isinstance(again, PhotoView)
    assert again.lens == inside
    strike(two, Qt.Key.Key_0)
    strike(two, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    strike(two, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert not session.view.through_photo, "undone from elsewhere, it is brought back seen from there"
