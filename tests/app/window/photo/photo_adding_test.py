"""A limb that networks did not see: a click in an empty place puts its point there, and the body follows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photographed_people import CAMERA, label, middle, see, seen
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, move_held, place_of, strike, until

from app.document import edits
from app.document.in_photo.photo_points import photo_points
from app.document.model.document import Photo
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from rendering.camera.camera import PhotoView

pytestmark = pytest.mark.gl
LEFT, SHIFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ELBOW, WRIST, KNEE = 13, 15, 25


@pytest.fixture
def points(editor: Editor) -> PhotoPoints:
    """Those of somebody whose left wrist and fingers networks only supposed."""
    photo = Photo("gone.png", "0" * 64, CAMERA, visible=False)
    editor.session.edit("Photo", edits.set_photo(photo))
    see(editor)
    see(editor, **{name: replace(seen(editor, name), confidence=0.2) for name in ("left_wrist", "left_fingers")})
    strike(editor, Qt.Key.Key_L, SHIFT)
    found = editor.viewport.findChild(PhotoPoints)
    assert found is not None
    until(found.isVisible)
    return found


def empty_place(points: PhotoPoints) -> QPoint:
    """Beside the left hand, where the body is not."""
    return middle(points, WRIST).toPoint() + QPoint(45, -55)


def in_photo(editor: Editor, place: QPoint) -> np.ndarray:
    camera = editor.viewport.camera
    assert isinstance(camera, PhotoView)
    left, top, scale = camera.image_rect(editor.viewport.width(), editor.viewport.height())
    return (np.array([place.x(), place.y()]) - [left, top]) / scale


def test_hovering_an_empty_place_says_which_point_a_click_would_put_there(editor: Editor, points: PhotoPoints) -> None:
    assert points.unseen == {WRIST, WRIST + 4}
    ViewMouse(editor).hover(empty_place(points))
    assert label(editor) == "Left wrist: not seen in the photo\nClick where it is"
    assert editor.viewport.cursor().shape() == Qt.CursorShape.CrossCursor
    ViewMouse(editor).hover(QPoint(4, 4))
    assert label(editor) == "", "far from the person there is nothing to put"


def test_a_click_where_no_arm_reaches_adds_nothing_and_deselects_as_ever(editor: Editor, points: PhotoPoints) -> None:
    editor.session.set_view(joints=frozenset({"head"}))
    elbow, forearm = middle(points, ELBOW), middle(points, WRIST) - middle(points, ELBOW)
    far = (elbow + 3.2 * forearm).toPoint()  # further than an arm with its hand
    before = editor.session.document
    ViewMouse(editor).hover((elbow + 2.0 * forearm).toPoint())
    assert "Click where it is" in label(editor)
    ViewMouse(editor).hover(far)
    assert label(editor) == ""
    QTest.mouseClick(editor.viewport, LEFT, pos=far)
    assert editor.session.document == before
    assert editor.session.view.joints == frozenset()


def test_a_click_puts_it_there_as_sure_and_the_body_follows_in_one_step(editor: Editor, points: PhotoPoints) -> None:
    before, knee, place = editor.session.document, photo_points(active(editor), CAMERA)[KNEE], empty_place(points)
    steps = len(editor.session.history.steps())
    ViewMouse(editor).hover(place)
    QTest.mouseClick(editor.viewport, LEFT, pos=place)
    now = photo_points(active(editor), CAMERA)
    wanted = in_photo(editor, place)
    assert np.linalg.norm(now[WRIST] - wanted) < 3.0
    assert np.linalg.norm(now[KNEE] - knee) < 1.5
    put = seen(editor, "left_wrist")
    assert (put.confidence, put.pixel) == (1.0, pytest.approx(wanted.tolist(), abs=0.01))
    assert points.unseen == {WRIST + 4}
    assert editor.session.history.undo_text == "Match left wrist to the photo"
    assert len(editor.session.history.steps()) == steps + 1
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before
    until(lambda: points.unseen == {WRIST, WRIST + 4})


def test_the_button_held_carries_the_new_point_on_and_esc_takes_it_back(editor: Editor, points: PhotoPoints) -> None:
    before, place = editor.session.document, empty_place(points)
    QTest.mousePress(editor.viewport, LEFT, pos=place)
    move_held(editor.viewport, place + QPoint(-20, 30))
    at = middle(points, WRIST)
    assert (at.x(), at.y()) == pytest.approx((place.x() - 20, place.y() + 30), abs=3.0)
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    QTest.mouseRelease(editor.viewport, LEFT, pos=place)
    assert editor.session.document == before


@pytest.mark.slow
def test_esc_takes_back_one_drag_and_what_was_put_before_stays_sure(editor: Editor, points: PhotoPoints) -> None:
    QTest.mouseClick(editor.viewport, LEFT, pos=empty_place(points))
    put = photo_points(active(editor), CAMERA)[WRIST]
    start = middle(points, ELBOW).toPoint()
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(0, -40))
    QTest.keyClick(editor.viewport, Qt.Key.Key_Escape)
    QTest.mouseRelease(editor.viewport, LEFT, pos=start)
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(-12, -16))
    QTest.mouseRelease(editor.viewport, LEFT, pos=start + QPoint(-12, -16))
    assert np.linalg.norm(photo_points(active(editor), CAMERA)[WRIST] - put) < 5.0


def on_trunk(editor: Editor) -> QPoint:
    """A place on the person's own body within reach of the missing wrist."""
    return ViewMouse(editor).place(place_of(editor, "spine1") + np.array([0.05, 0.03, 0.1]))


