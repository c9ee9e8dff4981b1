"""Files that hold more than one picture: the window says that the first one alone is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialog_driver import answering, button
from PIL import Image
from PySide6.QtWidgets import QFileDialog
from window_driver import until

from app.document.model.document import Photo
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("photos_read_once")]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """An animation of two frames without anybody in it."""
    return written(tmp_path / "film.gif")


def written(path: Path, several: bool = True) -> Path:
    first, second = Image.new("RGB", (64, 48), "green"), Image.new("RGB", (64, 48), "blue")
    if several:
        first.save(path, save_all=True, append_images=[second])
    else:
        first.save(path)
    return path


def as_backdrop(editor: Editor, path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the status bar says of a picture put behind the scene by the menu, once it has said what was before."""
    editor.window.status.notices.retract(editor.window.status.notices.shown)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))
    editor.actions["file.backdrop"].trigger()
    until(lambda: any(Path(photo.path) == path for photo in photos(editor)))
    return str(editor.window.status.notices.shown)


def photos(editor: Editor) -> tuple[Photo, ...]:
    return editor.session.document.photos


def test_of_a_film_or_of_pages_the_first_is_behind_the_scene_and_the_status_bar_says_so(
    editor: Editor, tmp_path: Path, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(path: Path) -> str:
        return as_backdrop(editor, path, monkeypatch)

    assert said(film) == "Opened film.gif. Only its first frame is read."
    assert said(written(tmp_path / "film.webp")) == "Opened film.webp. Only its first frame is read."
    assert said(written(tmp_path / "scan.tiff")) == "Opened scan.tiff. Only its first page is read."
    for plain in ("one.gif", "one.webp", "one.tiff", "one.png"):
        assert said(written(tmp_path / plain, several=False)) == f"Opened {plain}."


def test_a_smaller_copy_in_the_file_is_no_second_page(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Image.new("RGB", (32, 24), "green")
    small.encoderinfo = {"tiffinfo": {254: 1}}
    path = tmp_path / "with_preview.tiff"
    Image.new("RGB", (64, 48), "green").save(path, save_all=True, append_images=[small])
    assert as_backdrop(editor, path, monkeypatch) == "Opened with_preview.tiff."
    with Image.open(path) as image:
        image.seek(1)
        assert image.size == (32, 24)


@pytest.mark.slow
def test_it_is_said_of_a_photo_too_that_is_opened_or_added_beside_another(
    editor: Editor, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering(button("Use as a backdrop")):
        editor.files.open_path(film)
        until(lambda: len(photos(editor)) == 1, 60_000)
    notices = editor.window.status.notices
    assert notices.shown == "Opened film.gif. Only its first frame is read."
    notices.retract(notices.shown)
    scan = written(tmp_path / "scan.tiff")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(scan), ""))
    with answering(button("With its people")):
        editor.actions["file.add_photo"].trigger()
        until(lambda: len(photos(editor)) == 2, 60_000)
    assert notices.shown == "Opened scan.tiff. Nobody was found in it. Only its first page is read."
