"""Tiny people whom the detector or the quick network hardly sees, and what the heavy network's looks say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, lens_of, level_camera, natural, seen_at
from PIL import Image

from solver.body.body import BodyShape
from solver.photo.detection import second_opinion
from solver.photo.detection.blazepose import Detections, Landmarks, Region
from solver.photo.detection.duplicates import SURE
from solver.photo.detection.models import FULL, HEAVY
from solver.photo.detection.plausibility import certainty
from solver.photo.detection.repeated_looks import with_close_looks
from solver.photo.detection.rounds import CancellableWork
from solver.photo.detection.second_opinion import (
    tiny_beside_tiny,
    tiny_seen_by_heavy_network,
    tiny_where_nobody_is_sure,
)
from solver.photo.person_in_box import as_landmarks

PICTURE = Image.new("RGB", (800, 800))


@pytest.fixture(scope="module")
def pixels() -> NDArray[np.float64]:
    return as_landmarks(body(), BodyShape(), natural(3, 0.2), lens_of(level_camera())).pixels


def tiny_seen(
    monkeypatch: pytest.MonkeyPatch, readings: Sequence[Landmarks], close: Sequence[Landmarks], *people: Landmarks,
    centred: Landmarks | None = None,
) -> list[Landmarks]:  # fmt: skip
    """Which tiny people are there where these are the heavy network's looks. centred: what it sees in the square about
    the median; by default what the first look saw."""
    middle = centred or readings[0].looks[0]
    monkeypatch.setattr(second_opinion, "landmarks", lambda picture, region, network: middle)
    monkeypatch.setattr(second_opinion, "agreed_close_looks_from", lambda picture, first: [*close])
    monkeypatch.setattr(second_opinion, "with_quick_looks", lambda picture, first: readings[0])
    monkeypatch.setattr(second_opinion, "with_close_details", lambda picture, *looks: with_close_looks(*looks))
    seen = [(reading, PICTURE) for reading in readings]
    return [*tiny_seen_by_heavy_network(seen, PICTURE.size, people, lambda: False)]


def test_a_tiny_person_of_whom_the_quick_network_is_not_nearly_sure_is_there_if_the_heavy_one_is_sure_of_them(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    tiny = seen_at(pixels * 0.03, 0.0)
    look = tiny.looks[0]
    assert certainty(tiny) < second_opinion.DOUBTED
    (person,) = tiny_seen(monkeypatch, [tiny], 4 * [look])
    assert np.allclose(person.pixels, look.pixels)
    assert tiny_seen(monkeypatch, [tiny], []) == []
    short = replace(look, world=look.world * 0.1)
    assert tiny_seen(monkeypatch, [tiny], 4 * [short]) == [], "bones too short for it to be sure"
    assert tiny_seen(monkeypatch, [tiny], 4 * [look], seen_at(tiny.pixels + 0.2, 1.0)) == [], "known already"
    large = seen_at(pixels, 0.0)
    assert tiny_seen(monkeypatch, [large], 4 * [large.looks[0]]) == []


def test_a_tiny_person_is_also_looked_at_where_they_were_first_seen(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    tiny = seen_at(pixels * 0.03, 0.0)
    nobody = replace(tiny.looks[0], presence=0.0)
    assert len(tiny_seen(monkeypatch, [tiny], 4 * [tiny.looks[0]], centred=nobody)) == 1
    assert tiny_seen(monkeypatch, [tiny], [], centred=nobody) == []


def test_the_heavy_network_is_asked_about_no_more_than_two_tiny_people(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    squares: list[Region] = []

    def nobody(picture: Image.Image, square: Region, network: str) -> Landmarks:
        squares.append(square)
        return replace(tiny[0].looks[0], presence=0.0)

    tiny = [seen_at(pixels * 0.03 + [60.0 * n, 0.0], 0.0) for n in range(6)]
    monkeypatch.setattr(second_opinion, "landmarks", nobody)
    seen = [(reading, PICTURE) for reading in tiny]
    assert [*tiny_seen_by_heavy_network(seen, PICTURE.size, [], lambda: False)] == []
    assert len(squares) == 2
    assert [*tiny_seen_by_heavy_network(seen, PICTURE.size, [], lambda: True)] == []
    assert len(squares) == 2, "nobody is asked about once the search is cancelled"


NOBODY = Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))


def standing_out(
    monkeypatch: pytest.MonkeyPatch, there: Landmarks, quick: float = 1.0, marked: Detections = NOBODY
) -> tuple[Image.Image, list[str]]:
    """A picture in which one spot stands out and the heavy network sees somebody there, and which networks are asked.
    quick: how present the quick network has them. marked: what the detector marks in every tile, in place of the spot.
    """
    picture, asked = Image.new("RGB", (480, 480), (90, 90, 90)), list[str]()
    middle = there.pixels[:33].mean(axis=0)
    x, y = (int(at) for at in middle)
    if not len(marked.scores):
        picture.paste((220, 60, 60), (x - 3, y - 8, x + 3, y + 8))

    def look(picture: Image.Image, square: Region, network: str = FULL) -> Landmarks:
        asked.append(network)
        near = np.linalg.norm(np.array(square.centre) - middle) < 20.0
        return replace(there.looks[0], presence=(1.0 if network == HEAVY else quick) if near else 0.0)

    monkeypatch.setattr(second_opinion, "landmarks", look)
    monkeypatch.setattr(second_opinion, "detect", lambda picture, tile, threshold: marked)
    monkeypatch.setattr(second_opinion, "agreed_close_looks_from", lambda picture, first: 4 * [there.looks[0]])
    monkeypatch.setattr(second_opinion, "with_quick_looks", lambda picture, first: there)
    monkeypatch.setattr(second_opinion, "with_close_details", lambda picture, *looks: with_close_looks(*looks))
    return picture, asked


def beside(
    monkeypatch: pytest.MonkeyPatch, known: Landmarks, there: Landmarks, quick: float = 1.0, ended: bool = False
) -> tuple[list[Landmarks], list[str]]:
    """Who is seen where somebody is known, and which networks were asked."""
    picture, asked = standing_out(monkeypatch, there, quick)
    return [*tiny_beside_tiny(picture, [known], lambda: ended)], asked


def alone(
    monkeypatch: pytest.MonkeyPatch, there: Landmarks, known: Sequence[Landmarks] = (), ended: bool = False
) -> tuple[list[Landmarks], list[str]]:
    """Who is seen where nobody else is sure, and which networks were asked."""
    picture, asked = standing_out(monkeypatch, there)
    work = CancellableWork(None, lambda: ended)
    return [*tiny_where_nobody_is_sure(picture, known, work.map, 0.0, 1.0)], asked


@pytest.fixture
def small(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Landmarks of somebody 30 pixels large about the corner of a picture."""
    return (pixels - pixels[:33].mean(axis=0)) * 30.0 / float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))


