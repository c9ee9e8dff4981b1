"""The torch geometry agrees with numpy's and has gradients everywhere."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from solver.kinematics import rotations as reference
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks import geometry


@pytest.fixture
def random_rotations() -> np.ndarray:
    rng = np.random.default_rng(3)
    return reference.from_rotation_vector(rng.normal(size=(5, 24, 3)))


def test_six_numbers_decode_to_the_same_rotation_as_numpys(random_rotations: np.ndarray) -> None:
    columns = torch.tensor(reference.to_6d(random_rotations))
    np.testing.assert_allclose(geometry.matrices_from_6d(columns * 2.5), random_rotations, atol=1e-12)


def test_columns_of_any_length_and_angle_decode_by_gram_schmidt() -> None:
    columns = np.random.default_rng(0).normal(size=(40, 6))
    np.testing.assert_allclose(geometry.matrices_from_6d(torch.tensor(columns)), reference.from_6d(columns), atol=1e-10)


def test_a_rotation_survives_six_numbers(random_rotations: np.ndarray) -> None:
    matrices = torch.tensor(random_rotations)
    np.testing.assert_allclose(geometry.matrices_from_6d(geometry.sixd_from_matrices(matrices)), matrices, atol=1e-12)


def test_quaternions_decode_as_numpys(random_rotations: np.ndarray) -> None:
    quaternions = torch.tensor(reference.to_quaternion_xyzw(random_rotations))
    np.testing.assert_allclose(
        geometry.matrices_from_quaternions_xyzw(quaternions * 32767), random_rotations, atol=1e-12
    )


def test_euler_angles_turn_about_z_then_y_then_x() -> None:
    angles = np.random.default_rng(1).normal(size=(20, 3))
    np.testing.assert_allclose(
        geometry.matrices_from_euler_zyx(torch.tensor(angles)), reference.from_euler("ZYX", angles), atol=1e-12
    )


def test_the_geodesic_angle_is_numpys(random_rotations: np.ndarray) -> None:
    a, b = random_rotations[:2]
    np.testing.assert_allclose(
        geometry.geodesic_angle(torch.tensor(a), torch.tensor(b)), reference.geodesic_angle(a, b), atol=1e-6
    )


@pytest.mark.parametrize("angle", [0.0, np.pi])
def test_the_geodesic_angle_has_a_finite_gradient_at_its_ends(angle: float) -> None:
    columns = torch.tensor(reference.to_6d(reference.from_rotation_vector([0.0, angle, 0.0])), requires_grad=True)
    geometry.geodesic_angle(geometry.matrices_from_6d(columns), torch.eye(3, dtype=torch.float64)).backward()
    assert columns.grad is not None
    assert torch.isfinite(columns.grad).all()


def test_forward_kinematics_is_numpys(random_rotations: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    offsets, root = rng.normal(size=(5, 24, 3)), rng.normal(size=(5, 3))
    expected = forward_kinematics_batch(SMPL_PARENTS, offsets, root, random_rotations)
    positions, world = geometry.forward_kinematics(
        SMPL_PARENTS, torch.tensor(offsets), torch.tensor(root), torch.tensor(random_rotations)
    )
    np.testing.assert_allclose(positions, expected.positions, atol=1e-12)
    np.testing.assert_allclose(world, expected.rotations, atol=1e-12)


def test_forward_kinematics_has_the_right_gradient(random_rotations: np.ndarray) -> None:
    local = torch.tensor(random_rotations[:1, :4], requires_grad=True)
    offsets = torch.tensor(np.random.default_rng(2).normal(size=(4, 3)))
    root = torch.zeros(1, 3, dtype=torch.float64, requires_grad=True)

    def positions(root: torch.Tensor, local: torch.Tensor) -> torch.Tensor:
        return geometry.forward_kinematics((-1, 0, 1, 1), offsets, root, local)[0]

    assert torch.autograd.gradcheck(positions, (root, local))
