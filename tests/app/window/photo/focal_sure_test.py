"""The photo panel says how sure the focal length is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import laid_out, move_held, strike

from app.document import edits
from app.document.exchange.people import photo_of
from app.window.editor import Editor
from solver.camera import PinholeCamera
from solver.focal_length import guessed_px
from solver.photo.image_file import load_image

pytestmark = pytest.mark.gl
SIZE = (800, 600)
LEFT = Qt.MouseButton.LeftButton


def picture(folder: Path, noted_mm: int | None, size: tuple[int, int] = SIZE) -> Path:
    path = folder / "plain.jpg"
    image = Image.new("RGB", size, (90, 140, 70))
    exif = image.getexif()
    if noted_mm is not None:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = noted_mm
    image.save(path, exif=exif)
    return path


def shown(editor: Editor, path: Path) -> str:
    """What the panel says of a photo that is seen as reading it would have it."""
    image = load_image(path)
    lens = image.focal_px or guessed_px(image.size)
    camera = PinholeCamera([0.0, 1.0, 4.0], np.eye(3), lens, (400.0, 300.0), image.size)
    editor.session.edit("Photo", edits.set_photo(photo_of(image, camera)))
    editor.refresh()
    laid_out()
    label = editor.panels.photo.focal_sure
    return label.text() if label.isVisible() else ""


def test_a_large_photo_is_as_large_as_its_file_not_as_the_copy_that_is_worked_on(
    editor: Editor, tmp_path: Path
) -> None:
    shown(editor, picture(tmp_path, 35, (6000, 3000)))
    photo = editor.session.document.photo
    assert photo is not None
    assert max(photo.camera.image_size) <= 4096
    assert editor.panels.photo.name.text() == "plain.jpg, 6000 × 3000"


def test_without_a_note_in_the_file_it_is_a_guess_and_by_how_much(editor: Editor, tmp_path: Path) -> None:
    assert shown(editor, picture(tmp_path, None)).startswith("A guess: ×/÷ 1.4.")


def test_a_noted_focal_length_is_from_the_file(editor: Editor, tmp_path: Path) -> None:
    assert shown(editor, picture(tmp_path, 35)) == "From the file."


@pytest.mark.parametrize("size", [(900, 300), (300, 900)])
def test_of_a_panorama_it_says_what_no_lens_can_show(editor: Editor, tmp_path: Path, size: tuple[int, int]) -> None:
    said = shown(editor, picture(tmp_path, None, size))
    assert said.startswith("A guess, as the file does not state it. A stitched panorama bends straight lines")
    assert editor.panels.photo.focal.value() == 28.0
    assert shown(editor, picture(tmp_path, 26, size)).startswith(
        "From the file, whose camera noted that of a single shot."
    )
    assert "panorama" not in shown(editor, picture(tmp_path, None, (956, 400))), "a still of a film for the cinema"


def test_one_that_was_scrubbed_is_set_by_hand_until_it_is_undone(editor: Editor, tmp_path: Path) -> None:
    guess, panel = shown(editor, picture(tmp_path, None)), editor.panels.photo
    middle = panel.focal.rect().center()
    QTest.mousePress(panel.focal, LEFT, pos=middle)
    move_held(panel.focal, middle + QPoint(30, 0))
    QTest.mouseRelease(panel.focal, LEFT, pos=middle + QPoint(30, 0))
    editor.refresh()
    assert panel.focal_sure.text().startswith("Set by hand")
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    editor.refresh()
    assert panel.focal_sure.text() == guess
