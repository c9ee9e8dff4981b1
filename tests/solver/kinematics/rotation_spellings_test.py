"""Quaternions, rotation vectors and Euler angles at the places where they are delicate, against scipy's."""

from __future__ import annotations

import subprocess
import sys
import warnings
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.kinematics import rotations as r

ROOT = Path(__file__).resolve().parents[3]
ORDERS = ["".join(order) for order in permutations("XYZ")]
RNG = np.random.default_rng(4)
AXES = RNG.normal(size=(200, 3))
AXES /= np.linalg.norm(AXES, axis=-1, keepdims=True)
ANGLES = np.concatenate([[0.0, 1e-12, 1e-8, 1e-4], np.linspace(0.01, np.pi - 1e-6, 196)])


def test_rotations_by_every_angle_are_written_and_read_back() -> None:
    vectors = ANGLES[:, None] * AXES
    matrices = r.from_rotation_vector(vectors)
    assert r.to_rotation_vector(matrices) == pytest.approx(vectors, abs=1e-9)
    assert r.to_rotation_vector(matrices) == pytest.approx(Rotation.from_matrix(matrices).as_rotvec(), abs=1e-9)
    known = Rotation.from_matrix(matrices).as_quat(canonical=True)
    assert r.to_quaternion_xyzw(matrices) == pytest.approx(known, abs=1e-12)
    assert r.from_quaternion_xyzw(-3.0 * known) == pytest.approx(matrices, abs=1e-12)


def test_half_turns_have_a_vector_of_length_pi_and_a_quaternion_of_scipys_sign() -> None:
    axes = np.concatenate([AXES, np.eye(3), -np.eye(3), [[0.0, 1.0, -1.0]]])
    axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
    matrices = 2.0 * axes[:, :, None] * axes[:, None, :] - np.eye(3)
    vectors = r.to_rotation_vector(matrices)
    assert np.linalg.norm(vectors, axis=-1) == pytest.approx(np.pi, abs=1e-9)
    assert r.from_rotation_vector(vectors) == pytest.approx(matrices, abs=1e-9)
    known = Rotation.from_quat(np.column_stack([axes, np.zeros(len(axes))])).as_quat(canonical=True)
    assert r.to_quaternion_xyzw(matrices) == pytest.approx(known, abs=1e-9)


def test_any_leading_shape_is_kept() -> None:
    matrices = r.from_rotation_vector(AXES[:24]).reshape(2, 3, 4, 3, 3)
    for write, read in (
        (r.to_quaternion_xyzw, r.from_quaternion_xyzw),
        (r.to_rotation_vector, r.from_rotation_vector),
        (lambda m: r.to_euler("ZXY", m), lambda a: r.from_euler("ZXY", a)),
    ):
        assert write(matrices).shape[:3] == (2, 3, 4)
        assert read(write(matrices)) == pytest.approx(matrices, abs=1e-9)
        assert read(write(matrices[0, 0, 0])) == pytest.approx(matrices[0, 0, 0], abs=1e-9)
    assert r.to_quaternion_xyzw(np.empty((0, 3, 3))).shape == (0, 4)


def test_a_quaternion_of_length_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="length 0"):
        r.from_quaternion_xyzw([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_agree_with_scipy(order: str) -> None:
    angles = RNG.uniform(-1.0, 1.0, (500, 3)) * (np.pi, 0.5 * np.pi, np.pi)
    matrices = Rotation.from_euler(order, angles).as_matrix()
    assert r.from_euler(order, angles) == pytest.approx(matrices, abs=1e-12)
    assert r.to_euler(order, matrices) == pytest.approx(Rotation.from_matrix(matrices).as_euler(order), abs=1e-7)
    assert not np.signbit(r.to_euler(order, np.eye(3))).any(), "a file says 0, not -0"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("second", [-0.5 * np.pi, 0.5 * np.pi])
def test_at_gimbal_lock_the_third_angle_is_zero_and_the_rotation_is_kept(order: str, second: float) -> None:
    angles = np.column_stack([ANGLES, np.full(len(ANGLES), second), ANGLES[::-1]])
    matrices = r.from_euler(order, angles)
    found = r.to_euler(order, matrices)
    assert (found[:, 2] == 0.0).all()
    assert r.from_euler(order, found) == pytest.approx(matrices, abs=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found == pytest.approx(Rotation.from_matrix(matrices).as_euler(order), abs=1e-6)


def test_turning_a_handle_needs_no_scipy() -> None:
    program = (
        "import sys, numpy as np, solver.kinematics.rotations as r\n"
        "r.interpolate(np.eye(3), r.from_euler('XYZ', r.to_euler('XYZ', np.eye(3))), 0.5)\n"
        "r.from_quaternion_xyzw(r.to_quaternion_xyzw(np.eye(3)))\n"
        "sys.exit('scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
