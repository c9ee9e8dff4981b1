"""Somebody found in a box that is drawn over the photo, or read again, by mouse and keys in the window."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from photographed_people import corner
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from read_once import person_of
from sample_files import TWO_PEOPLE
from window_driver import move_held, press_photo_button, strike, until

from app.document import edits
from app.document.exchange import person_in_photo
from app.document.exchange.person_in_photo import box_of_character
from app.document.model.document import Character, Photo
from app.document.model.figure import body_of
from app.viewport.overlays.box_mark import BoxMark
from app.viewport.overlays.photo_box import PhotoBox
from app.window.controls.photo_people import NOBODY_SEEN
from app.window.editor import Editor
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image

pytestmark = pytest.mark.gl
Corners = tuple[float, float, float, float]
SHIFT, NONE, LEFT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
LEVEL = np.eye(3, dtype=np.float32)
BOX, OTHER = (437.0, 58.0, 854.0, 661.0), (101.0, 93.0, 495.0, 659.0)  # of the two people


@pytest.fixture(autouse=True)
def a_box_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first test that draws a box has the networks read it."""
    monkeypatch.setattr(person_in_photo, "person_in_box", person_of)


def behind(editor: Editor, path: Path) -> Editor:
    """A picture behind the scene, seen by a level camera, and nobody in it yet."""
    width, height = load_image(path).size
    camera = PinholeCamera(np.float32([0, 1.2, 4.0]), LEVEL, 1.2 * width, (width / 2, height / 2), (width, height))
    photo = edits.set_photo(Photo(str(path), load_image(path).sha256, camera))
    (start,) = editor.session.document.characters
    editor.session.edit("Photo", edits.chain(edits.remove_character(start.id), photo))
    editor.session.set_view(through_photo=True)
    until(lambda: editor.viewport.scene.backplate is not None)
    editor.refresh()
    return editor


@pytest.fixture
def empty(editor: Editor, tmp_path: Path) -> Editor:
    """A plain green picture."""
    path = tmp_path / "green.png"
    Image.new("RGB", (800, 600), (20, 160, 60)).save(path)
    return behind(editor, path)


@pytest.fixture
def two(editor: Editor) -> Editor:
    """The photo of two people."""
    return behind(editor, TWO_PEOPLE)


def box_tool(editor: Editor) -> PhotoBox:
    """The cross, once Shift+F was pressed."""
    strike(editor, Qt.Key.Key_F, SHIFT)
    found = editor.viewport.findChild(PhotoBox)
    assert found is not None
    assert found.isVisible()
    assert found.cursor().shape() == Qt.CursorShape.CrossCursor
    return found


def draw(editor: Editor, tool: PhotoBox, box: Corners, release: bool = True) -> None:
    start, end = corner(editor, *box[:2]), corner(editor, *box[2:])
    QTest.mousePress(tool, LEFT, NONE, start)
    for share in (0.4, 1.0):
        move_held(tool, start + (end - start) * share)
    if release:
        QTest.mouseRelease(tool, LEFT, NONE, end)


def people(editor: Editor) -> tuple[Character, ...]:
    return editor.session.document.characters


def notice(editor: Editor) -> str:
    return editor.window.status.notices.shown


def overlap(one: Corners, other: Corners) -> float:
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    shared = float(np.prod(np.clip(high - low, 0, None)))
    areas = [float((b[2] - b[0]) * (b[3] - b[1])) for b in (one, other)]
    return shared / (sum(areas) - shared)


