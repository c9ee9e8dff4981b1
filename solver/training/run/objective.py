"""What a run asks of its network, and the loss that it minimises, with and without base poses."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from solver.training.data.batches import Batch
from solver.training.losses.base_losses import base_losses
from solver.training.losses.pose_losses import Target, losses
from solver.training.run.config import TrainConfig


def predicted(network: Any, batch: Batch) -> Any:
    """The network's answer; networks that read base poses are given them and the bones, others the body's shape."""
    if batch.base:
        return network(batch.effectors, batch.base)
    return network(batch.effectors, batch.betas, batch.gender)


def loss_of(
    prediction: Any, batch: Batch, parents: tuple[int, ...], config: TrainConfig, target: Target | None = None
) -> Tensor:
    """The scalar to minimise. target: what joints are drawn to in place of the true pose, without base poses."""
    if batch.base:
        weights = config.position_weight, config.effector_share, config.preservation, config.limit_weight
        return base_losses(prediction, batch, *weights).total
    return losses(prediction, batch, parents, config.position_weight, config.effector_share, target).total
