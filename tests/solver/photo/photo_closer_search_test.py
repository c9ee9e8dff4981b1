"""Who is hard to find: people partly behind others, tiny ones, and those whom one look is not sure of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, joints, lens_of, level_camera, natural, rendered
from PIL import Image
from sample_files import TWO_PEOPLE

from solver.body.body import BodyShape
from solver.photo.detection import closer_search
from solver.photo.detection.blazepose import Detections, Landmarks, Region, region_of
from solver.photo.detection.closer_search import marked_at, place_beside, salient_places, salient_points
from solver.photo.detection.inpainting import without_people
from solver.photo.detection.people2d import find_people
from solver.photo.detection.plausibility import certainty, is_behind, is_remnant_of
from solver.photo.detection.regions import looks_at
from solver.photo.detection.repeated_looks import MIRRORED, median_of_close_looks, with_quick_looks
from solver.photo.detection.surest_reading import surest_reading
from solver.photo.image_file import load_image
from solver.photo.person_in_box import as_landmarks, person_in_box

FIELD = (960, 720)


def field(people: NDArray[np.uint8], tall: int, at: tuple[int, int]) -> NDArray[np.uint8]:
    """A wide lawn below a sky, with a picture pasted into it that is so many pixels high."""
    rng = np.random.default_rng(2)
    rows = np.linspace(0, 1, FIELD[1])[:, None, None]
    plain = np.where(rows < 0.5, [150.0, 180.0, 215.0], [96.0, 128.0, 72.0]) + 30 * rows
    plain = (plain + rng.normal(0, 3, (FIELD[1], FIELD[0], 3))).clip(0, 255).astype(np.uint8)
    small = Image.fromarray(people)
    small = small.resize((round(tall * small.width / small.height), tall), Image.Resampling.LANCZOS)
    whole = Image.fromarray(plain)
    whole.paste(small, at)
    return np.asarray(whole)


def test_what_is_small_and_differs_from_its_surroundings_stands_out_first() -> None:
    picture = np.full((720, 960, 3), 120, np.uint8) + np.random.default_rng(1).integers(0, 6, (720, 960, 1), np.uint8)
    picture[:200] //= 2  # the edge of a wall is longer than anybody is high
    picture[400:428, 300:308] = (30, 40, 160)
    x, y = salient_points(Image.fromarray(picture))[0]
    assert abs(x - 304) < 12
    assert abs(y - 414) < 16


def test_places_that_stand_out_are_told_in_pixels_of_a_large_picture() -> None:
    picture = np.full((1500, 2000, 3), 120, np.uint8)
    picture[900:950, 1400:1415] = 255
    x, y = salient_points(Image.fromarray(picture))[0]
    assert abs(x - 1407) < 30
    assert abs(y - 925) < 40


@pytest.mark.slow
@pytest.mark.parametrize("tall", [44, 32])
def test_people_of_thirty_and_forty_pixels_in_a_wide_field_are_found_without_a_box(tall: int) -> None:
    whole = load_image(TWO_PEOPLE).rgb
    at = (610, 400)
    found = find_people(field(whole, tall, at))
    assert found, "somebody stands in the field"
    for person in found:
        x, y = person.pixels[:33].mean(axis=0)
        assert at[0] - 5 < x < at[0] + tall * whole.shape[1] / whole.shape[0] + 5
        assert at[1] - 5 < y < at[1] + tall + 5


def test_a_place_is_searched_in_a_smaller_square_too_unless_somebody_is_clearly_marked_in_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores, sides = [0.5, 0.95], list[float]()

    def answer(picture: Image.Image, box: tuple[float, float, float, float], threshold: float) -> Detections:
        """Somebody of twenty pixels, and of somebody large a part."""
        sides.append(box[2] - box[0])
        points = np.full((2, 4, 2), [304.0, 414.0]) + [[[0.0, 0.0]], [[80.0, 0.0]]]
        points[:, 1, 1] -= 20.0
        return Detections(np.full(2, scores[0]), np.zeros((2, 4)), points)

    monkeypatch.setattr(closer_search, "detect", answer)
    picture = np.full((720, 960, 3), 120, np.uint8)
    picture[400:428, 300:308] = (30, 40, 160)
    place = salient_places(Image.fromarray(picture), 1)[0]
    large, small = place()
    assert sides[1] < sides[0]
    assert (len(large.scores), len(small.scores)) == (2, 1)
    scores.pop(0)
    assert len(place()) == 1


def sure(pixels: NDArray[np.float64]) -> Landmarks:
    """Somebody of whom several looks say the same, and whose metres fit the picture."""
    size = float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    world = np.concatenate([pixels[:33] / size * 2.2, np.zeros((33, 1))], axis=1)
    one = Landmarks(1.0, pixels, np.ones(33), world)
    return replace(one, looks=(one, one))


@pytest.fixture(scope="module")
def first() -> Landmarks:
    return sure(as_landmarks(body(), BodyShape(), natural(3, 0.2), lens_of(level_camera())).pixels)


def test_a_person_partly_behind_another_is_not_a_rest_of_them(first: Landmarks) -> None:
    size = float(np.linalg.norm(np.ptp(first.pixels[:33], axis=0)))
    behind = sure((first.pixels - first.pixels[23]) * 0.75 + first.pixels[23] + [0.07 * size, -0.08 * size])
    assert is_remnant_of(replace(behind, presence=0.5), [first]), "most joints are on the other's limbs"
    assert is_behind(behind, first)
    assert not is_remnant_of(behind, [first])


def test_the_same_pose_again_or_mirrored_or_unsure_is_a_rest_of_the_first_person(first: Landmarks) -> None:
    mirrored = first.pixels.copy()
    mirrored[:33] = first.pixels[:33][MIRRORED]
    assert not is_behind(sure(first.pixels + 4.0), first)
    assert not is_behind(sure(mirrored + 4.0), first)
    assert not is_behind(replace(sure(first.pixels * 0.8 + 60.0), presence=0.3), first)


def test_a_find_not_worth_more_looks_gets_three_and_is_judged_as_if_the_others_agreed() -> None:
    picture = Image.fromarray(load_image(TWO_PEOPLE).rgb)
    (first, *_) = looks_at(picture, Region((645.0, 360.0), 760.0, 0.0))
    judged: list[Landmarks] = []

    def worth(person: Landmarks) -> bool:
        judged.append(person)
        return len(judged) > 1

    fewer, all_of_them = with_quick_looks(picture, first, worth), with_quick_looks(picture, first, worth)
    assert [len(person.looks) for person in (fewer, all_of_them)] == [3, 6]
    assert judged[0].presence == pytest.approx(fewer.presence + 0.5)
    assert np.array_equal(all_of_them.pixels, with_quick_looks(picture, first).pixels)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("turned", [0, 45])
def test_a_person_read_upside_down_is_read_again_as_the_heavy_network_sees_them(turned: int) -> None:
    picture = Image.fromarray(rendered(level_camera(), natural(1, 0.3, spread=0.6)).rgb).rotate(
        turned, fillcolor="grey"
    )
    known = person_in_box(np.asarray(picture), (150.0, 100.0, 650.0, 750.0))
    assert known is not None
    points = known.pixels[:33].min(axis=0) + known.pixels[:33].max(axis=0) - known.pixels
    wrong = replace(known, pixels=points, world=known.world * [-1.0, -1.0, 1.0])
    wrong = replace(wrong, presence=0.3, looks=(wrong, wrong))
    person, close = surest_reading(picture, wrong)
    size = float(np.linalg.norm(np.ptp(known.pixels[:33], axis=0)))
    assert np.linalg.norm(person.pixels[:33] - known.pixels[:33], axis=1).mean() < 0.05 * size
    confirmed = median_of_close_looks(close)
    assert confirmed is not None
    assert certainty(confirmed) > 2.0
    assert median_of_close_looks([]) is None


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_about_somebody_who_is_painted_over_the_other_is_detected() -> None:
    camera, near, far = level_camera(), natural(1, 0.3, (0.0, 0.4), 0.6), natural(2, -0.4, (0.32, -0.3), 0.6)
    image = rendered(camera, near, far)
    known = person_in_box(rendered(camera, near).rgb, (150.0, 100.0, 650.0, 750.0))
    assert known is not None
    left = without_people(Image.fromarray(image.rgb), [known])
    hips = camera.pixels(joints(far))[0]
    points = np.concatenate([found.points[:, 0] for found in place_beside(left, known)()])
    assert np.linalg.norm(points - hips, axis=1).min() < 60


def test_the_detector_marks_somebody_in_their_own_square_however_they_are_turned_and_nobody_where_they_are_painted_over(
) -> None:  # fmt: skip
    picture = Image.fromarray(load_image(TWO_PEOPLE).rgb)
    (look, *_) = looks_at(picture, Region((645.0, 360.0), 760.0, 0.0))
    upright = region_of(look.pixels[33], look.pixels[34])
    assert marked_at(picture, upright) > 0.6
    x, y = upright.centre
    lying = replace(upright, centre=(y, picture.width - x), angle=upright.angle - np.pi / 2)
    assert marked_at(picture.transpose(Image.Transpose.ROTATE_90), lying) > 0.6
    assert marked_at(without_people(picture, [look]), upright) < 0.5
