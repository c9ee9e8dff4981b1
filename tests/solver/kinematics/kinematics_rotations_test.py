"""Rotations in numpy and compiled, against scipy and roma."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from solver.kinematics import rotation_kernels as compiled
from solver.kinematics import rotations as r

VECTORS = np.concatenate(
    [
        np.random.default_rng(0).normal(0, 1, (60, 3)),
        np.random.default_rng(1).normal(0, 1e-7, (5, 3)),
        np.eye(3) * (np.pi - 1e-6),
        np.eye(3) * np.pi / 2,
        np.zeros((1, 3)),
    ]
)
MATRICES = Rotation.from_rotvec(VECTORS).as_matrix()


@pytest.fixture(params=["compiled", "numpy"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways that rotations are computed in: before a solver is loaded, and after."""
    if request.param == "numpy":
        monkeypatch.delitem(sys.modules, "solver.kinematics.rotation_kernels")
    return str(request.param)


@pytest.fixture(scope="module")
def roma() -> ModuleType:
    """Loaded only here: it takes as long as torch, in each of the processes that look for tests."""
    import roma

    return roma


def test_rotation_vectors_agree_with_roma_both_ways(roma: ModuleType) -> None:
    expected = roma.rotvec_to_rotmat(torch.tensor(VECTORS)).numpy()
    assert r.from_rotation_vector(VECTORS) == pytest.approx(expected, abs=1e-12)
    assert r.from_rotation_vector(r.to_rotation_vector(MATRICES)) == pytest.approx(MATRICES, abs=1e-9)


def test_quaternions_are_xyzw_with_w_not_negative(roma: ModuleType) -> None:
    quaternions = r.to_quaternion_xyzw(MATRICES)
    assert quaternions[:, 3].min() >= 0
    assert roma.unitquat_to_rotmat(torch.tensor(quaternions)).numpy() == pytest.approx(MATRICES, abs=1e-9)
    assert r.from_quaternion_xyzw(3 * quaternions) == pytest.approx(MATRICES, abs=1e-9)


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_euler_angles_are_intrinsic_in_the_order_named(order: str) -> None:
    angles = np.random.default_rng(2).uniform(-1.4, 1.4, (30, 3))
    axes = {"X": [1, 0, 0], "Y": [0, 1, 0], "Z": [0, 0, 1]}
    first, second, third = (
        Rotation.from_rotvec(angles[:, i, None] * np.array(axes[c])).as_matrix() for i, c in enumerate(order)
    )
    assert r.from_euler(order, angles) == pytest.approx(first @ second @ third, abs=1e-12)
    assert r.to_euler(order, first @ second @ third) == pytest.approx(angles, abs=1e-9)


def test_six_numbers_are_the_first_two_columns() -> None:
    assert r.to_6d(MATRICES)[:, 3:] == pytest.approx(MATRICES[:, :, 1])
    assert r.from_6d(2.5 * r.to_6d(MATRICES)) == pytest.approx(MATRICES, abs=1e-12)


def test_geodesic_angles_agree_with_roma_and_hold_near_zero_and_half_a_turn(roma: ModuleType) -> None:
    a, b = MATRICES[:-1], MATRICES[1:]
    assert r.geodesic_angle(a, b) == pytest.approx(
        roma.rotmat_geodesic_distance(torch.tensor(a), torch.tensor(b)).numpy(), abs=1e-6
    )
    for angle in (1e-7, 1e-3, np.pi - 1e-5):
        assert r.geodesic_angle(np.eye(3), r.from_rotation_vector([0, angle, 0])) == pytest.approx(angle, rel=1e-6)


def test_the_nearest_rotation_to_a_disturbed_one_is_near_it_and_proper(roma: ModuleType) -> None:
    disturbed = MATRICES + np.random.default_rng(3).normal(0, 0.01, MATRICES.shape)
    nearest = r.nearest_rotation(disturbed)
    assert nearest == pytest.approx(roma.special_procrustes(torch.tensor(disturbed)).numpy(), abs=1e-9)
    assert np.linalg.det(r.nearest_rotation(np.diag([1.0, 1.0, -0.9]))) == pytest.approx(1)


def test_what_is_no_rotation_by_far_or_a_mirror_image_gets_the_nearest_one_as_well(roma: ModuleType) -> None:
    rng = np.random.default_rng(4)
    for one in (*rng.normal(0, 1, (20, 3, 3)), np.diag([1.02, 1.01, -0.99]), np.diag([-1.2, -1.1, -0.9])):
        nearest = r.nearest_rotation(one)
        assert nearest == pytest.approx(roma.special_procrustes(torch.tensor(one)).numpy(), abs=1e-9)
    both = r.nearest_rotation(np.stack([MATRICES[0], 3.0 * MATRICES[1]]))
    assert both == pytest.approx(MATRICES[:2], abs=1e-9)


@pytest.mark.parametrize("vector", [[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0], [-0.6, 0.8, 0], [0, -0.6, 0.8]])
def test_half_a_turn_has_one_vector_that_begins_above_0(vector: list[float]) -> None:
    axis = np.array(vector)
    found = r.to_rotation_vector(2.0 * np.outer(axis, axis) - np.eye(3))
    expected = axis * np.pi * np.sign(axis[np.flatnonzero(axis)[0]])
    assert found == pytest.approx(expected, abs=1e-12)


