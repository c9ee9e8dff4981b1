"""Another focal length: people stay on the picture, on the floor and nearly upright; the former one undoes it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from document_samples import random_photo
from motion_samples import walker

from app.document import edits
from app.document.in_photo.focal_length import set_focal
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.placing import lowest_skin, moved, turned
from app.document.posing.tied_groups import tied_groups
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.rotations import from_rotation_vector

DOWN = from_rotation_vector([-0.15, 0.0, 0.05])
CAMERA = PinholeCamera(np.float32([0.3, 1.7, 4.0]), DOWN.astype(np.float32), 900.0, (640.0, 480.0), (1280, 960))
PLACES = ((-1.0, 0.0, 0.2), (0.9, 0.0, -4.0), (0.4, 0.5, -1.5))  # the last one is on a platform


def photographed(document: Document) -> Document:
    photo = replace(random_photo(np.random.default_rng(0), "/photos/a.jpg"), camera=CAMERA)
    return edits.set_photo(photo)(document)


def group() -> Document:
    """Three people who face several ways, near and far."""
    document = photographed(new_document())
    for _ in PLACES[1:]:
        document = edits.add_character(new_character(document))(document)
    starts = (np.asarray(c.pose.root_position) * [1.0, 0.0, 1.0] for c in document.characters)
    return document.with_characters(
        turned(moved(c, np.array(place) - start), 0.7 * number)
        for number, (c, place, start) in enumerate(zip(document.characters, PLACES, starts, strict=True))
    )


def off(before: Document, after: Document, was: Character, now: Character) -> np.ndarray:
    """(J,) how far joints are from where they were in the picture, as shares of the person's extent there."""
    assert before.photo is not None
    assert after.photo is not None
    there, here = (
        document.photo.camera.project(joints_of(one).positions.astype(np.float64))  # type: ignore[union-attr]
        for document, one in ((before, was), (after, now))
    )
    return np.asarray(np.linalg.norm(here - there, axis=1) / np.linalg.norm(np.ptp(there, axis=0)))


@pytest.mark.parametrize("times", [0.7, 1.4])
def test_another_lens_leaves_people_on_the_picture_on_the_floor_and_nearly_upright(times: float) -> None:
    document = group()
    after = set_focal(document, times * CAMERA.focal_px)(document)
    for was, now in zip(document.characters, after.characters, strict=True):
        error = off(document, after, was, now)
        assert np.median(error) < 0.006
        assert error.max() < 0.02
        up = (now.pose.rotations[0] @ was.pose.rotations[0].T)[1, 1]
        assert np.degrees(np.arccos(min(up, 1.0))) < 4.0
        stands = abs(lowest_skin(was)) < 0.01
        assert lowest_skin(now) == pytest.approx(lowest_skin(was), abs=0.001 if stands else 0.05)
        for effector, former in zip(now.effectors, was.effectors, strict=True):
            if effector.holds_joint:
                to, at = joints_of(now), joints_of(was)
                assert np.linalg.norm(effector.target - to.positions, axis=1).min() == pytest.approx(
                    np.linalg.norm(former.target - at.positions, axis=1).min(), abs=1e-4
                ), "targets go along"


@pytest.mark.parametrize("times", [0.7, 1.4])
def test_two_who_hold_hands_stay_together_and_on_the_picture(times: float) -> None:
    hands = next(hold for hold in COMMON_HOLDS if hold.id == "hands")
    document = group()
    first, second, _ = document.characters
    beside = first.pose.root_position - second.pose.root_position + [0.7, 0.0, 0.3]
    document = document.with_characters((first, moved(second, beside)))
    document = edits.take_hold(first.id, hands)(document)
    assert len(tied_groups(document.characters)) == 1
    after = set_focal(document, times * CAMERA.focal_px)(document)
    was, now = ([joints_of(c).positions for c in each.characters] for each in (document, after))
    between = [np.linalg.norm(one[:, None] - other, axis=2) for one, other in (was, now)]
    assert np.abs(between[1] - between[0]).max() < 1e-4
    for one, moved_one in zip(document.characters, after.characters, strict=True):
        assert np.median(off(document, after, one, moved_one)) < 0.01
        assert lowest_skin(moved_one) == pytest.approx(lowest_skin(one), abs=0.01)


