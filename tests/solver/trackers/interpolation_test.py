"""The way between readings is smooth, goes through each of them, and comes to rest after the last."""

from __future__ import annotations

import numpy as np
import pytest

from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.trackers.interpolation import interpolate_position, interpolate_rotation

TIMES = (0.0, 0.2, 0.5, 0.6)
PLACES = [np.float32(place) for place in ([0, 1, 0], [0.1, 1.2, 0], [0.5, 1.1, 0.3], [0.4, 1.0, 0.4])]


def turned(angle: float) -> np.ndarray:
    return from_rotation_vector([0.0, angle, 0.0]).astype(np.float32)


def test_it_goes_through_every_reading() -> None:
    turns = [turned(angle) for angle in (0.0, 1.0, 2.5, 1.5)]
    for time_s, place, turn in zip(TIMES, PLACES, turns, strict=True):
        assert interpolate_position(TIMES, PLACES, time_s) == pytest.approx(place, abs=1e-6)
        assert interpolate_rotation(TIMES, turns, time_s) == pytest.approx(turn, abs=1e-6)
    assert interpolate_position(TIMES, PLACES, -1.0) == pytest.approx(PLACES[0])


def test_readings_that_are_not_evenly_apart_make_no_even_way_uneven() -> None:
    places = [np.array([3.0 * time_s, 0.0, 0.0]) for time_s in TIMES]
    for now_s in np.linspace(0.0, 0.6, 25):
        assert interpolate_position(TIMES, places, float(now_s)) == pytest.approx([3.0 * now_s, 0.0, 0.0], abs=1e-9)


def test_after_the_last_reading_it_goes_on_as_it_came_and_comes_to_rest_within_an_interval() -> None:
    now_s = np.linspace(0.2, 0.6, 81)
    way = np.array([interpolate_position((0.0, 0.2), [np.zeros(3), np.array([0.2, 0, 0])], float(t)) for t in now_s])[
        :, 0
    ]
    speeds = np.diff(way) / np.diff(now_s)
    assert speeds[:9] == pytest.approx(1.0, abs=1e-6)
    assert (np.diff(speeds) < 1e-6).all()
    assert speeds[38] == pytest.approx(0.03, abs=0.03)
    assert way[40:] == pytest.approx(0.2 * 1.625, abs=1e-9)


def test_a_tracker_that_turns_round_within_a_few_readings_goes_on_the_same_way() -> None:
    times, turns = (0.0, 0.2, 0.4, 0.6), [turned(6.0 * time_s) for time_s in (0.0, 0.2, 0.4, 0.6)]
    for now_s in np.linspace(0.0, 0.65, 14):
        assert interpolate_rotation(times, turns, float(now_s)) == pytest.approx(turned(6.0 * now_s), abs=1e-5)


@pytest.mark.parametrize("angle", [3.1, np.pi, -3.1])
def test_nearly_half_a_turn_from_reading_to_reading_is_turned_by_the_short_way(angle: float) -> None:
    turn = interpolate_rotation((0.0, 0.2), [turned(0.0), turned(angle)], 0.1)
    assert turn is not None
    assert np.linalg.norm(to_rotation_vector(turn)) == pytest.approx(abs(angle) / 2, abs=1e-3)
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-6)


def test_nothing_is_made_up_where_a_reading_does_not_tell_it() -> None:
    assert interpolate_position(TIMES, [*PLACES[:3], None], 0.1) is None
    assert interpolate_rotation((0.0, 0.2), [turned(0.0), None], 0.1) is None