def test_the_box_stays_in_its_place_in_the_photo_while_it_is_read(
    empty: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def waiting(*_: object, **__: object) -> None:
        assert go_on.wait(60)

    monkeypatch.setattr(person_in_photo, "person_in_box", waiting)
    drawn = (200.0, 100.0, 350.0, 500.0)
    draw(empty, box_tool(empty), drawn)
    mark = empty.viewport.findChild(BoxMark)
    assert mark is not None
    assert mark.isVisible()
    for closer in (False, True):
        if closer:
            strike(empty, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
        band = mark.band()
        assert band is not None
        for at, place in ((band.topLeft(), drawn[:2]), (band.bottomRight(), drawn[2:])):
            wanted = corner(empty, *place)
            assert (at.x(), at.y()) == (pytest.approx(wanted.x(), abs=1.5), pytest.approx(wanted.y(), abs=1.5))
    assert band is not None
    picture = empty.viewport.grab().toImage().pixelColor(round(band.left()), round(band.center().y()))
    assert picture.blue() > picture.green(), "drawn in the accent's blue on the green photo"
    go_on.set()
    until(lambda: len(people(empty)) == 1)
    assert not mark.isVisible()


def test_the_box_shows_from_when_it_is_drawn_on_its_own_photo_though_another_job_ends_first(
    empty: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, go_on, started = threading.Event(), threading.Event(), list[str]()
    monkeypatch.setattr(person_in_photo, "person_in_box", lambda *_, **__: (go_on.wait(60), None)[1])
    camera = PinholeCamera(np.float32([1, 1.2, 4.0]), LEVEL, 500.0, (300.0, 200.0), (600, 400))
    other = tmp_path / "other.png"
    Image.new("RGB", (600, 400), (20, 40, 160)).save(other)
    empty.session.edit("Photo", edits.add_photo(Photo(str(other), load_image(other).sha256, camera)))
    strike(empty, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    empty.jobs.started.connect(started.append)
    empty.jobs.run("Something else", lambda *_: before.wait(60), lambda _: None)
    draw(empty, box_tool(empty), (200.0, 100.0, 350.0, 500.0))
    mark = empty.viewport.findChild(BoxMark)
    assert mark is not None
    before.set()
    until(lambda: len(started) == 2)
    assert mark.isVisible()
    assert mark.band() is not None
    strike(empty, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert mark.band() is None
    go_on.set()
    until(lambda: not empty.jobs.busy)
    assert not mark.isVisible()


@pytest.mark.slow
def test_a_person_in_a_drawn_box_is_found_in_one_step_and_the_camera_stays(two: Editor) -> None:
    before = two.session.document
    tool = box_tool(two)
    until(two.actions["pose.find_in_box"].isChecked)
    draw(two, tool, BOX)
    assert not tool.isVisible()
    until(lambda: len(people(two)) == 1)
    (found,) = people(two)
    assert two.session.document.photo == before.photo
    assert overlap(box_of_character(found, before.photo.camera), BOX) > 0.6
    assert two.session.view.character == found.id
    assert found.sighting is not None
    assert found.sighting.photo == before.photo.sha256
    assert 1 <= len(found.effectors) <= 8
    assert notice(two) == f"{found.name} was found in the box."
    strike(two, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert two.session.document == before


@pytest.mark.slow
def test_a_second_box_finds_the_other_one_and_the_first_stays_where_they_are(two: Editor) -> None:
    draw(two, box_tool(two), BOX)
    until(lambda: len(people(two)) == 1)
    (first,) = people(two)
    draw(two, box_tool(two), OTHER)
    until(lambda: len(people(two)) == 2)
    assert people(two)[0] == first
    assert overlap(box_of_character(people(two)[1], two.session.document.photo.camera), OTHER) > 0.6
    assert people(two)[1].color != first.color


@pytest.mark.slow
@pytest.mark.usefixtures("a_quick_reader")
def test_a_box_round_a_person_already_there_adds_nobody_and_selects_that_person(two: Editor) -> None:
    draw(two, box_tool(two), BOX)
    until(lambda: len(people(two)) == 1)
    (first,) = before = people(two)
    two.session.select("")
    draw(two, box_tool(two), BOX)
    until(lambda: "is in the box already" in notice(two))
    assert "Alt+Shift+A" in notice(two), "what to do if somebody else is there"
    assert people(two) == before
    assert two.session.view.character == first.id
    assert two.session.history.undo_text == "Find somebody in a box"


@pytest.mark.slow
def test_where_nobody_is_seen_a_standing_figure_fills_the_box(empty: Editor) -> None:
    box = (300.0, 150.0, 420.0, 500.0)
    draw(empty, box_tool(empty), box)
    until(lambda: len(people(empty)) == 1)
    (figure,) = people(empty)
    assert notice(empty) == NOBODY_SEEN
    _, top, _, bottom = box_of_character(figure, empty.session.document.photo.camera)
    air = 0.08 * (bottom - top) / 1.16
    assert (top + air, bottom - air) == pytest.approx((150.0, 500.0), abs=4.0)
    assert figure.effectors, "handles to pose it by hand"
    assert empty.session.history.undo_text == "Put a figure into a box"


@pytest.mark.slow
def test_a_figure_in_a_box_too_low_for_anybody_who_stands_has_its_feet_on_the_floor_at_the_box_s_bottom(
    empty: Editor,
) -> None:
    draw(empty, box_tool(empty), (300.0, 400.0, 360.0, 500.0))
    until(lambda: len(people(empty)) == 1)
    (figure,) = people(empty)
    skin = posed_vertices(body_of(figure), figure.shape, figure.pose)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-3)
    assert empty.session.document.photo is not None
    assert empty.session.document.photo.camera.project(skin)[:, 1].max() == pytest.approx(500.0, abs=1.5)
    assert figure.effectors


@pytest.mark.slow
def test_in_a_box_much_wider_than_high_in_which_nobody_is_seen_a_figure_lies(empty: Editor) -> None:
    draw(empty, box_tool(empty), (250.0, 420.0, 450.0, 480.0))
    until(lambda: len(people(empty)) == 1)
    (figure,) = people(empty)
    assert notice(empty) == NOBODY_SEEN
    skin = posed_vertices(body_of(figure), figure.shape, figure.pose)
    assert empty.session.document.photo is not None
    pixels = empty.session.document.photo.camera.project(skin)
    assert (pixels[:, 0].min(), pixels[:, 0].max()) == pytest.approx((250.0, 450.0), abs=5.0)
    assert np.ptp(skin[:, 1]) < 0.5
    assert figure.effectors, "handles to pose it by hand"


def test_esc_takes_the_band_back_and_esc_again_leaves_and_nothing_has_changed(empty: Editor) -> None:
    before, tool = empty.session.document, box_tool(empty)
    draw(empty, tool, (300.0, 150.0, 420.0, 500.0), release=False)
    QTest.keyClick(tool, Qt.Key.Key_Escape)
    QTest.mouseRelease(tool, LEFT, NONE, corner(empty, 420.0, 500.0))
    assert tool.isVisible()
    QTest.keyClick(tool, Qt.Key.Key_Escape)
    assert not tool.isVisible()
    assert empty.session.document == before
    assert not empty.jobs.busy
    tool = box_tool(empty)
    strike(empty, Qt.Key.Key_F, SHIFT)
    assert not tool.isVisible(), "the same key leaves as well"
    button = press_photo_button(empty, "pose.find_in_box")
    assert tool.isVisible()
    until(button.isChecked)
    QTest.mouseClick(tool, Qt.MouseButton.RightButton, NONE, QPoint(200, 200))
    assert not tool.isVisible()
    until(lambda: not button.isChecked())
    tool = box_tool(empty)
    empty.session.set_view(through_photo=False)
    assert not tool.isVisible(), "away from the photo's camera there is nothing to draw over"


def test_arrow_keys_say_nothing_about_frames_while_a_box_is_waited_for(two: Editor) -> None:
    tool, before = box_tool(two), notice(two)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right):
        QTest.keyClick(tool, key)
    assert tool.isVisible()
    assert notice(two) == before


@pytest.mark.usefixtures("a_quick_reader")
def test_a_click_is_no_box_and_one_beside_the_photo_or_of_a_few_pixels_is_refused_with_a_word(empty: Editor) -> None:
    before, tool = empty.session.document, box_tool(empty)
    QTest.mouseClick(tool, LEFT, NONE, QPoint(300, 300))
    assert tool.isVisible()
    draw(empty, tool, (-60.0, -70.0, -10.0, -20.0))
    assert "outside the photo" in notice(empty)
    draw(empty, box_tool(empty), (300.0, 200.0, 308.0, 400.0))
    until(lambda: "too small: " in notice(empty))
    assert not empty.jobs.busy
    assert empty.session.document == before


def test_without_a_photo_or_without_anybody_active_there_is_nothing_to_read(editor: Editor, tmp_path: Path) -> None:
    editor.refresh()
    assert not editor.actions["pose.find_in_box"].isEnabled()
    assert not editor.actions["pose.read_again"].isEnabled()
    path = tmp_path / "green.png"
    Image.new("RGB", (800, 600), (20, 160, 60)).save(path)
    behind(editor, path)
    until(editor.actions["pose.find_in_box"].isEnabled)
    assert not editor.actions["pose.read_again"].isEnabled(), "nobody is active"


@pytest.mark.slow
def test_a_photo_that_was_put_away_meanwhile_gets_nobody(two: Editor) -> None:
    draw(two, box_tool(two), BOX)
    two.session.edit("Remove photo", edits.set_photo(None))
    until(lambda: not two.jobs.busy)
    assert people(two) == ()
    assert "nothing was changed" in notice(two)


@pytest.mark.sweep("another photo shown")
@pytest.mark.parametrize("other_photo", [False, True], ids=["its photo shown", "another photo shown"])
def test_shift_r_reads_somebody_again_in_their_photo_and_name_and_colour_stay(
    two: Editor, tmp_path: Path, other_photo: bool
) -> None:
    draw(two, box_tool(two), BOX)
    until(lambda: len(people(two)) == 1)
    (found,) = people(two)
    bent = found.pose.rotations.copy()
    bent[[16, 17, 1]] = np.eye(3, dtype=np.float32)
    spoilt = replace(found.pose, rotations=bent)
    id, session = found.id, two.session
    session.edit("Name", edits.chain(edits.rename_character(id, "Ada"), edits.set_color(id, "#123456")))
    session.edit("Spoil", edits.set_pose(id, spoilt))
    own = session.document.photo
    if other_photo:
        green, camera = tmp_path / "green.png", session.document.photos[0].camera
        Image.new("RGB", camera.image_size, (20, 160, 60)).save(green)
        session.edit("Another", edits.add_photo(Photo(str(green), load_image(green).sha256, camera)))
        strike(two, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
        until(lambda: session.document.photo != own)
    before, steps = session.document, len(session.history.steps())
    strike(two, Qt.Key.Key_R, SHIFT)
    until(lambda: session.history.undo_text == "Read Ada again")
    (again,) = people(two)
    assert session.document.photo == own
    until(lambda: notice(two) == f"Ada was read again{f' in {TWO_PEOPLE.name}' if other_photo else ''}.")
    assert (again.id, again.name, again.color) == (id, "Ada", "#123456")
    assert np.abs(again.pose.rotations - found.pose.rotations).max() < 0.35
    assert again.pose.root_position == pytest.approx(found.pose.root_position, abs=0.25)
    assert len(session.history.steps()) == steps + 1
    strike(two, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.document == before


@pytest.mark.slow
@pytest.mark.usefixtures("a_quick_reader")
def test_a_person_where_nobody_is_seen_stays_as_they_are(empty: Editor) -> None:
    draw(empty, box_tool(empty), (300.0, 150.0, 420.0, 500.0))
    until(lambda: len(people(empty)) == 1)
    before = empty.session.document
    press_photo_button(empty, "pose.read_again")
    until(lambda: "Nobody is seen where" in notice(empty))
    assert empty.session.document == before


@pytest.mark.slow
@pytest.mark.usefixtures("a_quick_reader")
def test_a_person_deleted_while_read_again_stays_away_with_a_notice(
    two: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(two, box_tool(two), BOX)
    until(lambda: len(people(two)) == 1)
    (found,) = people(two)
    deleted = threading.Event()

    def later(*asked: Any) -> Any:
        deleted.wait(60)
        return person_of(*asked)

    monkeypatch.setattr(person_in_photo, "person_in_box", later)
    strike(two, Qt.Key.Key_R, SHIFT)
    strike(two, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert people(two) == ()
    deleted.set()
    until(lambda: notice(two) == f"{found.name} is no longer in the scene: nothing was changed.")
    assert people(two) == ()
