"""A run's network as it stands, to be measured without an export: baselines, and runs that have not ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from solver.backends.learned.weights import COLUMNS, Weights, WeightsConfig
from solver.errors import InputRefused
from solver.evaluation.weight_folders import load_folder
from solver.training.checkpoint import CHECKPOINT, load_checkpoint
from solver.training.config import config_from
from solver.training.networks import make_network
from solver.training.onnx_model import INPUTS, Flat
from solver.training.prepare import BODY_JOINTS


@dataclass(frozen=True)
class _Input:
    name: str


class TorchModel:
    """A network of torch's that is asked like an ONNX model."""

    def __init__(self, network: torch.nn.Module) -> None:
        self._network = Flat(network.eval())
        torch.set_num_threads(1)  # as onnxruntime's session is asked for

    def get_inputs(self) -> Sequence[_Input]:
        """All of them."""
        return [_Input(name) for name in INPUTS]

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> Sequence[np.ndarray]:
        """draft and rotations_6d."""
        with torch.inference_mode():
            found = self._network(*(torch.from_numpy(inputs[name]) for name in INPUTS))
        return [tensor.numpy() for tensor in found]


def load_run_or_folder(folder: Path, body: str) -> Weights:
    """The averaged weights of a run's folder, or those of an export. Raises InputRefused."""
    if not (folder / CHECKPOINT).exists():
        return load_folder(folder, body)
    checkpoint = load_checkpoint(folder, "Name the folder of a run, or of an export")
    config = config_from(checkpoint.config, folder)
    if config.body != body:
        raise InputRefused(folder, f"it was trained on the body “{config.body}”, not “{body}”")
    network = make_network(config, len(BODY_JOINTS))
    network.load_state_dict(checkpoint.average)
    known = WeightsConfig(
        config.network, config.network, BODY_JOINTS, config.body, COLUMNS, "fp32", "", asdict(config), config.data, "",
        torch.__version__, "",
    )  # fmt: skip
    return Weights(known, TorchModel(network))