def test_any_leading_shape_and_precision_is_taken_and_the_arguments_stay_as_they_are() -> None:
    many = MATRICES[:60].reshape(3, 4, 5, 3, 3).astype(np.float32)
    kept = many.copy()
    many.flags.writeable = False
    vectors = r.to_rotation_vector(many)
    assert vectors.shape == (3, 4, 5, 3)
    assert r.from_rotation_vector(vectors) == pytest.approx(kept, abs=1e-6)
    assert r.nearest_rotation(many).shape == many.shape
    assert r.geodesic_angle(many, np.eye(3)) == pytest.approx(np.linalg.norm(vectors, axis=-1), abs=1e-6)
    assert r.geodesic_angle(many[0, 0, 0], many[0, 0, 1]).shape == ()
    assert r.from_rotation_vector(np.zeros((0, 3))).shape == (0, 3, 3)
    assert r.to_rotation_vector(np.zeros((0, 3, 3))).shape == (0, 3)
    assert np.array_equal(many, kept)


def test_there_is_no_angle_at_all_between_a_rotation_and_itself(way: str) -> None:
    assert not r.geodesic_angle(MATRICES, MATRICES.copy()).any()


def test_both_ways_say_the_same_of_what_poses_keep_in_float32_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Rotation.from_rotvec(np.random.default_rng(5).normal(0, 1.5, (500, 3))).as_matrix().astype(np.float32)
    for matrices in (MATRICES, stored):
        monkeypatch.setitem(sys.modules, "solver.kinematics.rotation_kernels", compiled)
        one = said_of(matrices)
        monkeypatch.delitem(sys.modules, "solver.kinematics.rotation_kernels")
        for fast, plain in zip(one, said_of(matrices), strict=True):
            assert fast == pytest.approx(plain, abs=1e-12)


def said_of(matrices: NDArray[np.floating]) -> tuple[NDArray[np.floating], ...]:
    turns, nearest = r.to_rotation_vector(matrices), r.nearest_rotation(matrices)
    return turns, r.from_rotation_vector(turns), r.geodesic_angle(matrices, matrices[::-1]), nearest


def test_interpolation_goes_the_shortest_way_at_a_steady_rate() -> None:
    halves = r.interpolate(MATRICES[:20], MATRICES[20:40], 0.5)
    whole = r.geodesic_angle(MATRICES[:20], MATRICES[20:40])
    assert r.geodesic_angle(MATRICES[:20], halves) == pytest.approx(whole / 2, abs=1e-9)
    assert r.geodesic_angle(halves, MATRICES[20:40]) == pytest.approx(whole / 2, abs=1e-9)


@pytest.mark.parametrize("b", [[0, 0, 2], [0, 1, 0], [-1, 0, 0], [1, 1e-12, 0], [0.3, -0.4, 0.5]])
def test_between_turns_one_direction_into_the_other(b: list[float]) -> None:
    assert r.rotation_between([1, 0, 0], b) @ [1, 0, 0] == pytest.approx(np.array(b) / np.linalg.norm(b), abs=1e-9)


def test_compiled_exponential_and_logarithm_agree_with_scipy() -> None:
    matrix, vector, q = np.empty((3, 3)), np.empty(3), np.empty(4)
    for v, m in zip(VECTORS, MATRICES, strict=True):
        compiled.exponential(v, matrix)
        assert matrix == pytest.approx(m, abs=1e-12)
        compiled.quaternion(m, q)
        angle = compiled.logarithm(m, vector)
        compiled.exponential(vector, matrix)
        assert matrix == pytest.approx(m, abs=1e-9)
        assert angle == pytest.approx(np.linalg.norm(Rotation.from_matrix(m).as_rotvec()), abs=1e-6)
        assert q[[1, 2, 3, 0]] == pytest.approx(r.to_quaternion_xyzw(m), abs=1e-6) or q[0] < 1e-5


def test_compiled_quaternions_give_their_matrices_back_and_turn_in_their_own_axes() -> None:
    q, after, matrices = np.empty((len(MATRICES), 4)), np.empty((len(MATRICES), 4)), np.empty(MATRICES.shape)
    for row, m in zip(q, MATRICES, strict=True):
        compiled.quaternion(m, row)
    compiled.matrices(q, matrices)
    assert matrices == pytest.approx(MATRICES, abs=1e-9)
    axis, angle = np.array([0.6, 0.0, -0.8]), 0.4
    compiled.turned(q, np.tile(2 * np.tan(angle / 2) * axis, (len(q), 1)), after)
    compiled.matrices(after, matrices)
    assert matrices == pytest.approx(MATRICES @ r.from_rotation_vector(angle * axis), abs=1e-9)
    assert after[:, 0].min() >= 0


def test_the_logarithms_derivative_is_what_small_turns_show() -> None:
    derivative, step = np.empty((3, 3)), 1e-6
    for v in VECTORS[:60]:
        if np.linalg.norm(v) > 3:
            continue
        compiled.logarithm_derivative(v, derivative)
        for axis in range(3):
            d = np.zeros(3)
            d[axis] = step
            base = Rotation.from_rotvec(v)
            ahead, behind = (base * Rotation.from_rotvec(d)).as_rotvec(), (base * Rotation.from_rotvec(-d)).as_rotvec()
            assert derivative[:, axis] == pytest.approx((ahead - behind) / (2 * step), abs=1e-5)


def test_orthonormalising_mends_rounding() -> None:
    for m in MATRICES:
        worn = m.astype(np.float32).astype(np.float64) + 1e-6
        compiled.orthonormalise(worn)
        assert worn.T @ worn == pytest.approx(np.eye(3), abs=1e-12)
        assert worn == pytest.approx(m, abs=1e-5)
