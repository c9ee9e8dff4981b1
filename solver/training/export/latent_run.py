"""A run of DragPoser's temporal predictor as it stands, to be measured without an export."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from torch import nn

from solver.errors import InputRefused
from solver.evaluation.tracking.trackers import Tracker, trackers_of
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.pipeline import Solver
from solver.ik.solver import Continuity, SolverSpec
from solver.networks.latent.skeletal_linear import SkeletalLinear
from solver.solvers.latent.dragposer import DragPoser
from solver.solvers.latent.latent_weights import NETWORK, LatentWeights
from solver.solvers.learned.weights import WeightsConfig
from solver.training.data.prepare import BODY_JOINTS
from solver.training.run.checkpoint import load_checkpoint
from solver.training.run.config import config_from
from solver.training.run.networks import make_network


def latent_trackers(run: Path) -> tuple[Tracker, ...]:
    """DragPoser with the averaged weights of a run, with the exact stage and alone. Raises InputRefused."""
    weights = latent_weights_of(run)
    spec = SolverSpec(
        "dragposer", "DragPoser", "", body=weights.config.body, learned=True, options=(PROPOSAL_ALONE,),
        continuity=Continuity.FROM_BASE,
    )  # fmt: skip
    return trackers_of("dragposer", Solver(spec, DragPoser(weights)))


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
    """All tensors by name, as float32; of skeletal layers only the weights that count."""
    tensors = {name: tensor.detach().float().cpu().numpy() for name, tensor in network.state_dict().items()}
    for name, part in network.named_modules():
        if isinstance(part, SkeletalLinear):
            tensors[f"{name}.weight"] = part.masked.detach().float().cpu().numpy()
    return tensors
