"""A network of torch's that is asked like an ONNX model, on any of torch's devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from solver.networks.effector_batch import EffectorBatch

INPUTS = ("data", "tolerance", "joint", "kind", "betas", "gender")


@dataclass(frozen=True)
class _Input:
    name: str


class TorchModel:
    """Arrays in, arrays out. device: as torch names it. Raises what torch raises where that device does not work."""

    def __init__(self, network: nn.Module, device: str = "cpu") -> None:
        self._device = torch.device(device)
        self._network = network.eval().to(self._device)

    def get_inputs(self) -> Sequence[_Input]:
        """All of them."""
        return [_Input(name) for name in INPUTS]

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> Sequence[np.ndarray]:
        """draft (B, J, 3) and rotations_6d (B, J, 6), in the order asked for; betas and gender may be left out."""
        if self._device.type == "cpu" and torch.get_num_threads() != 1:
            torch.set_num_threads(1)  # for each thread anew: with more, small products take ten times as long
        tensors = {name: torch.from_numpy(array).to(self._device) for name, array in inputs.items()}
        with torch.inference_mode():
            found = self._network(
                EffectorBatch(*(tensors[name] for name in INPUTS[:4])), tensors.get("betas"), tensors.get("gender")
            )
        return [getattr(found, name).cpu().numpy() for name in outputs]
