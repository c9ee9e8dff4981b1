"""The training task of pose edition."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor, nn

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.networks.pose_edition import LEAST_DEVIATION, PoseEdition
from solver.networks.torch_model import TorchModel
from solver.solvers.learned.edit_proposer import EditProposer
from solver.solvers.learned.weights import COLUMNS, Weights, WeightsConfig
from solver.training.data.edit_sampler import EditExamples, EditSampler
from solver.training.data.edit_trials import edit_errors, edit_trials
from solver.training.data.posture_balance import cumulative_frame_shares
from solver.training.losses.edit_losses import edit_losses
from solver.training.run.config import TrainConfig
from solver.training.run.task import Task
from solver.training.run.training_data import TrainingData


def edit_task(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[EditExamples]:
    """Learning to edit poses of the mean neutral body."""
    data, parents, bodies = training_data.to(device)
    ends = cumulative_frame_shares(data, "train", parents, training_data.bodies, config.posture_balance, device)
    draws = EditSampler.of(
        data, "train", parents, bodies, LEAST_DEVIATION, config.drawn_share, cumulative_frame_shares=ends
    )
    trials = edit_trials(data, "val", parents, training_data.bodies)
    weights = config.rest_weight, config.bone_weight, config.fixed_weight

    def begin(network: nn.Module) -> None:
        assert isinstance(network, PoseEdition)
        network.normalise_by(draws.positions)

    def loss(model: Any, examples: EditExamples) -> Tensor:
        return edit_losses(model(*examples.edits), examples, parents, *weights).total

    return Task(draws.draw, loss, lambda network: edit_errors(proposer_of(network, config), trials), begin)


def proposer_of(network: nn.Module, config: TrainConfig) -> EditProposer:
    """The network as it stands, called like an exported one."""
    device = str(next(network.parameters()).device)
    known = WeightsConfig(
        config.network, config.network, BODY_JOINTS, config.body, COLUMNS, "fp32", "", asdict(config), config.data, "",
        torch.__version__, "",
    )  # fmt: skip
    return EditProposer(Weights(known, TorchModel(network, device)), load_body(config.body).skeleton(BodyShape()))
