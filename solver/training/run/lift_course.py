"""The course of the lifter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from solver.body.catalog import load_body
from solver.networks.torch_model import TorchModel
from solver.training.data.landmark_errors import load_landmark_errors
from solver.training.data.lift_draws import LiftDraws, LiftLesson
from solver.training.data.lift_trials import lift_errors, lift_trials
from solver.training.data.posture_balance import frame_ends
from solver.training.losses.lift_losses import lift_losses
from solver.training.run.config import TrainConfig
from solver.training.run.course import Course
from solver.training.run.material import Material


def lift_course(config: TrainConfig, material: Material, device: torch.device) -> Course[LiftLesson]:
    """Learning to lift landmarks, with the errors that were measured."""
    data, parents, bodies = material.to(device)
    ends = frame_ends(data, "train", parents, material.bodies, config.posture_balance, device)
    body, errors = load_body(config.body), load_landmark_errors()
    draws = LiftDraws.of(data, "train", parents, bodies, body, errors, ends)
    trials = lift_trials(data, "val", parents, bodies, config.body)

    def loss(model: Any, lesson: LiftLesson) -> Tensor:
        return lift_losses(model(*lesson.seen), lesson, draws.points, bodies.mean[0]).total

    def validate(network: nn.Module) -> dict[str, float]:
        return lift_errors(TorchModel(network, str(device)), trials)

    return Course(draws.draw, loss, validate)
