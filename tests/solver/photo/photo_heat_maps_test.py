"""Landmarks placed where the heat maps of several looks have them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, level_camera, natural

from solver.photo.detection.blazepose import MIRRORED, HeatMaps, Landmarks, Region, mirrored_back
from solver.photo.detection.repeated_looks import with_sides_exchanged
from solver.photo.fit.fit import fit_person
from solver.photo.fit.heat_maps import agreed_by_heat, placed_by_heat
from solver.photo.fit.open_sides import fit_landmarks

CAMERA = level_camera()
STANDING = landmarks_of(natural(3, 0.3), CAMERA)
# Aside, as of somebody who lies: of people upright the numbers count too.
PERSON = replace(STANDING, world=STANDING.world[:, [1, 0, 2]])
SIZE = float(np.linalg.norm(np.ptp(PERSON.pixels[:33], axis=0)))
MIDDLE = PERSON.pixels[:33].mean(axis=0)
SQUARE = Region((float(MIDDLE[0]), float(MIDDLE[1])), 1.4 * SIZE, 0.0)
TURNED = replace(SQUARE, side=1.7 * SIZE, angle=0.3)
ELBOW, WRIST = 13, 15


def maps_of(marks: np.ndarray, square: Region, height: float = 255.0) -> HeatMaps:
    """Maps with a round hill, 1.5 cells wide, at each of marks (33, 2), pixels."""
    cells = ((marks[:33] - square.centre) @ square.turn / square.side + 0.5) * 64
    places = np.stack(np.meshgrid(np.arange(64.0), np.arange(64.0)), axis=-1)[:, :, None]
    hills = np.exp(-((places - cells) ** 2).sum(axis=-1) / (2 * 1.5**2))
    return HeatMaps(square, np.rint(height * hills).astype(np.uint8))


def looked(*looks: Landmarks, person: Landmarks = PERSON) -> Landmarks:
    return placed_by_heat(replace(person, looks=looks))


def with_maps(marks: np.ndarray, square: Region = SQUARE, height: float = 255.0) -> Landmarks:
    """A look whose numbers are those of PERSON."""
    return replace(PERSON, heat=maps_of(marks, square, height))


def moved(mark: int, share: float) -> np.ndarray:
    """The person's landmarks, one of them off by a share of the extent."""
    pixels = PERSON.pixels.copy()
    pixels[mark, 0] += share * SIZE
    return pixels


def off(person: Landmarks, marks: np.ndarray) -> np.ndarray:
    return np.linalg.norm(person.pixels[:33] - marks[:33], axis=1) / SIZE


def test_a_landmark_that_numbers_have_elsewhere_goes_where_the_maps_of_most_looks_are_highest() -> None:
    true = moved(ELBOW, 0.1)
    seen = looked(with_maps(true), with_maps(true, TURNED), with_maps(PERSON.pixels))
    assert off(seen, true).max() < 0.02
    assert all(look.heat is None for look in seen.looks), "maps are large, and no longer needed"


def test_of_two_places_that_looks_are_as_sure_of_the_nearer_one_counts() -> None:
    near, far = moved(ELBOW, 0.04), moved(ELBOW, 0.3)
    assert off(looked(with_maps(far), with_maps(near)), near)[ELBOW] < 0.01


def test_a_landmark_that_no_map_shows_stays() -> None:
    seen = looked(with_maps(moved(ELBOW, 0.1), height=20.0))
    np.testing.assert_array_equal(seen.pixels, PERSON.pixels)


def test_maps_of_a_look_from_the_other_side_count_with_left_and_right_exchanged() -> None:
    true = moved(ELBOW, 0.1)
    other = replace(with_sides_exchanged(PERSON), heat=maps_of(true[MIRRORED], SQUARE))
    assert off(looked(other), true).max() < 0.002


@pytest.mark.parametrize("square", [SQUARE, TURNED])
def test_maps_of_a_mirrored_picture_are_at_the_same_places_of_the_picture(square: Region) -> None:
    edge, (x, y) = 900.0, square.centre
    mirrored = PERSON.pixels[:33][MIRRORED] * [-1.0, 1.0] + [edge, 0.0]
    seen = maps_of(mirrored, Region((edge - x, y), square.side, -square.angle))
    off_all = looked(replace(PERSON, heat=mirrored_back(seen, square)), person=PERSON)
    assert off(off_all, PERSON.pixels).max() < 0.002


def test_only_looks_without_the_others_place_landmarks_where_there_are_any() -> None:
    true = moved(ELBOW, 0.1)
    person = replace(PERSON, looks=(with_maps(PERSON.pixels), with_maps(PERSON.pixels), with_maps(true)), alone=1)
    assert off(placed_by_heat(person), true).max() < 0.002


def test_of_somebody_upright_a_landmark_goes_half_way_to_where_the_maps_have_it() -> None:
    seen = looked(with_maps(moved(ELBOW, 0.1)), person=STANDING)
    assert off(seen, moved(ELBOW, 0.05))[ELBOW] < 0.005


def test_without_maps_nothing_changes() -> None:
    assert placed_by_heat(PERSON) is PERSON


def test_a_landmark_counts_the_less_the_further_the_maps_move_it() -> None:
    agreed = agreed_by_heat(PERSON, replace(PERSON, pixels=moved(ELBOW, 0.04)))
    assert agreed[ELBOW] == pytest.approx(0.5)
    assert np.delete(agreed, ELBOW).min() == 1.0
    assert agreed_by_heat(PERSON, replace(PERSON, pixels=moved(ELBOW, 0.12)))[ELBOW] == pytest.approx(0.1)


def test_a_body_is_held_less_to_a_landmark_that_the_maps_move_far() -> None:
    person = replace(STANDING, looks=(with_maps(moved(WRIST, 0.2)),))
    _, seen, fit = fit_landmarks(body(), person, CAMERA.focal, CAMERA.principal)
    assert fit.cost < 0.8 * fit_person(body(), seen).cost, "as if it were sure"


def test_what_maps_move_counts_as_little_from_whichever_side_somebody_is_seen() -> None:
    true = replace(STANDING, heat=maps_of(moved(ELBOW, 0.2), SQUARE))
    both = (*5 * [true], *5 * [with_sides_exchanged(replace(true, heat=None))])
    costs = [
        fit_landmarks(body(), given, CAMERA.focal, CAMERA.principal)[2].cost
        for given in (replace(STANDING, looks=(true,)), replace(with_sides_exchanged(STANDING), looks=both))
    ]
    assert costs[0] == pytest.approx(costs[1])
