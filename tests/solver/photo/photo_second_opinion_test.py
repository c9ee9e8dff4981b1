"""Readings that the quick network is not sure of, and what the heavy network's looks say about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, lens_of, level_camera, natural
from PIL import Image

from solver.body.body import BodyShape
from solver.photo.detection import regions, repeated_looks, second_opinion, surest_reading
from solver.photo.detection.blazepose import Landmarks, Region
from solver.photo.detection.models import FULL, HEAVY
from solver.photo.detection.plausibility import certainty, lies_on
from solver.photo.detection.repeated_looks import with_close_looks
from solver.photo.detection.second_opinion import (
    confirmed_by_heavy_network,
    needs_second_opinion,
    seen_by_heavy_network,
    tiny_beside_tiny,
    tiny_seen_by_heavy_network,
)
from solver.photo.person_in_box import as_landmarks

PICTURE = Image.new("RGB", (800, 800))


def seen_at(pixels: NDArray[np.float64], presence: float) -> Landmarks:
    """Somebody of whom two looks say the same, and whose metres fit the picture."""
    size = float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    world = np.concatenate([pixels[:33] / size * 2.2, np.zeros((33, 1))], axis=1)
    one = Landmarks(1.0, pixels, np.ones(33), world)
    return replace(one, presence=presence, looks=(one, one))


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


def test_what_is_seen_turned_gets_no_more_than_three_looks_if_it_cannot_become_likely(
    monkeypatch: pytest.MonkeyPatch, unsure: Landmarks
) -> None:
    asked: list[float] = []

    def too_short(picture: Image.Image, region: Region, network: str = FULL) -> Landmarks:
        asked.append(region.side)
        return replace(unsure.looks[0], world=unsure.looks[0].world * 0.1)

    monkeypatch.setattr(regions, "landmarks", too_short)
    monkeypatch.setattr(repeated_looks, "landmarks", too_short)
    assert surest_reading.turned_readings(PICTURE, unsure, lambda: False) == []
    assert len(asked) == 8 * (1 + 2), "a first look and two more in each of eight turns"


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


def beside(
    monkeypatch: pytest.MonkeyPatch, known: Landmarks, there: Landmarks, quick: float = 1.0, ended: bool = False
) -> tuple[list[Landmarks], list[str]]:
    """Who is seen beside somebody known where one spot stands out and the heavy network sees somebody there, and which
    networks were asked. quick: how present the quick network has them."""
    picture, asked = Image.new("RGB", (480, 480), (90, 90, 90)), list[str]()
    middle = there.pixels[:33].mean(axis=0)
    x, y = (int(at) for at in middle)
    picture.paste((220, 60, 60), (x - 3, y - 8, x + 3, y + 8))

    def look(picture: Image.Image, square: Region, network: str = FULL) -> Landmarks:
        asked.append(network)
        near = np.linalg.norm(np.array(square.centre) - middle) < 20.0
        return replace(there.looks[0], presence=(1.0 if network == HEAVY else quick) if near else 0.0)

    monkeypatch.setattr(second_opinion, "landmarks", look)
    monkeypatch.setattr(second_opinion, "agreed_close_looks_from", lambda picture, first: 4 * [there.looks[0]])
    monkeypatch.setattr(second_opinion, "with_quick_looks", lambda picture, first: there)
    monkeypatch.setattr(second_opinion, "with_close_details", lambda picture, *looks: with_close_looks(*looks))
    return [*tiny_beside_tiny(picture, [known], lambda: ended)], asked


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
