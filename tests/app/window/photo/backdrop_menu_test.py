"""From the File menu: a picture as a mere backdrop, and another photo of the scene with its own camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, key
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from sample_files import TWO_PEOPLE
from window_driver import press_photo_button, settled, strike, until

from app.dialogs import messages
from app.dialogs.export_dialog import ExportDialog
from app.document import edits
from app.document.model.document import Photo
from app.document.model.figure import joints_of
from app.document.posing.placing import place_of
from app.window.editor import Editor
from rendering.camera.camera import PhotoView
from solver.camera import PinholeCamera

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("photos_read_once")]
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FIRST = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
Choose = Callable[[Path | str], None]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Answers the system's own dialog for files, with a path or with ""."""
    return lambda path: monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))


@pytest.fixture
def meadow(tmp_path: Path) -> Path:
    path = tmp_path / "meadow.png"
    Image.fromarray(np.full((240, 320, 3), (90, 140, 70), np.uint8)).save(path)
    return path


@pytest.fixture
def with_photo(editor: Editor) -> Editor:
    """Somebody who was moved, before a photo of whose file nobody asks."""
    session = editor.session
    (person,) = session.document.characters
    photo = edits.add_photo(Photo("first.jpg", "0" * 64, FIRST, visible=False))
    session.edit("Photo", edits.chain(photo, edits.move_character(person.id, (0.7, 0.0, 0.2))))
    settled(session)
    editor.refresh()
    return editor


def names(editor: Editor) -> list[str]:
    return [Path(photo.path).name for photo in editor.session.document.photos]


def press_remove(editor: Editor) -> None:
    editor.refresh()
    until(editor.panels.photo.remove.isVisible)
    QTest.mouseClick(editor.panels.photo.remove, Qt.MouseButton.LeftButton)
    assert not names(editor)


def looks_through(editor: Editor) -> bool:
    photo, camera = editor.session.document.photo, editor.viewport.camera
    return photo is not None and isinstance(camera, PhotoView) and camera.lens == photo.camera


