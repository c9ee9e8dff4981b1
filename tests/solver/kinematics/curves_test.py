"""Curves through keyed values and keyed rotations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from solver.kinematics.curves import curve_through, each_eased, eased, rotation_curve_through
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, to_rotation_vector

FINE = np.linspace(0, 30, 3001)
KNOTS = np.array([0.0, 4.0, 10.0, 30.0])


def test_a_curve_goes_through_its_knots_and_rests_outside_them() -> None:
    values = np.random.default_rng(0).normal(0, 1, (4, 5, 3))
    assert curve_through(KNOTS, values, KNOTS) == pytest.approx(values)
    assert curve_through(KNOTS, values, [-7.0, 99.0]) == pytest.approx(values[[0, -1]])


def test_a_curve_never_leaves_the_values_that_it_goes_between() -> None:
    values = np.random.default_rng(1).normal(0, 1, (4, 50))
    curve = curve_through(KNOTS, values, FINE)
    for start, end, low in zip(KNOTS, KNOTS[1:], range(3), strict=False):
        inside = curve[(start <= FINE) & (end >= FINE)]
        bounds = np.sort(values[low : low + 2], axis=0)
        assert (inside >= bounds[0] - 1e-12).all()
        assert (inside <= bounds[1] + 1e-12).all()


def test_between_two_equal_values_a_curve_stays_level() -> None:
    curve = curve_through(KNOTS, [1.0, 3.0, 3.0, -2.0], np.linspace(4, 10, 50))
    assert curve == pytest.approx(np.full(50, 3.0))


def test_a_curve_has_no_kink_and_rests_at_both_ends() -> None:
    curve = curve_through(KNOTS, [0.0, 1.0, 4.0, 5.0], FINE)
    speed = np.diff(curve) / np.diff(FINE)
    assert np.abs(np.diff(speed)).max() < 0.02
    assert speed[[0, -1]] == pytest.approx([0, 0], abs=0.01)
    assert speed.max() > 0.5


def test_between_inner_knots_a_curve_is_the_usual_monotone_one_however_far_apart_they_are() -> None:
    knots, values = [0.0, 1.0, 6.0, 7.5, 20.0], [0.0, 1.0, 3.0, 8.0, 9.0]
    inside = np.linspace(1.0, 7.5, 40)
    assert curve_through(knots, values, inside) == pytest.approx(PchipInterpolator(knots, values)(inside))


def test_one_knot_is_a_place_to_stay() -> None:
    assert curve_through([3.0], [[1.0, 2.0]], [0.0, 9.0]) == pytest.approx(np.array([[1.0, 2.0]] * 2))
    turn = from_rotation_vector([[0.3, 0, 0]])
    assert rotation_curve_through([3.0], turn, [0.0, 9.0]) == pytest.approx(np.repeat(turn, 2, axis=0))


def test_a_path_of_rotations_goes_through_its_knots_without_a_kink() -> None:
    turns = from_rotation_vector(np.random.default_rng(2).normal(0, 0.9, (4, 6, 3)))
    assert rotation_curve_through(KNOTS, turns, KNOTS) == pytest.approx(turns, abs=1e-12)
    path = rotation_curve_through(KNOTS, turns, FINE)
    rates = to_rotation_vector(np.swapaxes(path[:-1], -1, -2) @ path[1:]) / (FINE[1] - FINE[0])
    assert np.abs(rates[[0, -1]]).max() < 0.01
    assert np.linalg.norm(np.diff(rates, axis=0), axis=-1).max() < 0.02


def test_a_turn_about_one_axis_goes_as_its_angle_does() -> None:
    angles = np.array([0.0, 0.5, 2.0, 2.5])
    turns = from_rotation_vector(angles[:, None] * np.array([0.0, 0.6, 0.8]))
    path = rotation_curve_through(KNOTS, turns, FINE)
    expected = from_rotation_vector(curve_through(KNOTS, angles, FINE)[:, None] * np.array([0.0, 0.6, 0.8]))
    assert geodesic_angle(path, expected).max() < 1e-9


def test_an_eased_share_rests_at_both_ends_and_stays_within_them() -> None:
    shares = np.linspace(-0.5, 1.5, 201)
    values = each_eased(shares)
    assert values == pytest.approx([eased(share) for share in shares.tolist()])
    assert eased(0.5) == pytest.approx(0.5)
    assert (values.min(), values.max()) == (0.0, 1.0)
    slope = np.diff(values) / np.diff(shares)
    assert np.abs(np.diff(slope)).max() < 0.08  # no kink
    assert slope.min() >= 0.0


def test_an_even_curve_passes_its_knots_without_a_jolt() -> None:
    values = np.array([0.0, 1.0, 1.5, 4.0])
    turns = from_rotation_vector(np.multiply.outer(values / 4.0, [0.0, 1.0, 0.0]))
    curve = curve_through(KNOTS, values, FINE, even=True)
    angles = to_rotation_vector(rotation_curve_through(KNOTS, turns, FINE, even=True))[:, 1]
    assert curve_through(KNOTS, values, KNOTS, even=True) == pytest.approx(values)
    assert 4.0 * angles == pytest.approx(curve)
    jolts = [np.abs(np.diff(each, 3)).max() for each in (curve, curve_through(KNOTS, values, FINE))]
    assert jolts[0] < 0.1 * jolts[1]
