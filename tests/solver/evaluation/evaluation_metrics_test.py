from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from solver.evaluation import metrics
from solver.kinematics.rotations import from_rotation_vector

RNG = np.random.default_rng(5)


def test_mpjpe_is_the_mean_distance_in_millimetres() -> None:
    truth = np.zeros((2, 3, 3))
    positions = truth.copy()
    positions[0, 0] = 0.003, 0.004, 0.0  # 5 mm off, the two others exact
    positions[1] = 0.0, 0.0, 0.006
    assert metrics.mpjpe_mm(positions, truth) == pytest.approx([5 / 3, 6.0])


def test_alignment_undoes_any_similarity() -> None:
    truth = RNG.normal(size=(8, 22, 3))
    turns = from_rotation_vector(RNG.normal(size=(8, 3)))
    moved = 1.7 * truth @ np.swapaxes(turns, -1, -2) + RNG.normal(size=(8, 1, 3))
    assert metrics.mpjpe_mm(moved, truth).min() > 100
    assert metrics.pa_mpjpe_mm(moved, truth) == pytest.approx(np.zeros(8), abs=1e-9)


def test_alignment_never_reflects() -> None:
    truth = RNG.normal(size=(22, 3))
    mirrored = truth * [-1, 1, 1]
    assert metrics.pa_mpjpe_mm(mirrored, truth) > 100


def test_alignment_agrees_with_scipy_where_no_reflection_is_at_stake() -> None:
    for _ in range(5):
        truth = RNG.normal(size=(22, 3))
        points = truth @ from_rotation_vector(RNG.normal(size=3)).T + 0.1 * RNG.normal(size=(22, 3))
        p, t = points - points.mean(axis=0), truth - truth.mean(axis=0)
        turn, strength = orthogonal_procrustes(p, t)
        assert np.linalg.det(turn) > 0
        expected = strength / np.square(p).sum() * p @ turn + truth.mean(axis=0)
        assert metrics.procrustes_aligned(points, truth) == pytest.approx(expected, abs=1e-9)


def test_geodesic_is_the_mean_angle_over_all_joints() -> None:
    truth = from_rotation_vector(RNG.normal(size=(1, 4, 3)))
    turned = truth.copy()
    turned[0, 1] = turned[0, 1] @ from_rotation_vector([0, 0.8, 0])
    turned[0, 3] = from_rotation_vector([np.pi, 0, 0]) @ turned[0, 3]
    assert metrics.ge_rad(turned, truth) == pytest.approx([(0.8 + np.pi) / 4])


def test_squared_errors_of_the_root_and_of_all_joints() -> None:
    truth = np.zeros((1, 2, 3))
    positions = np.array([[[0.1, 0.2, 0.0], [0.0, 0.0, 0.3]]])
    assert metrics.l2_root(positions, truth) == pytest.approx([0.05])
    assert metrics.l2_joints(positions, truth) == pytest.approx([(0.05 + 0.09) / 2])


def test_the_interval_is_that_of_the_mean_of_independent_values() -> None:
    values = RNG.normal(30.0, 10.0, 4000)
    expected = 1.96 * values.std() / np.sqrt(len(values))
    assert metrics.half_interval(values, range(len(values))) == pytest.approx(expected, rel=0.1)


def test_values_of_one_group_tell_no_more_than_one_of_them() -> None:
    groups = np.repeat(np.arange(400), 10)
    means = RNG.normal(30.0, 10.0, 400)
    alike = metrics.half_interval(means[groups], groups)
    assert alike == pytest.approx(metrics.half_interval(means, range(400)), rel=0.1)
    assert alike > 2 * metrics.half_interval(means[groups], range(4000))
    assert metrics.half_interval(means, ["one"] * 400) == 0.0
