"""A scene whose photo has gone is dropped onto the window: the message says what that means, and both ways out work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_driver import strike, until

from app.document.edits import set_photo
from app.document.in_photo.relink import OTHER_CONTENT
from app.document.model.document import Photo
from app.document.posing.create import new_document
from app.document.scene_file.io import save_scene
from app.document.scene_file.photo_link import sha256_of
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
SIZE = (320, 240)
CAMERA = PinholeCamera(np.float32([0.6, 1.2, 4.5]), np.eye(3, dtype=np.float32), 360.0, (160.0, 120.0), SIZE)


def drop(editor: Editor, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPointF(editor.window.rect().center())
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    editor.window.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, left, keys))


def painted(path: Path, size: tuple[int, int] = SIZE, green: int = 140) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    Image.fromarray(np.full((*size[::-1], 3), (90, green, 70), np.uint8)).save(path)
    return path


@pytest.fixture
def lost(editor: Editor, tmp_path: Path, said: list[str]) -> Path:
    """Where the photo of the open scene was."""
    picture = painted(tmp_path / "old" / "meadow.png")
    photo = Photo(str(picture), sha256_of(picture), CAMERA)
    save_scene(tmp_path / "scene.json", replace(new_document(), photos=(photo,)))
    picture.rename(tmp_path / "kept.png")
    drop(editor, tmp_path / "scene.json")
    until(lambda: bool(said))
    assert "press “Find the file…” in the Photo panel" in said.pop()
    return picture


def find(editor: Editor, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press the panel's button, choose that file, and wait until it has been read."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    until(editor.panels.photo.find_file.isVisible)
    QTest.mouseClick(editor.panels.photo.find_file, Qt.MouseButton.LeftButton)
    until(lambda: not editor.jobs.busy)


@pytest.mark.slow
def test_the_panel_s_button_finds_a_photo_that_has_moved(
    editor: Editor, tmp_path: Path, lost: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = editor.session.document
    find(editor, tmp_path / "kept.png", monkeypatch)
    until(lambda: editor.viewport.scene.backplate is not None)
    photo = editor.session.document.photo
    assert photo == replace(before.photo, path=str(tmp_path / "kept.png"))
    assert editor.session.document.characters == before.characters
    until(lambda: not editor.panels.photo.find_file.isVisible())
    assert editor.panels.photo.name.text() == "kept.png, 320 × 240"
    assert not said
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document == before


def test_a_picture_of_another_size_is_not_taken_for_the_photo(
    editor: Editor, tmp_path: Path, lost: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, other = editor.session.document, painted(tmp_path / "other.png", (300, 240))
    find(editor, other, monkeypatch)
    (text,) = said
    assert text.startswith(f"{other} has 300 × 240 pixels and the scene's photo 320 × 240")
    assert editor.session.document is before
    assert editor.panels.photo.find_file.isVisible()


@pytest.mark.slow
def test_a_photo_that_was_touched_up_is_taken_and_said_to_be_another_file(
    editor: Editor, tmp_path: Path, lost: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    touched = painted(tmp_path / "touched.png", green=90)
    find(editor, touched, monkeypatch)
    until(lambda: editor.viewport.scene.backplate is not None)
    photo = editor.session.document.photo
    assert photo is not None
    assert photo.sha256 == sha256_of(touched)
    until(lambda: OTHER_CONTENT in editor.window.status.notices.shown)  # once the one before it has been read
    assert not said


def test_a_photo_that_is_there_has_no_button_to_find_it(editor: Editor, tmp_path: Path) -> None:
    picture = painted(tmp_path / "meadow.png")
    photo = Photo(str(picture), sha256_of(picture), CAMERA)
    editor.session.edit("Photo", set_photo(photo))
    until(lambda: editor.panels.photo.name.text() == "meadow.png, 320 × 240")
    assert not editor.panels.photo.find_file.isVisible()


@pytest.mark.slow
def test_a_scene_whose_photo_is_gone_says_where_to_put_it_and_shows_it_once_it_is_there(
    editor: Editor, tmp_path: Path, said: list[str]
) -> None:
    picture, scene = painted(tmp_path / "old" / "meadow.png"), tmp_path / "new" / "scene.json"
    scene.parent.mkdir()
    document = new_document()
    photo = Photo(str(picture), sha256_of(picture), CAMERA)
    save_scene(scene, replace(document, photos=(photo,)))
    content = picture.read_bytes()
    picture.unlink()
    drop(editor, scene)
    until(lambda: bool(said))
    (text,) = said
    assert f"{picture}: the scene's photo is not there" in text
    assert "people stay as they are" in text
    assert len(editor.session.document.characters) == 1
    (scene.parent / picture.name).write_bytes(content)
    drop(editor, scene)
    until(lambda: editor.viewport.scene.backplate is not None)
    assert editor.session.document.photo is not None
    assert Path(editor.session.document.photo.path) == scene.parent / picture.name


@pytest.mark.sweep("moved0-2-2 other photos of the scene were found with it.")
@pytest.mark.parametrize(
    ("moved", "found", "told"),
    [
        (("a.png", "b.png"), 2, "2 other photos of the scene were found with it."),
        (("a.png",), 1, "Another photo of the scene was found with it. One is still missing: choose it in the list"),
        ((), 0, "2 are still missing: choose them in the list"),
    ],
)
def test_photos_that_moved_with_the_one_found_are_found_as_well(
    editor: Editor, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch,
    moved: tuple[str, ...], found: int, told: str,
) -> None:  # fmt: skip
    old, new = tmp_path / "old", tmp_path / "new"
    pictures = [painted(old / name, green=green) for name, green in (("front.png", 100), ("a.png", 120))]
    pictures.append(painted(old / "side" / "b.png", green=140))
    photos = tuple(Photo(str(each), sha256_of(each), CAMERA) for each in pictures)
    save_scene(tmp_path / "scene.json", replace(new_document(), photos=photos))
    new.mkdir()
    (old / "front.png").rename(new / "entrance.png")
    if "a.png" in moved:
        (old / "a.png").rename(new / "a.png")
    if "b.png" in moved:
        (old / "side").rename(new / "side")
    painted(new / "a.png" if "a.png" not in moved else new / "b.png", green=20)  # another picture of that name
    for each in pictures:
        each.unlink(missing_ok=True)
    drop(editor, tmp_path / "scene.json")
    until(lambda: bool(said))
    before = editor.session.document
    find(editor, new / "entrance.png", monkeypatch)
    until(lambda: told in editor.window.status.notices.shown)
    after = editor.session.document.photos
    assert after[0].path == str(new / "entrance.png")
    assert [Path(photo.path).is_file() for photo in after].count(True) == found + 1
    assert [photo.sha256 for photo in after] == [photo.sha256 for photo in photos]
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.document == before
