"""An exponential moving average of a network's weights, by torch's own AveragedModel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel


def averaged(network: nn.Module, decay: float) -> AveragedModel:
    """A copy of `network` (its `.module`) whose weights trail behind as `update_parameters` is called after each step.

    Its memory is short at first, so that it starts quickly.
    """

    @torch.no_grad()
    def trail(average: Sequence[Any], present: Sequence[Any], updates: Tensor | int) -> None:
        done = float(updates)
        torch._foreach_lerp_(list(average), list(present), 1.0 - min(decay, (1.0 + done) / (10.0 + done)))

    model = AveragedModel(network, multi_avg_fn=trail)
    model.eval().requires_grad_(False)
    return model
