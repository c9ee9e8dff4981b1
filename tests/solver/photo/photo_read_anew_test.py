"""Whoever is unsure and touches somebody sure is read anew where that one is painted over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, joints, landmarks_of, level_camera, natural, rendered
from PIL import Image

from solver.body.body import BodyShape
from solver.kinematics.pose import rest_pose
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection import people2d
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import _read_anew
from solver.photo.detection.plausibility import certainty
from solver.photo.detection.repeated_looks import with_quick_looks
from solver.photo.detection.rounds import CancellableWork, Search
from solver.photo.detection.surest_reading import found_beside

CAMERA = level_camera()


def standing(aside: float, least: float) -> Landmarks:
    """Arms spread, the hips this many pixels beside the middle, about as certain as told."""
    marks = landmarks_of(rest_pose(body().skeleton(BodyShape())), CAMERA)
    pixels, hips = marks.pixels.copy(), marks.pixels[[23, 24]].mean(axis=0)
    pixels[33], pixels[34] = hips, marks.pixels[0]
    person = replace(marks, pixels=pixels - hips + [400.0 + aside, 400.0])
    person = replace(person, looks=(person, person))
    return next(one for p in np.linspace(0, 1, 201) if certainty(one := replace(person, presence=float(p))) >= least)


@pytest.fixture
def search() -> Search:
    return Search(Image.new("RGB", (800, 800)), CancellableWork(None, None), lambda people: None)


def read_anew(
    search: Search, people: list[Landmarks], found: Landmarks | None, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Landmarks], list[Landmarks]]:
    """The people after it, and those who were looked for anew. found: who is seen then."""
    asked: list[Landmarks] = []

    def beside(picture: Image.Image, person: Landmarks, others: list[Landmarks], ended: object) -> Landmarks | None:
        assert person not in others
        asked.append(person)
        return found

    monkeypatch.setattr(people2d, "found_beside", beside)
    monkeypatch.setattr(people2d, "_without_others", lambda search, person, *others: replace(person, visibility=NEW))
    return _read_anew(search, people, {}, [], CancellableWork(None, None)), asked


NEW = np.zeros(33)


def test_who_is_surer_anew_is_read_so_and_those_whom_they_touch_are_looked_at_again(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure, sure, far = standing(0.0, 0.5), standing(150.0, 3.5), standing(900.0, 3.5)
    anew = standing(-40.0, 3.2)
    people, asked = read_anew(search, [sure, unsure, far], anew, monkeypatch)
    assert asked == [unsure]
    assert people[1] is anew
    assert people[0].visibility is NEW
    assert people[2] is far


def test_who_was_looked_at_again_for_somebody_read_anew_is_not_read_anew_as_well(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure, hardly, sure = standing(0.0, 0.5), standing(150.0, 1.8), standing(300.0, 3.5)
    people, asked = read_anew(search, [unsure, hardly, sure], standing(-40.0, 3.2), monkeypatch)
    assert asked == [unsure]
    assert people[1].visibility is NEW


def test_who_is_no_surer_anew_stays_as_they_were(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    unsure, sure = standing(0.0, 2.0), standing(150.0, 3.5)
    for anew in (standing(-40.0, 2.2), standing(150.0, 3.2), None):
        people, asked = read_anew(search, [sure, unsure], anew, monkeypatch)
        assert asked == [unsure]
        assert people == [sure, unsure]


def test_nobody_is_looked_for_who_is_sure_or_touches_nobody_sure(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    for people in (
        [standing(0.0, 3.1), standing(150.0, 3.5)],
        [standing(0.0, 0.5), standing(150.0, 1.0)],
        [standing(0.0, 0.5), standing(900.0, 3.5)],
    ):
        assert read_anew(search, people, standing(-40.0, 3.2), monkeypatch) == (people, [])


def test_who_lies_on_others_limbs_and_is_not_seen_without_them_is_nobody(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up, sure = standing(10.0, 1.0), standing(0.0, 3.5)
    for nobody in (None, standing(10.0, -1.0)):
        assert read_anew(search, [sure, made_up], nobody, monkeypatch)[0] == [sure]


def test_somebody_looked_at_again_stays_as_they_were_if_that_makes_them_unsure(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, person, other = standing(0.0, 2.0), standing(0.0, 3.5), standing(150.0, 3.2)
    seen_from: list[Landmarks] = []
    for again, stays in ((standing(0.0, 1.6), False), (standing(0.0, 1.0), True)):

        def seen(
            picture: Image.Image, start: Landmarks, others: list[Landmarks], ended: object, again: Landmarks = again
        ) -> Landmarks:
            assert others == [other]
            seen_from.append(start)
            return again

        monkeypatch.setattr(people2d, "seen_without", seen)
        monkeypatch.setattr(people2d, "with_quick_looks", lambda picture, look: person)
        work = CancellableWork(None, None)
        for known_as in (first, None):
            kept = people2d._without_others(search, person, [person, other], known_as, work)
            assert kept is (person if stays else again)
    assert seen_from == [first, person, first, person], "whoever was confirmed late begins with new looks"


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_a_wrong_reading_is_mended_once_the_other_is_painted_over() -> None:
    poses = natural(1, 0.4, (-0.25, 0.15), 0.8), natural(2, -0.6, (0.25, -0.25), 0.8)
    picture = Image.fromarray(rendered(CAMERA, *poses).rgb)
    true = [CAMERA.pixels(joints(pose))[shared_indices()] for pose in poses]

    def off(person: Landmarks, number: int) -> float:
        apart = np.linalg.norm(person.pixels[shared_landmarks()] - true[number], axis=1)
        return float(np.median(apart) / np.linalg.norm(np.ptp(true[number], axis=0)))

    def squared(number: int) -> Landmarks:
        marks = landmarks_of(poses[number], CAMERA)
        pixels = marks.pixels.copy()
        pixels[33] = pixels[[23, 24]].mean(axis=0)
        pixels[34] = pixels[33] - [0.0, 1.1 * np.linalg.norm(pixels[:33] - pixels[33], axis=1).max()]
        return replace(marks, pixels=pixels)

    other = with_quick_looks(picture, squared(0))
    between = replace(squared(1), pixels=(squared(0).pixels + squared(1).pixels) / 2)
    assert off(between, 1) > 0.05
    seen = found_beside(picture, between, [other])
    assert seen is not None
    assert off(seen, 1) < 0.04
