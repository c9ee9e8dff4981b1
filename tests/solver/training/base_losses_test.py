"""The losses of SKEL-IK: effectors are met, what is kept stays, and the rest is as in the data."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import PosedPrediction
from solver.networks.effector_batch import POSITION, EffectorBatch
from solver.networks.geometry import forward_kinematics, sixd_from_matrices
from solver.training.data.augmentation import turn_about_vertical
from solver.training.data.batches import Batch
from solver.training.losses.base_losses import BaseLosses, base_losses
from solver.training.run.config import TrainConfig
from solver.training.run.objective import loss_of, predicted

PARENTS = (-1, 0, 1)
OFFSETS = torch.tensor([[[0.0, 0, 0], [0, 0.5, 0], [0, 0.5, 0]]])
ASKED = 2  # the joint of the only effector


def turned(angle: float, joint: int) -> Tensor:
    local = torch.eye(3).repeat(1, 3, 1, 1)
    turn = turn_about_vertical(torch.eye(3).expand(1, 1, 3, 3), torch.tensor([angle]))[0, 0]
    local[:, joint] = turn[[1, 0, 2]][:, [1, 0, 2]]  # about X
    return local


def posed(local: Tensor, root: Tensor | None = None) -> PosedPrediction:
    positions, world = forward_kinematics(PARENTS, OFFSETS, torch.zeros(1, 3) if root is None else root, local)
    return PosedPrediction(positions, sixd_from_matrices(local), positions, world, local)


def batch(true: Tensor, base: Tensor, place: float, shape: float) -> Batch:
    truth, was = posed(true), posed(base)
    target = torch.nn.functional.pad(truth.positions[:, [ASKED]], (0, 3))
    effectors = EffectorBatch(target, torch.zeros(1, 1), torch.tensor([[ASKED]]), torch.tensor([[POSITION]]))
    keep = torch.full((1, 3), place), torch.full((1, 3), shape)
    return Batch(
        effectors, torch.ones(1, 1), truth.positions, truth.world, true, OFFSETS, torch.zeros(1, 10),
        torch.zeros(1, dtype=torch.int64), BaseBatch(was.positions, was.world, base, OFFSETS, *keep),
    )  # fmt: skip


STRAIGHT, BENT = turned(0.0, 1), turned(0.4, 1)


def losses(said: Tensor, place: float, shape: float, preservation: float = 1.0) -> BaseLosses:
    return base_losses(posed(said), batch(STRAIGHT, BENT, place, shape), preservation=preservation)


def test_the_true_pose_costs_nothing_where_nothing_is_kept() -> None:
    found = losses(STRAIGHT, 0.0, 0.0)
    assert float(found.total) == pytest.approx(0.0, abs=1e-6)


def test_the_base_pose_costs_only_the_effector_where_all_is_kept() -> None:
    found = losses(BENT, 1.0, 1.0)
    assert float(found.kept) == pytest.approx(0.0, abs=1e-6)
    assert float(found.effectors) > 0.1


def test_angles_are_weighed_after_they_are_measured() -> None:
    """Equation (7) would ask for arccos of a weighted matrix: 120° at weight 0."""
    assert float(losses(STRAIGHT, 0.0, 0.0).kept) == 0.0
    half, whole = (float(losses(STRAIGHT, 0.0, c).kept) for c in (0.5, 1.0))
    assert whole == pytest.approx(0.4 / 3, abs=1e-4)
    assert half == pytest.approx(whole / 2, rel=1e-4)


def test_places_count_squared_through_both_decoders() -> None:
    kept = float(losses(STRAIGHT, 1.0, 0.0).kept)
    assert kept == pytest.approx(0.0, abs=1e-6)  # joint 1 turns on the spot, joint 2 is asked for and not kept
    moved = posed(BENT, torch.tensor([[0.1, 0.0, 0.0]]))
    found = base_losses(moved, batch(STRAIGHT, BENT, 1.0, 0.0))
    assert float(found.kept) == pytest.approx(100 / 4 * 2 * 2 * 0.1**2, rel=1e-4)


def test_a_joint_that_is_kept_is_not_drawn_to_the_true_pose() -> None:
    assert float(losses(BENT, 0.0, 0.0).pose) > float(losses(BENT, 0.5, 0.0).pose) > float(losses(BENT, 1.0, 0.0).pose)
    only_the_asked = posed(BENT).positions[0, ASKED] - posed(STRAIGHT).positions[0, ASKED]
    expected = 100 / 4 * 2 * float(only_the_asked.square().sum())
    assert float(losses(BENT, 1.0, 1.0).pose) == pytest.approx(expected, rel=1e-3)


def test_lambda_scales_what_is_kept_alone() -> None:
    one, ten = losses(STRAIGHT, 1.0, 1.0), losses(STRAIGHT, 1.0, 1.0, preservation=0.1)
    assert float(one.total - ten.total) == pytest.approx(0.9 * float(one.kept), rel=1e-4)


def test_a_run_minimises_these_losses_where_there_are_base_poses() -> None:
    config = TrainConfig(network="skelik", steps=1, effector_share=2.0, preservation=0.3)
    problem = batch(STRAIGHT, BENT, 0.7, 0.2)
    asked: list[object] = []

    def network(effectors: EffectorBatch, base: BaseBatch) -> PosedPrediction:
        asked.append(base)
        return posed(BENT)

    said = predicted(network, problem)
    assert asked == [problem.base]
    expected = base_losses(said, problem, config.position_weight, 2.0, 0.3).total
    assert float(loss_of(said, problem, PARENTS, config)) == pytest.approx(float(expected))
    assert math.isfinite(float(loss_of(said, problem, PARENTS, replace(config, preservation=0.0))))


def test_without_base_poses_they_are_refused() -> None:
    with pytest.raises(ValueError, match="base poses"):
        base_losses(posed(BENT), batch(STRAIGHT, BENT, 0.0, 0.0)._replace(base=None))


def test_joints_beyond_their_limits_count_as_much_as_the_run_says() -> None:
    problem = batch(STRAIGHT, BENT, 0.0, 0.0)
    far = posed(turned(2.9, 1))  # a hip bent forward or back by 166°
    without, weighed = base_losses(far, problem), base_losses(far, problem, limit_weight=2.0)
    assert float(without.beyond) == 0.0
    assert float(weighed.beyond) > 0.5
    assert float(weighed.total - without.total) == pytest.approx(2.0 * float(weighed.beyond), rel=1e-4)
    assert float(base_losses(posed(STRAIGHT), problem, limit_weight=2.0).beyond) == pytest.approx(0.0, abs=1e-4)
