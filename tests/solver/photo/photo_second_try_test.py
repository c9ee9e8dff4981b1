"""Somebody about whose arms and legs looks disagree is looked at again, in squares placed anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from askew_looks import apart, seen_from
from numpy.typing import NDArray
from photo_samples import body, joints, landmarks_of, level_camera, natural, rendered
from PIL import Image
from sample_files import photographs

from solver.kinematics.pose import Pose
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.depth_ambiguity import LOOK_FIRST
from solver.photo.detection import blazepose
from solver.photo.detection.blazepose import Landmarks, Region, run_network
from solver.photo.estimate import estimate_people
from solver.photo.image_file import load_image
from solver.photo.people import PhotoResult
from solver.photo.second_try.new_looks import looked_about
from solver.photo.second_try.tried_again import tried_again

CAMERA, POSE = level_camera(), natural(2, 0.5, spread=0.8)


def off(person: Landmarks, true: NDArray[np.float64]) -> float:
    away = np.linalg.norm(person.pixels[shared_landmarks()] - true, axis=1)
    return float(np.median(away) / np.linalg.norm(np.ptp(true, axis=0)))


def square_about(pose: Pose) -> Region:
    places = CAMERA.pixels(joints(pose))
    low, high = places.min(axis=0), places.max(axis=0)
    x, y = (low + high) / 2
    return Region((float(x), float(y)), 1.25 * float((high - low).max()), 0.0)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("aside", "larger", "turned"), [(0.2, 1.7, 0.9), (0.1, 1.0, 0.9), (0.25, 2.0, 0.5)])
def test_whose_square_lay_askew_is_seen_better_in_squares_about_what_was_seen(
    aside: float, larger: float, turned: float
) -> None:
    picture = Image.fromarray(rendered(CAMERA, POSE).rgb)
    true = CAMERA.pixels(joints(POSE))[shared_indices()]
    square = square_about(POSE)
    x, y = square.centre
    askew = seen_from(picture, Region((x + aside * square.side, y), larger * square.side, turned))
    assert apart(askew) >= LOOK_FIRST, "so that the search's person would be named"
    again = tried_again(picture, askew, [askew])
    assert apart(again) < apart(askew) / 2
    assert off(again, true) < 0.75 * off(askew, true)
    assert again.presence == askew.presence, "the quick network tells it"


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.usefixtures("qapp")
def test_new_looks_end_with_the_first_few_where_these_disagree_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Image.fromarray(rendered(CAMERA, POSE).rgb)
    person, asked = seen_from(picture, square_about(POSE)), list[str]()

    def counted(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        asked.append(name)
        return run_network(name, values)

    monkeypatch.setattr(blazepose, "run_network", counted)
    assert looked_about(picture, person, person, most=0.0) is None
    assert len(asked) == 3
    assert looked_about(picture, person, person, most=1.0) is not None
    assert len(asked) == 6, "the first three are not asked for again"


@pytest.mark.slow
@pytest.mark.parametrize("photo", photographs(baseball_several_people=(4, 6)))
def test_of_a_photos_people_only_those_in_doubt_are_tried_again_once_everybody_is_posed(
    photo: tuple[Path, int, int],
) -> None:
    told, steps = list[PhotoResult](), list[str]()
    posed = list[PhotoResult]()  # at each second try, those told of last

    def step(_: float, what: str) -> None:
        steps.append(what)
        if what.startswith("Looking again"):
            posed.append(told[-1])

    result = estimate_people(load_image(photo[0]), body(), progress=step, so_far=told.append)
    before, after = (posed[0] if posed else told[-1]).people, told[-1].people
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old.landmarks is not new.landmarks]
    assert bool(changed) == any(one.pose_is_unsure for one in before), "of two ordinary people nobody is"
    assert any(step.startswith("Looking again at person") for step in steps) == any(
        one.pose_is_unsure for one in before
    )
    for old, new in changed:
        assert old.pose_is_unsure
        assert apart(new.landmarks) <= apart(old.landmarks)
        assert new.fit is not old.fit
    for one, shown in zip(result.people, after, strict=True):
        assert np.array_equal(one.landmarks.pixels, shown.landmarks.pixels)


def test_who_was_seen_once_or_whose_reading_was_cancelled_stays_the_very_same() -> None:
    person, picture = landmarks_of(POSE, CAMERA), Image.new("RGB", CAMERA.size)
    once = replace(person, looks=(person,))
    assert tried_again(picture, once, [once]) is once
    twice = replace(person, looks=(person, replace(person, pixels=person.pixels + [40.0, 0.0])))
    assert apart(twice) >= LOOK_FIRST
    assert tried_again(picture, twice, [twice], lambda: True) is twice


def test_where_no_look_sees_anybody_the_person_stays_the_very_same() -> None:
    person, picture = landmarks_of(POSE, CAMERA), Image.new("RGB", CAMERA.size)
    twice = replace(person, looks=(person, replace(person, pixels=person.pixels + [40.0, 0.0])))
    assert tried_again(picture, twice, [twice]) is twice
