"""The Transformer baseline of ProtoRes (its appendix G, figure 7): effectors in, one query for each joint."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from solver.networks.effector_batch import KINDS, EffectorBatch, PosePrediction, reference_point, relative_to
from solver.networks.effector_network import IDENTITY_6D
from solver.networks.protores import EFFECTOR_WIDTH
from solver.networks.residual import NetworkShape, ResidualDecoder, embedding

MODEL_WIDTH, HEADS, LAYERS, FEED_FORWARD = 128, 8, 2, 1024  # table 8


class TransformerIK(nn.Module):
    """torch's own Transformer between the effectors and the joints' embeddings, then one decoder with two heads.

    The decoder has twice the blocks of `shape`, as many as both decoders of ProtoRes together.
    """

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints = joints
        self.joint_embedding = embedding(joints, shape)
        self.kind_embedding = embedding(len(KINDS), shape)
        self.source = nn.Linear(EFFECTOR_WIDTH + 2 * shape.embedding, MODEL_WIDTH)
        self.query = nn.Linear(shape.embedding, MODEL_WIDTH)
        self.transformer = nn.Transformer(
            MODEL_WIDTH, HEADS, LAYERS, LAYERS, FEED_FORWARD, dropout=shape.dropout, batch_first=True
        )
        self.decoder = ResidualDecoder(MODEL_WIDTH, 9, replace(shape, blocks=2 * shape.blocks))
        self.register_buffer("rest_6d", torch.tensor(IDENTITY_6D), persistent=False)

    def forward(
        self, effectors: EffectorBatch, betas: Tensor | None = None, gender: Tensor | None = None
    ) -> PosePrediction:
        """The pose for (B, N) effectors; shape and gender are not read."""
        reference = reference_point(effectors)
        placed = relative_to(effectors, reference)
        rows = [
            placed.data,
            placed.tolerance.unsqueeze(-1),
            self.joint_embedding(placed.joint),
            self.kind_embedding(placed.kind),
        ]
        query = self.query(self.joint_embedding.weight).unsqueeze(0).expand(placed.data.shape[0], -1, -1)
        joints = self.transformer(self.source(torch.cat(rows, dim=-1)), query)
        draft, rotations = self.decoder(joints).split((3, 6), dim=-1)
        return PosePrediction(draft + reference.unsqueeze(1), rotations + self.rest_6d)