def test_a_person_alone_is_as_upright_as_before_since_the_camera_tilts_instead() -> None:
    document = photographed(new_document())
    after = set_focal(document, 2 * CAMERA.focal_px)(document)
    (was,), (now,) = document.characters, after.characters
    assert np.median(off(document, after, was, now)) < 0.005
    assert (now.pose.rotations[0] @ was.pose.rotations[0].T)[1, 1] == pytest.approx(1.0, abs=1e-6)
    assert lowest_skin(now) == pytest.approx(lowest_skin(was), abs=0.001)


def test_the_lens_of_the_start_gives_back_the_start_whatever_was_in_between() -> None:
    document = group()
    between = set_focal(document, 2000.0)(document)
    assert set_focal(document, 1500.0)(between) == set_focal(document, 1500.0)(document)
    assert set_focal(document, CAMERA.focal_px)(between) is document


def test_a_person_with_a_motion_stays_upright_and_on_the_picture() -> None:
    document = photographed(walker())
    document = edits.add_character(moved(new_character(document), (0.8, 0.0, -3.0)))(document)
    after = set_focal(document, 1.3 * CAMERA.focal_px)(document)
    was, now = document.characters[0], after.characters[0]
    assert now.clip.source is not None
    assert now.clip.source is was.clip.source, "only placed elsewhere"
    assert np.median(off(document, after, was, now)) < 0.005
    assert lowest_skin(now) == pytest.approx(lowest_skin(was), abs=0.002)


def test_somebody_beside_or_behind_the_camera_stays_there() -> None:
    document = group()
    behind = moved(new_character(document), (0.0, 0.0, 9.0))
    document = edits.add_character(behind)(document)
    after = set_focal(document, 1.4 * CAMERA.focal_px)(document)
    assert after.characters[-1] == document.characters[-1]
    assert after.characters[0] != document.characters[0]


def test_somebody_near_a_wide_lens_stays_in_front_of_it() -> None:
    near = moved(new_character(photographed(new_document())), (0.3, 0.0, 2.6))
    document = edits.add_character(near)(photographed(new_document()))
    after = set_focal(document, 0.3 * CAMERA.focal_px)(document)
    assert after.photo is not None
    for each in after.characters:
        assert after.photo.camera.in_frame(joints_of(each).positions)[:, 2].max() < 0.0


def test_without_people_the_floor_goes_on_to_fit_the_picture() -> None:
    document = replace(photographed(new_document()), actors=())
    after = set_focal(document, 1.5 * CAMERA.focal_px)(document)
    assert after.photo is not None
    corners = [after.photo.camera.ray(pixel) for pixel in ((300.0, 800.0), (900.0, 800.0), (640.0, 600.0))]
    far = [eye[1] / -along[1] * along for eye, along in corners]
    was = [CAMERA.ray(pixel) for pixel in ((300.0, 800.0), (900.0, 800.0), (640.0, 600.0))]
    near = [eye[1] / -along[1] * along for eye, along in was]
    assert np.linalg.norm(far[0] - far[1]) / np.linalg.norm(near[0] - near[1]) == pytest.approx(1.0, abs=0.1)
    assert np.linalg.norm(far[2]) / np.linalg.norm(near[2]) == pytest.approx(1.5, abs=0.1)


def test_a_lens_needs_a_photo_and_a_length_and_touches_the_first_photo_alone() -> None:
    document = photographed(new_document())
    for wrong in (0.0, -5.0, float("nan"), float("inf")):
        with pytest.raises(PoserError, match="focal"):
            set_focal(document, wrong)(document)
    with pytest.raises(PoserError, match="no photo"):
        set_focal(new_document(), 900.0)(new_document())
    two = edits.add_photo(random_photo(np.random.default_rng(1), "/photos/b.jpg"))(document)
    assert set_focal(two, 2000.0)(two).photos[1] is two.photos[1]
