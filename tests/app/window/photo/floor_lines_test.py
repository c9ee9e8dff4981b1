"""The floor's lines over a photo: dragged, the floor rises or sinks and people stay where the picture has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, camera_of, move_held, settled, strike, until

from app.document import edits
from app.document.in_photo.horizon import LOWEST_EYE
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.viewport.overlays.floor_lines import FloorLines
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.image_file import load_image

pytestmark = pytest.mark.gl
TILT = from_rotation_vector([-0.2, 0.05, 0.03]).astype(np.float32)
CAMERA = PinholeCamera(np.float32([0.3, 1.9, 4.5]), TILT, 700.0, (400.0, 300.0), (800, 600))
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
CROSSING = np.array([2.0, 0.0, 1.0])  # of two lines, beside the person


@pytest.fixture
def photo(editor: Editor) -> Editor:
    """One person, seen through a photo's camera."""
    editor.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    return editor


@pytest.fixture
def lines(photo: Editor) -> FloorLines:
    """Shown with the horizon by its key."""
    return shown(photo)


def shown(editor: Editor) -> FloorLines:
    strike(editor, Qt.Key.Key_H, SHIFT)
    found = editor.viewport.findChild(FloorLines)
    assert found is not None
    assert found.isVisible()
    return found


def in_picture(editor: Editor) -> np.ndarray:
    (person,) = editor.session.document.characters
    return camera_of(editor).project(joints_of(person).positions.astype(np.float64))


def in_view(editor: Editor, place: np.ndarray) -> np.ndarray:
    camera = editor.viewport.camera
    assert isinstance(camera, PhotoView)
    left, top, scale = camera.image_rect(editor.viewport.width(), editor.viewport.height())
    return np.array([left, top]) + scale * camera_of(editor).project(place)


def on_a_line(editor: Editor) -> QPoint:
    return QPoint(*map(round, in_view(editor, CROSSING)))


def label(editor: Editor) -> str:
    return " ".join(each.text() for each in editor.viewport.findChildren(HoverLabel) if each.isVisible())


def drag(editor: Editor, down: int, release: bool = True) -> None:
    view, start = editor.viewport, on_a_line(editor)
    ViewMouse(editor).hover(start)
    QTest.mousePress(view, LEFT, pos=start)
    for share in (0.5, 1.0):
        move_held(view, start + QPoint(0, round(share * down)))
    if release:
        QTest.mouseRelease(view, LEFT, pos=start + QPoint(0, down))


def test_lines_lie_at_whole_metres_of_the_floor(editor: Editor, lines: FloorLines) -> None:
    ends = lines.pieces.reshape(-1, 2)
    for x, z in ((0.0, 0.0), (2.0, 1.0), (-1.0, -3.0)):
        assert np.linalg.norm(ends - in_view(editor, np.array([x, 0.0, z])), axis=1).min() < 0.1


def test_a_dragged_line_follows_the_pointer_and_people_stay_in_the_picture(editor: Editor, lines: FloorLines) -> None:
    before, pixels, start = editor.session.document, in_picture(editor), on_a_line(editor)
    drag(editor, 30)
    assert in_view(editor, CROSSING)[1] == pytest.approx(start.y() + 30, abs=1.5)
    assert np.abs(in_picture(editor) - pixels).max() < 0.2
    assert np.allclose(camera_of(editor).rotation, CAMERA.rotation)
    sunk = before.characters[0].pose.root_position - editor.session.document.characters[0].pose.root_position
    assert sunk[1] < -0.05, "people are higher above a floor that was put lower"
    assert editor.session.history.undo_text == "Move floor"
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before


@pytest.mark.slow
def test_over_a_line_the_pointer_says_what_a_drag_does(editor: Editor, lines: FloorLines) -> None:
    mouse = ViewMouse(editor)
    mouse.hover(on_a_line(editor))
    assert editor.viewport.cursor().shape() == Qt.CursorShape.SizeVerCursor
    assert label(editor).startswith("Drag up or down: raise or lower the floor")
    mouse.hover(QPoint(*map(round, in_view(editor, CROSSING + [0.5, 0.0, 0.5]))))
    assert editor.viewport.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert label(editor) == ""


def test_beside_the_photo_where_no_line_is_drawn_none_is_under_the_pointer(editor: Editor, lines: FloorLines) -> None:
    view, camera = editor.viewport, editor.viewport.camera
    assert isinstance(camera, PhotoView)
    left, top, scale = camera.image_rect(view.width(), view.height())
    low, high = np.array([left, top]), np.array([left, top]) + scale * np.array(CAMERA.image_size)
    middles = lines.pieces.mean(axis=1)
    beside = ((middles < low - 4) | (middles > high + 4)).any(axis=1)
    inside = ((middles > 8) & (middles < np.array([view.width(), view.height()]) - 8)).all(axis=1)
    assert (beside & inside).any()
    mouse = ViewMouse(editor)
    for place in middles[beside & inside][:4]:
        mouse.hover(QPoint(*map(round, place)))
        assert label(editor) == ""