def test_where_somebody_tiny_is_known_another_whom_the_detector_does_not_mark_is_seen_by_the_heavy_network(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    known, there = seen_at(small + 120.0, 1.0), seen_at(small + [360.0, 240.0], 0.4)
    (person,), _ = beside(monkeypatch, known, there)
    assert np.allclose(person.pixels, there.pixels)
    assert beside(monkeypatch, there, there)[0] == [], "that is who is known"
    assert beside(monkeypatch, known, there, ended=True) == ([], []), "the search is cancelled"


def test_nobody_tiny_is_looked_for_in_a_picture_in_which_only_somebody_large_is_known(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    assert beside(monkeypatch, seen_at(3.0 * small + 120.0, 1.0), seen_at(small + [360.0, 240.0], 0.4)) == ([], [])


def test_the_heavy_network_is_not_asked_about_a_place_in_which_the_quick_one_has_no_glimpse_of_anybody(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    known, there = seen_at(small + 120.0, 1.0), seen_at(small + [360.0, 240.0], 0.4)
    seen, asked = beside(monkeypatch, known, there, quick=0.01)
    assert seen == []
    assert asked
    assert HEAVY not in asked


def test_a_shadow_of_which_the_heavy_network_is_sure_and_the_quick_one_sees_nothing_is_nobody(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    upright = seen_at(small + [360.0, 240.0], 0.0)
    look = replace(upright.looks[0], world=0.6 * upright.world)
    shadow = replace(upright, world=look.world, looks=(look, look))
    assert beside(monkeypatch, seen_at(small + 120.0, 1.0), replace(shadow, presence=0.4))[0] != []
    assert beside(monkeypatch, seen_at(small + 120.0, 1.0), shadow)[0] == []


def test_what_is_smaller_than_any_square_that_is_looked_at_is_nobody(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    known, there = seen_at(small + 120.0, 1.0), seen_at(0.4 * small + [360.0, 240.0], 0.4)
    assert beside(monkeypatch, known, there)[0] == []


def test_where_nobody_is_sure_a_tiny_person_is_there_if_both_networks_are_sure_of_them_together(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    there = seen_at(small + [360.0, 240.0], 0.8)
    (person,), _ = alone(monkeypatch, there)
    assert np.allclose(person.pixels, there.pixels)
    assert alone(monkeypatch, there, ended=True) == ([], []), "the search is cancelled"
    unsure = seen_at(small + 120.0, 0.0)
    assert certainty(unsure) < SURE
    assert len(alone(monkeypatch, there, [unsure])[0]) == 1
    assert alone(monkeypatch, there, [seen_at(small + 120.0, 1.0)]) == ([], []), "somebody is sure"


def test_where_nobody_is_sure_whom_the_heavy_network_alone_is_sure_of_is_nobody(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    there = seen_at(small + [360.0, 240.0], 0.0)
    assert beside(monkeypatch, seen_at(small + 120.0, 1.0), there)[0] != []
    assert alone(monkeypatch, there)[0] == []


def test_where_nobody_is_sure_places_are_looked_at_with_progress(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    picture, _ = standing_out(monkeypatch, seen_at(small + [360.0, 240.0], 0.8))
    shares: list[float] = []
    work = CancellableWork(shares.append, None)
    assert len([*tiny_where_nobody_is_sure(picture, [], work.map, 0.5, 1.0)]) == 1
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert all(0.5 < share <= 1.0 for share in shares)


def test_where_nobody_is_sure_somebody_who_is_marked_in_a_small_tile_need_not_stand_out(
    monkeypatch: pytest.MonkeyPatch, small: NDArray[np.float64]
) -> None:
    there = seen_at(small + [360.0, 240.0], 0.8)
    hips, head = there.pixels[:33].mean(axis=0), there.pixels[:33].mean(axis=0) - [0.0, 10.0]
    mark = Detections(np.ones(1), np.array([[*(hips - 15), *(hips + 15)]]), np.array([[hips, head, hips, head]]))
    picture, _ = standing_out(monkeypatch, there, marked=mark)
    work = CancellableWork(None, None)
    assert len([*tiny_where_nobody_is_sure(picture, [], work.map, 0.0, 1.0)]) == 1
    far = mark.points + np.array([0.0, 150.0])
    large = Detections(mark.scores, mark.boxes, mark.points * 3.0)
    for elsewhere in (Detections(mark.scores, mark.boxes, far), large):
        picture, _ = standing_out(monkeypatch, there, marked=elsewhere)
        assert [*tiny_where_nobody_is_sure(picture, [], work.map, 0.0, 1.0)] == []
