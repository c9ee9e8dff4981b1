"""People who stand at both of two keys jump from one to the other where there is no time to walk."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from climbing_test import between, deepest, swings, with_thing
from numpy.typing import NDArray
from stepping_test import animated, posed

from app.document import edits
from app.document.model.document import Document
from app.document.over_time.in_betweens import document_completed
from solver.body.body import BodyShape

HIGH = (0.8, 0.45, 0.8)
UP, DOWN = (0.0, 0.45, 0.0), (0.0, 0.0, 1.0)


def down(last: int) -> Document:
    """Somebody who stands on a box at the first frame and before it at the last one, 30 frames a second."""
    return with_thing(between(UP, DOWN, last), "box", HIGH, (0.0, 0.0, 0.0))


@cache
def jumped() -> Document:
    """Down from it in a second, with all frames solved."""
    return document_completed(down(30))


def heights(document: Document) -> NDArray[np.float64]:
    """(N,) metres of the hips."""
    motion = document.actor("c1").motion()
    assert motion is not None
    return motion.root_positions[:, 1].astype(np.float64)


def test_hips_fall_as_gravity_has_them_while_both_feet_are_in_the_air() -> None:
    document = jumped()
    left, right = swings(document)
    assert left.start == right.start
    hips = heights(document)
    falls = np.diff(hips, 2) * 900.0
    air = falls[int(np.ceil(left.start)) : int(left.end) - 1]
    assert len(air) >= 8
    assert air == pytest.approx(-9.81, abs=0.5)


def test_whoever_jumps_goes_through_neither_box_nor_floor() -> None:
    within, _, below = deepest(jumped())
    assert within < 0.003
    assert below < 0.002


def test_knees_give_on_landing_and_bend_before_feet_leave() -> None:
    document = jumped()
    flight = swings(document)[0]
    hips = heights(document)
    assert hips[: int(flight.start)].min() < hips[0] - 0.015
    assert hips[int(flight.end) :].min() < hips[-1] - 0.08


def test_there_is_a_time_for_gliding_for_jumping_and_for_walking() -> None:
    counts = [len(swings(down(last))) for last in (16, 30, 75)]
    assert counts[:2] == [0, 2]
    assert counts[2] >= 4


def test_nobody_jumps_from_as_high_as_a_metre_or_as_far_as_two() -> None:
    high = with_thing(between((0.0, 1.0, 0.0), DOWN, 36), "box", (0.8, 1.0, 0.8), (0.0, 0.0, 0.0))
    far = with_thing(between(UP, (0.0, 0.0, 2.0), 18), "box", HIGH, (0.0, 0.0, 0.0))
    assert not swings(high)
    assert not swings(far)


def test_a_box_too_high_for_a_step_is_jumped_onto() -> None:
    short = animated()
    shape = BodyShape(np.array([-3.0] + [0.0] * 9, np.float32), gender="female")
    short = short.with_character(replace(short.character("c1"), shape=shape))
    climb = between((0.0, 0.0, 0.0), (0.0, 0.45, 0.9), 60, like=short)
    found = swings(with_thing(climb, "box", HIGH, (0.0, 0.0, 1.0)))
    assert len(found) == 2
    assert all(swing.path is not None for swing in found)


@cache
def about() -> Document:
    """Down from a box, to face the other way in 1.1 seconds."""
    document = between(UP, DOWN, 32).at_frame("c1", 32)
    document = posed(edits.place_together([document.character("c1")], (0.0, 0.0, 0.0), np.pi, whole=False)(document))
    return with_thing(document, "box", HIGH, (0.0, 0.0, 0.0))


def test_who_comes_to_face_the_other_way_jumps() -> None:
    left, right = swings(about())
    assert left.path is not None
    assert left.start == right.start
    assert np.linalg.norm(left.path - right.path, axis=1).max() > 0.1, "feet go round each other"


@pytest.mark.slow
def test_whoever_turns_does_so_in_the_air_and_touches_nothing() -> None:
    document, left = document_completed(about()), swings(about())[0]
    motion = document.actor("c1").motion()
    assert motion is not None
    facing = motion.rotations[:, 0, :, 2].astype(np.float64)
    turned = np.degrees(np.unwrap(np.arctan2(facing[:, 0], facing[:, 2])))
    turned = np.abs(turned - turned[0])
    assert turned[int(left.start)] < 30.0
    assert turned[int(np.ceil(left.end))] > 150.0
    within, _, below = deepest(document)
    assert within < 0.003
    assert below < 0.002
