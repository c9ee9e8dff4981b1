"""The points of a person in the photo: shown by a key, dragged by the mouse, the body follows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from photographed_people import ear_and_nose, label, put_before_green
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from window_driver import active, move_held, strike, until

from app.document import edits
from app.document.in_photo.photo_points import photo_points
from app.document.posing.create import new_character
from app.look.theme import current_theme
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
NOSE, LEFT_EAR, WRIST, KNEE, LEFT = 0, 7, 15, 26, Qt.MouseButton.LeftButton


@pytest.fixture
def points(editor: Editor, tmp_path: Path) -> PhotoPoints:
    """Those of one person in front of a plain picture, shown by their key."""
    put_before_green(editor, tmp_path, CAMERA)
    strike(editor, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.view.through_photo
    found = editor.viewport.findChild(PhotoPoints)
    assert found is not None
    until(found.isVisible)
    return found


def in_photo(editor: Editor, mark: int) -> np.ndarray:
    active = editor.session.active
    assert active is not None
    return photo_points(active, CAMERA)[mark]


def middle(points: PhotoPoints, mark: int) -> QPointF:
    at = points.at(mark)
    assert at is not None
    return at


def drag(editor: Editor, start: QPointF, by: QPoint) -> None:
    view = editor.viewport
    QTest.mouseMove(view, start.toPoint())
    QTest.mousePress(view, LEFT, pos=start.toPoint())
    for share in (0.3, 0.7, 1.0):
        move_held(view, start.toPoint() + by * share)
    QTest.mouseRelease(view, LEFT, pos=start.toPoint() + by)


@pytest.mark.slow
def test_a_dragged_point_is_where_it_was_put_the_rest_stays_and_it_is_one_step(
    editor: Editor, points: PhotoPoints
) -> None:
    before, knee, wrist = editor.session.document, in_photo(editor, KNEE), in_photo(editor, WRIST)
    start, by = middle(points, WRIST), QPoint(40, -60)
    drag(editor, start, by)
    now = middle(points, WRIST)
    assert now.x() == pytest.approx(start.x() + by.x(), abs=2.5)
    assert now.y() == pytest.approx(start.y() + by.y(), abs=2.5)
    assert np.linalg.norm(in_photo(editor, KNEE) - knee) < 1.5
    editor.session.undo()
    assert editor.session.document == before
    until(lambda: bool(np.allclose(in_photo(editor, WRIST), wrist)))


@pytest.mark.slow
def test_an_ear_that_is_dragged_onto_the_photo_s_ear_lies_there(editor: Editor, points: PhotoPoints) -> None:
    ear, nose = ear_and_nose(active(editor), CAMERA)
    assert np.linalg.norm(in_photo(editor, LEFT_EAR) - ear) < 3.0, "its point is on the ear"
    assert np.linalg.norm(in_photo(editor, NOSE) - nose) < 3.0, "and the other on the nose's tip"
    apart = middle(points, KNEE) - middle(points, WRIST)
    scale = apart.manhattanLength() / float(np.abs(in_photo(editor, KNEE) - in_photo(editor, WRIST)).sum())
    by = QPoint(10, 6)
    drag(editor, middle(points, LEFT_EAR), by)
    assert ear_and_nose(active(editor), CAMERA)[0] == pytest.approx(ear + np.array([by.x(), by.y()]) / scale, abs=3.0)


@pytest.mark.slow
def test_what_was_put_somewhere_stays_while_another_point_is_dragged(editor: Editor, points: PhotoPoints) -> None:
    drag(editor, middle(points, WRIST), QPoint(30, -50))
    put = in_photo(editor, WRIST)
    drag(editor, middle(points, WRIST - 2), QPoint(-12, -20))
    assert np.linalg.norm(in_photo(editor, WRIST) - put) < 5.0


@pytest.mark.slow
def test_a_limb_just_dragged_is_flipped_by_its_key_at_once_and_its_point_stays_put(
    editor: Editor, points: PhotoPoints
) -> None:
    drag(editor, middle(points, WRIST), QPoint(30, -50))
    put, dragged = in_photo(editor, WRIST), active(editor).pose
    strike(editor, Qt.Key.Key_D)  # the pointer has not moved since
    assert editor.session.history.undo_text.startswith("Flip"), editor.session.history.undo_text
    assert active(editor).pose != dragged
    assert np.linalg.norm(in_photo(editor, WRIST) - put) < 1.0
    drag(editor, middle(points, WRIST - 2), QPoint(-12, -20))
    assert np.linalg.norm(in_photo(editor, WRIST) - put) < 1.0


@pytest.mark.slow
def test_a_point_that_the_body_leaves_in_small_steps_no_longer_draws_it_back(
    editor: Editor, points: PhotoPoints
) -> None:
    drag(editor, middle(points, WRIST), QPoint(30, -50))
    put, person = in_photo(editor, WRIST), active(editor).id
    for _ in range(12):  # less than a pixel of the photo each
        editor.session.edit("Move", edits.move_character(person, [0.003, 0.0, 0.0]))
    left = in_photo(editor, WRIST)
    assert np.linalg.norm(left - put) > 5.0
    drag(editor, middle(points, KNEE), QPoint(0, -10))
    assert np.linalg.norm(in_photo(editor, WRIST) - left) < 2.0


def test_a_point_put_by_hand_shows_as_such_again_once_its_person_is_active_again(
    editor: Editor, points: PhotoPoints
) -> None:
    session, first = editor.session, active(editor).id
    accent = QColor(current_theme().accent)

    def is_filled(mark: int) -> bool:
        found = points.grab().toImage().pixelColor(middle(points, mark).toPoint())
        return bool(np.abs(np.subtract(found.getRgb(), accent.getRgb())).max() < 40)

    drag(editor, middle(points, WRIST), QPoint(30, -50))
    QTest.mouseMove(editor.viewport, QPoint(5, 5))
    assert is_filled(WRIST)
    assert not is_filled(KNEE)
    other = new_character(session.document)
    session.edit("Add character", edits.add_character(other))
    session.select(other.id)
    assert not is_filled(WRIST), "somebody else's"
    session.select(first)
    assert is_filled(WRIST)


def test_escape_takes_a_drag_back_and_shift_l_hides_the_points(editor: Editor, points: PhotoPoints) -> None:
    before, start = editor.session.document, middle(points, WRIST).toPoint()
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(40, -40))
    assert editor.session.document != before
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    assert editor.session.document == before
    QTest.mouseRelease(editor.viewport, LEFT, pos=start)
    strike(editor, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert not points.isVisible()
    assert editor.session.view.through_photo
    strike(editor, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert points.isVisible()


@pytest.mark.slow
def test_what_the_label_names_is_under_the_pointer_whatever_becomes_of_the_pose(
    editor: Editor, points: PhotoPoints
) -> None:
    wrist = middle(points, WRIST)
    QTest.mouseMove(editor.viewport, wrist.toPoint())
    assert label(editor).startswith("Left wrist")
    strike(editor, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)  # left and right change places
    until(lambda: label(editor).startswith("Right wrist"))
    drag(editor, middle(points, WRIST + 1), QPoint(50, -40))
    QTest.mouseMove(editor.viewport, middle(points, WRIST + 1).toPoint())
    assert label(editor).startswith("Right wrist")
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    until(lambda: label(editor) == "")


def test_away_from_the_photo_s_camera_there_are_no_points(editor: Editor, points: PhotoPoints) -> None:
    strike(editor, Qt.Key.Key_0)
    until(lambda: not points.isVisible())
    strike(editor, Qt.Key.Key_0)
    until(points.isVisible)
