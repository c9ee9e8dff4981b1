"""What the networks share: relative inputs, the draft position decoder and the inverse kinematics decoder."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from solver.networks.effector_batch import EffectorBatch, PosePrediction, reference_point, relative_to
from solver.networks.residual import NetworkShape, ResidualDecoder

IDENTITY_6D = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


class EffectorNetwork(nn.Module, ABC):
    """From effectors to a pose: a subclass's `encode`, then both decoders of ProtoRes.

    Positions are read and predicted relative to the centroid of the position effectors, so a shift of every target
    shifts the answer and changes nothing else. Rotations are predicted as a difference from the rest pose.
    """

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints = joints
        self.position_decoder = ResidualDecoder(shape.width, 3 * joints, shape)
        self.rotation_decoder = ResidualDecoder(shape.width + 3 * joints, 6 * joints, shape)
        self.register_buffer("rest_6d", torch.tensor(IDENTITY_6D), persistent=False)

    @abstractmethod
    def encode(self, effectors: EffectorBatch, betas: Tensor | None, gender: Tensor | None) -> Tensor:
        """The pose embedding (B, width) of effectors whose positions are relative to their centroid."""

    def forward(
        self, effectors: EffectorBatch, betas: Tensor | None = None, gender: Tensor | None = None
    ) -> PosePrediction:
        """The pose for (B, N) effectors. betas (B, 10) and gender (B,) matter to SMPL-IK alone."""
        reference = reference_point(effectors)
        pose = self.encode(relative_to(effectors, reference), betas, gender)
        draft = self.position_decoder(pose)  # equation (6)
        rotations = self.rotation_decoder(torch.cat([pose, draft], dim=-1))  # equation (7)
        return PosePrediction(
            draft.reshape(-1, self.joints, 3) + reference.unsqueeze(1),
            rotations.reshape(-1, self.joints, 6) + self.rest_6d,
        )
