"""An exponential moving average of a network's weights."""

from __future__ import annotations

import copy

import torch
from torch import nn


class AveragedNetwork:
    """Holds a copy of `network` whose weights trail behind; a short memory at first, so that it starts quickly."""

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.network = copy.deepcopy(network).eval().requires_grad_(False)
        self._decay = decay

    @torch.no_grad()
    def update(self, network: nn.Module, step: int) -> None:
        """Move towards the weights of `network` after its step number `step`."""
        decay = min(self._decay, (1.0 + step) / (10.0 + step))
        torch._foreach_lerp_(list(self.network.parameters()), list(network.parameters()), 1.0 - decay)
