"""A torch network that is called like an ONNX model, on any of torch's devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork
from solver.networks.effector_batch import EffectorBatch
from solver.networks.lifter import CentredViewBatch, Lifter
from solver.networks.pose_edition import EditBatch, PoseEdition

OF_BODY = ("betas", "gender")


def input_names(network: nn.Module) -> tuple[str, ...]:
    """Names of its inputs: effectors, then the base pose or the body's shape; or an edit, or a person in a photo."""
    if isinstance(network, PoseEdition):
        return EditBatch._fields
    if isinstance(network, Lifter):
        return CentredViewBatch._fields
    return (*EffectorBatch._fields, *(BaseBatch._fields if isinstance(network, BaseNetwork) else OF_BODY))


def answer(network: nn.Module, tensors: Mapping[str, Tensor]) -> Any:
    """The network's answer to inputs by name; betas and gender may be left out."""
    if isinstance(network, PoseEdition | Lifter):
        return network(*(tensors[name] for name in input_names(network)))
    effectors = EffectorBatch(*(tensors[name] for name in EffectorBatch._fields))
    if isinstance(network, BaseNetwork):
        return network(effectors, BaseBatch(*(tensors[name] for name in BaseBatch._fields)))
    return network(effectors, *(tensors.get(name) for name in OF_BODY))


@dataclass(frozen=True)
class _Input:
    name: str


class TorchModel:
    """Arrays in, arrays out. device: as torch names it. Raises what torch raises if that device does not work."""

    def __init__(self, network: nn.Module, device: str = "cpu") -> None:
        self._device = torch.device(device)
        self._network = network.eval().to(self._device)

    def get_inputs(self) -> Sequence[_Input]:
        """All of them."""
        return [_Input(name) for name in input_names(self._network)]

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> Sequence[np.ndarray]:
        """The outputs of these names, such as draft (B, J, 3) and rotations_6d (B, J, 6), in the order asked for."""
        if self._device.type == "cpu" and torch.get_num_threads() != 1:
            torch.set_num_threads(1)  # for each thread anew: with more, small products take ten times as long
        tensors = {name: torch.from_numpy(array).to(self._device) for name, array in inputs.items()}
        with torch.inference_mode():
            found = answer(self._network, tensors)
        return [getattr(found, name).cpu().numpy() for name in outputs]
