"""A photo while it is read: shown at once, with boxes as people are found, and cancelled without a trace."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, key
from photographed_people import CAMERA, put_before_green
from PIL import Image
from PySide6.QtCore import QPoint, Qt, QThread
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from sample_files import TWO_PEOPLE
from window_driver import strike, until

from app.dialogs.people_dialog import PeopleDialog
from app.viewport.overlays.photo_points import PhotoPoints
from app.viewport.photo_reading import PhotoReading
from app.window.editor import Editor
from solver.photo.people import PhotoResult

pytestmark = [pytest.mark.gl, pytest.mark.slow]


def reading(editor: Editor) -> PhotoReading:
    editor.files.open_path(TWO_PEOPLE)
    until(lambda: editor.viewport.findChild(PhotoReading) is not None)
    found = editor.viewport.findChild(PhotoReading)
    assert found is not None
    assert found.isVisible()
    return found


def outside(bodies: QImage | None, boxes: tuple[tuple[float, ...], ...]) -> float:
    """The share of what is drawn of bodies that is in no box."""
    assert bodies is not None
    drawn = np.array(bodies.constBits()).reshape(bodies.height(), bodies.width(), 4)[..., 3] > 128
    share, whole = bodies.width() / Image.open(TWO_PEOPLE).width, int(drawn.sum())
    for box in boxes:
        left, top, right, bottom = (round(share * value) for value in box)
        drawn[top:bottom, left:right] = False
    return float(drawn.sum() / whole)


def covered(bodies: QImage | None, box: tuple[float, ...]) -> float:
    """The share of a box, in pixels of the photo, where bodies are drawn."""
    assert bodies is not None
    alpha = np.array(bodies.constBits()).reshape(bodies.height(), bodies.width(), 4)[..., 3]
    share = bodies.width() / Image.open(TWO_PEOPLE).width
    left, top, right, bottom = (round(share * value) for value in box)
    return float((alpha[top:bottom, left:right] > 128).mean())


def test_the_photo_shows_at_once_with_boxes_and_bodies_and_esc_leaves_nothing_behind(editor: Editor) -> None:
    before, steps = editor.session.document, len(editor.session.history.steps())
    shown = reading(editor)
    assert shown.geometry() == editor.viewport.rect()
    assert shown.boxes == ()
    until(lambda: len(shown.boxes) >= 1)
    until(lambda: shown.bodies is not None)
    left, top, right, bottom = shown.boxes[0]
    assert right - left > 20
    assert bottom - top > 20
    assert covered(shown.bodies, shown.boxes[0]) > 0.15
    assert covered(shown.bodies, (0.0, 0.0, 1280.0, 720.0)) < 0.6, "beside the people the photo shows"
    assert outside(shown.bodies, shown.boxes) < 0.005, "a box holds the whole body, not its landmarks alone"
    assert editor.jobs.busy, "people are still being posed"
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    until(lambda: not editor.jobs.busy)
    assert not shown.isVisible()
    assert shown.boxes == ()
    assert shown.bodies is None
    assert editor.session.document == before
    assert len(editor.session.history.steps()) == steps
    assert not editor.session.view.through_photo


def test_nothing_of_the_photo_before_lies_over_the_one_that_is_read(editor: Editor, tmp_path: Path) -> None:
    put_before_green(editor, tmp_path, CAMERA)
    strike(editor, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    for overlay in ("view.horizon", "view.wipe"):
        editor.actions[overlay].trigger()
    over = [w for w in editor.viewport.children() if isinstance(w, QWidget) and w.isVisible()]
    assert any(isinstance(widget, PhotoPoints) for widget in over)
    with answering(button("Add to this scene")):
        shown = reading(editor)
    row = editor.panels.effectors.rows[0]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(60, row.height() // 2))
    until(lambda: editor.session.view.effectors != ())
    order = editor.viewport.children()
    above = [w for w in order[order.index(shown) + 1 :] if isinstance(w, QWidget) and w.isVisible()]
    assert {widget.objectName() for widget in above} <= {"overlay"}
    editor.jobs.cancel()
    until(lambda: not editor.jobs.busy)


def test_the_cancel_button_ends_it_and_the_next_photo_is_shown_again(editor: Editor) -> None:
    before = editor.session.document
    shown = reading(editor)
    until(editor.job_bar.isVisible)
    QTest.mouseClick(editor.job_bar.cancel, Qt.MouseButton.LeftButton)
    until(lambda: not editor.jobs.busy)
    assert not shown.isVisible()
    assert editor.session.document == before
    editor.files.open_path(TWO_PEOPLE)
    until(shown.isVisible)
    editor.jobs.cancel()
    until(lambda: not editor.jobs.busy)
    assert len(editor.viewport.findChildren(PhotoReading)) == 1


@pytest.mark.usefixtures("few_handles")
def test_photo_and_bodies_stay_while_one_is_asked_and_the_scene_comes_with_the_photo_behind_it(editor: Editor) -> None:
    shown = reading(editor)
    seen: list[tuple[bool, int]] = []
    pictures = editor.session_view.pixels

    def take(dialog: PeopleDialog) -> None:
        QTest.qWait(100)
        seen.append((shown.isVisible(), len(shown.boxes)))
        button("Pose them")(dialog)

    def changed() -> None:
        photo = editor.session.document.photo
        if photo is not None and len(seen) == 1:
            seen.append((pictures.of(photo) is not None, len(editor.session.document.characters)))

    editor.session.changed.connect(changed)
    with answering(take, kind=PeopleDialog):
        until(lambda: not editor.jobs.busy and editor.session.document.photo is not None, 110_000)
    assert seen == [(True, 2), (True, 2)], "no glimpse of the former scene, and none of people without their photo"
    until(lambda: not shown.isVisible())


def test_bodies_that_are_long_in_drawing_leave_half_of_the_time_to_keys_and_networks(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[float] = []

    def slowly(_people: object, _camera: object, size: tuple[int, int]) -> np.ndarray:
        began = time.perf_counter()
        QThread.msleep(60)
        drawn.append(time.perf_counter() - began)
        return np.zeros((size[1], size[0], 4), np.uint8)

    shown = reading(editor)
    monkeypatch.setattr(editor.session_view, "draw_people", slowly)
    until(lambda: shown.boxes != () and drawn != [])
    nobody, start = PhotoResult(CAMERA, ()), time.perf_counter()
    drawn.clear()
    while time.perf_counter() - start < 1.0:
        shown.show_people(nobody)
        QTest.qWait(2)
    assert len(drawn) >= 1
    assert sum(drawn[1:]) < 0.6 * (time.perf_counter() - start)
    editor.jobs.cancel()
    until(lambda: not editor.jobs.busy)


def test_choosing_nobody_goes_back_to_the_scene(editor: Editor) -> None:
    before = editor.session.document
    shown = reading(editor)
    with answering(key(Qt.Key.Key_Escape), kind=PeopleDialog):
        until(lambda: not editor.jobs.busy)
    until(lambda: not shown.isVisible())
    assert editor.session.document == before


@pytest.mark.usefixtures("photos_read_once")
def test_the_photo_alone_stands_behind_a_figure_and_later_behind_those_who_are_there(editor: Editor) -> None:
    with answering(button("Photo alone"), kind=PeopleDialog):
        reading(editor)
        until(lambda: editor.session.document.photo is not None)
    figure = editor.session.document.characters
    assert [one.sighting for one in figure] == [None]
    assert editor.session.view.through_photo
    with answering(button("Add to this scene"), button("Photo alone")):
        editor.files.open_path(TWO_PEOPLE)
        until(lambda: len(editor.session.document.photos) == 2)
    assert editor.session.document.characters == figure
    assert editor.session.view.through_photo
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(editor.session.document.photos) == 1
