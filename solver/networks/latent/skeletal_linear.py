"""Linear layers between near nodes of the skeleton: the skeleton-aware operators of SparsePoser and earlier."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class SkeletalLinear(nn.Linear):
    """A linear layer from nodes of `inputs` numbers each to nodes of `outputs`; near: (N, M), 1 where an output node
    reads an input node. Between levels of the skeleton it pools or unpools."""

    mask: Tensor

    def __init__(self, near: Tensor, inputs: int, outputs: int) -> None:
        super().__init__(near.shape[1] * inputs, near.shape[0] * outputs)
        self.register_buffer("mask", torch.kron(near, torch.ones(outputs, inputs)), persistent=False)
        with torch.no_grad():
            self.weight.normal_().mul_(self.mask / self.mask.sum(dim=1, keepdim=True).sqrt())
            self.bias.zero_()

    @property
    def masked(self) -> Tensor:
        """The weights, 0 between nodes that are not near."""
        return self.weight * self.mask

    def forward(self, x: Tensor) -> Tensor:
        """(..., M * inputs) -> (..., N * outputs)."""
        return torch.nn.functional.linear(x, self.masked, self.bias)
