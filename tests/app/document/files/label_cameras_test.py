"""Labels of a scene with several photos: several cameras' folders have the same names, and each label has its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from labelling_driver import CAMERA, scene_of
from PIL import Image

from app.document import edits
from app.document.exchange.label_files import files_of
from app.document.exchange.label_folder import save_label
from app.document.exchange.label_opening import PeopleReader, open_picture, with_picture_of_now
from app.document.model.document import Photo
from app.document.scene_file.photo_link import sha256_of
from solver.photo.sighting import Sighting


def cameras(parent: Path) -> tuple[Path, Path]:
    """One moment seen by two cameras: two folders, each with a picture of one name."""
    pictures = parent / "left" / "0001.png", parent / "right" / "0001.png"
    for shade, picture in enumerate(pictures):
        picture.parent.mkdir()
        Image.new("RGB", CAMERA.image_size, (40, 90 * shade, 60)).save(picture)
    return pictures


def test_the_label_is_of_the_folder_s_own_picture_where_another_camera_s_has_its_name(tmp_path: Path) -> None:
    left, right = cameras(tmp_path)
    other = Photo(str(right), sha256_of(right), CAMERA)
    document = edits.choose_photo(1)(edits.add_photo(other)(scene_of(left)))
    (files,) = files_of(left.parent, left.parent)
    _, label = save_label(files, document, checked=True)
    assert label["picture"] == {"path": "0001.png", "sha256": sha256_of(left)}


def test_a_picture_that_was_moved_is_still_known_by_its_name(tmp_path: Path) -> None:
    left, right = cameras(tmp_path)
    (files,) = files_of(left.parent, left.parent)
    elsewhere = Photo(str(right), "0" * 64, CAMERA)
    assert files.photo_among((elsewhere,)) is elsewhere
    assert files.photo_among((replace(elsewhere, path="other.png"),)) is None


def test_a_picture_opens_in_front_of_the_scene_s_other_photos(tmp_path: Path) -> None:
    left, _ = cameras(tmp_path)
    (files,) = files_of(left.parent, left.parent)
    gone = Photo(str(tmp_path / "gone.png"), "0" * 64, CAMERA)
    save_label(files, edits.choose_photo(1)(edits.add_photo(gone)(scene_of(left))), checked=False)
    found = open_picture(files, 1, PeopleReader("anny"))
    assert found is not None
    assert found.document is not None
    assert [Path(photo.path).name for photo in found.document.photos] == ["0001.png", "gone.png"]


def test_points_seen_in_a_picture_stay_where_its_new_content_is_accepted(tmp_path: Path) -> None:
    left, right = cameras(tmp_path)
    (files,) = files_of(left.parent, left.parent)
    document = scene_of(left)
    seen = tuple(replace(one, sighting=Sighting(document.photos[0].sha256)) for one in document.characters)
    other = Photo(str(right), sha256_of(right), CAMERA)
    document = edits.choose_photo(1)(edits.add_photo(other)(document.with_characters(seen)))
    after = with_picture_of_now(document, files, "ab" * 32)
    assert [photo.sha256 for photo in after.photos] == [other.sha256, "ab" * 32], "in the order that they were in"
    assert [one.sighting.photo for one in after.characters if one.sighting] == ["ab" * 32]
    none = edits.set_photo(None)(scene_of(left))
    assert with_picture_of_now(none, files, "ab" * 32) is none
