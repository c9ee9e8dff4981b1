"""The horizon over a photo: dragged, the camera tilts and people stay where the picture has them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, camera_of, move_held, settled, strike, until

from app.document import edits
from app.document.in_photo.horizon import horizon_of
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.viewport.overlays.horizon_line import SHARES, HorizonLine
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.gl
TILT = from_rotation_vector([-0.2, 0.0, 0.0]).astype(np.float32)
CAMERA = PinholeCamera(np.float32([0.3, 1.9, 4.5]), TILT, 900.0, (400.0, 300.0), (800, 600))
SHIFT, CONTROL, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier(0)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def line(editor: Editor) -> HorizonLine:
    """Shown by its key, over a photo with one person."""
    editor.session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    editor.session.set_view(through_photo=True)
    settled(editor.session)
    strike(editor, Qt.Key.Key_H, SHIFT)
    found = editor.viewport.findChild(HorizonLine)
    assert found is not None
    assert found.isVisible()
    return found


def heights(editor: Editor) -> np.ndarray:
    found = horizon_of(camera_of(editor))
    assert found is not None
    return np.array(found)


def in_picture(editor: Editor) -> np.ndarray:
    return camera_of(editor).project(joints_of(active(editor)).positions.astype(np.float64))


def drag(line: HorizonLine, grip: int, down: int, release: bool = True) -> None:
    held, view = line.grips[grip], line.parentWidget()
    start = held.rect().center()
    QTest.mousePress(held, LEFT, NONE, start)
    from_view = held.mapTo(view, start)
    for share in (0.5, 1.0):
        move_held(held, held.mapFrom(view, from_view + QPoint(0, round(share * down))))
    if release:
        QTest.mouseRelease(held, LEFT, NONE, held.rect().center())


def scale_of(editor: Editor) -> float:
    view = editor.viewport
    return float(view.camera.image_rect(view.width(), view.height())[2])  # type: ignore[union-attr]


def test_the_line_is_where_level_sight_from_the_camera_goes(editor: Editor, line: HorizonLine) -> None:
    far = CAMERA.position + np.array([0.0, 0.0, -1e4])
    assert heights(editor) == pytest.approx([CAMERA.project(far)[1]] * 2, abs=0.1)


def test_the_middle_tilts_the_camera_and_people_stay_in_the_picture(editor: Editor, line: HorizonLine) -> None:
    before, pixels, there = editor.session.document, in_picture(editor), heights(editor)
    drag(line, 1, 40)
    assert heights(editor) == pytest.approx(there + 40 / scale_of(editor), abs=0.5)
    assert np.abs(in_picture(editor) - pixels).max() < 0.2
    for effector in active(editor).effectors:
        if effector.holds_joint and not effector.loose:
            was = next(e for e in before.characters[0].effectors if e.id == effector.id)
            assert np.abs(camera_of(editor).project(effector.target) - CAMERA.project(was.target)).max() < 0.2
    assert editor.session.history.undo_text == "Move horizon"
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before


def test_a_press_a_little_beside_the_line_takes_it_and_not_the_camera_of_the_view(
    editor: Editor, line: HorizonLine
) -> None:
    assert line.ends is not None
    view, mouse, there = editor.viewport, ViewMouse(editor), heights(editor)
    for share, below in ((0.35, 10), (0.65, -10), (0.1, 9)):
        at = (line.ends[0] + (line.ends[1] - line.ends[0]) * share + QPointF(0, below)).toPoint()
        was = heights(editor)
        mouse.hover(at)
        assert view.cursor().shape() == Qt.CursorShape.SizeVerCursor
        mouse.drag(at, QPoint(0, 15), QPoint(0, 30))
        assert isinstance(view.camera, PhotoView), "it is still the photo's"
        assert heights(editor)[0] > was[0] + 20 / scale_of(editor)
    assert heights(editor)[1] < heights(editor)[0], "near an end it rolls"
    for _ in range(3):
        strike(editor, Qt.Key.Key_Z, CONTROL)
    assert heights(editor) == pytest.approx(there)
    at = (line.ends[0] + (line.ends[1] - line.ends[0]) * 0.35).toPoint()
    mouse.drag(at, QPoint(0, 15), QPoint(0, 30), release=False)
    strike(editor, Qt.Key.Key_Escape)
    assert heights(editor) == pytest.approx(there)
    mouse.release(at)


@pytest.mark.sweep
@pytest.mark.parametrize("by_grip", [False, True])
@pytest.mark.parametrize(("key", "shift"), [(Qt.Key.Key_H, SHIFT), (Qt.Key.Key_1, NONE)])
def test_a_key_that_hides_the_line_in_mid_drag_ends_the_drag(
    editor: Editor, line: HorizonLine, by_grip: bool, key: Qt.Key, shift: Qt.KeyboardModifier
) -> None:
    assert line.ends is not None
    mouse, at = ViewMouse(editor), (line.ends[0] + (line.ends[1] - line.ends[0]) * 0.35).toPoint()
    if by_grip:
        drag(line, 1, 30, release=False)
    else:
        mouse.drag(at, QPoint(0, 15), QPoint(0, 30), release=False)
    assert editor.session.in_step
    strike(editor, key, shift)
    until(lambda: line.isHidden() and not editor.session.in_step)
    assert editor.session.history.undo_text == "Move horizon"
    kept = editor.session.document
    mouse.move(at + QPoint(0, 90))
    mouse.release(at + QPoint(0, 90))
    assert editor.session.document is kept


def test_a_drag_far_from_the_line_orbits_and_a_hint_says_how_to_come_back(editor: Editor, line: HorizonLine) -> None:
    ViewMouse(editor).drag(QPoint(60, editor.viewport.height() - 40), QPoint(20, 5), QPoint(60, 10))
    until(lambda: not editor.session.view.through_photo)
    until(lambda: "Press 0 to go back" in editor.window.hint.text())
    strike(editor, Qt.Key.Key_0)
    until(lambda: editor.session.view.through_photo)
    until(lambda: "Press 0" not in editor.window.hint.text())


def test_undo_and_redo_of_a_horizon_moved_before_one_orbited_away_go_back_to_the_photos_camera(
    editor: Editor, line: HorizonLine
) -> None:
    session, mouse = editor.session, ViewMouse(editor)
    away = QPoint(60, editor.viewport.height() - 40), QPoint(20, 5), QPoint(60, 10)
    drag(line, 1, 40)
    moved = camera_of(editor)
    for key, lens in ((Qt.Key.Key_Z, CAMERA), (Qt.Key.Key_Y, moved)):
        mouse.drag(*away)
        until(lambda: not session.view.through_photo)
        strike(editor, key, CONTROL)
        until(lambda: line.isVisible() and isinstance(editor.viewport.camera, PhotoView))
        seen = editor.viewport.camera
        assert isinstance(seen, PhotoView)
        assert seen.lens == lens


def test_undo_of_what_was_done_beside_the_photo_stays_beside_it(editor: Editor, line: HorizonLine) -> None:
    session = editor.session
    strike(editor, Qt.Key.Key_0)
    until(lambda: not session.view.through_photo)
    session.edit("Fade the photo", edits.set_photo_opacity(0.5))
    strike(editor, Qt.Key.Key_Z, CONTROL)
    strike(editor, Qt.Key.Key_Y, CONTROL)
    assert not session.view.through_photo


def test_an_end_rolls_the_camera_and_the_other_end_stays(editor: Editor, line: HorizonLine) -> None:
    pixels, there = in_picture(editor), heights(editor)
    drag(line, 2, -50)
    assert heights(editor)[0] == pytest.approx(there[0], abs=0.5)
    under_the_grip = heights(editor) @ [1 - SHARES[2], SHARES[2]]
    assert under_the_grip == pytest.approx(there[1] - 50 / scale_of(editor), abs=0.5), "it follows the pointer"
    assert abs(camera_of(editor).rotation[1, 0]) > 0.02, "the camera's right is no longer level"
    assert np.abs(in_picture(editor) - pixels).max() < 0.2


def test_grips_stay_on_what_shows_of_the_line_and_point_to_a_horizon_that_is_out_of_sight(
    editor: Editor, line: HorizonLine
) -> None:
    view = editor.viewport

    def middles() -> list[QPoint]:
        return [grip.geometry().center() for grip in line.grips]

    def on_line(x: float) -> float:
        assert line.ends is not None
        start, end = line.ends
        return start.y() + (end.y() - start.y()) * (x - start.x()) / (end.x() - start.x())

    assert [grip.beyond for grip in line.grips] == [0, 0, 0]
    view.set_camera(PhotoView(camera_of(editor), zoom=1.6, shift=(0.1, 0.0)))
    assert all(0 < at.x() < view.width() for at in middles())
    assert all(abs(at.y() - on_line(at.x())) <= 1.5 for at in middles())
    was = heights(editor)
    grip = middles()[2].x()
    before = on_line(grip)
    drag(line, 2, 30)
    assert on_line(grip) == pytest.approx(before + 30, abs=1.0), "the line follows the pointer at each magnification"
    assert heights(editor)[0] == pytest.approx(was[0], abs=0.5)
    for down, side, edge in ((-1.0, -1, 0), (1.9, 1, view.height())):
        view.set_camera(PhotoView(camera_of(editor), zoom=4.0, shift=(0.0, down)))
        assert [grip.beyond for grip in line.grips] == [side] * 3
        assert all(abs(at.y() - edge) < 20 for at in middles())


def test_esc_takes_a_drag_back_and_the_key_hides_the_line(editor: Editor, line: HorizonLine) -> None:
    before = editor.session.document
    drag(line, 1, 30, release=False)
    assert editor.session.document != before
    QTest.keyClick(line.grips[1], Qt.Key.Key_Escape)
    assert editor.session.document == before
    strike(editor, Qt.Key.Key_H, SHIFT)
    assert not line.isVisible()
    assert not any(grip.isVisible() for grip in line.grips)


def test_undo_in_the_drag_takes_it_back_for_good(editor: Editor, line: HorizonLine) -> None:
    before = editor.session.document
    drag(line, 1, 30, release=False)
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    grip = line.grips[1]
    move_held(grip, grip.rect().center() + QPoint(0, 25))
    QTest.mouseRelease(grip, LEFT, NONE, grip.rect().center())
    assert editor.session.document == before
