"""Whoever was seen within a face that fills the picture is read by that face; everybody else stays as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from solver.photo.detection.blazepose import Landmarks, Region
from solver.photo.detection.face_and_hands import angle_of, face_in
from solver.photo.detection.face_veto import body_below, not_vetoed, whose_face_fills
from solver.photo.detection.faces import face_size, is_own_face
from solver.photo.detection.people2d import find_people

TWO_PEOPLE = Path(__file__).parents[2] / "data" / "photos" / "two_people.jpg"
FACE = (670.0, 146.0)  # the middle of the right man's face, pixels
CLOSE = 46  # pixels on either side of it: as close as a portrait


@pytest.fixture(scope="module")
def portrait() -> Image.Image:
    x, y = FACE
    box = (int(x) - CLOSE, int(y) - CLOSE, int(x) + CLOSE, int(y) + CLOSE)
    return Image.open(TWO_PEOPLE).convert("RGB").crop(box).resize((480, 480), Image.Resampling.BICUBIC)


@pytest.fixture(scope="module")
def within(portrait: Image.Image) -> Landmarks:
    """Somebody small, upside down, whose nose is at the mouth, whose shoulders are at the cheeks and hips in the hair,
    in two looks that do not quite agree."""
    face = face_in(portrait, Region((240.0, 240.0), 480.0, 0.0))
    assert face is not None
    size, middle = face_size(face), face.points[:, :2].mean(axis=0)
    pixels = np.tile(middle + [0.0, 0.25 * size], (39, 1))
    pixels[[2, 5]] += [[-4.0, 10.0], [4.0, 10.0]]
    for left, (across, down) in {11: (-0.3, 0.1), 23: (-0.2, -0.4), 25: (-0.2, -0.6), 27: (-0.2, -0.7)}.items():
        pixels[left], pixels[left + 1] = middle + [across * size, down * size], middle + [-across * size, down * size]
    world = np.concatenate([pixels[:33] / size, np.zeros((33, 1))], axis=1)
    look = Landmarks(0.9, pixels, np.ones(33), world)
    return replace(look, looks=(look, replace(look, pixels=pixels + 0.1 * size * np.eye(39, 2))))


@pytest.fixture(scope="module")
def owner(portrait: Image.Image, within: Landmarks) -> Landmarks:
    """Who was seen within the face, as read by it."""
    (read,) = not_vetoed(portrait, [within])
    return read


def test_whoever_was_seen_within_a_face_is_read_by_it(within: Landmarks, owner: Landmarks) -> None:
    assert is_own_face(owner.face, owner)
    shoulders, hips = owner.pixels[[11, 12]].mean(axis=0), owner.pixels[[23, 24]].mean(axis=0)
    assert within.pixels[23, 1] < within.pixels[11, 1], "it was upside down"
    assert owner.pixels[0, 1] < shoulders[1] < hips[1]


@pytest.mark.slow
def test_whoever_was_seen_within_somebody_elses_face_is_left_out(
    portrait: Image.Image, within: Landmarks, owner: Landmarks
) -> None:
    assert [*not_vetoed(portrait, [owner, within])] == [owner]
    assert [*not_vetoed(portrait, [within, owner])] == [owner]
    assert [*not_vetoed(portrait, [owner, within], lambda: True)] == [owner, within], "it was cancelled"


@pytest.mark.slow
def test_a_face_is_not_given_to_whoever_has_none_if_it_is_somebody_elses(
    portrait: Image.Image, owner: Landmarks
) -> None:
    remnant = replace(owner, face=None)
    assert [*not_vetoed(portrait, [owner, remnant])] == [owner, remnant]


@pytest.mark.slow
def test_nor_is_one_that_its_owner_shows_less_clearly(portrait: Image.Image, owner: Landmarks) -> None:
    assert owner.face is not None
    vague = replace(owner, face=replace(owner.face, presence=0.9))
    remnant = replace(owner, face=None)
    back = [*not_vetoed(portrait, [remnant, vague])]
    assert back[0] is remnant


@pytest.mark.slow
def test_of_two_who_were_seen_within_one_face_one_is_there(portrait: Image.Image, within: Landmarks) -> None:
    (read,) = not_vetoed(portrait, [within, replace(within)])
    assert is_own_face(read.face, read)


def test_people_with_room_for_their_shoulders_stay_as_they_were(portrait: Image.Image, within: Landmarks) -> None:
    pixels = within.pixels.copy()
    pixels[[11, 12]] += [[-150.0, 0.0], [150.0, 0.0]]
    wide = replace(within, pixels=pixels, looks=(replace(within.looks[0], pixels=pixels),) * 2)
    assert [*not_vetoed(portrait, [wide])] == [wide]
    nothing = Image.new("RGB", portrait.size, (120, 140, 90))
    assert [*not_vetoed(nothing, [within])] == [within]
    assert [*not_vetoed(portrait, [within], lambda: True)] == [within], "it was cancelled"


def test_whoever_lost_the_face_to_nobody_else_gets_it_back_and_stays_as_read(
    portrait: Image.Image, owner: Landmarks
) -> None:
    (back,) = not_vetoed(portrait, [replace(owner, face=None)])
    assert is_own_face(back.face, back)
    assert back.pixels is owner.pixels


@pytest.mark.slow
def test_a_face_taken_along_by_somebody_painted_over_comes_back() -> None:
    rgb = np.asarray(Image.open(TWO_PEOPLE).convert("RGB"))
    people = [person for person in find_people(rgb) if is_own_face(person.face, person)]
    assert people
    faceless = [replace(person, face=None) for person in people]
    back = [*not_vetoed(Image.fromarray(rgb), faceless)]
    assert all(is_own_face(person.face, person) for person in back)
    assert [person.pixels is other.pixels for person, other in zip(back, people, strict=True)] == [True] * len(people)


def test_where_nobody_is_found_a_face_that_fills_the_picture_is_somebodys(portrait: Image.Image) -> None:
    somebody = whose_face_fills(portrait)
    assert somebody is not None
    assert is_own_face(somebody.face, somebody)
    assert whose_face_fills(Image.new("RGB", (480, 480), (120, 140, 90))) is None


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_body_is_looked_for_where_the_chin_points(portrait: Image.Image, quarters: int) -> None:
    upright = face_in(portrait, Region((240.0, 240.0), 480.0, 0.0))
    assert upright is not None
    about, turn = np.array([240.0, 240.0]), Region((0, 0), 1.0, quarters * np.pi / 2).turn
    points = upright.points.copy()
    points[:, :2] = (points[:, :2] - about) @ turn.T + about
    turned = body_below(replace(upright, points=points))
    straight = body_below(upright)
    assert np.allclose(turn @ (np.array(straight.centre) - about) + about, turned.centre, atol=0.3 * face_size(upright))
    assert np.isclose(np.cos(turned.angle - quarters * np.pi / 2 - angle_of(upright)), 1.0)
