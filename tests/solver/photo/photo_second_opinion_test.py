"""Readings that the quick network is not sure of, and what the heavy network's looks say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, lens_of, level_camera, natural, seen_at
from PIL import Image

from solver.body.body import BodyShape
from solver.photo.detection import regions, repeated_looks, second_opinion, surest_reading
from solver.photo.detection.blazepose import Detections, Landmarks, Region
from solver.photo.detection.models import FULL
from solver.photo.detection.plausibility import certainty, lies_on
from solver.photo.detection.repeated_looks import with_close_looks
from solver.photo.detection.second_opinion import (
    confirmed_by_heavy_network,
    marked_and_seen_by_heavy_network,
    needs_second_opinion,
    seen_by_heavy_network,
)
from solver.photo.person_in_box import as_landmarks

PICTURE = Image.new("RGB", (800, 800))


@pytest.fixture(scope="module")
def pixels() -> NDArray[np.float64]:
    return as_landmarks(body(), BodyShape(), natural(3, 0.2), lens_of(level_camera())).pixels


@pytest.fixture
def unsure(pixels: NDArray[np.float64]) -> Landmarks:
    return next(one for p in np.linspace(0, 1, 101) if -0.5 < certainty(one := seen_at(pixels, float(p))) < 0.4)


def confirmed_by(
    monkeypatch: pytest.MonkeyPatch, looks: Sequence[Landmarks], doubted: Landmarks, *people: Landmarks
) -> list[Landmarks]:
    """Who is confirmed where the heavy network sees these."""
    monkeypatch.setattr(second_opinion, "agreed_close_looks", lambda picture, person: [*looks])
    monkeypatch.setattr(second_opinion, "turned_readings", lambda picture, person, ended: [])
    return [*confirmed_by_heavy_network([(doubted, PICTURE)], people, lambda: False)]


def test_a_nearly_sure_find_is_a_person_once_the_heavy_network_sees_the_same(
    monkeypatch: pytest.MonkeyPatch, unsure: Landmarks
) -> None:
    same = unsure.looks[0]
    unsure = replace(unsure, presence=unsure.presence + 0.1)
    (person,) = confirmed_by(monkeypatch, 4 * [same], unsure)
    assert np.allclose(person.pixels, same.pixels)
    assert len(person.looks) == 6


def test_where_the_heavy_network_sees_nobody_or_somebody_else_there_is_nobody(
    monkeypatch: pytest.MonkeyPatch, unsure: Landmarks
) -> None:
    apart = np.ptp(unsure.pixels[:33], axis=0).max() * np.linspace(-0.3, 0.3, 4)
    elsewhere = [replace(unsure.looks[0], pixels=unsure.pixels + by) for by in apart]
    assert confirmed_by(monkeypatch, [], unsure) == []
    assert confirmed_by(monkeypatch, elsewhere, unsure) == []


def test_another_reading_of_a_known_person_adds_nobody(monkeypatch: pytest.MonkeyPatch, unsure: Landmarks) -> None:
    known = seen_at(unsure.pixels + 5.0, 1.0)
    assert confirmed_by(monkeypatch, 4 * [unsure.looks[0]], replace(unsure, presence=1.0), known) == []


def test_a_doubted_reading_that_the_heavy_network_does_not_see_gives_way_to_the_turned_one_that_it_sees_best(
    monkeypatch: pytest.MonkeyPatch, unsure: Landmarks
) -> None:
    aside = np.ptp(unsure.pixels[:33], axis=0).max() * np.array([0.2, 0.0])
    lying, also = (seen_at(unsure.pixels[:, ::-1] + by, 0.6) for by in (0.0, aside))
    spread = 0.02 * np.ptp(unsure.pixels[:33], axis=0).max() * np.linspace(-1, 1, 4)
    seen = {
        id(lying): 4 * [lying.looks[0]],
        id(also): [replace(also.looks[0], pixels=also.pixels + by) for by in spread],
    }
    monkeypatch.setattr(second_opinion, "turned_readings", lambda picture, person, ended: [also, lying])
    monkeypatch.setattr(second_opinion, "agreed_close_looks", lambda picture, person: seen.get(id(person), []))
    (person,) = confirmed_by_heavy_network([(unsure, PICTURE)], [], lambda: False)
    assert np.allclose(person.pixels, lying.pixels)
    assert [*confirmed_by_heavy_network([(unsure, PICTURE)], [seen_at(lying.pixels + 5.0, 1.0)], lambda: False)] == []
    del seen[id(lying)], seen[id(also)]
    assert [*confirmed_by_heavy_network([(unsure, PICTURE)], [], lambda: False)] == []


def test_what_is_seen_turned_gets_no_more_than_four_looks_if_it_cannot_become_likely(
    monkeypatch: pytest.MonkeyPatch, unsure: Landmarks
) -> None:
    asked: list[float] = []

    def too_short(picture: Image.Image, region: Region, network: str = FULL) -> Landmarks:
        asked.append(region.side)
        return replace(unsure.looks[0], world=unsure.looks[0].world * 0.1)

    monkeypatch.setattr(regions, "landmarks", too_short)
    monkeypatch.setattr(repeated_looks, "landmarks", too_short)
    assert surest_reading.turned_readings(PICTURE, unsure, lambda: False) == []
    assert len(asked) == 8 * (2 + 2), "a look, one in the square that it suggests, and two more in each of eight turns"


def test_the_heavy_network_is_not_asked_about_tiny_or_unlikely_people(
    pixels: NDArray[np.float64], unsure: Landmarks
) -> None:
    assert needs_second_opinion(unsure, (800, 800))
    assert not needs_second_opinion(seen_at(pixels * 0.03, unsure.presence), (800, 800))
    assert not needs_second_opinion(seen_at(pixels, 0.0), (800, 800))


def test_the_first_look_that_sees_nobody_is_the_last(monkeypatch: pytest.MonkeyPatch, unsure: Landmarks) -> None:
    networks: list[str] = []

    def nobody(picture: Image.Image, region: Region, network: str) -> Landmarks:
        networks.append(network)
        return replace(unsure.looks[0], presence=0.1)

    monkeypatch.setattr(repeated_looks, "landmarks", nobody)
    assert repeated_looks.agreed_close_looks(PICTURE, unsure) == []
    assert len(networks) == 1


def test_of_several_readings_one_is_taken_on_which_both_networks_agree(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    agreed = seen_at(pixels, 0.4)
    other = seen_at(pixels + np.ptp(pixels[:33], axis=0).max() * 0.1, 0.25)
    assert certainty(agreed) < 2.0
    elsewhere = other.pixels + np.ptp(pixels[:33], axis=0).max() * 0.3
    seen = {id(agreed): 3 * [agreed.looks[0]], id(other): 4 * [replace(other.looks[0], pixels=elsewhere)]}
    monkeypatch.setattr(surest_reading, "turned_readings", lambda picture, person, ended: [other])
    monkeypatch.setattr(surest_reading, "close_looks", lambda picture, person: seen[id(person)])
    chosen, close = surest_reading.surest_reading(PICTURE, agreed)
    assert chosen is agreed, "the heavy network alone is surer of the other, but would not let it stay"
    assert len(close) == 3


@pytest.mark.parametrize(("seen", "looked_again"), [(2, False), (1, True), (0, True)])
def test_a_sure_reading_is_looked_at_again_only_if_hardly_any_of_the_heavy_networks_looks_sees_them(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64], seen: int, looked_again: bool
) -> None:
    sure = seen_at(pixels, 1.0)
    rival = seen_at(pixels + np.ptp(pixels[:33], axis=0).max() * 0.1, 0.5)
    close = {id(sure): seen * [sure.looks[0]], id(rival): 4 * [rival.looks[0]]}
    monkeypatch.setattr(surest_reading, "turned_readings", lambda picture, person, ended: [])
    monkeypatch.setattr(surest_reading, "close_looks", lambda picture, person: close[id(person)])
    chosen, _ = surest_reading.surest_reading(PICTURE, sure, rivals=lambda: [rival])
    assert chosen is (rival if looked_again else sure)


def test_somebodys_other_readings_are_likely_ones_and_neither_the_same_again_nor_anybody_elses(
    pixels: NDArray[np.float64],
) -> None:
    size = float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    person, beside = seen_at(pixels, 1.0), seen_at(pixels + [0.6 * size, 0.0], 1.0)
    again, other, unlikely = (
        seen_at(pixels + [by * size, 0.0], sure) for by, sure in ((0.01, 0.9), (0.07, 0.8), (-0.07, 0.0))
    )
    theirs = seen_at(beside.pixels + [0.07 * size, 0.0], 0.8)
    seen = [unlikely, theirs, other, again]
    assert surest_reading.other_readings(person, seen, [beside]) == [other]
    assert surest_reading.other_readings(person, seen, [beside, seen_at(other.pixels, 1.0)]) == []


def seen_centred(
    monkeypatch: pytest.MonkeyPatch, reading: Landmarks, close: Sequence[Landmarks], *people: Landmarks,
    marks: Sequence[float] = (0.8, 0.8),
) -> list[Landmarks]:  # fmt: skip
    """Who is there where the heavy network sees these in squares that it centres, and the detector marks somebody as
    surely as this, first where the quick network looked, then where the heavy one did."""
    scores = iter(marks)
    monkeypatch.setattr(second_opinion, "landmarks", lambda picture, region, network: reading.looks[0])
    monkeypatch.setattr(second_opinion, "agreed_close_looks_from", lambda picture, first: [*close])
    monkeypatch.setattr(second_opinion, "with_quick_looks", lambda picture, first: reading)
    monkeypatch.setattr(second_opinion, "with_close_details", lambda picture, *looks: with_close_looks(*looks))
    monkeypatch.setattr(second_opinion, "marked_at", lambda picture, square: next(scores))
    return [*seen_by_heavy_network(PICTURE, [(reading, PICTURE)], people, lambda: False)]


def test_somebody_whom_the_quick_network_hardly_sees_is_there_if_the_heavy_one_sees_them_in_squares_of_its_own(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    hardly = seen_at(pixels, 0.0)
    assert not needs_second_opinion(hardly, PICTURE.size)
    moved = replace(hardly.looks[0], pixels=pixels + [0.0, 4.0])
    (person,) = seen_centred(monkeypatch, hardly, 4 * [moved])
    assert np.allclose(person.pixels, moved.pixels), "the heavy network's looks count more than the quick one's"
    assert seen_centred(monkeypatch, hardly, []) == []


def test_what_the_detector_does_not_mark_is_nobody_whatever_the_heavy_network_sees(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    hardly = seen_at(pixels, 0.0)
    close = 4 * [hardly.looks[0]]
    assert seen_centred(monkeypatch, hardly, close, marks=(0.2,)) == []
    assert seen_centred(monkeypatch, hardly, close, marks=(0.8, 0.2)) == []


def test_what_the_heavy_network_sees_in_what_is_left_of_somebody_known_is_nobody(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    hardly, size = seen_at(pixels, 0.0), float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    close = 4 * [hardly.looks[0]]
    beside = [seen_at(pixels + [by * size, 0.0], 1.0) for by in np.linspace(0.05, 1.0, 96)]
    touching = next(one for one in beside if not lies_on(hardly, one) and lies_on(hardly, one, 0.3))
    free = next(one for one in beside if not lies_on(hardly, one, 0.0))
    assert seen_centred(monkeypatch, hardly, close, touching) == []
    assert len(seen_centred(monkeypatch, hardly, close, free)) == 1


@pytest.mark.parametrize(("people", "cancelled_after", "asked"), [(8, 100, 5), (3, 100, 3), (8, 2, 2)])
def test_the_detector_is_asked_about_no_more_than_five_once_each_and_about_nobody_once_the_search_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64], people: int, cancelled_after: int, asked: int
) -> None:
    squares: list[Region] = []

    def marked_at(picture: Image.Image, square: Region) -> float:
        squares.append(square)
        return 0.0

    monkeypatch.setattr(second_opinion, "marked_at", marked_at)
    readings = [seen_at(pixels + [200.0 * n + aside, 0.0], 0.0) for n in range(people) for aside in (0.0, 1.0)]
    seen = [(reading, PICTURE) for reading in readings]
    assert [*seen_by_heavy_network(PICTURE, seen, [], lambda: len(squares) >= cancelled_after)] == []
    assert len(squares) == asked


def marked_and_seen(
    monkeypatch: pytest.MonkeyPatch, look: Landmarks, close: Sequence[Landmarks], *people: Landmarks, score: float = 0.9
) -> list[Landmarks]:
    """Who is there where the detector marks somebody about a look by the heavy network, whose others see these."""
    low, high = look.pixels[:33].min(axis=0), look.pixels[:33].max(axis=0)
    hips, end = look.pixels[33], look.pixels[33] - [0.0, (high - low)[1] / 2]
    points = np.stack([hips, end, hips, end])
    marks = Detections(np.array([score]), np.concatenate([low, high])[None], points[None])
    monkeypatch.setattr(second_opinion, "landmarks", lambda picture, region, network: look)
    monkeypatch.setattr(second_opinion, "agreed_close_looks_from", lambda picture, first: [*close])
    monkeypatch.setattr(second_opinion, "with_close_details", lambda picture, *looks: with_close_looks(*looks))
    monkeypatch.setattr(second_opinion, "marked_at", lambda picture, square: score)
    return [*marked_and_seen_by_heavy_network(PICTURE, [marks], people, lambda: False)]


def test_somebody_whom_the_detector_marks_clearly_is_where_the_heavy_network_sees_them_and_as_sure_as_it_is(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    look = seen_at(pixels, 1.0).looks[0]
    moved = replace(look, pixels=pixels + [0.0, 4.0])
    (person,) = marked_and_seen(monkeypatch, look, 4 * [moved])
    assert np.allclose(person.pixels, moved.pixels)
    assert person.presence == 1.0, "not as present as the quick network sees them, which may see nobody"
    assert marked_and_seen(monkeypatch, look, []) == []
    assert marked_and_seen(monkeypatch, look, 4 * [moved], score=0.6) == [], "the detector is unsure"


def test_a_clear_mark_on_somebody_known_or_on_their_head_is_nobody_else(
    monkeypatch: pytest.MonkeyPatch, pixels: NDArray[np.float64]
) -> None:
    look, aside = seen_at(pixels, 1.0).looks[0], np.array([3.0 * np.ptp(pixels[:33], axis=0).max(), 0.0])
    headed = pixels + aside
    headed[:11] = pixels[:11]
    for known in (pixels, headed):
        assert marked_and_seen(monkeypatch, look, 4 * [look], seen_at(known, 1.0)) == []
    assert len(marked_and_seen(monkeypatch, look, 4 * [look], seen_at(pixels + aside, 1.0))) == 1
