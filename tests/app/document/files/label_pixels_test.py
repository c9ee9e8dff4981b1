"""Labels of large pictures are in pixels of the picture's file, though the program works on a smaller copy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from app.document import edits
from app.document.exchange.label_files import COCO_FILE, FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.exchange.label_state import states_of, write_coco
from app.document.exchange.open_file import open_file
from app.document.in_photo.relink import photo_relink
from app.document.model.document import Document, Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_character
from app.document.scene_file.photo_link import sha256_of
from solver.camera import PinholeCamera
from solver.photo.image_file import load_image

LARGE, HUGE = (1200, 4800), (6600, 4600)  # beyond 30 million pixels a JPEG is decoded at half its size
ON_ITS_SIDE = 6


def labelled(folder: Path, stored: tuple[int, int], orientation: int = 1) -> Document:
    """A document with one person in a picture of that many pixels, whose label is written into the folder's labels."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    picture = folder / "a.jpg"
    (folder / FOLDER).mkdir(parents=True)
    Image.new("L", stored, 90).save(picture, exif=exif)
    size = load_image(picture).size
    middle = (size[0] / 2, size[1] / 2)
    camera = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 0.9 * max(size), middle, size)
    document = edits.add_photo(Photo(str(picture), sha256_of(picture), camera))(Document())
    document = edits.add_character(new_character(document, "Ann"))(document)
    files = files_of(folder, folder / FOLDER)
    save_label(files[0], document, checked=True)
    write_coco(states_of(files), folder / FOLDER)
    return document


def opened(path: Path) -> Document:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document())


@pytest.mark.parametrize(
    ("stored", "orientation", "upright", "larger"),
    [
        (LARGE, 1, LARGE, 4800 / 4096),
        (LARGE[::-1], ON_ITS_SIDE, LARGE, 4800 / 4096),
        pytest.param(HUGE, 1, HUGE, 2.0, marks=pytest.mark.slow),
        ((800, 600), ON_ITS_SIDE, (600, 800), 1.0),
    ],
)
def test_a_label_is_in_pixels_of_the_file_and_opens_in_those_worked_on(
    tmp_path: Path, stored: tuple[int, int], orientation: int, upright: tuple[int, int], larger: float
) -> None:
    document = labelled(tmp_path, stored, orientation)
    assert document.photo is not None
    camera, joints = document.photo.camera, joints_of(document.characters[0]).positions

    label = json.loads((tmp_path / FOLDER / "a.json").read_text())
    person = label["people"][0]
    assert tuple(label["image_size"]) == upright
    np.testing.assert_allclose(person["joints_2d"], larger * camera.project(joints), rtol=1e-6)
    seen = np.array(person["joints_3d_camera"]) @ np.transpose(label["K"])
    np.testing.assert_allclose(seen[:, :2] / seen[:, 2:], person["joints_2d"], atol=0.01)
    coco = json.loads((tmp_path / FOLDER / COCO_FILE).read_text())
    assert (coco["images"][0]["width"], coco["images"][0]["height"]) == upright
    points = np.array(coco["annotations"][0]["keypoints"]).reshape(17, 3)
    np.testing.assert_array_equal(points, person["key_points"])
    assert (points[:, 2] == 2).all()

    again = opened(tmp_path / FOLDER / "a.json")
    assert again.photo is not None
    assert again.photo.camera.image_size == camera.image_size == load_image(tmp_path / "a.jpg").size
    np.testing.assert_allclose(again.photo.camera.project(joints), camera.project(joints), atol=0.01)


def test_a_label_whose_picture_is_gone_fits_it_once_it_is_found(tmp_path: Path) -> None:
    document = labelled(tmp_path, LARGE)
    assert document.photo is not None
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "a.jpg").rename(moved / "a.jpg")

    again = opened(tmp_path / FOLDER / "a.json")

    assert again.photo is not None
    found = photo_relink(again.photo, moved / "a.jpg").edit(again)
    assert found.photo is not None
    assert found.photo.camera.image_size == load_image(moved / "a.jpg").size
    assert found.photo.camera.focal_px == pytest.approx(document.photo.camera.focal_px)


def test_a_picture_of_another_size_in_its_place_changes_no_pixels_of_the_label(tmp_path: Path) -> None:
    document = labelled(tmp_path, LARGE)
    before = json.loads((tmp_path / FOLDER / "a.json").read_text())
    Image.new("L", (1200, 4200), 90).save(tmp_path / "a.jpg")

    save_label(files_of(tmp_path, tmp_path / FOLDER)[0], document, checked=False)

    after = json.loads((tmp_path / FOLDER / "a.json").read_text())
    assert after["image_size"] == [1024, 4096]
    share = np.array(after["people"][0]["joints_2d"]) / 4096
    np.testing.assert_allclose(share, np.array(before["people"][0]["joints_2d"]) / 4800, rtol=1e-6)
