"""What all networks that read a base pose beside the effectors share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from torch import Tensor, nn

from solver.networks.base_batch import BaseBatch
from solver.networks.effector_batch import EffectorBatch


class PosedPrediction(NamedTuple):
    """What the network says. draft: (B, J, 3) world positions of the position decoder; draft[:, 0] is the root.
    rotations_6d: (B, J, 6) local rotations, first two columns. positions (B, J, 3), world (B, J, 3, 3): after forward
    kinematics. local: (B, J, 3, 3)."""

    draft: Tensor
    rotations_6d: Tensor
    positions: Tensor
    world: Tensor
    local: Tensor


class BaseNetwork(nn.Module, ABC):
    """From effectors and base poses to poses of `joints` joints."""

    joints: int

    @abstractmethod
    def forward(self, effectors: EffectorBatch, base: BaseBatch) -> PosedPrediction:
        """The poses for (B, N) effectors and B base poses."""
