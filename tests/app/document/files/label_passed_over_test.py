"""What a folder to be labelled has besides pictures that are labelled is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelling_driver import scene_of
from PIL import Image

from app.document.exchange.label_files import FOLDER, files_of, passed_over
from app.document.exchange.label_folder import prepare
from app.document.exchange.label_sequence import read_sequence
from solver.errors import InputRefused


def test_pictures_of_kinds_that_are_not_labelled_are_named(tmp_path: Path) -> None:
    for name in ("IMG_1.HEIC", "IMG_2.HEIC", "wave.gif"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(InputRefused, match="its pictures are GIF, HEIC files, and only JPEG, PNG, WebP, TIFF and BMP"):
        files_of(tmp_path, tmp_path)
    Image.new("RGB", (80, 60)).save(tmp_path / "a.png")
    told: list[str] = []
    prepare(tmp_path, tmp_path / FOLDER, lambda path: (scene_of(path), 0), told.append, told.append)
    assert told[-1] == "IMG_1.HEIC and 2 more skipped. Save such pictures as JPEG or PNG."
    assert read_sequence(tmp_path).passed_over == told[-1]


def test_folders_with_pictures_within_the_folder_are_named(tmp_path: Path) -> None:
    for name in ("a.png", "Tag 1/a.png", "Tag 2/ä.png", "notes/read me.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (80, 60)).save(tmp_path / name, format="PNG")
    assert passed_over(tmp_path) == "Pictures in folders within it are not read (Tag 1 and 1 more): label each folder."
    (tmp_path / "wave.gif").write_bytes(b"x")
    assert passed_over(tmp_path).startswith("wave.gif skipped. Save such pictures as JPEG or PNG. Pictures in")
    assert len(read_sequence(tmp_path).every) == 1, "its own labels are no pictures"


def test_nothing_is_passed_over_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    assert passed_over(tmp_path / "gone") == ""