@pytest.mark.sweep
@pytest.mark.parametrize("floor", [(205, 180, 140), (235, 235, 235), (30, 30, 34)])
def test_lines_show_on_sand_and_on_light_and_dark_floors(
    editor: Editor, tmp_path: Path, floor: tuple[int, int, int]
) -> None:
    path = tmp_path / "floor.png"
    Image.new("RGB", (800, 600), floor).save(path)
    editor.session.edit("Photo", edits.set_photo(Photo(str(path), load_image(path).sha256, CAMERA)))
    editor.session.set_view(through_photo=True)
    until(lambda: editor.viewport.scene.backplate is not None)
    before = editor.viewport.grab().toImage()
    shown(editor)
    after, at = editor.viewport.grab().toImage(), on_a_line(editor) + QPoint(0, 14)
    strip = [at + QPoint(x, 0) for x in range(-30, 31)]
    apart = [abs(before.pixelColor(p).lightness() - after.pixelColor(p).lightness()) for p in strip]
    assert max(apart) > 30


def test_during_the_drag_it_says_how_high_the_camera_is(editor: Editor, lines: FloorLines) -> None:
    drag(editor, 20, release=False)
    assert label(editor) == f"The camera is {camera_of(editor).position[1]:.2f} m above the floor"
    QTest.mouseRelease(editor.viewport, LEFT, pos=on_a_line(editor))


def test_a_body_over_a_line_is_dragged_as_ever(editor: Editor, lines: FloorLines) -> None:
    (person,) = editor.session.document.characters
    camera, mouse = camera_of(editor), ViewMouse(editor)
    start = mouse.place(joints_of(person).positions[0])
    mouse.drag(start, QPoint(10, 10), QPoint(25, 20))
    settled(editor.session)
    assert camera_of(editor) == camera
    assert editor.session.history.undo_text != "Move floor"


def test_a_point_of_a_person_goes_before_a_line(photo: Editor) -> None:
    editor = photo
    strike(editor, Qt.Key.Key_L, SHIFT)
    points = editor.viewport.findChild(PhotoPoints)
    assert points is not None
    lines = shown(editor)
    start, along = lines.pieces[:, 0], lines.pieces[:, 1] - lines.pieces[:, 0]
    shares, asides = np.linspace(0.0, 1.0, 60), range(-3, 4)
    on_lines = np.concatenate([start + share * along + [0, aside] for share in shares for aside in asides])
    marks = [at for mark in range(33) if (at := points.at(mark)) is not None]
    off = [np.hypot(on_lines[:, 0] - at.x(), on_lines[:, 1] - at.y()) for at in marks]
    near = [QPoint(x, y) for x, y in np.unique(on_lines[np.min(off, axis=0) < 12.0].round().astype(int), axis=0)]
    free = (at for at in near if points.is_at(at.x(), at.y()) and editor.viewport.pick(at.x(), at.y()) is None)
    beside = next(free, None)
    assert beside is not None, "within reach of a point and of a line, and beside the body"
    camera = camera_of(editor)
    QTest.mousePress(editor.viewport, LEFT, pos=beside)
    move_held(editor.viewport, beside + QPoint(0, 12))
    QTest.mouseRelease(editor.viewport, LEFT, pos=beside + QPoint(0, 12))
    assert camera_of(editor) == camera
    assert editor.session.history.undo_text.startswith("Match ")


def test_the_floor_stays_below_the_camera(editor: Editor, lines: FloorLines) -> None:
    drag(editor, -250)
    assert camera_of(editor).position[1] >= LOWEST_EYE - 1e-4


def test_esc_takes_a_drag_back_and_the_key_hides_the_lines(editor: Editor, lines: FloorLines) -> None:
    before = editor.session.document
    drag(editor, 30, release=False)
    assert editor.session.document != before
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    assert editor.session.document == before
    QTest.mouseRelease(editor.viewport, LEFT, pos=on_a_line(editor))
    strike(editor, Qt.Key.Key_H, SHIFT)
    assert not lines.isVisible()


def test_the_key_that_hides_the_lines_ends_a_drag_of_them(editor: Editor, lines: FloorLines) -> None:
    drag(editor, 30, release=False)
    assert editor.session.in_step
    strike(editor, Qt.Key.Key_H, SHIFT)
    until(lambda: lines.isHidden() and not editor.session.in_step)
    assert editor.session.history.undo_text == "Move floor"


def test_undo_in_the_drag_takes_it_back_for_good(editor: Editor, lines: FloorLines) -> None:
    before = editor.session.document
    drag(editor, 30, release=False)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    start = on_a_line(editor)
    move_held(editor.viewport, start + QPoint(0, 60))
    QTest.mouseRelease(editor.viewport, LEFT, pos=start + QPoint(0, 60))
    assert editor.session.document == before
