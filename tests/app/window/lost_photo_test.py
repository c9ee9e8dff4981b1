"""A scene is dropped onto the window whose photo has gone: the message says what that means, and its way out works."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from window_hand import until

from app.dialogs import messages
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


def test_a_scene_whose_photo_is_gone_says_where_to_put_it_and_shows_it_once_it_is_there(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, scene = tmp_path / "old" / "meadow.png", tmp_path / "new" / "scene.json"
    for path in (picture, scene):
        path.parent.mkdir()
    Image.fromarray(np.full((*SIZE[::-1], 3), (90, 140, 70), np.uint8)).save(picture)
    document = new_document()
    photo = Photo(str(picture), sha256_of(picture), CAMERA)
    save_scene(scene, replace(document, photos=(photo,)))
    content = picture.read_bytes()
    picture.unlink()
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _window, text: said.append(text))
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