def test_a_click_on_the_person_s_own_body_puts_the_missing_point_there_in_one_step(
    editor: Editor, points: PhotoPoints
) -> None:
    before, place, steps = editor.session.document, on_trunk(editor), len(editor.session.history.steps())
    ViewMouse(editor).hover(place)
    assert "Left wrist: not seen in the photo\nClick where it is" in label(editor)
    QTest.mouseClick(editor.viewport, LEFT, pos=place)
    assert np.linalg.norm(photo_points(active(editor), CAMERA)[WRIST] - in_photo(editor, place)) < 3.0
    assert points.unseen == {WRIST + 4}
    assert editor.session.view.joints == frozenset(), "the body's joint is not selected by the way"
    assert editor.session.history.undo_text == "Match left wrist to the photo"
    assert len(editor.session.history.steps()) == steps + 1
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before


@pytest.mark.slow
def test_a_drag_of_the_body_poses_it_as_ever_and_leaves_the_missing_point(editor: Editor, points: PhotoPoints) -> None:
    place = on_trunk(editor)
    ViewMouse(editor).hover(place)
    ViewMouse(editor).drag(place, QPoint(6, -4), QPoint(14, -10))
    assert "Match" not in editor.session.history.undo_text
    assert editor.session.history.undo_text != "Seen"
    assert points.unseen == {WRIST, WRIST + 4}


def test_far_from_a_missing_point_a_click_on_the_body_puts_nothing_nor_where_everything_was_seen(
    editor: Editor, points: PhotoPoints
) -> None:
    pose = active(editor).pose
    foot = ViewMouse(editor).place(place_of(editor, "right_knee") + np.array([0.0, -0.1, 0.0]))
    ViewMouse(editor).hover(foot)
    assert "not seen" not in label(editor)
    QTest.mouseClick(editor.viewport, LEFT, pos=foot)
    see(editor)
    until(lambda: points.unseen == frozenset())
    place = empty_place(points)
    ViewMouse(editor).hover(place)
    assert label(editor) == ""
    QTest.mouseClick(editor.viewport, LEFT, pos=place)
    assert editor.session.active is None or editor.session.active.pose == pose


def test_what_a_point_says_goes_away_while_it_is_dragged_and_with_the_points(
    editor: Editor, points: PhotoPoints
) -> None:
    start = middle(points, KNEE).toPoint()
    ViewMouse(editor).hover(start)
    assert label(editor).startswith("Left knee")
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(4, 2))
    assert label(editor) == "", "it would cover what is aimed at"
    QTest.mouseRelease(editor.viewport, LEFT, pos=start + QPoint(4, 2))
    ViewMouse(editor).hover(start + QPoint(4, 2))
    assert label(editor) != ""
    strike(editor, Qt.Key.Key_0)
    until(lambda: not points.isVisible())
    assert label(editor) == ""
    assert editor.session.view.hover is None


def test_the_key_flips_the_limb_of_the_point_under_the_pointer(editor: Editor, points: PhotoPoints) -> None:
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    forward = edits.set_target(active(editor).id, hand.id, hand.target + np.float32([0.05, 0.3, 0.3]))
    editor.session.edit("Move", forward, solve=True)
    until(lambda: not editor.session.solving)
    ViewMouse(editor).hover(QPoint(5, 5))
    ViewMouse(editor).hover(middle(points, ELBOW).toPoint())
    until(lambda: editor.session.view.reading is not None)
    wrist = place_of(editor, "left_wrist")
    strike(editor, Qt.Key.Key_D)
    assert editor.session.history.undo_text == "Flip limb in depth"
    assert np.linalg.norm(place_of(editor, "left_wrist") - wrist) > 0.1


def test_handles_make_room_for_points_except_selected_ones(editor: Editor, points: PhotoPoints) -> None:
    (first, *_) = active(editor).effectors
    until(lambda: editor.viewport.scene.handles == ())
    editor.session.select(active(editor).id, [first.id])
    until(lambda: [handle.selected for handle in editor.viewport.scene.handles] == [True])
    strike(editor, Qt.Key.Key_L, SHIFT)
    until(lambda: len(editor.viewport.scene.handles) == len(active(editor).effectors))
