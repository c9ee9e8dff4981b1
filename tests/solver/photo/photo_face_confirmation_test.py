"""Whose face is seen is somebody, however little else of them shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from photo_samples import body, lens_of, level_camera, natural
from PIL import Image

from solver.body.body import BodyShape
from solver.photo.detection import face_confirmation, rounds
from solver.photo.detection.blazepose import Face, Landmarks, Region
from solver.photo.detection.duplicates import without_parts, without_shared_heads
from solver.photo.detection.face_confirmation import confirmed_by_face
from solver.photo.detection.plausibility import certainty, upper_certainty
from solver.photo.detection.rounds import CancellableWork, Search
from solver.photo.likelihood import judged
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD
from solver.photo.person_in_box import as_landmarks

PICTURE = Image.new("RGB", (800, 800))
NOISE = np.random.default_rng(0).integers(100, 156, (800, 800, 3)).astype(np.uint8)  # nothing that is drawn
LEGS = [25, 26, 27, 28, 29, 30, 31, 32]
HEAD = np.array([[0.0, 0.0], *3 * [[9.0, -9.0]], *3 * [[-9.0, -9.0]], [22.0, -4.0], [-22.0, -4.0], [7.0, 9.0], [-7, 9]])


def at_a_table(by: float = 0.0) -> Landmarks:
    """Somebody upright of whose legs each look says something else. by: pixels to the right of the middle."""
    whole = as_landmarks(body(), BodyShape(), natural(1, 0.2, spread=0.3), lens_of(level_camera()))
    pixels = whole.pixels + [by, 0.0]
    pixels[:11] = pixels[0] + HEAD
    size = float(np.linalg.norm(np.ptp(pixels[:33], axis=0)))
    world = np.concatenate([pixels[:33] / size * 2.2, np.zeros((33, 1))], axis=1)
    return looked_at(replace(whole, presence=0.7, pixels=pixels, world=world, looks=()), [0.0, 1.5, -1.5])


def looked_at(one: Landmarks, off: Sequence[float]) -> Landmarks:
    """Looks with the legs off by such shares of the extent."""
    size, looks = float(np.linalg.norm(np.ptp(one.pixels[:33], axis=0))), []
    for share in off:
        pixels = one.pixels.copy()
        pixels[LEGS] += [share * size, share * size]
        looks.append(replace(one, pixels=pixels))
    return replace(one, looks=tuple(looks))


def face_at(middle: NDArray[np.float64], presence: float = 1.0) -> Face:
    """A face as wide as two thirds of the head above, its eyes there."""
    points = np.zeros((468, 3))
    points[:, :2] = middle + np.random.default_rng(0).uniform(-30.0, 30.0, (468, 2))
    points[[33, 263], :2] = middle + np.array([[-15.0, 0.0], [15.0, 0.0]])
    return Face(presence, points)


def eyes_of(person: Landmarks) -> NDArray[np.float64]:
    return np.asarray(person.pixels[[2, 5]].mean(axis=0))


def found(
    monkeypatch: pytest.MonkeyPatch, face: Face | None, seen: Sequence[Landmarks], *known: Landmarks
) -> tuple[list[Landmarks], int]:
    """Who is found where every look for a face sees that one, and how many looks there were."""
    tried = []

    def face_of(picture: Image.Image, pixels: NDArray[np.float64]) -> Face | None:
        tried.append(pixels)
        return face

    monkeypatch.setattr(face_confirmation, "face_of", face_of)
    monkeypatch.setattr(face_confirmation, "with_quick_looks", lambda picture, look: seen[0])
    monkeypatch.setattr(face_confirmation, "with_close_details", lambda picture, person: replace(person, face=face))
    return [*confirmed_by_face([(person, PICTURE) for person in seen], known, lambda: False)], len(tried)


def test_a_person_with_hidden_legs_is_there_by_their_face(monkeypatch: pytest.MonkeyPatch) -> None:
    person = at_a_table()
    assert certainty(person) < 0, "of the whole person nobody could be sure"
    (new,), _ = found(monkeypatch, face_at(eyes_of(person)), [person, at_a_table(5.0)])
    assert np.array_equal(new.pixels, person.pixels)
    assert judged([new], NOISE)[0].score >= LIKELIHOOD_THRESHOLD
    assert judged([replace(new, face=None)], NOISE)[0].score < LIKELIHOOD_THRESHOLD


def test_without_a_face_or_with_it_elsewhere_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    person = at_a_table()
    assert found(monkeypatch, None, 6 * [person]) == ([], 3), "more readings of the same head tell nothing more"
    assert found(monkeypatch, face_at(eyes_of(person), presence=0.3), [person])[0] == []
    assert found(monkeypatch, face_at(eyes_of(person) + 40.0), [person])[0] == []


def test_a_face_is_also_looked_for_in_what_was_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    once = replace(at_a_table(), presence=1.0, looks=())
    (new,), _ = found(monkeypatch, face_at(eyes_of(once)), [once])
    assert np.array_equal(new.pixels, once.pixels)


def test_what_cannot_become_certain_of_a_whole_person_is_kept_for_its_face(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off = replace(at_a_table(), world=np.zeros((33, 3)), presence=1.0, looks=())
    monkeypatch.setattr(rounds, "looks_at", lambda picture, region: [cut_off])
    monkeypatch.setattr(rounds, "regions_of", lambda detected: [Region((400.0, 400.0), 300.0, 0.0)])
    monkeypatch.setattr(rounds, "with_quick_looks", lambda *_, **__: pytest.fail("more looks are in vain"))
    search = Search(PICTURE, CancellableWork(None, None), lambda people: None)
    assert search.round(0, 0.0, 1.0) == []
    assert {id(look) for look, _ in search.seen} == {id(cut_off)}


def test_the_face_of_somebody_known_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    person, face = at_a_table(), face_at(eyes_of(at_a_table()))
    assert found(monkeypatch, face, [person], at_a_table(10.0)) == ([], 0)
    misread = replace(at_a_table(200.0), face=face)
    assert found(monkeypatch, face, [person], misread) == ([], 1), "however wrong the reading of the rest is"


def test_looking_for_faces_ends_where_it_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face_confirmation, "face_of", lambda picture, pixels: pytest.fail("it was cancelled"))
    assert [*confirmed_by_face([(at_a_table(), PICTURE)], [], lambda: True)] == []


def test_what_shows_of_somebody_is_judged_without_the_legs() -> None:
    person = at_a_table()
    agreed = looked_at(person, [0.0, 0.0, 0.0])
    assert upper_certainty(person) == pytest.approx(upper_certainty(agreed))
    assert certainty(person) < certainty(agreed) - 2
    moved = tuple(replace(look, pixels=look.pixels + [90.0 * i, 0.0]) for i, look in enumerate(person.looks))
    spread = replace(person, looks=moved)
    assert upper_certainty(spread) < upper_certainty(person) - 1


def test_of_two_readings_that_share_a_face_the_surer_stays() -> None:
    face = face_at(eyes_of(at_a_table()))
    sure, unsure = (replace(looked_at(at_a_table(), [0.0, off]), face=face) for off in (0.0, 0.4))
    assert without_shared_heads([unsure, sure]) == [sure]
    neighbour = replace(at_a_table(300.0), face=face_at(eyes_of(at_a_table(300.0))))
    assert without_shared_heads([unsure, neighbour]) == [unsure, neighbour]
    assert len(without_shared_heads([replace(unsure, face=None), sure])) == 2


def test_of_two_readings_with_one_head_the_unsure_gives_way_to_the_sure() -> None:
    sure, unsure = looked_at(at_a_table(), [0.0, 0.0]), at_a_table(5.0)
    assert certainty(unsure) < 0
    assert certainty(sure) > 1.5
    assert without_shared_heads([unsure, sure]) == [sure]
    assert len(without_shared_heads([unsure, at_a_table()])) == 2, "nobody knows which of them it is"
    beside = at_a_table(30.0)
    assert without_shared_heads([beside, sure]) == [beside, sure]
    own = replace(unsure, face=face_at(eyes_of(unsure)))
    assert without_shared_heads([own, sure]) == [own, sure], "the other's head was read off where it is"


def test_a_sure_person_is_no_part_of_a_larger_unsure_reading_which_is_nobody() -> None:
    sure = looked_at(at_a_table(), [0.0, 0.0])
    larger = sure.pixels.mean(axis=0) + 1.3 * (sure.pixels - sure.pixels.mean(axis=0))
    around = looked_at(replace(sure, pixels=larger), [0.0, 0.0])
    assert without_parts([sure, around]) == [around]
    unsure = next(o for p in np.linspace(1, 0, 101) if certainty(o := replace(around, presence=p)) < 0.5)
    assert without_parts([sure, unsure]) == [sure]
