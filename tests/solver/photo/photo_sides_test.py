"""Looks that see a person from the front and from behind: one outline, two readings of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, level_camera, natural

from solver.photo.depth_ambiguity import is_mostly_guessed
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.repeated_looks import sides_are_open, with_close_looks, with_sides_exchanged
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.sighting import sighting_of, turned_round

CAMERA = level_camera()
SHOULDERS = [11, 12]


def seen(as_is: int, other: int) -> tuple[Landmarks, list[Landmarks]]:
    """Somebody whom six quick looks see, and four close looks at them: so many as they are, the rest exchanged."""
    true = replace(landmarks_of(natural(3, 0.3), CAMERA), spread=np.zeros((33, 3)))
    looks = as_is * [true] + other * [with_sides_exchanged(true)]
    return replace(true, looks=tuple(looks[:6])), looks[6:]


def width(person: Landmarks) -> float:
    return float(np.linalg.norm(np.subtract(*person.pixels[SHOULDERS])))


@pytest.mark.parametrize("other", [4, 5])
def test_a_body_keeps_its_width_where_looks_see_it_from_the_front_and_from_behind(other: int) -> None:
    person, close = seen(10 - other, other)
    both = with_close_looks(person, close)
    assert width(both) == pytest.approx(width(person))
    assert both.spread is not None
    assert np.linalg.norm(both.spread[SHOULDERS], axis=1).min() > 0.1, "how far the looks disagree is kept"


def test_most_looks_say_from_which_side_a_person_is_seen() -> None:
    true = seen(10, 0)[0]
    assert np.array_equal(with_close_looks(*seen(7, 3)).pixels, true.pixels)
    assert np.array_equal(with_close_looks(*seen(7, 3)).world, true.world)
    mirrored = with_close_looks(*seen(2, 8))
    assert np.allclose(mirrored.pixels, with_sides_exchanged(true).pixels)
    assert np.allclose(mirrored.world[:, 2], with_sides_exchanged(true).world[:, 2]), "what was nearer is farther"


def test_exchanging_the_sides_twice_changes_nothing_but_the_hands() -> None:
    true = seen(10, 0)[0]
    twice = with_sides_exchanged(with_sides_exchanged(true))
    assert np.array_equal(twice.pixels, true.pixels)
    assert np.array_equal(twice.world, true.world)
    assert with_sides_exchanged(true).hands == (None, None)


def test_sides_are_open_only_where_about_as_many_looks_see_either() -> None:
    for other, are_open in ((0, False), (2, False), (5, True), (8, False)):
        assert sides_are_open(with_close_looks(*seen(10 - other, other))) is are_open
    assert not sides_are_open(replace(seen(10, 0)[0], looks=()))


@pytest.mark.parametrize("exchanged", [False, True])
def test_where_the_sides_are_open_the_fit_takes_the_one_that_a_body_can_take(exchanged: bool) -> None:
    person, close = seen(5, 5)
    person = with_close_looks(person, close)
    true = seen(10, 0)[0]
    given = replace(with_sides_exchanged(true) if exchanged else true, looks=person.looks)
    marks, evidence, fit = fit_landmarks(body(), given, CAMERA.focal, CAMERA.principal)
    assert np.array_equal(marks.pixels, true.pixels)
    sure = replace(given, looks=(given, given))
    kept, _, cost = fit_landmarks(body(), sure, CAMERA.focal, CAMERA.principal)
    assert kept is sure, "of somebody whose looks agree nothing is asked"
    assert fit.cost <= cost.cost
    assert evidence.focal_px == CAMERA.focal


@pytest.mark.parametrize(("right", "taken"), [(3, True), (1, False)])
def test_most_looks_may_be_wrong_about_a_side_if_some_see_the_other_and_it_costs_a_body_far_less(
    right: int, taken: bool
) -> None:
    true = landmarks_of(natural(4, 1.0), CAMERA)
    wrong = with_sides_exchanged(true)
    given = replace(wrong, looks=(*right * [true], *(10 - right) * [wrong]))
    assert not sides_are_open(given)
    marks, _, _ = fit_landmarks(body(), given, CAMERA.focal, CAMERA.principal)
    assert np.array_equal(marks.pixels, true.pixels) is taken


@pytest.mark.parametrize("other", [1, 3, 5])
def test_somebody_seen_from_both_sides_faces_an_unsure_way_and_is_otherwise_no_guess(other: int) -> None:
    sighting = sighting_of(with_close_looks(*seen(10 - other, other)), "")
    assert sighting.facing_unsure
    assert not is_mostly_guessed(sighting), "the outline is the same from either side"
    assert max(point.depth_spread or 0.0 for point in sighting.points) > 0.05, "depths are as unsure as they were"
    assert not turned_round(sighting).facing_unsure
    assert not sighting_of(with_close_looks(*seen(10, 0)), "").facing_unsure


def test_what_tells_of_poses_that_are_off_is_how_far_the_close_looks_disagree() -> None:
    true = landmarks_of(natural(4, 1.0), CAMERA)
    extent = float(np.linalg.norm(np.ptp(true.pixels[:33], axis=0)))
    moved = [replace(true, pixels=true.pixels + [side * 0.05 * extent, 0.0]) for side in (-1.0, 1.0)]
    for looks, apart in (((*3 * moved, *4 * [true]), 0.0), ((*6 * [true], *2 * moved), 0.05), ((*2 * moved,), 0.05)):
        assert sighting_of(replace(true, looks=looks), "").limbs_apart == pytest.approx(apart, abs=2e-4)
    assert sighting_of(replace(true, looks=(true,)), "").limbs_apart is None
