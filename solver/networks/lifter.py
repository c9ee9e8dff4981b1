"""The lifter: from landmarks of a person in a photo to a pose, and how far off each of its points may be.

Ours, from no paper: fully connected residual blocks, as in Martinez et al., A simple yet effective baseline for 3D
human pose estimation, ICCV 2017, given the picture and the depths that landmark networks guess.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from solver.networks.residual import START_SCALE, NetworkShape

POINTS = 23  # of a body that landmarks show, see `solver.photo.fit.evidence`
SEEN_PX, SEEN_M = 2.0, 1.5  # brings extents and metres to about one


class CentredViewBatch(NamedTuple):
    """B people, seen as if the camera looked straight at the middle of their hips: x right, y up, looking along -z.

    picture: (B, P, 2) about the hips, in units of the person's extent. space: (B, P, 3) metres about the hips. weight:
    (B, P) 0..1, how well each point is seen.
    """

    picture: Tensor
    space: Tensor
    weight: Tensor


class LiftPrediction(NamedTuple):
    """rotations_6d: (B, J, 6) local, two columns each. unsure: (B, P), the logarithm of how far each point is off on
    average, in decimetres."""

    rotations_6d: Tensor
    unsure: Tensor


class Lifter(nn.Module):
    """For SMPL's first `joints` joints. shape.width: of the blocks. shape.blocks: how many of them."""

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints, width = joints, shape.width
        self.first = nn.Linear(POINTS * 6, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(
                nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Dropout(shape.dropout),
                nn.Linear(width, width),
            )
            for _ in range(shape.blocks)
        )  # fmt: skip
        self.norm, self.last = nn.LayerNorm(width), nn.Linear(width, joints * 6 + POINTS)
        with torch.no_grad():
            self.last.weight *= START_SCALE
            self.last.bias[: joints * 6] = torch.tensor([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]).repeat(joints)

    def forward(self, picture: Tensor, space: Tensor, weight: Tensor) -> LiftPrediction:
        """The pose for a `CentredViewBatch`, in the frame in which it is seen."""
        seen = SEEN_PX * (picture * weight.unsqueeze(-1)).flatten(1)
        x = self.first(torch.cat([seen, SEEN_M * space.flatten(1), weight], dim=1))
        for block in self.blocks:
            x = x + block(x)
        out = self.last(self.norm(x))
        turns = 6 * self.joints
        return LiftPrediction(out[:, :turns].unflatten(1, (self.joints, 6)), out[:, turns:])
