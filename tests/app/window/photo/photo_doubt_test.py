"""What the photo does not decide: dashed lines to guesses, rings where networks saw points, marks that flip a limb."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from photographed_people import CAMERA, depths, ear_and_nose, label, middle, see, seen
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import ViewMouse, active, move_held, place_of, point_at, settled, strike, until

from app.document import edits
from app.document.in_photo import depth
from app.document.model.document import Photo
from app.viewport.overlays.depth_marks import REST_MS
from app.viewport.overlays.photo_points import PhotoPoints
from app.window.editor import Editor
from solver.photo.depth_ambiguity import extent_px
from solver.photo.sighting import SeenPoint
from solver.rig.roles import ARMS, Limb

pytestmark = pytest.mark.gl
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
EAR, ELBOW, WRIST, KNEE, ANKLE = 7, 13, 15, 25, 27
LEFT_ARM = ARMS[0]


@pytest.fixture
def points(editor: Editor) -> PhotoPoints:
    """Those of somebody who holds the left hand forward, shown by their key."""
    session = editor.session
    hand = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    session.edit(
        "Move", edits.set_target(active(editor).id, hand.id, hand.target + np.float32([0.05, 0.3, 0.3])), solve=True
    )
    settled(session)
    session.edit("Photo", edits.set_photo(Photo("gone.png", "0" * 64, CAMERA, visible=False)))
    see(editor)
    strike(editor, Qt.Key.Key_L, SHIFT)
    found = editor.viewport.findChild(PhotoPoints)
    assert found is not None
    until(found.isVisible)
    return found


def gaps(points: PhotoPoints, start: int, end: int) -> int:
    """How many pieces without ink a line between two points has, as it is drawn."""
    image = QImage(points.size(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    points.render(painter, QPoint(0, 0), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.end()
    a, b = points.at(start), points.at(end)
    assert a is not None
    assert b is not None
    length = float(np.hypot(b.x() - a.x(), b.y() - a.y()))
    steps = [a + (b - a) * ((8 + i) / length) for i in range(int(length) - 16)]
    inked = [image.pixelColor(at.toPoint()).alpha() > 40 for at in steps]
    return sum(one and not other for one, other in pairwise(inked))


def test_limbs_to_a_guess_are_dashed_and_sure_ones_solid(editor: Editor, points: PhotoPoints) -> None:
    assert gaps(points, KNEE, ANKLE) == 0
    see(editor, left_ankle=replace(seen(editor, "left_ankle"), depth_spread=0.2))
    until(lambda: points.guesses == {ANKLE})
    assert gaps(points, KNEE, ANKLE) >= 2
    assert gaps(points, KNEE + 1, ANKLE + 1) == 0


def test_what_looks_disagree_about_in_the_picture_is_a_guess_as_well(editor: Editor, points: PhotoPoints) -> None:
    see(editor, right_knee=replace(seen(editor, "right_knee"), pixel_spread=40.0))
    until(lambda: points.guesses == {KNEE + 1})


def test_a_point_that_hardly_shows_is_dashed_where_looks_disagree_half_as_much(
    editor: Editor, points: PhotoPoints
) -> None:
    sighting = active(editor).sighting
    assert sighting is not None
    apart = 0.02 * extent_px(sighting)
    see(
        editor,
        left_ankle=replace(seen(editor, "left_ankle"), pixel_spread=apart, confidence=0.3),
        right_ankle=replace(seen(editor, "right_ankle"), pixel_spread=apart, confidence=0.9),
    )
    until(lambda: points.guesses == {ANKLE})
    assert gaps(points, KNEE, ANKLE) >= 2
    assert gaps(points, KNEE + 1, ANKLE + 1) == 0


def test_hovering_a_point_says_how_sure_it_is(editor: Editor, points: PhotoPoints) -> None:
    see(editor, left_ankle=replace(seen(editor, "left_ankle"), pixel_spread=14.2, depth_spread=0.1))
    ViewMouse(editor).hover(middle(points, ANKLE).toPoint())
    assert label(editor).startswith("Left ankle: 14 px between looks, depth ± 17 cm\nDrag it")


def test_a_ring_shows_where_networks_saw_a_point_that_the_body_has_elsewhere(
    editor: Editor, points: PhotoPoints
) -> None:
    assert points.rings == {}
    x, y = seen(editor, "left_ankle").pixel
    see(editor, left_ankle=replace(seen(editor, "left_ankle"), pixel=(x + 30.0, y - 20.0)))
    until(lambda: set(points.rings) == {ANKLE})
    left, top, scale = editor.viewport.camera.image_rect(editor.viewport.width(), editor.viewport.height())  # type: ignore[union-attr]
    ring = points.rings[ANKLE]
    assert (ring.x(), ring.y()) == pytest.approx((left + scale * (x + 30.0), top + scale * (y - 20.0)), abs=0.1)


@pytest.mark.parametrize(("spread", "apart"), [(None, 0.0), (2.0, 7.36)], ids=["another program", "networks"])
def test_the_ring_of_an_ear_is_where_another_program_saw_it_but_networks_mark_ears_within_the_head(
    editor: Editor, points: PhotoPoints, spread: float | None, apart: float
) -> None:
    x, y = (ear_and_nose(active(editor), CAMERA)[0] + [40.0, 0.0]).tolist()
    see(editor, left_ear=SeenPoint("left_ear", (x, y), 0.9, pixel_spread=spread))
    until(lambda: set(points.rings) == {EAR})
    left, _, scale = editor.viewport.camera.image_rect(editor.viewport.width(), editor.viewport.height())  # type: ignore[union-attr]
    assert points.rings[EAR].x() == pytest.approx(left + scale * (x + apart), abs=0.5)


def test_a_point_that_was_put_by_hand_is_no_guess_and_has_no_ring(editor: Editor, points: PhotoPoints) -> None:
    x, y = seen(editor, "left_ankle").pixel
    see(editor, left_ankle=replace(seen(editor, "left_ankle"), pixel=(x + 60.0, y), depth_spread=0.2))
    until(lambda: bool(points.guesses))
    start = middle(points, ANKLE).toPoint()
    QTest.mouseMove(editor.viewport, start)
    QTest.mousePress(editor.viewport, LEFT, pos=start)
    move_held(editor.viewport, start + QPoint(15, -10))
    QTest.mouseRelease(editor.viewport, LEFT, pos=start + QPoint(15, -10))
    assert ANKLE not in points.guesses
    assert ANKLE not in points.rings


def test_people_without_a_photo_have_neither(editor: Editor, points: PhotoPoints) -> None:
    character = replace(active(editor), sighting=None)
    editor.session.edit("Forget", lambda document: document.with_character(character))
    assert points.guesses == frozenset()
    assert points.rings == {}
    ViewMouse(editor).hover(middle(points, ANKLE).toPoint())
    assert label(editor).startswith("Left ankle\nDrag it")


def undecided_arm(editor: Editor) -> None:
    """Networks saw shoulder, elbow and wrist of the left arm equally far away, and were not sure."""
    level = depths(editor)[11]
    names = ("left_shoulder", "left_elbow", "left_wrist")
    see(editor, **{name: replace(seen(editor, name), depth=level, depth_spread=0.1) for name in names})


def marks(points: PhotoPoints) -> dict[Limb, QWidget]:
    return {limb: mark for limb, mark in points.marks.by_limb.items() if mark.isVisible()}


def test_a_limb_that_the_photo_does_not_decide_has_a_mark_and_a_decided_one_has_none(
    editor: Editor, points: PhotoPoints
) -> None:
    undecided_arm(editor)
    until(lambda: set(marks(points)) == {LEFT_ARM})
    elbow = middle(points, ELBOW)
    off = QPointF(marks(points)[LEFT_ARM].geometry().center()) - elbow
    assert 10 < np.hypot(off.x(), off.y()) < 40, "beside the elbow, which can still be dragged"
    see(editor)
    until(lambda: not marks(points))


def test_hovering_the_mark_shows_the_other_reading_and_a_click_takes_it_in_one_step(
    editor: Editor, points: PhotoPoints
) -> None:
    undecided_arm(editor)
    until(lambda: bool(marks(points)))
    before, wrist, mark = editor.session.document, place_of(editor, "left_wrist"), marks(points)[LEFT_ARM]
    ViewMouse(editor).hover(mark.geometry().bottomRight() + QPoint(3, 3))
    point_at(mark)
    until(lambda: editor.session.view.reading is not None)
    until(lambda: not editor.tool.hover_refresh.waiting)
    assert editor.session.view.hover == ("joint", "left_elbow"), "the view does not look again at where the pointer was"
    assert "does not decide which way the left arm leads" in label(editor)
    shown = editor.session.view.reading
    QTest.mouseClick(mark, LEFT, pos=mark.rect().center())
    assert active(editor).pose == shown
    after = place_of(editor, "left_wrist")
    assert np.linalg.norm(after - wrist) > 0.1
    assert np.abs(CAMERA.project(after) - CAMERA.project(wrist)).max() < 1.5
    assert editor.session.history.undo_text == "Flip limb in depth"
    until(lambda: not marks(points))
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before
    until(lambda: set(marks(points)) == {LEFT_ARM})


def test_while_the_solver_compiles_no_limb_is_looked_at_and_a_clicked_mark_waits(
    editor: Editor, points: PhotoPoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(lambda: editor.service.awake)
    monkeypatch.setattr(depth, "ambiguous_limbs", lambda *_asked: pytest.fail("it would wait for the compiler"))
    editor.service.awake = False
    undecided_arm(editor)
    QTest.qWait(2 * REST_MS)
    assert not marks(points)
    monkeypatch.undo()
    editor.service.awake = True
    editor.service.woken.emit()
    until(lambda: bool(marks(points)))
    mark, before = marks(points)[LEFT_ARM], active(editor).pose
    editor.service.awake = False
    QTest.mouseClick(mark, LEFT, pos=mark.rect().center())
    assert active(editor).pose is before
    assert editor.session.late.names == ("Flip limb in depth",)
    editor.service.awake = True
    editor.service.woken.emit()
    until(lambda: active(editor).pose is not before)
    assert editor.session.history.undo_text == "Flip limb in depth"


def test_the_key_flips_the_limb_whose_mark_is_pointed_at(editor: Editor, points: PhotoPoints) -> None:
    undecided_arm(editor)
    until(lambda: bool(marks(points)))
    mark, wrist = marks(points)[LEFT_ARM], place_of(editor, "left_wrist")
    point_at(mark)
    until(lambda: editor.session.view.hover == ("joint", "left_elbow"))
    strike(editor, Qt.Key.Key_D)
    assert np.linalg.norm(place_of(editor, "left_wrist") - wrist) > 0.1
    until(lambda: not marks(points))  # it is decided now


def test_marks_go_with_the_points_and_away_from_the_photo_s_camera(editor: Editor, points: PhotoPoints) -> None:
    undecided_arm(editor)
    until(lambda: bool(marks(points)))
    strike(editor, Qt.Key.Key_0)
    until(lambda: not marks(points))
    strike(editor, Qt.Key.Key_0)
    until(lambda: bool(marks(points)))
    strike(editor, Qt.Key.Key_L, SHIFT)
    assert not marks(points)
