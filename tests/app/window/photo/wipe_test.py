"""The wipe over a photo: the photo alone on one side of a divider, the photo with the bodies on the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from photographed_people import put_before_green
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import ViewMouse, active, laid_out, move_held, place_of, strike, until

from app.viewport.overlays.wipe_divider import WipeDivider
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from rendering.camera.photo_halves import photo_half, to_copy
from solver.camera import PinholeCamera

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.0]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
SHIFT, NONE, LEFT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton


@pytest.fixture
def before_a_photo(editor: Editor, tmp_path: Path) -> Editor:
    """One person in front of a plain green picture."""
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.set_view(through_photo=True, grid=False)
    until(lambda: editor.viewport.scene.backplate is not None)
    return editor


def not_green(editor: Editor) -> np.ndarray:
    """(W,) in which columns of the view something stands before the photo."""
    picture = editor.viewport.grab_image(transparent=False, handles=True)[..., :3].astype(int)
    middle = picture[picture.shape[0] // 3 : 2 * picture.shape[0] // 3]
    return np.asarray((middle[..., 0] > 60).any(axis=0))


def divider(editor: Editor) -> WipeDivider:
    found = editor.viewport.findChild(WipeDivider)
    assert found is not None
    return found


@pytest.mark.slow
def test_shift_w_leaves_the_photo_alone_on_the_left_and_again_takes_the_divider_away(before_a_photo: Editor) -> None:
    whole = not_green(before_a_photo)
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    half, at = not_green(before_a_photo), divider(before_a_photo).geometry().center().x()
    assert whole[:at].any()
    assert not half[: at - 1].any()
    assert np.array_equal(half[at + 2 :], whole[at + 2 :])
    assert divider(before_a_photo).isVisible()
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    assert np.array_equal(not_green(before_a_photo), whole)
    assert not divider(before_a_photo).isVisible()


def test_the_divider_keeps_within_the_photo_however_closely_one_looks(before_a_photo: Editor) -> None:
    view = before_a_photo.viewport
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    _, top, scale = view.camera.image_rect(view.width(), view.height())
    bar = divider(before_a_photo).geometry()
    assert top > 20, "there is room above the photo"
    assert (bar.top(), bar.height()) == (pytest.approx(top, abs=1), pytest.approx(600 * scale, abs=2))
    view.set_camera(PhotoView(CAMERA, zoom=3.0))
    bar = divider(before_a_photo).geometry()
    assert (bar.top(), bar.height()) == (0, view.height())


def test_a_divider_comes_in_the_middle_of_what_is_looked_at_closely(before_a_photo: Editor) -> None:
    view = before_a_photo.viewport
    view.set_camera(PhotoView(CAMERA, zoom=4.0, shift=(1.2, 0.0)))
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    assert divider(before_a_photo).geometry().center().x() == pytest.approx(view.width() / 2, abs=2)


@pytest.mark.sweep("size0")
@pytest.mark.parametrize("size", [(1400, 560), (760, 900)])
def test_shift_s_puts_the_photo_alone_beside_or_above_the_one_with_the_bodies(
    before_a_photo: Editor, size: tuple[int, int]
) -> None:
    view = before_a_photo.viewport
    view.setFixedSize(*size)
    laid_out()
    strike(before_a_photo, Qt.Key.Key_S, SHIFT)
    picture = view.grab_image(transparent=False, handles=True)
    left, top, scale = view.camera.image_rect(*size)
    wide, high = round(800 * scale), round(600 * scale)
    green = (picture[..., 1] > 140) & (picture[..., 0] < 60)

    def part(x: float, y: float) -> np.ndarray:
        return green[round(y) + 3 : round(y) + high - 3, round(x) + 3 : round(x) + wide - 3]

    upright = size[1] > size[0]
    alone = part(left, top - 1.02 * high) if upright else part(left - 1.02 * wide, top)
    assert alone.shape == part(left, top).shape, "both are in the view whole"
    assert alone.all(), "nothing but the photo"
    assert not part(left, top).all(), "somebody stands before it"
    assert wide > 0.9 * min(size[0], size[1] / 2 * 4 / 3) if upright else high > 0.9 * size[1] * 0.9
    halved = view.camera
    view.setFixedSize(size[0] - 60, size[1] - 200)
    laid_out()
    left, top, scale = view.camera.image_rect(view.width(), view.height())
    assert left >= 0, "both stay whole in a view of another size"
    assert left + 800 * scale <= view.width()
    assert top + 600 * scale <= view.height()
    strike(before_a_photo, Qt.Key.Key_0)
    strike(before_a_photo, Qt.Key.Key_0)
    assert view.camera == halved, "it comes back as it was"
    strike(before_a_photo, Qt.Key.Key_S, SHIFT)
    assert view.camera == PhotoView(CAMERA)


@pytest.mark.sweep("False-size0")
@pytest.mark.parametrize("size", [(1000, 440), (560, 800)])
@pytest.mark.parametrize("over_copy", [False, True])
def test_side_by_side_the_wheel_magnifies_both_each_in_its_half(
    before_a_photo: Editor, size: tuple[int, int], over_copy: bool
) -> None:
    view, mouse, upright = before_a_photo.viewport, ViewMouse(before_a_photo), size[1] > size[0]
    view.setFixedSize(*size)
    laid_out()
    strike(before_a_photo, Qt.Key.Key_S, SHIFT)
    here = mouse.place(active(before_a_photo).pose.root_position)
    away = QPoint(*np.round(to_copy(view.camera, *size)).astype(int).tolist())
    mouse.roll(here + away if over_copy else here, 6)
    assert view.camera.zoom > 2.0
    there = mouse.place(active(before_a_photo).pose.root_position)
    assert (there - here).manhattanLength() <= 3, "what is under the pointer stays there"
    for _ in range(2):
        mouse.roll(there + away if over_copy else there, 6)
    picture = view.grab_image(transparent=False, handles=True)
    green = (picture[..., 1] > 140) & (picture[..., 0] < 60)
    alone, seen = np.array_split(green, 2, axis=0 if upright else 1)
    assert alone[6:-6, 6:-6].all(), "the copy fills its half, and nobody is drawn there"
    assert not seen.all(), "somebody stands before the photo"
    x, y, _, _ = photo_half(view.camera, *size)
    edge = (float(here.x()), y) if upright else (x, float(here.y()))
    hits = [view.pick(edge[0] + d * (not upright), edge[1] + d * upright) is not None for d in (-6.0, 6.0)]
    assert hits == [False, True], "nobody is taken hold of in the copy, though the body goes on there"


@pytest.mark.slow
def test_side_by_side_the_points_in_the_photo_are_neither_drawn_nor_taken_over_the_copy(before_a_photo: Editor) -> None:
    view, mouse = before_a_photo.viewport, ViewMouse(before_a_photo)
    view.setFixedSize(560, 800)
    laid_out()
    strike(before_a_photo, Qt.Key.Key_S, SHIFT)
    strike(before_a_photo, Qt.Key.Key_L, SHIFT)
    for _ in range(2):
        mouse.roll(mouse.place(active(before_a_photo).pose.root_position), 6)
    laid_out()
    shoulder = mouse.place(place_of(before_a_photo, "left_shoulder"))
    assert 20 < shoulder.y() < 380, "in the upper half, where the copy is"
    picture, near = view.grab().toImage(), range(-40, 41, 2)
    colors = [picture.pixelColor(shoulder + QPoint(x, y)) for x in near for y in near]
    assert all(color.green() > 140 and color.red() < 60 for color in colors)
    before = before_a_photo.session.document
    mouse.drag(shoulder, QPoint(10, 4), QPoint(30, 10))
    assert before_a_photo.session.document == before


@pytest.mark.slow
def test_the_divider_is_dragged_and_esc_puts_it_back(before_a_photo: Editor) -> None:
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    bar = divider(before_a_photo)
    start, grip = bar.geometry().center().x(), bar.rect().center()
    QTest.mousePress(bar, LEFT, NONE, grip)
    move_held(bar, grip + QPoint(60, 0))
    assert bar.geometry().center().x() == pytest.approx(start + 60, abs=1)
    assert not not_green(before_a_photo)[: start + 58].any()
    QTest.mouseRelease(bar, LEFT, NONE, bar.rect().center())
    QTest.mousePress(bar, LEFT, NONE, grip)
    move_held(bar, grip - QPoint(100, 0))
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert bar.geometry().center().x() == pytest.approx(start + 60, abs=1)
    assert before_a_photo.session.history.undo_text == "Photo", "a wipe is no step of undo"


def test_the_divider_goes_along_with_the_photo_and_with_the_look_through_its_camera(before_a_photo: Editor) -> None:
    strike(before_a_photo, Qt.Key.Key_W, SHIFT)
    view = before_a_photo.viewport
    before_a_photo.window.resize(before_a_photo.window.width() - 120, before_a_photo.window.height())
    laid_out()
    assert divider(before_a_photo).geometry().center().x() == pytest.approx(view.width() / 2, abs=1)
    strike(before_a_photo, Qt.Key.Key_0)
    assert not divider(before_a_photo).isVisible()
    strike(before_a_photo, Qt.Key.Key_0)
    assert divider(before_a_photo).isVisible()


@pytest.mark.slow
def test_shift_o_shows_the_photo_within_the_outlines_of_the_bodies(before_a_photo: Editor) -> None:
    view, session = before_a_photo.viewport, before_a_photo.session
    session.set_view(handles=False)
    left, top, scale = view.camera.image_rect(view.width(), view.height())
    photo = slice(round(top) + 4, round(top + 600 * scale) - 4), slice(round(left) + 4, round(left + 800 * scale) - 4)
    body = view.grab_image(transparent=False, handles=True)[photo][..., 0] > 60
    strike(before_a_photo, Qt.Key.Key_O, SHIFT)
    before_a_photo.refresh()
    assert before_a_photo.panels.photo.outline.isChecked()
    picture = view.grab_image(transparent=False, handles=True)[photo]
    line = picture[..., 2] > 150
    inside = body & ~line
    assert 0.02 * body.sum() < line.sum() < 0.4 * body.sum()
    assert np.mean(picture[inside][:, 1] > 140) > 0.9, "the photo is seen through the body"
    box = before_a_photo.panels.photo.outline
    QTest.mouseClick(box, LEFT, NONE, QPoint(8, box.height() // 2))
    assert not session.view.outline
