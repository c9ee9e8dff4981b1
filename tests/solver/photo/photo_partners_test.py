"""People close together: each is looked at closely with the others painted over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, lens_of, level_camera, natural, rendered
from PIL import Image

from solver.body.body import BodyShape
from solver.kinematics.pose import rest_pose
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection import people2d, repeated_looks, surest_reading
from solver.photo.detection.blazepose import Landmarks, Region, region_of
from solver.photo.detection.duplicates import SURE
from solver.photo.detection.inpainting import alone, partners
from solver.photo.detection.people2d import find_people
from solver.photo.detection.plausibility import certainty
from solver.photo.detection.repeated_looks import WEIGHT_ALONE, closer_look, placed_by_looks_alone, with_close_looks
from solver.photo.detection.rounds import CancellableWork, Search
from solver.photo.person_in_box import as_landmarks

CAMERA = level_camera()
WRIST, ANKLE = 15, 27


def standing(aside: float, distance: float = 1.0) -> Landmarks:
    """Arms spread, the hips this many pixels beside the middle; larger the nearer."""
    seen = landmarks_of(rest_pose(body().skeleton(BodyShape())), CAMERA)
    marks, hips = seen.pixels.copy(), seen.pixels[[23, 24]].mean(axis=0)
    marks[33], marks[34] = hips, seen.pixels[0]
    return replace(seen, pixels=(marks - hips) / distance + [400.0 + aside, 400.0])


def at(picture: Image.Image, place: np.ndarray) -> tuple[int, ...]:
    x, y = place.round().astype(int)
    return tuple(np.asarray(picture)[y, x].tolist())


def test_whoever_looks_at_somebody_show_too_is_a_partner_and_whoever_is_far_aside_is_not() -> None:
    one, beside, far = standing(0.0), standing(120.0), standing(1500.0)
    assert partners(one, [one, far, beside]) == [beside]
    assert partners(far, [one, far, beside]) == []


def test_of_bodies_in_a_scene_those_side_by_side_are_partners_and_whoever_is_far_aside_is_not() -> None:
    one, beside, far = (
        as_landmarks(body(), BodyShape(), natural(3, 0.2, (aside, 0.0)), lens_of(CAMERA)) for aside in (0.0, 0.5, 6.0)
    )
    assert partners(one, [one, far, beside]) == [beside]
    square = region_of(one.pixels[33], one.pixels[34])
    assert (np.abs(one.pixels[:33] - square.centre) < square.side / 2).all(), "a look's square holds them"
    assert abs(square.angle) < 0.5, "upright, as they are"


def test_alone_the_others_limbs_are_gone_and_the_persons_own_stay_even_where_both_are() -> None:
    picture = Image.new("RGB", (800, 800), (40, 120, 200))
    one, other = standing(0.0), standing(140.0)
    for person, colour in ((one, (250, 250, 250)), (other, (250, 30, 30))):
        for mark in (WRIST, ANKLE, 16, 28):
            x, y = person.pixels[mark].astype(int)
            picture.paste(colour, (x - 3, y - 3, x + 4, y + 4))
    left = alone(picture, one, [other])
    for mark in (WRIST, ANKLE, 16, 28):
        assert at(left, one.pixels[mark]) == at(picture, one.pixels[mark]), "their own"
    for mark in (WRIST, ANKLE):
        assert abs(at(left, other.pixels[mark])[1] - 120) < 40, "the other's limbs take the colours around"
    across = (one.pixels[11] + one.pixels[13]) / 2  # on the upper arm, to which the other's arm reaches across
    picture.paste((10, 250, 10), (int(across[0]) - 2, int(across[1]) - 2, int(across[0]) + 3, int(across[1]) + 3))
    assert at(alone(picture, one, [other]), across) == (10, 250, 10)
    assert at(alone(picture, standing(-3000.0), [other]), across) == (10, 250, 10), "out of sight nothing changes"


def test_whoever_is_painted_over_takes_the_colours_of_the_very_place_and_no_more_is_enlarged_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    across, down = np.meshgrid(np.linspace(0, 255, 800), np.linspace(0, 255, 800))
    picture = Image.fromarray(np.stack([across, down, np.full_like(down, 90)], axis=2).round().astype(np.uint8))
    one, other, sizes, resize = standing(0.0, 2.0), standing(150.0, 2.0), list[tuple[int, int]](), Image.Image.resize

    def noted(image: Image.Image, size: tuple[int, int], *others: Any, **options: Any) -> Image.Image:
        sizes.append(size)
        return resize(image, size, *others, **options)

    monkeypatch.setattr(Image.Image, "resize", noted)
    seen = np.asarray(alone(picture, one, [other]), dtype=float)
    off = np.abs(seen - np.asarray(picture)).max(axis=2)
    painted = np.nonzero(off)
    assert len(painted[0]) > 2000
    assert off.max() < 30, "as it would be seen without them"
    assert max(width * height for width, height in sizes) < 1.3 * np.prod(np.ptp(painted, axis=1))


def test_close_looks_may_count_more_than_the_quick_ones_but_not_in_how_far_looks_disagree() -> None:
    here, there = standing(0.0), standing(50.0)
    person = replace(here, presence=0.8, looks=(here, here, here))
    as_many, more = with_close_looks(person, [there, there]), with_close_looks(person, [there, there], 2)
    assert np.array_equal(as_many.pixels, here.pixels), "three looks against two"
    assert np.array_equal(more.pixels, there.pixels), "three against two that count twice"
    assert as_many.spread is not None
    assert more.spread is not None
    assert np.array_equal(as_many.spread, more.spread)
    assert as_many.looks == more.looks
    assert as_many.presence == more.presence == 0.8


@pytest.mark.parametrize("looks", [2, 3, 4])
def test_in_the_end_enough_close_looks_without_the_others_place_somebody_without_the_quick_ones(looks: int) -> None:
    here, there, wide = standing(0.0), standing(50.0), standing(60.0)
    person = replace(here, presence=0.8, looks=14 * (here,))
    together = with_close_looks(person, [there, wide, there, there][:looks], WEIGHT_ALONE)
    assert np.array_equal(together.pixels, here.pixels), "fourteen looks against at most four that count three times"
    placed = placed_by_looks_alone(together)
    assert np.array_equal(placed.pixels, (there if looks > 2 else here).pixels)
    assert placed.looks == together.looks
    assert placed.presence == 0.8
    assert placed.spread is together.spread, "how far looks disagree is told by all"


def test_close_looks_that_disagree_get_one_more_that_counts_in_placing_alone() -> None:
    here, at_0, wide, at_10, at_40, at_30 = map(standing, (-40.0, 0.0, 60.0, 10.0, 40.0, 30.0))
    person = replace(here, presence=0.8, looks=6 * (here,))
    together = with_close_looks(person, [at_0, wide, at_10, at_40], WEIGHT_ALONE)
    assert np.array_equal(placed_by_looks_alone(together).pixels, at_10.pixels), "0, 0, 10, 10, 40, 40, 60"
    placed = placed_by_looks_alone(together, lambda: at_30)
    assert np.array_equal(placed.pixels, at_30.pixels), "0, 0, 10, 10, 30, 30, 40, 40, 60"
    assert (placed.looks, placed.presence) == (together.looks, together.presence), "how sure it is stays"
    for close in ([at_0, at_10], 4 * [at_10]):
        few_or_agreed = with_close_looks(person, close, WEIGHT_ALONE)
        assert placed_by_looks_alone(few_or_agreed, lambda: pytest.fail("asked for nothing")).looks is (
            few_or_agreed.looks
        )


def test_the_one_more_look_is_in_a_narrower_square_about_the_landmarks_and_nothing_where_it_sees_somebody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person, squares, sees = standing(0.0), list[Region](), standing(5.0)

    def look(picture: Image.Image, region: Region, network: str) -> Landmarks:
        squares.append(region)
        return sees

    monkeypatch.setattr(repeated_looks, "landmarks", look)
    picture = Image.new("RGB", (800, 800))
    assert closer_look(picture, person) is sees
    about = region_of(person.pixels[33], person.pixels[34])
    assert squares[0].centre == about.centre
    assert 0.85 * about.side < squares[0].side < 0.95 * about.side
    sees = standing(400.0)
    assert closer_look(picture, person) is None
    sees = replace(standing(5.0), presence=0.2)
    assert closer_look(picture, person) is None


def test_close_looks_that_put_a_limb_where_the_metres_do_not_fit_place_nobody_alone() -> None:
    here = standing(0.0)
    crossed = replace(
        here, pixels=here.pixels[[*range(25), 26, 25, 28, 27, 30, 29, 32, 31, *range(33, len(here.pixels))]]
    )
    person = with_close_looks(replace(here, presence=0.8, looks=14 * (here,)), 4 * [crossed], WEIGHT_ALONE)
    assert placed_by_looks_alone(person) is person


def test_close_looks_that_others_are_in_place_nobody_alone() -> None:
    here, there = standing(0.0), standing(50.0)
    person = with_close_looks(replace(here, looks=6 * (here,)), 4 * [there])
    assert placed_by_looks_alone(person) is person


def test_who_was_sure_is_not_lost_by_looks_without_the_others_and_who_was_only_likely_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture, left = Image.new("RGB", (800, 800)), Image.new("RGB", (800, 800))
    first, sure = (replace(one, looks=(one, one)) for one in (standing(0.0), standing(120.0)))
    likely = next(one for p in np.linspace(1, 0, 101) if certainty(one := replace(sure, presence=p)) < SURE)

    def looked_at(seen_in: Image.Image, person: Landmarks, close: list[Landmarks], weight: int = 1) -> Landmarks:
        """As they were; nobody where only they are left."""
        return person if seen_in is left else replace(person, presence=0.0)

    for module in (people2d, surest_reading):
        monkeypatch.setattr(module, "surest_reading", lambda seen_in, person, *more: (person, []))
        monkeypatch.setattr(module, "with_close_details", looked_at)
    for second, stays in ((sure, True), (likely, False)):
        search = Search(picture, CancellableWork(None, None), lambda people: None)
        search.people = [(first, left), (second, left)]
        found = people2d._closely(search, [first, second], CancellableWork(None, None))
        assert [person for person in found if person is second] == [second] * stays
        assert first in found


@pytest.mark.slow
def test_whoever_is_confirmed_late_and_those_near_them_are_looked_at_again_without_each_other_and_nobody_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rgb = np.zeros((800, 800, 3), np.uint8)
    near, far, late = (replace(one, looks=(one, one)) for one in map(standing, (0.0, 1500.0, 120.0)))
    for person in (near, late):
        x, y = person.pixels[ANKLE].astype(int)
        rgb[y - 2 : y + 3, x - 2 : x + 3] = 255
    closely = {replace(first, presence=0.9): first for first in (near, far)}
    told, looked_at, people = list[float](), list[Landmarks](), [late]

    def seen(by_themselves: Image.Image, person: Landmarks, close: list[Landmarks], weight: int = 1) -> Landmarks:
        partner = late if person is near else near
        shown = [at(by_themselves, one.pixels[ANKLE]) == (255, 255, 255) for one in (person, partner)]
        assert shown == [True, False], "without the other"
        looked_at.append(person)
        return replace(person, presence=told[len(looked_at) - 1])

    monkeypatch.setattr(Search, "round", lambda *others: [])
    monkeypatch.setattr(people2d, "_closely", lambda *others: closely)
    monkeypatch.setattr(people2d, "confirmed_by_face", lambda *others: people)
    monkeypatch.setattr(people2d, "not_vetoed", lambda picture, known, ended: known)
    monkeypatch.setattr(people2d, "with_quick_looks", lambda seen_in, first: late)
    monkeypatch.setattr(surest_reading, "surest_reading", lambda seen_in, person, *more: (person, []))
    monkeypatch.setattr(surest_reading, "with_close_details", seen)

    def presences(*as_told: float) -> list[float]:
        told[:], looked_at[:] = as_told, []
        return sorted(person.presence for person in find_people(rgb))

    assert presences(0.7, 0.8) == [0.7, 0.8, 0.9], "both are read anew, and the one far aside is not"
    assert looked_at == [late, near]
    assert presences(0.7, 0.0) == [0.7, 0.9, 0.9], "who is not seen again stays as they were"
    assert presences(0.0) == [0.9, 0.9, late.presence], "nobody is looked at without one who is not seen again"
    likely = next(p for p in np.linspace(1, 0, 101) if certainty(replace(late, presence=p)) < SURE)
    assert presences(likely) == [0.9, 0.9, late.presence], "nor is one who was sure taken for one who is less so"
    people.clear()
    assert presences() == [0.9, 0.9]


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_two_who_stand_close_are_read_as_two_and_nobody_is_made_up_from_a_side_of_each() -> None:
    poses = natural(1, 0.4, (-0.15, 0.15), 0.8), natural(2, -0.6, (0.2, -0.25), 0.8)
    found = find_people(rendered(CAMERA, *poses).rgb)
    assert len(found) == 2
    for pose in poses:
        true = CAMERA.pixels(joints(pose))[shared_indices()]
        off = [np.median(np.linalg.norm(person.pixels[shared_landmarks()] - true, axis=1)) for person in found]
        assert min(off) < 0.07 * np.linalg.norm(np.ptp(true, axis=0))