def test_an_untouched_scene_gets_the_picture_with_a_figure_before_it_and_nobody_asks(
    editor: Editor, meadow: Path, choose: Choose
) -> None:
    before = editor.session.document
    choose(meadow)
    editor.actions["file.backdrop"].trigger()
    until(lambda: names(editor) == ["meadow.png"])
    (figure,) = editor.session.document.characters
    assert looks_through(editor)
    pixels = editor.session.document.photo.camera.project(joints_of(figure).positions)
    assert ((pixels > 0) & (pixels < (320, 240))).all()
    assert editor.session.history.steps() == ("Put meadow.png behind the scene",)
    assert str(meadow) in editor.settings.values.recent
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.session.document == before
    strike(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert looks_through(editor), "as when it came"
    press_remove(editor)
    assert not editor.session.view.through_photo
    strike(editor, Qt.Key.Key_Z, CONTROL)
    assert looks_through(editor)


def test_a_photo_that_nobody_looked_through_comes_back_so(with_photo: Editor) -> None:
    from_outside = with_photo.viewport.camera
    press_remove(with_photo)
    strike(with_photo, Qt.Key.Key_Z, CONTROL)
    assert names(with_photo) == ["first.jpg"]
    assert with_photo.viewport.camera == from_outside


@pytest.mark.slow
def test_a_picture_exported_through_the_photo_s_camera_is_the_whole_photo_with_the_people_before_it(
    editor: Editor, meadow: Path, choose: Choose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(meadow)
    editor.actions["file.backdrop"].trigger()
    until(lambda: names(editor) == ["meadow.png"] and looks_through(editor))
    until(lambda: editor.viewport.scene.backplate is not None)
    target = tmp_path / "out.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))

    def export(dialog: ExportDialog) -> None:
        QTest.mouseClick(dialog.format.button("png"), Qt.MouseButton.LeftButton)
        assert dialog.transparent.text() == "Transparent background, without the photo"
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    with answering(export, kind=ExportDialog):
        strike(editor, Qt.Key.Key_E, CONTROL)
    until(lambda: not editor.jobs.busy)
    picture = np.asarray(Image.open(target).convert("RGBA"))
    assert picture.shape == (240, 320, 4)
    assert (picture[..., 3] == 255).all()
    assert np.abs(picture[2, 2, :3].astype(int) - (90, 140, 70)).max() <= 2
    assert np.abs(picture[..., :3].astype(int) - (90, 140, 70)).max() > 60, "the figure"


def test_a_photo_with_people_is_a_mere_backdrop_too(editor: Editor, choose: Choose) -> None:
    choose(TWO_PEOPLE)
    editor.actions["file.backdrop"].trigger()
    until(lambda: names(editor) == [TWO_PEOPLE.name])
    assert len(editor.session.document.characters) == 1, "the figure, and nobody who was found"


def test_in_a_scene_that_was_worked_on_everybody_stays_and_is_seen_before_it(
    with_photo: Editor, meadow: Path, choose: Choose
) -> None:
    session = with_photo.session
    before = session.document
    choose(meadow)
    with_photo.actions["file.backdrop"].trigger()
    until(lambda: names(with_photo) == ["meadow.png", "first.jpg"])
    assert session.document.actors == before.actors
    assert looks_through(with_photo)
    pixels = session.document.photo.camera.project(joints_of(session.document.characters[0]).positions)
    assert ((pixels > 0) & (pixels < (320, 240))).all()
    strike(with_photo, Qt.Key.Key_Z, CONTROL)
    assert session.document == before


def test_no_file_a_missing_one_or_one_that_is_no_picture_changes_nothing(
    editor: Editor, tmp_path: Path, choose: Choose, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    before = editor.session.document
    choose("")
    editor.actions["file.backdrop"].trigger()
    assert not editor.jobs.busy
    text = tmp_path / "notes.png"
    text.write_text("no picture")
    for number, path in enumerate((tmp_path / "gone.png", text), start=1):
        choose(path)
        editor.actions["file.backdrop"].trigger()
        until(lambda number=number: len(refused) == number)
        assert path.name in refused[-1]
    assert editor.session.document == before


@pytest.mark.slow
def test_another_photo_needs_one_that_is_there_and_may_be_left(editor: Editor, meadow: Path, choose: Choose) -> None:
    editor.refresh()
    assert not editor.actions["file.add_photo"].isEnabled()
    editor.session.edit("Photo", edits.add_photo(Photo("first.jpg", "0" * 64, FIRST, visible=False)))
    until(editor.actions["file.add_photo"].isEnabled)
    before = editor.session.document
    choose(meadow)
    with answering(key(Qt.Key.Key_Escape)) as asked:
        press_photo_button(editor, "file.add_photo")
        until(lambda: len(asked) == 1)
    assert "another photo of this scene" in asked[0].text.text()
    until(lambda: not editor.jobs.busy)
    assert editor.session.document == before


@pytest.mark.slow
def test_a_photo_of_nobody_comes_alone_with_a_word_and_ctrl_0_goes_back(
    with_photo: Editor, meadow: Path, choose: Choose
) -> None:
    before = with_photo.session.document
    choose(meadow)
    with answering(button(messages.PEOPLE)) as asked:
        with_photo.actions["file.add_photo"].trigger()
        until(lambda: len(asked) == 1)
    until(lambda: names(with_photo) == ["meadow.png", "first.jpg"], 110_000)
    assert with_photo.session.document.actors == before.actors
    assert looks_through(with_photo)
    assert "Nobody was found in it." in with_photo.window.status.notices.shown
    strike(with_photo, Qt.Key.Key_0, CONTROL)
    assert names(with_photo) == ["first.jpg", "meadow.png"]
    assert looks_through(with_photo)


@pytest.mark.slow
def test_another_photo_brings_its_people_beside_those_who_stay_under_its_own_camera(
    with_photo: Editor, choose: Choose
) -> None:
    session = with_photo.session
    before = session.document
    with_photo.settings.set(recover_count=3)
    choose(TWO_PEOPLE)
    with answering(button(messages.PEOPLE), key(Qt.Key.Key_Return)) as asked:
        with_photo.actions["file.add_photo"].trigger()
        until(lambda: len(asked) == 2, 110_000)
    until(lambda: len(session.document.photos) == 2, 110_000)
    after = session.document
    assert names(with_photo) == [TWO_PEOPLE.name, "first.jpg"]
    assert after.photos[1] == before.photo
    assert after.actors[0] == before.actors[0]
    assert len(after.characters) == 3
    assert looks_through(with_photo)
    (stays, *new) = after.characters
    for person in new:
        pixels = after.photo.camera.project(joints_of(person).positions)
        assert ((pixels > -60) & (pixels < np.add(after.photo.camera.image_size, 60))).all()
        assert np.linalg.norm(np.subtract(place_of(person), place_of(stays))) > 0.5
    assert session.view.character == new[0].id
    assert session.history.undo_text == f"Add photo {TWO_PEOPLE.name}"
    strike(with_photo, Qt.Key.Key_Z, CONTROL)
    assert session.document == before


@pytest.mark.slow
def test_a_photo_alone_sees_the_active_person_where_it_has_its_surest(with_photo: Editor, choose: Choose) -> None:
    session = with_photo.session
    (person,) = session.document.characters
    session.select(person.id)
    before = session.document
    choose(TWO_PEOPLE)
    with answering(button(messages.ALONE)) as asked:
        with_photo.actions["file.add_photo"].trigger()
        until(lambda: len(asked) == 1)
    until(lambda: len(session.document.photos) == 2, 110_000)
    assert session.document.actors == before.actors
    camera = session.document.photo.camera
    x, y = camera.project(joints_of(person).positions[0])
    assert 437 < x < 854, "in the box of the surest"
    assert 58 < y < 661
    assert looks_through(with_photo)
