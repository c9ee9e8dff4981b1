"""People who are looked at in several stages of a search, and looks that need not be made again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, lens_of, level_camera, natural
from PIL import Image

from solver.body.body import BodyShape
from solver.photo.detection import repeated_looks
from solver.photo.detection.blazepose import Landmarks, Region
from solver.photo.detection.models import HEAVY
from solver.photo.detection.repeated_looks import agreed_close_looks, close_looks, with_quick_looks
from solver.photo.person_in_box import as_landmarks

PICTURE = Image.new("RGB", (800, 800))


@pytest.fixture
def first() -> Landmarks:
    return as_landmarks(body(), BodyShape(), natural(3, 0.2), lens_of(level_camera()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, first: Landmarks) -> list[tuple[str, Region]]:
    """What the networks are asked. They see the person in upright squares, a little further off in larger ones."""
    asked: list[tuple[str, Region]] = []

    def landmarks(picture: Image.Image, region: Region, network: str) -> Landmarks:
        asked.append((network, region))
        return replace(first, presence=0.8 if region.angle == 0 else 0.1, pixels=first.pixels + region.side / 100)

    monkeypatch.setattr(repeated_looks, "region_of", lambda middle, end: Region((400.0, 400.0), 300.0, 0.0))
    monkeypatch.setattr(repeated_looks, "landmarks", landmarks)
    return asked


def test_a_person_looked_at_in_full_is_looked_at_again_without_the_network(
    asked: list[tuple[str, Region]], first: Landmarks
) -> None:
    person = with_quick_looks(PICTURE, first)
    assert len(asked) == 5, "with the first there are six"
    again = with_quick_looks(PICTURE, person.looks[0])
    assert len(asked) == 5
    assert again.presence == person.presence
    np.testing.assert_array_equal(again.pixels, person.pixels)
    np.testing.assert_array_equal(again.spread, person.spread)


def test_only_missing_looks_are_made_at_a_person_with_few(asked: list[tuple[str, Region]], first: Landmarks) -> None:
    given_up = with_quick_looks(PICTURE, first, worth=lambda person: False)
    assert len(asked) == 2
    whole = with_quick_looks(PICTURE, given_up.looks[0])
    assert len(asked) == 5
    assert len({region for _, region in asked}) == 5
    afresh = with_quick_looks(PICTURE, replace(first))
    assert len(asked) == 10
    np.testing.assert_array_equal(whole.pixels, afresh.pixels)
    assert whole.presence == afresh.presence


def test_another_network_picture_or_person_gets_looks_of_its_own(
    asked: list[tuple[str, Region]], first: Landmarks
) -> None:
    person = with_quick_looks(PICTURE, first)
    close_looks(PICTURE, person)
    assert [network for network, _ in asked[5:]] == 4 * [HEAVY]
    with_quick_looks(PICTURE.copy(), first)
    assert len(asked) == 14, "what is painted over in one picture is there in another"
    with_quick_looks(PICTURE, replace(first))
    assert len(asked) == 19


def test_looks_of_which_the_last_saw_nobody_are_not_made_again_either(
    asked: list[tuple[str, Region]], first: Landmarks
) -> None:
    person = with_quick_looks(PICTURE, first)
    assert agreed_close_looks(PICTURE, person) == []
    made = len(asked) - 5
    assert 1 < made <= 4
    assert len(close_looks(PICTURE, person)) < 4
    assert len(asked) == 5 + 4
