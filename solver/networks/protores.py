"""ProtoRes: a pose from any set of effectors, for one fixed skeleton (Oreshkin et al., ICLR 2022, section 2)."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.networks.effector_batch import KINDS, EffectorBatch
from solver.networks.effector_network import EffectorNetwork
from solver.networks.proto_encoder import ProtoEncoder
from solver.networks.residual import NetworkShape, embedding

EFFECTOR_WIDTH = 7  # six numbers and the tolerance


class ProtoRes(EffectorNetwork):
    """Each effector beside its embedded joint and kind, through the prototype encoder.

    condition: the width of what a subclass's `conditioning` adds to each effector.
    """

    def __init__(self, joints: int, shape: NetworkShape, condition: int = 0) -> None:
        super().__init__(joints, shape)
        self.joint_embedding = embedding(joints, shape)
        self.kind_embedding = embedding(len(KINDS), shape)
        self.encoder = ProtoEncoder(EFFECTOR_WIDTH + 2 * shape.embedding + condition, shape)

    def encode(self, effectors: EffectorBatch, betas: Tensor | None, gender: Tensor | None) -> Tensor:
        """See EffectorNetwork."""
        rows = [
            effectors.data,
            effectors.tolerance.unsqueeze(-1),
            self.joint_embedding(effectors.joint),
            self.kind_embedding(effectors.kind),
            *self.conditioning(effectors, betas, gender),
        ]
        return self.encoder(torch.cat(rows, dim=-1))

    def conditioning(self, effectors: EffectorBatch, betas: Tensor | None, gender: Tensor | None) -> tuple[Tensor, ...]:
        """What else every effector's row holds: nothing here."""
        return ()
