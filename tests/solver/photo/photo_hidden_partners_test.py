"""Somebody so close to a person who was found that they were taken for a part of them: looks at both in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, level_camera
from PIL import Image

from solver.body.body import BodyShape
from solver.kinematics.pose import rest_pose
from solver.photo.detection import hidden_partners as search
from solver.photo.detection.blazepose import Detections, Landmarks, Region, region_of
from solver.photo.detection.hidden_partners import hidden_partners, partner_in_box
from solver.photo.detection.inpainting import limbs_drawn
from solver.photo.detection.models import HEAVY
from solver.photo.detection.plausibility import extent, joints_apart
from solver.photo.detection.silhouettes import Silhouettes

PLAIN, WRIST, SIZE = (40, 120, 200), 15, 500.0
NOTHING = Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))


def standing(aside: float, down: float = 0.0) -> Landmarks:
    """Arms spread, the hips this many pixels from the middle, seen alike by several looks."""
    seen = landmarks_of(rest_pose(body().skeleton(BodyShape())), level_camera())
    marks = (seen.pixels - seen.pixels[[23, 24]].mean(axis=0)) * (SIZE / extent(seen))
    marks[33], marks[34] = 0.0, [0.0, -0.45 * SIZE]
    seen = replace(seen, presence=1.0, pixels=marks + [400.0 + aside, 400.0 + down])
    return replace(seen, looks=(seen, seen, seen))


FIRST = standing(0.0)
BESIDE = standing(-0.15 * SIZE, -0.15 * SIZE)


def with_wrists_of(*people: Landmarks) -> Image.Image:
    """A plain picture in which each of them shows no more than a wrist."""
    picture = Image.new("RGB", (800, 800), PLAIN)
    for person in people:
        x, y = person.pixels[WRIST].astype(int)
        picture.paste((250, 250, 250), (x - 3, y - 3, x + 4, y + 4))
    return picture


def shows(picture: Image.Image, person: Landmarks) -> bool:
    x, y = person.pixels[WRIST].astype(int)
    return picture.getpixel((int(x), int(y))) == (250, 250, 250)


class HeavyNetwork:
    """Sees whoever of some people has a wrist in the picture, the first before all others. looks: how many it made.

    made_up: whom it sees where nobody has one.
    """

    def __init__(self, *people: Landmarks, made_up: Landmarks | None = None) -> None:
        self.people, self.made_up, self.looks = people, made_up, 0

    def look(self, picture: Image.Image, square: Region, network: str) -> Landmarks:
        self.looks += 1
        there = [person for person in self.people if shows(picture, person)]
        seen = there[0] if there else self.made_up
        return seen or replace(FIRST, presence=0.1)

    def close_looks(self, picture: Image.Image, first: Landmarks) -> list[Landmarks]:
        look = self.look(picture, region_of(first.pixels[33], first.pixels[34]), HEAVY)
        return [look] * 4 if look.presence > 0.5 and joints_apart(look, first) < 0.1 else []


def found(
    monkeypatch: pytest.MonkeyPatch,
    picture: Image.Image,
    heavy: HeavyNetwork,
    *people: Landmarks,
    score: float = 0.8,
    ended: Callable[[], bool] = lambda: False,
) -> list[Landmarks]:
    """Who is found besides the people, where the detector marks somebody beside each with this score."""
    hips, end = BESIDE.pixels[33], BESIDE.pixels[34]
    mark = Detections(np.array([score]), np.zeros((1, 4)), np.array([[hips, end, hips, end]]))
    monkeypatch.setattr(search, "marks_about", lambda left, person: mark)
    monkeypatch.setattr(search, "landmarks", heavy.look)
    monkeypatch.setattr(search, "close_looks_from", heavy.close_looks)
    monkeypatch.setattr(search, "with_quick_looks", lambda picture, first: replace(first, looks=(first, first)))
    monkeypatch.setattr(search, "with_close_details", lambda picture, person, close, weight: person)
    return [*hidden_partners(picture, [], [NOTHING], people or (FIRST,), ended)]


def test_where_the_heavy_network_sees_two_people_in_turn_the_second_one_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (partner,) = found(monkeypatch, with_wrists_of(FIRST, BESIDE), HeavyNetwork(FIRST, BESIDE))
    assert np.array_equal(partner.pixels, BESIDE.pixels)


def test_of_two_read_as_one_with_the_others_arm_the_one_is_found_whose_arm_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = FIRST.pixels.copy()
    pixels[13:23:2] = BESIDE.pixels[13:23:2]
    mixture = replace(FIRST, pixels=pixels, looks=())
    (partner,) = found(monkeypatch, with_wrists_of(FIRST, BESIDE), HeavyNetwork(FIRST, BESIDE), mixture)
    assert np.array_equal(partner.pixels, FIRST.pixels), "then what was read counts as the other's"


def test_a_remnant_of_somebody_alone_is_nobody_once_their_own_limbs_are_in_the_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remnant = standing(0.15 * SIZE, 0.1 * SIZE)  # over their wrist, which is left for it
    heavy = HeavyNetwork(FIRST, made_up=remnant)
    assert found(monkeypatch, with_wrists_of(FIRST), heavy) == []
    assert heavy.looks == 5, "no more looks than it takes to see the same person again"


def test_where_nobody_is_seen_one_look_is_enough_and_without_a_clear_mark_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nobody = HeavyNetwork(FIRST)
    assert found(monkeypatch, with_wrists_of(FIRST), nobody) == []
    assert nobody.looks == 1
    unasked = HeavyNetwork(FIRST, BESIDE)
    assert found(monkeypatch, with_wrists_of(FIRST, BESIDE), unasked, score=0.4) == []
    assert unasked.looks == 0


@pytest.mark.parametrize(("presence", "looks"), [(0.6, 1), (1.0, 4)])
def test_an_unsure_look_at_what_is_left_of_the_same_person_ends_it(
    monkeypatch: pytest.MonkeyPatch, presence: float, looks: int
) -> None:
    left_over = replace(standing(0.02 * SIZE), presence=presence, looks=())
    heavy = HeavyNetwork(FIRST, made_up=left_over)
    assert found(monkeypatch, with_wrists_of(FIRST), heavy) == []
    assert heavy.looks == looks


@pytest.mark.parametrize(("presence", "partners"), [(1.0, 0), (0.3, 1)])
def test_a_faint_mark_counts_only_where_somebody_is_unsure(
    monkeypatch: pytest.MonkeyPatch, presence: float, partners: int
) -> None:
    heavy = HeavyNetwork(FIRST, BESIDE)
    known = replace(FIRST, presence=presence)
    assert len(found(monkeypatch, with_wrists_of(FIRST, BESIDE), heavy, known, score=0.7)) == partners
    assert bool(heavy.looks) == bool(partners)


def test_a_partner_who_is_known_already_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = HeavyNetwork(FIRST, BESIDE)
    assert found(monkeypatch, with_wrists_of(FIRST, BESIDE), heavy, FIRST, BESIDE) == []


def test_somebody_small_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = HeavyNetwork(FIRST, BESIDE)
    large = Image.new("RGB", (4000, 4000), PLAIN)
    assert found(monkeypatch, large, heavy) == []
    assert heavy.looks == 0


@pytest.mark.parametrize("after", [0, 3])
def test_a_cancelled_search_makes_no_further_look(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    heavy = HeavyNetwork(FIRST, BESIDE)
    picture = with_wrists_of(FIRST, BESIDE)
    assert found(monkeypatch, picture, heavy, ended=lambda: heavy.looks > after) == []
    assert heavy.looks == after + 1


def beside_in_box(monkeypatch: pytest.MonkeyPatch, heavy: HeavyNetwork, left_over: bool) -> Landmarks | None:
    """Who is found in a box round the second of two, the first known, where a matte shows the second's limbs or not."""
    picture = with_wrists_of(FIRST, BESIDE)
    low, high = BESIDE.pixels[:33].min(axis=0), BESIDE.pixels[:33].max(axis=0)
    square = Region((400.0, 400.0), 800.0, 0.0)
    anybody, known = (np.asarray(limbs_drawn((160, 160), people, square)) > 0 for people in ([FIRST, BESIDE], [FIRST]))
    shown = Silhouettes(square, anybody if left_over else known, known)
    monkeypatch.setattr(search, "silhouettes", lambda *args: shown)
    monkeypatch.setattr(search, "landmarks", heavy.look)
    monkeypatch.setattr(search, "close_looks_from", heavy.close_looks)
    monkeypatch.setattr(search, "with_close_details", lambda picture, person, close: person)
    return partner_in_box(picture, (float(low[0]), float(low[1]), float(high[0]), float(high[1])), [FIRST])


def test_in_a_box_somebody_is_found_whom_a_matte_shows_beside_a_person_known(monkeypatch: pytest.MonkeyPatch) -> None:
    partner = beside_in_box(monkeypatch, HeavyNetwork(FIRST, BESIDE), left_over=True)
    assert partner is not None
    assert np.array_equal(partner.pixels, BESIDE.pixels)


def test_in_a_box_without_more_of_a_matte_than_those_known_nobody_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heavy = HeavyNetwork(FIRST, BESIDE)
    assert beside_in_box(monkeypatch, heavy, left_over=False) is None
    assert heavy.looks == 0


def test_in_a_box_the_person_known_is_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert beside_in_box(monkeypatch, HeavyNetwork(FIRST), left_over=True) is None
