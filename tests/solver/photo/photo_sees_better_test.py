"""Which of two readings of one person counts, the former or the one with new looks that agree better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from photo_samples import body, landmarks_of, lens_of, level_camera, natural

from solver.body.body import BodyShape
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.plausibility import certainty, extent, limbs_apart
from solver.photo.detection.repeated_looks import sides_are_open, sides_united, with_sides_exchanged
from solver.photo.person_in_box import as_landmarks
from solver.photo.second_try.new_looks import sees_better

QUICK, FORMER, NEW = 6, 4, 6


def seen(apart: float, heavy: int, flat: float = 0.0, other_side: Sequence[int] = ()) -> Landmarks:
    """Somebody as six quick looks and some heavy ones see them. apart: share of the extent by which these disagree.

    flat: share of the depths in the metres that are put across the sight instead, where the picture shows nothing so.
    other_side: the looks that take the front for the back.
    """
    pose, camera = natural(2, 0.0, spread=0.3), level_camera()
    marks = landmarks_of(pose, camera)
    world = marks.world + flat * np.roll(marks.world, 1, axis=1)
    one = replace(marks, pixels=as_landmarks(body(), BodyShape(), pose, lens_of(camera)).pixels, world=world)
    aside = np.array([(-1.0) ** number for number in range(heavy)]) * apart * extent(one)
    looks = [one] * QUICK + [replace(one, pixels=one.pixels + [away, 0.0]) for away in aside]
    looks = [with_sides_exchanged(look) if number in other_side else look for number, look in enumerate(looks)]
    return replace(one, looks=tuple(looks))


def apart(person: Landmarks) -> float:
    found = limbs_apart(sides_united(person.looks))
    assert found is not None
    return found


def losing(lost: float, apart: float) -> Landmarks:
    """Somebody with new looks whose certainty is about that much lower than if the metres fitted."""
    fits = certainty(seen(apart, NEW))
    return next(one for flat in np.linspace(0, 3, 301) if certainty(one := seen(apart, NEW, flat)) <= fits - lost)


def test_new_looks_that_agree_clearly_better_count_if_the_metres_fit_less_well() -> None:
    former, new = seen(0.02, FORMER), losing(1.0, 0.01)
    assert apart(new) < 0.6 * apart(former)
    assert 0.0 < certainty(new) < certainty(former) - 0.5
    assert sees_better(new, former)


def test_new_looks_that_agree_little_better_count_only_if_the_metres_fit_hardly_less_well() -> None:
    former = seen(0.02, FORMER)
    assert 0.9 < apart(seen(0.019, NEW)) / apart(former) < 1.0
    assert sees_better(losing(0.2, 0.019), former)
    assert not sees_better(losing(0.8, 0.019), former)


@pytest.mark.slow
def test_a_reading_whose_metres_do_not_fit_at_all_never_counts_for_one_whose_do() -> None:
    former = seen(0.02, FORMER)
    new = losing(certainty(seen(0.004, NEW)) + 0.2, 0.004)
    assert certainty(new) < 0.0
    assert not sees_better(new, former)
    assert sees_better(new, losing(certainty(seen(0.02, NEW)) + 0.5, 0.02)), "but for one that fits even less"


@pytest.mark.parametrize(("new_apart", "counts"), [(0.019, False), (0.01, True)])
def test_looks_that_agree_little_better_do_not_decide_between_front_and_back_where_that_was_open(
    new_apart: float, counts: bool
) -> None:
    former = seen(0.02, FORMER, other_side=(0, 2, 4, 6, 8))
    new = seen(new_apart, NEW, other_side=(0,))
    assert sides_are_open(former)
    assert not sides_are_open(new)
    assert sees_better(new, former) == counts
    assert sees_better(seen(0.019, NEW, other_side=(0, 2, 4, 6, 8, 10)), former), "open as before"
