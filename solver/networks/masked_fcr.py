"""Masked-FCR: the unstructured baseline of ProtoRes (its appendix F), one slot for every possible effector."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from solver.networks.effector_batch import KINDS, EffectorBatch
from solver.networks.effector_network import EffectorNetwork
from solver.networks.protores import EFFECTOR_WIDTH
from solver.networks.residual import NetworkShape, ResidualDecoder


class MaskedFCR(EffectorNetwork):
    """A wide input of joints x kinds x 7 numbers; learned numbers fill the slots of absent effectors."""

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__(joints, shape)
        self.absent = nn.Parameter(torch.randn(joints * len(KINDS), EFFECTOR_WIDTH))
        self.encoder = ResidualDecoder(self.absent.numel(), shape.width, shape)

    def encode(self, effectors: EffectorBatch, betas: Tensor | None, gender: Tensor | None) -> Tensor:
        """See EffectorNetwork; if a joint has two effectors of one kind, the slot holds one of them."""
        batch = effectors.data.shape[0]
        slot = (effectors.joint * len(KINDS) + effectors.kind).unsqueeze(-1).expand(-1, -1, EFFECTOR_WIDTH)
        rows = torch.cat([effectors.data, effectors.tolerance.unsqueeze(-1)], dim=-1)
        table = self.absent.unsqueeze(0).expand(batch, -1, -1).scatter(1, slot, rows)
        return self.encoder(table.flatten(1))
