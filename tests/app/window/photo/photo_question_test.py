"""Adding a photo to the scene: the question comes once the file is known to be a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog
from window_driver import until

from app.dialogs import messages
from app.window.editor import Editor
from solver.photo import image_file

pytestmark = pytest.mark.gl


def test_nobody_is_asked_about_a_file_that_is_no_picture(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, picture = tmp_path / "broken.jpg", tmp_path / "wall.png"
    broken.write_bytes(b"no picture at all")
    Image.fromarray(np.full((200, 300, 3), 120, np.uint8)).save(picture)
    asked: list[str] = []
    refused: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: refused.append(text))
    monkeypatch.setattr(messages, "ask_for_its_people", lambda _parent, name: asked.append(name) or messages.CANCEL)
    for path, done in ((broken, refused), (picture, asked)):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, path=path: (str(path), ""))
        editor.files.photos.add()
        until(lambda done=done: bool(done))
    assert asked == ["wall.png"]
    assert "broken.jpg" in refused[0]
    assert editor.session.document.photos == ()


@pytest.mark.slow
def test_a_photo_that_one_was_asked_about_is_not_read_from_its_file_again(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "wall.png"
    Image.fromarray(np.full((200, 300, 3), 120, np.uint8)).save(picture)
    reads: list[str] = []
    at_the_search: list[int] = []
    read_bytes = image_file.read_bytes

    def counted(path: Path, *rest: object) -> bytes:
        reads.append(str(path))
        return read_bytes(path, *rest)

    monkeypatch.setattr(image_file, "read_bytes", counted)
    monkeypatch.setattr(messages, "ask_for_its_people", lambda _parent, _name: messages.PEOPLE)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(picture), ""))
    editor.photos.reading.connect(lambda _image: at_the_search.append(len(reads)))
    editor.files.photos.add()
    until(lambda: bool(editor.session.document.photos) and not editor.jobs.busy)
    assert at_the_search == [1]
