"""The training task of the lifter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from solver.body.catalog import load_body
from solver.networks.torch_model import TorchModel
from solver.training.data.landmark_errors import load_landmark_errors
from solver.training.data.lift_sampler import LiftExamples, LiftSampler
from solver.training.data.lift_trials import lift_errors, lift_trials
from solver.training.data.posture_balance import cumulative_frame_shares
from solver.training.losses.lift_losses import lift_losses
from solver.training.run.config import TrainConfig
from solver.training.run.task import Task
from solver.training.run.training_data import TrainingData


def lift_task(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[LiftExamples]:
    """Learning to lift landmarks, with the errors that were measured."""
    data, parents, bodies = training_data.to(device)
    ends = cumulative_frame_shares(data, "train", parents, training_data.bodies, config.posture_balance, device)
    body, errors = load_body(config.body), load_landmark_errors()
    draws = LiftSampler.of(data, "train", parents, bodies, body, errors, ends)
    trials = lift_trials(data, "val", parents, bodies, config.body)

    def loss(model: Any, examples: LiftExamples) -> Tensor:
        return lift_losses(model(*examples.seen), examples, draws.points, bodies.mean[0]).total

    def validate(network: nn.Module) -> dict[str, float]:
        return lift_errors(TorchModel(network, str(device)), trials)

    return Task(draws.draw, loss, validate)
