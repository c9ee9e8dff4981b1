"""A run's network as it stands, to measure without an export: baselines, and runs that have not ended."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.weight_folders import load_folder
from solver.networks.base_batch import BaseBatch
from solver.networks.catalog import READ_BASE
from solver.networks.torch_model import TorchModel
from solver.solvers.learned.weights import COLUMNS, Weights, WeightsConfig
from solver.training.run.checkpoint import CHECKPOINT, load_checkpoint
from solver.training.run.config import config_from
from solver.training.run.networks import make_network


def load_run_or_folder(folder: Path, body: str) -> Weights:
    """The averaged weights of a run's folder, or those of an export. Raises InputRefused."""
    if not (folder / CHECKPOINT).exists():
        return load_folder(folder, body)
    checkpoint = load_checkpoint(folder, "Name the folder of a run, or of an export")
    config = config_from(checkpoint.config, folder)
    if config.body != body:
        raise InputRefused(folder, f"it was trained on the body “{config.body}”, not “{body}”", "Name another folder")
    network = make_network(config, len(BODY_JOINTS))
    network.load_state_dict(checkpoint.average)
    known = WeightsConfig(
        config.network, config.network, BODY_JOINTS, config.body, COLUMNS, "fp32", "", asdict(config), config.data, "",
        torch.__version__, "", tuple(BaseBatch._fields) if config.network in READ_BASE else None,
    )  # fmt: skip
    return Weights(known, TorchModel(network))
