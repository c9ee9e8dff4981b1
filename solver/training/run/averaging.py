"""An exponential moving average of a network's weights."""

from __future__ import annotations

import copy

import torch
from torch import nn


class MovingAverage:
    """A copy of a network (`module`) whose weights trail behind; the rest of it is as it was when the copy was made.

    decay: of a step. The memory is short at first, so that the average starts quickly. Torch's own AveragedModel would
    have a GPU waited for in every step.
    """

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.module, self.decay = copy.deepcopy(network), decay
        self.module.eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, network: nn.Module, done: int) -> None:
        """Go a little towards the network, after so many steps before this one."""
        kept = min(self.decay, (1.0 + done) / (10.0 + done)) if done else 0.0
        torch._foreach_lerp_(list(self.module.parameters()), list(network.parameters()), 1.0 - kept)
