"""The loss behind the exact stage: its value is the stage's, its gradient says what a better proposal would change."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.spatial.transform import Rotation
from torch import Tensor

from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.ik.pose_prior import pose_prior
from solver.kinematics.skeleton import SMPL_PARENTS, Skeleton
from solver.networks.effector_batch import POSITION
from solver.networks.geometry import forward_kinematics, matrices_from_euler_zyx
from solver.training.data.batches import Batch, Sampler
from solver.training.data.bodies import shaped_bodies
from solver.training.data.dataset import quantised
from solver.training.losses.exact_stage_loss import exact_stage_loss, noise_free_effectors, solve_exactly

PARENTS = SMPL_PARENTS[: len(BODY_JOINTS)]
BODIES = shaped_bodies(load_body("anny"), BODY_JOINTS)
SKELETON = Skeleton(BODY_JOINTS, PARENTS, BODIES.mean[0].numpy())


@pytest.fixture(scope="module")
def batch() -> Batch:
    """Natural poses, each joint turned by about 6°: within a human's limits."""
    turns = Rotation.from_rotvec(np.random.default_rng(0).normal(0.0, 0.06, (200 * 22, 3))).as_matrix()
    local = pose_prior(BODY_JOINTS).mean @ turns.reshape(200, 22, 3, 3)
    stored = quantised(Rotation.from_matrix(local.reshape(-1, 3, 3)).as_quat().reshape(200, 22, 4))
    sampler = Sampler(torch.tensor(stored), BODY_JOINTS, PARENTS, BODIES, random_shape=True, limb_share=1.0)
    return sampler.draw(16, torch.Generator().manual_seed(3))


def proposal(batch: Batch, seed: int = 0) -> tuple[Tensor, Tensor]:
    """The true poses, each joint turned by about 10°."""
    generator = torch.Generator().manual_seed(seed)
    return batch.positions[:, 0] + 0.03, batch.local @ matrices_from_euler_zyx(
        0.1 * torch.randn(16, 22, 3, generator=generator)
    )


def loss_at(batch: Batch, root: Tensor, local: Tensor) -> Tensor:
    return exact_stage_loss(root, local, batch, noise_free_effectors(batch), SKELETON, 100.0)


def test_effectors_without_noise_are_met_by_the_stage(batch: Batch) -> None:
    root, local = proposal(batch)
    found = solve_exactly(root, local, noise_free_effectors(batch), batch.offsets, SKELETON)
    positions, _ = forward_kinematics(PARENTS, batch.offsets, found.root, found.local)
    joint, kind = batch.effectors.joint, batch.effectors.kind
    off = (positions - batch.positions).norm(dim=-1).gather(1, joint)[kind == POSITION]
    assert float(off.median()) < 1e-3


def test_the_true_pose_costs_nothing(batch: Batch) -> None:
    away = float(loss_at(batch, *proposal(batch)))
    assert float(loss_at(batch, batch.positions[:, 0], batch.local)) < 0.05 * away


def test_a_step_down_its_gradient_makes_the_poses_behind_the_stage_better(batch: Batch) -> None:
    root, local = proposal(batch)
    local = local.requires_grad_()
    before = loss_at(batch, root, local)
    (by_local,) = torch.autograd.grad(before, (local,))
    skew = local.detach().transpose(-1, -2) @ by_local
    skew = skew - skew.transpose(-1, -2)
    size = float(torch.linalg.vector_norm(skew))
    step = 0.5 / size
    down = local.detach() @ torch.linalg.matrix_exp(-step * skew)
    here, after = float(before.detach()), float(loss_at(batch, root, down))
    up = float(loss_at(batch, root, local.detach() @ torch.linalg.matrix_exp(step * skew)))
    assert after < 0.95 * here < 1.05 * here < 1.05 * up
    slope = (up - after) / (2 * step)  # by central differences
    assert slope == pytest.approx(size**2 / 2, rel=0.5)


def test_what_effectors_decide_is_hardly_taught(batch: Batch) -> None:
    """With a position effector on every limb little is left open of where the root is."""
    root, local = proposal(batch)
    root = root.requires_grad_()
    (passed,) = torch.autograd.grad(loss_at(batch, root, local), (root,))
    positions, _ = forward_kinematics(PARENTS, batch.offsets, root, local)
    alone = 100 / 4 * (positions - batch.positions).square().sum(dim=(-1, -2)).mean()
    (untouched,) = torch.autograd.grad(alone, (root,))
    assert float(passed.norm()) < 0.2 * float(untouched.norm())
