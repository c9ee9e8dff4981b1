"""A person pushed along the sight keeps its place in the picture and grows; one that is turned faces as it is told."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from app.document import edits
from app.document.in_photo.line_of_sight import distance, facing, reach
from app.document.posing.create import new_document
from app.document.posing.solving import joints_of

EYE = np.array([0.0, 1.5, 4.0])


def test_a_person_pushed_farther_away_stays_in_the_picture_and_grows() -> None:
    document = new_document()
    (start,) = document.characters
    far = distance(start, EYE) * 1.03
    (after,) = edits.push_character(start, EYE, far)(document).characters
    assert distance(after, EYE) == pytest.approx(far, rel=1e-5)
    before, now = (joints_of(c).positions - EYE for c in (start, after))
    seen = np.abs(now[:, :2] / now[:, 2:] - before[:, :2] / before[:, 2:])
    assert np.median(seen) < 0.004, "shares of the distance; its size in the picture is 0.4"
    assert np.ptp(now[:, 1]) == pytest.approx(1.03 * np.ptp(before[:, 1]), rel=0.01)


def test_nobody_is_pushed_beyond_what_a_body_can_grow_to() -> None:
    document = new_document()
    (start,) = document.characters
    low, high = reach(start, EYE)
    assert low < distance(start, EYE) < high
    for asked, met in ((0.0, low), (100.0, high)):
        (after,) = edits.push_character(start, EYE, asked)(document).characters
        assert distance(after, EYE) == pytest.approx(met, rel=1e-5)
    assert edits.push_character(start, EYE, distance(start, EYE))(document) == document


def test_a_turned_person_faces_so_from_the_eye_and_stands_where_they_stood() -> None:
    document = new_document()
    (start,) = document.characters
    (after,) = edits.face_character(start, EYE, radians(70))(document).characters
    assert facing(after, EYE) == pytest.approx(radians(70), abs=1e-6)
    np.testing.assert_allclose(after.pose.root_position, start.pose.root_position, atol=1e-6)
