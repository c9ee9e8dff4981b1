"""Where people come to stand who bring a photo along: in no picture of another photo, nor anybody else in theirs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.exchange.import_placement import placed_beside_others
from app.document.in_photo.photo_separation import shift_to_separate
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

CAMERA = PinholeCamera(np.float32([0.0, 1.2, 4.5]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
TURNED = from_rotation_vector([0.0, 0.6, 0.0]).astype(np.float32)
PHOTO = Photo("first.png", "0" * 64, CAMERA, visible=False)
NOWHERE = np.zeros(3)


def somebody() -> Character:
    (one,) = new_document().characters
    return one


def seen(photo: Photo, *people: Character) -> bool:
    """Whether a joint of anybody is in the picture."""
    pixels = np.concatenate([photo.camera.project(joints_of(one).positions) for one in people])
    return bool(((pixels >= 0) & (pixels <= photo.camera.image_size)).all(axis=1).any())


def bring(document: Document, photo: Photo) -> Document:
    """The document with somebody who came with a photo."""

    def edit(before: Document) -> Document:
        after = edits.add_character(replace(somebody(), id=f"new {len(before.actors)}"))(before)
        return replace(after, photos=(*before.photos, photo))

    return placed_beside_others(edit)(document)


@pytest.mark.parametrize("camera", [CAMERA, replace(CAMERA, rotation=TURNED, position=np.float32([2.6, 1.2, 3.8]))])
def test_each_photo_shows_its_own_people_and_nobody_of_the_other(camera: PinholeCamera) -> None:
    before = bring(Document(), PHOTO)
    after = bring(before, replace(PHOTO, path="second.png", camera=camera))
    old, new = after.characters
    first, second = after.photos
    assert seen(first, old)
    assert seen(second, new)
    assert not seen(first, new)
    assert not seen(second, old)
    assert old.pose == before.characters[0].pose
    shift = new.pose.root_position - somebody().pose.root_position
    assert shift[1] == 0.0
    assert second.camera.position - camera.position == pytest.approx(shift, abs=1e-5)
    assert np.linalg.norm(shift) < 12.0, "no further than the pictures ask"


def test_a_figure_that_no_photo_has_is_not_seen_in_the_photo_that_comes() -> None:
    after = bring(new_document(), PHOTO)
    figure, new = after.characters
    assert seen(after.photos[0], new)
    assert not seen(after.photos[0], figure)


def test_nobody_moves_for_the_sake_of_a_picture_without_need() -> None:
    one, shift = somebody(), np.array([1.5, 0.0, -0.3])
    assert shift_to_separate([one], [PHOTO], [one], [], shift) is shift, "a motion brings no photo"
    assert shift_to_separate([], [], [one], [PHOTO], shift) == pytest.approx(shift)
    hidden = replace(one, visible=False)
    assert shift_to_separate([hidden], [], [one], [PHOTO], NOWHERE) == pytest.approx(NOWHERE)


def test_where_the_pictures_see_everything_near_people_stand_where_there_is_room() -> None:
    wide = replace(PHOTO, camera=replace(CAMERA, focal_px=8.0))
    shift = np.array([1.5, 0.0, 0.0])
    assert shift_to_separate([somebody()], [wide], [somebody()], [wide], shift) is shift
