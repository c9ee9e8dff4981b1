"""Bodies that show while a photo is still searched: as soon as somebody is found, refined in place."""

from __future__ import annotations

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, lens_of, level_camera, natural

from solver.camera import PinholeCamera
from solver.photo.body_box import box_round
from solver.photo.fit.evidence import body_points, evidence
from solver.photo.fit.fit import fit_person
from solver.photo.people import PhotoResult
from solver.photo.progressive_fits import ProgressiveFits

SEEN = level_camera(distance=5.0)
LEFT, RIGHT = natural(1, 0.3, (-0.8, 0.0)), natural(2, -0.4, (0.8, 0.0))
LEVEL = PinholeCamera(
    np.float32([0.0, 1.6, 0.0]), np.eye(3, dtype=np.float32), SEEN.focal, SEEN.principal, SEEN.size
)  # which knows neither where the true one stood nor the floor


@pytest.fixture
def told() -> list[PhotoResult]:
    return []


@pytest.fixture
def first(told: list[PhotoResult]) -> ProgressiveFits:
    return ProgressiveFits(body(), LEVEL, told.append)


def test_bodies_lie_over_the_people_as_soon_as_they_are_found(first: ProgressiveFits, told: list[PhotoResult]) -> None:
    seen = [landmarks_of(pose, SEEN, pixel=1.0) for pose in (LEFT, RIGHT)]
    first.found(seen)
    (result,) = told
    for person, pose, marks in zip(result.people, (LEFT, RIGHT), seen, strict=True):
        assert person.box == box_round(marks, body(), person.shape, person.pose, result.camera)
        wanted = lens_of(SEEN).project(joints(pose))
        apart = np.linalg.norm(result.camera.project(joints(person.pose, person.shape)) - wanted, axis=1)
        assert np.median(apart) < 0.03 * np.linalg.norm(np.ptp(wanted, axis=0))


def test_known_people_stay_as_they_are_and_dropped_ones_go(first: ProgressiveFits, told: list[PhotoResult]) -> None:
    left, right = (landmarks_of(pose, SEEN, pixel=1.0) for pose in (LEFT, RIGHT))
    first.found([left])
    first.found([left])
    assert len(told) == 1, "nothing is new"
    first.found([left, right])
    assert [person.landmarks for person in told[-1].people] == [left, right]
    assert told[-1].people[0].fit is told[0].people[0].fit
    first.found([right])
    assert [person.landmarks for person in told[-1].people] == [right]


def test_careful_fits_take_the_place_of_the_rough_ones_where_the_last_looks_have_people(
    first: ProgressiveFits, told: list[PhotoResult]
) -> None:
    first.found([landmarks_of(LEFT, SEEN, pixel=3.0), landmarks_of(RIGHT, SEEN, pixel=3.0)])
    seen = [landmarks_of(pose, SEEN, pixel=1.0) for pose in (RIGHT, LEFT)]
    fits = [fit_person(body(), evidence(one, body_points(body()), SEEN.focal, SEEN.principal)) for one in seen]
    first.refined(seen, [*zip(seen, fits, strict=True)])
    assert len(told) == 2, "everybody at once"
    assert [person.landmarks for person in told[-1].people] == seen
    assert [person.fit for person in told[-1].people] == fits


def test_whoever_a_second_try_sees_otherwise_takes_their_own_place(
    first: ProgressiveFits, told: list[PhotoResult]
) -> None:
    left, right, again = (landmarks_of(pose, SEEN, pixel=1.0) for pose in (LEFT, RIGHT, RIGHT))
    first.found([left, right])
    fit = fit_person(body(), evidence(again, body_points(body()), SEEN.focal, SEEN.principal))
    first.seen_otherwise(right, again, fit)
    assert [person.landmarks for person in told[-1].people] == [left, again]
    assert told[-1].people[1].fit is fit
    assert told[-1].people[0].fit is told[0].people[0].fit
