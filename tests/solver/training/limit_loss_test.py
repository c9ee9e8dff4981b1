"""How far a pose is beyond its limits, for training: the same figure as the pipeline's, with a gradient."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from solver.kinematics.limits import joint_limits
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.training.losses.limit_loss import beyond_limits

NAMES = SMPL_JOINTS[:22]


@pytest.mark.parametrize("spread", [0.1, 0.5, 1.5])
def test_it_says_what_the_limits_of_the_pipeline_say(spread: float) -> None:
    turns = from_rotation_vector(np.random.default_rng(3).normal(0.0, spread, (200, len(NAMES), 3)))
    found = beyond_limits(torch.tensor(turns, dtype=torch.float64), NAMES).numpy()
    np.testing.assert_allclose(found, joint_limits(NAMES).excess(turns), atol=1e-4)


def test_a_pose_within_its_limits_costs_nothing() -> None:
    assert float(beyond_limits(torch.eye(3).expand(22, 3, 3), NAMES).sum()) == pytest.approx(0.0, abs=1e-4)


def test_its_gradient_bends_a_knee_back_and_stays_finite_at_half_turns() -> None:
    knee = NAMES.index("left_knee")
    turns = np.zeros((3, len(NAMES), 3))
    turns[0, knee, 0] = -0.5  # hyperextended
    turns[1, :, 0] = np.pi
    turns[2, :, 2] = np.pi
    local = torch.tensor(from_rotation_vector(turns), dtype=torch.float32, requires_grad=True)
    beyond_limits(local, NAMES).sum().backward()
    gradient = local.grad
    assert gradient is not None
    assert bool(torch.isfinite(gradient).all())
    assert float(gradient[0, knee].abs().max()) > 0.1
    assert float(gradient[0, 0].abs().max()) == 0.0  # the pelvis turns freely
