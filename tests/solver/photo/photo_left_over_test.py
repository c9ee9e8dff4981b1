"""Partners found where a matte shows more than the silhouettes of those who are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, landmarks_of, level_camera
from PIL import Image

from solver.body.body import BodyShape
from solver.kinematics.pose import rest_pose
from solver.photo.detection import hidden_partners as search
from solver.photo.detection import people2d, silhouettes
from solver.photo.detection.blazepose import Detections, Landmarks, Region
from solver.photo.detection.inpainting import limbs_drawn
from solver.photo.detection.people2d import _read_anew, _without_late_partners
from solver.photo.detection.plausibility import extent
from solver.photo.detection.rounds import CancellableWork, Search

ROOM, RED, GREEN, SIZE = (60, 60, 160), (220, 40, 30), (30, 200, 60), 500.0
NOTHING = Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))
WHOLE = Region((400.0, 400.0), 800.0, 0.0)


def standing(aside: float) -> Landmarks:
    """Arms spread, the hips this many pixels from the middle, seen alike by several looks."""
    seen = landmarks_of(rest_pose(body().skeleton(BodyShape())), level_camera())
    marks = (seen.pixels - seen.pixels[[23, 24]].mean(axis=0)) * (SIZE / extent(seen))
    marks[33], marks[34] = 0.0, [0.0, -0.45 * SIZE]
    seen = replace(seen, presence=1.0, pixels=marks + [400.0 + aside, 400.0])
    return replace(seen, looks=(seen, seen, seen))


FIRST, PARTNER = standing(-0.1 * SIZE), standing(0.15 * SIZE)


def picture_of(*people: tuple[Landmarks, tuple[int, int, int]]) -> Image.Image:
    """Each in a colour of their own, the last one in front."""
    picture = Image.new("RGB", (800, 800), ROOM)
    for person, colour in people:
        picture.paste(colour, (0, 0), limbs_drawn((800, 800), [person], WHOLE))
    return picture


@pytest.fixture(autouse=True)
def matte(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matte shows whatever is not the room."""

    def look(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        return ((np.abs(pixels - ROOM).max(axis=2) > 40) & (pixels.max(axis=2) > 0)).astype(np.float32)

    monkeypatch.setattr(silhouettes, "matte_look", look)


def test_silhouettes_are_painted_over_not_somebody_in_front_of_them() -> None:
    picture = picture_of((FIRST, RED), (PARTNER, GREEN))
    shown = silhouettes.silhouettes(picture, FIRST, [])
    left = silhouettes.without_silhouettes(picture, shown, [FIRST])
    (red, green), (red_left, green_left) = (
        [int((np.abs(np.asarray(one, int) - colour).max(axis=2) < 10).sum()) for colour in (RED, GREEN)]
        for one in (picture, left)
    )
    assert red_left < 0.05 * red
    assert green_left > 0.5 * green


def found(
    monkeypatch: pytest.MonkeyPatch, picture: Image.Image, seen: Landmarks | None, *known: Landmarks, begin: int = 0
) -> tuple[list[Landmarks], int]:
    """Who is found besides those known, and in how many squares. seen: whom the heavy network sees in any square, but
    for the first ones, before number `begin`."""
    squares: list[Region] = []

    def look(picture: Image.Image, square: Region, network: str) -> Landmarks:
        squares.append(square)
        return seen if seen and len(squares) > begin else replace(FIRST, presence=0.1)

    monkeypatch.setattr(search, "marks_about", lambda left, person: NOTHING)
    monkeypatch.setattr(search, "landmarks", look)
    for close_looks in ("agreed_close_looks_from", "close_looks_from"):
        monkeypatch.setattr(search, close_looks, lambda picture, first: [first] * 4)
    monkeypatch.setattr(search, "with_quick_looks", lambda picture, first: replace(first, looks=(first, first)))
    monkeypatch.setattr(search, "with_close_details", lambda picture, person, close, weight: person)
    return [*search.partners_left_over(picture, known, lambda: False)], len(squares)


def test_who_is_seen_where_something_is_left_over_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (partner,), _ = found(monkeypatch, picture_of((PARTNER, GREEN), (FIRST, RED)), PARTNER, FIRST)
    assert np.array_equal(partner.pixels, PARTNER.pixels)


@pytest.mark.parametrize("seen", [standing(-0.09 * SIZE), standing(-0.35 * SIZE), None])
def test_who_does_not_explain_what_is_left_over_is_nobody(
    monkeypatch: pytest.MonkeyPatch, seen: Landmarks | None
) -> None:
    new, squares = found(monkeypatch, picture_of((PARTNER, GREEN), (FIRST, RED)), seen, FIRST)
    assert new == []
    assert squares


def test_who_is_not_seen_at_once_is_found_by_looks_from_several_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = picture_of((FIRST, RED), (PARTNER, GREEN))
    (partner,), _ = found(monkeypatch, picture, PARTNER, FIRST, begin=1)
    assert np.array_equal(partner.pixels, PARTNER.pixels)


def test_where_the_first_of_these_looks_sees_nobody_new_there_are_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = picture_of((FIRST, RED), (PARTNER, GREEN))
    assert found(monkeypatch, picture, None, FIRST) == ([], 2)


def test_where_nothing_is_left_over_the_heavy_network_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, picture_of((FIRST, RED)), PARTNER, FIRST) == ([], 0)
    two = picture_of((PARTNER, GREEN), (FIRST, RED))
    assert found(monkeypatch, two, standing(0.5 * SIZE), FIRST, PARTNER) == ([], 0)


@pytest.mark.parametrize("moved", [0.0, 0.3 * SIZE])
def test_who_was_left_over_stays_where_they_are(monkeypatch: pytest.MonkeyPatch, moved: float) -> None:
    work = CancellableWork(None, None)
    searched = Search(picture_of((PARTNER, GREEN), (FIRST, RED)), work, lambda people: None)
    monkeypatch.setattr(people2d, "with_quick_looks", lambda picture, first: replace(first, looks=(first, first)))
    monkeypatch.setattr(
        people2d, "seen_without", lambda picture, person, *_: standing(moved) if person is not FIRST else AGAIN
    )
    partner = standing(0.0)
    first, again = _without_late_partners(searched, [FIRST, partner], {FIRST: FIRST}, [partner], work)
    assert first is AGAIN, "looked at again without the partner"
    assert (again is partner) == (moved > 0), "not put where somebody else is"


AGAIN = standing(-0.12 * SIZE)


@pytest.mark.parametrize("by_matte", [True, False])
def test_who_was_left_over_is_not_made_of_others_limbs(monkeypatch: pytest.MonkeyPatch, by_matte: bool) -> None:
    work = CancellableWork(None, None)
    searched = Search(picture_of((FIRST, RED)), work, lambda people: None)
    monkeypatch.setattr(people2d, "found_beside", lambda *_: None)
    unsure = replace(standing(-0.12 * SIZE), presence=0.4)
    people = _read_anew(searched, [FIRST, unsure], {}, [unsure] if by_matte else [], work)
    assert (unsure in people) == by_matte
