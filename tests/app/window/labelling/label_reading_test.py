"""Pictures that nobody prepared: read when they are reached, and the next one while one works; by the real networks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from labelling_driver import at
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from sample_files import TWO_PEOPLE
from window_driver import strike, until

from app.document.exchange.label_files import FOLDER
from app.labelling.bar import LabelBar
from app.labelling.texts import NOBODY_FOUND
from app.panels.job_bar import JobBar
from app.panels.panel_column import WaitingCover
from app.viewport.photo_reading import PhotoReading
from app.window.editor import Editor
from scripts.photo import photo_renderings

pytestmark = pytest.mark.gl
LONG_MS = 300_000  # on a busy machine
CLIPS = Path(__file__).parents[3] / "data" / "clips"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of somebody, as the script for measuring draws it."""
    folder = tmp_path_factory.mktemp("renderings")
    assert photo_renderings.main(["--bvh", str(CLIPS), "-o", str(folder), "--count", "1", "--long-side", "320"]) == 0
    return folder / "0000.jpg"


@pytest.fixture
def folder(drawn: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "shoot"
    folder.mkdir()
    for name in ("a.jpg", "b.jpg"):
        shutil.copy(drawn, folder / name)
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("few_handles", "photos_read_once")  # one picture under two names
def test_a_picture_is_read_when_it_is_reached_and_the_next_one_meanwhile(editor: Editor, folder: Path) -> None:
    editor.labels.open(folder)
    labels = editor.labels
    until(lambda: labels.labelling is not None and labels.labelling.place == 0, LONG_MS)
    assert labels.labelling is not None
    assert len(editor.session.document.characters) == 1
    assert editor.session.view.through_photo
    first, second = (folder / FOLDER / name for name in ("a.json", "b.json"))
    assert json.loads(first.read_text(encoding="utf-8"))["checked"] is False
    until(second.exists, LONG_MS)  # without a key
    assert labels.labelling.place == 0
    assert not any(reading.isVisible() for reading in editor.viewport.findChildren(PhotoReading)), "it is in the way"
    at(editor, 1)
    strike(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until(lambda: labels.labelling is not None and labels.labelling.place == 1, LONG_MS)
    assert json.loads(first.read_text(encoding="utf-8"))["checked"] is True
    assert len(editor.session.document.characters) == 1
    strike(editor, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    until(lambda: not labels.active)


def test_escape_stops_the_reading_of_the_first_picture_and_leaves_the_scene(editor: Editor, folder: Path) -> None:
    before = editor.session.document
    editor.labels.open(folder)
    until(lambda: bool(editor.viewport.findChildren(PhotoReading)))
    reading = editor.viewport.findChild(PhotoReading)
    until(reading.isVisible)
    QTest.keyClick(reading, Qt.Key.Key_Escape)
    until(lambda: not editor.labels.active)
    assert editor.session.document is before
    assert editor.window.findChild(LabelBar) is None
    assert not (folder / FOLDER / "a.json").exists()


def test_while_a_picture_is_read_the_panels_are_grey_and_keys_leave_the_scene_before_alone(
    editor: Editor, folder: Path
) -> None:
    before, (people, *_) = editor.session.document, editor.panels.left
    editor.labels.open(folder)
    covers = editor.window.findChildren(WaitingCover)
    until(lambda: len(covers) == 2 and all(cover.isVisible() for cover in covers), LONG_MS)
    assert covers[0].text.text() == "a.jpg is being read. Its people will be here."
    assert not people.isEnabled()
    for key, held in (
        (Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier),
    ):
        strike(editor, key, held)
    assert "Wait until a.jpg is open." in editor.window.status.notice.text()
    strike(editor, Qt.Key.Key_Escape)
    until(lambda: not editor.labels.active)
    assert editor.session.document is before
    assert people.isEnabled()
    assert not any(cover.isVisible() for cover in covers)
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    until(lambda: len(editor.session.document.characters) == len(before.characters) + 1)


def test_while_a_picture_is_read_the_bar_says_what_is_being_done_and_how_far_it_is(
    editor: Editor, folder: Path
) -> None:
    bar = editor.window.findChild(JobBar)
    assert bar is not None
    told: list[tuple[str, int]] = []
    editor.jobs.progressed.connect(lambda _share, text: told.append((text, bar.bar.maximum())))
    editor.labels.open(folder)
    until(lambda: ("Looking for people", 100) in told and bar.isVisible(), LONG_MS)
    strike(editor, Qt.Key.Key_Escape)
    until(lambda: not editor.labels.active)


@pytest.mark.slow
def test_a_find_that_may_be_nobody_is_left_out_of_the_label_with_a_notice(editor: Editor, tmp_path: Path) -> None:
    folder = tmp_path / "shoot"
    folder.mkdir()
    with Image.open(TWO_PEOPLE) as photo:  # legs and hips of two people, of whom the networks are not sure
        photo.crop((0, round(0.35 * photo.height), *photo.size)).save(folder / "legs.png")
    editor.labels.open(folder)
    until(lambda: editor.labels.labelling is not None and editor.labels.labelling.place == 0, LONG_MS)
    assert "may be nobody" in editor.window.status.notice.text()
    assert editor.session.document.characters == ()
    assert json.loads((folder / FOLDER / "legs.json").read_text(encoding="utf-8"))["people"] == []
    at(editor, 1)
    strike(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until(lambda: json.loads((folder / FOLDER / "legs.json").read_text(encoding="utf-8"))["checked"])


@pytest.mark.slow
def test_a_picture_in_which_nobody_is_found_says_what_to_do_until_it_is_checked(editor: Editor, tmp_path: Path) -> None:
    folder = tmp_path / "shoot"
    folder.mkdir()
    for name in ("a.png", "b.png"):
        Image.new("RGB", (128, 96), "grey").save(folder / name)
    editor.labels.open(folder)
    labels, notice = editor.labels, editor.window.status.notice
    until(lambda: labels.labelling is not None and labels.labelling.place == 0, LONG_MS)
    until(lambda: NOBODY_FOUND in notice.text())
    at(editor, 1)
    strike(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until(lambda: labels.labelling is not None and labels.labelling.place == 1, LONG_MS)
    until(lambda: NOBODY_FOUND in notice.text())
    strike(editor, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    until(lambda: labels.labelling is not None and labels.labelling.place == 0, LONG_MS)
    until(lambda: NOBODY_FOUND not in notice.text())
