"""Nobody is seen in the head of somebody surer; who stands beside a head, or is surer, stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, lens_of, level_camera, natural

from solver.body.body import BodyShape
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.duplicates import SURE, without_prints
from solver.photo.detection.face_and_hands import head_of
from solver.photo.detection.plausibility import certainty, extent
from solver.photo.person_in_box import as_landmarks

LIMBS = [*range(11, 17), *range(23, 29)]


def agreed(person: Landmarks, presence: float = 1.0) -> Landmarks:
    """The person as several looks see them that agree."""
    return replace(person, presence=presence, looks=(person, person))


def large() -> Landmarks:
    pose, camera = natural(2, 0.0, spread=0.3), level_camera()
    whole = as_landmarks(body(), BodyShape(), pose, lens_of(camera))
    return agreed(replace(landmarks_of(pose, camera), pixels=whole.pixels))


def seen_at_the_head(of: Landmarks, aside: float, across: float, presence: float) -> Landmarks:
    """Somebody of an extent, the middle of the limbs beside the middle of the head; both in sizes of the head."""
    head = head_of(of.pixels)
    pixels = of.pixels * across * head / extent(of)
    to = of.pixels[:11].mean(axis=0) + [aside * head, 0.0] - pixels[LIMBS].mean(axis=0)
    return agreed(replace(of, pixels=pixels + to), presence)


@pytest.mark.parametrize(("aside", "across"), [(0.0, 2.0), (0.4, 1.5), (-0.4, 1.0)])
def test_whoever_is_seen_in_the_head_of_somebody_surer_is_nobody(aside: float, across: float) -> None:
    person = large()
    seen = seen_at_the_head(person, aside, across, presence=0.9)
    assert certainty(person) > certainty(seen) > SURE
    assert without_prints([person, seen]) == [person]
    assert without_prints([seen, person]) == [person], "whichever was found first"


@pytest.mark.parametrize(("aside", "across", "presence"), [(0.9, 1.0, 0.9), (0.0, 4.0, 0.9), (0.4, 1.5, 1.0)])
def test_one_beside_a_head_or_larger_or_surer_is_somebody(aside: float, across: float, presence: float) -> None:
    person = agreed(large(), 0.95)
    assert len(without_prints([person, seen_at_the_head(person, aside, across, presence)])) == 2


def test_in_the_head_of_one_who_is_not_sure_somebody_may_be_seen() -> None:
    person = large()
    unsure = next(one for p in np.linspace(1, 0, 101) if certainty(one := agreed(person, float(p))) < SURE)
    assert len(without_prints([unsure, seen_at_the_head(person, 0.0, 2.0, unsure.presence - 0.01)])) == 2
