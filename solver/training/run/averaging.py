"""An exponential moving average of a network's weights."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn


class MovingAverage:
    """A copy of a network (`module`) whose weights trail behind; the rest of it is as it was when the copy was made.

    decay: of a step. The memory is short at first, so that the average starts quickly. Torch's own AveragedModel would
    wait for the GPU in every step.
    """

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.module, self.decay = copy.deepcopy(network), decay
        self.module.eval().requires_grad_(False)
        self.step = torch.zeros((), device=next(network.parameters()).device)

    def prepare_step(self, done: int) -> None:
        """Set the rate of the next update, after `done` others."""
        kept = min(self.decay, (1.0 + done) / (10.0 + done)) if done else 0.0
        self.step.fill_(1.0 - kept)

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Move towards the network at the rate that was last set."""
        own: list[Tensor] = list(self.module.parameters())
        away = list(torch._foreach_sub(list[Tensor](network.parameters()), own))
        torch._foreach_mul_(away, self.step)
        torch._foreach_add_(own, away)
