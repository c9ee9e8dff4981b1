"""In which order photos stand in a list: whichever is behind the scene, each keeps its number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.in_photo.photo_list import in_order
from app.document.model.document import Photo
from solver.camera import PinholeCamera

CAMERA = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))


def photo(path: str) -> Photo:
    return Photo(path, "0" * 64, CAMERA)


def test_the_lowest_path_leads_at_first() -> None:
    a, b, c = (photo(path) for path in "abc")
    assert in_order((b, c, a), ()) == [2, 0, 1]
    assert in_order((), ()) == []
    assert in_order((a,), ()) == [0]


def test_photos_that_are_alike_in_all_keep_their_places_when_they_turn_round() -> None:
    first, second, third = (photo("a") for _ in range(3))
    assert first == second
    known = (first, second, third)
    assert in_order((second, third, first), known) == [2, 0, 1]
    assert in_order((third, first, second), known) == [1, 2, 0]


def test_one_that_was_changed_stays_where_it_was_between_the_others() -> None:
    first, second = photo("a"), photo("a")
    faded = replace(second, opacity=0.5)
    assert in_order((faded, first), (first, second)) == [1, 0]


def test_a_further_one_moves_none_and_with_fewer_the_lowest_path_leads_again() -> None:
    first, second, third = photo("a"), photo("a"), photo("a")
    assert in_order((first, second, third), (first, second)) == [0, 1, 2]
    assert in_order((second, third), (first, second, third)) == [0, 1]


def test_another_scene_s_photos_are_in_their_own_order() -> None:
    assert in_order((photo("b"), photo("a")), (photo("a"), photo("b"))) == [1, 0]
