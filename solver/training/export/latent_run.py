"""DragPoser's temporal predictor from a run as it stands, or from an export, ready to be measured."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from torch import nn

from solver.body.catalog import DEFAULT_BODY
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.tracking.trackers import Tracker, trackers_of
from solver.ik.pipeline.pipeline import Solver
from solver.networks.latent.skeletal_linear import SkeletalLinear
from solver.solvers.catalog import SOLVERS
from solver.solvers.latent.dragposer import DragPoser
from solver.solvers.latent.latent_weights import NETWORK, LatentWeights, load_latent_weights
from solver.solvers.learned.weights import WeightsConfig
from solver.training.export.follow_card import autoencoder_notes
from solver.training.run.checkpoint import CHECKPOINT, load_checkpoint
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.networks import make_network


def latent_trackers(folder: Path, body: str = DEFAULT_BODY, name: str = "dragposer") -> tuple[Tracker, ...]:
    """DragPoser with the averaged weights of a run, or with those of an export, with the exact stage and alone.

    name: of the first row. Raises InputRefused.
    """
    made = DragPoser(latent_weights_of(folder) if (folder / CHECKPOINT).exists() else load_latent_weights(folder, body))
    return trackers_of(name, Solver(SOLVERS["dragposer"], made))


def autoencoder_lines(config: TrainConfig) -> list[str]:
    """What a card says of the run that the autoencoder comes from, if that is at hand."""
    try:
        checkpoint = load_checkpoint(Path(config.start_from))
    except InputRefused:
        return []
    return autoencoder_notes(checkpoint.config, checkpoint.history)


def latent_weights_of(run: Path) -> LatentWeights:
    """The averaged weights of a run's folder. Raises InputRefused for another network's run."""
    checkpoint = load_checkpoint(run, "Name the folder of a run")
    config = config_from(checkpoint.config, run)
    if config.network != NETWORK:
        way_out = f"Name a run of {NETWORK}, which holds its autoencoder"
        raise InputRefused(run, f"{config.network} follows no sensors", way_out)
    network = make_network(config, len(BODY_JOINTS))
    network.load_state_dict(checkpoint.average)
    known = WeightsConfig(
        "dragposer", NETWORK, BODY_JOINTS, config.body, "", "fp32", "", asdict(config), config.data, "",
        torch.__version__, "", (),
    )  # fmt: skip
    return LatentWeights(known, plain_tensors(network))


def plain_tensors(network: nn.Module) -> dict[str, np.ndarray]:
    """All tensors by name, as float32; for skeletal layers the masked weights."""
    tensors = {name: tensor.detach().float().cpu().numpy() for name, tensor in network.state_dict().items()}
    for name, part in network.named_modules():
        if isinstance(part, SkeletalLinear):
            tensors[f"{name}.weight"] = part.masked.detach().float().cpu().numpy()
    return tensors
