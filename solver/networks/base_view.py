"""Problems as seen from the root, facing as it does: an edit is the same edit wherever it is made."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import PosedPrediction
from solver.networks.constrained_fk import PosedJoints
from solver.networks.effector_batch import ROTATION, EffectorBatch
from solver.networks.geometry import matrices_from_6d, sixd_from_matrices
from solver.networks.joint_constraints import JointConstraints


class BaseView(NamedTuple):
    """turn: (B, 3, 3), R_world_view, about the vertical. origin: (B, 1, 3) metres, in the world."""

    turn: Tensor
    origin: Tensor

    def base(self, base: BaseBatch) -> BaseBatch:
        """The base poses as seen."""
        world = self.turn.transpose(-1, -2).unsqueeze(1) @ base.base_world
        return base._replace(
            base_positions=(base.base_positions - self.origin) @ self.turn,
            base_world=world,
            base_local=torch.cat([world[:, :1], base.base_local[:, 1:]], dim=1),
        )

    def effectors(self, effectors: EffectorBatch) -> EffectorBatch:
        """The effectors as seen; the local direction of one that points at a place is its joint's own."""
        first, second = effectors.data[..., :3], effectors.data[..., 3:]
        turned = (effectors.kind == ROTATION).unsqueeze(-1)
        first = torch.where(turned, first, first - self.origin) @ self.turn
        return effectors._replace(data=torch.cat([first, torch.where(turned, second @ self.turn, second)], dim=-1))

    def prediction(self, draft: Tensor, seen: PosedJoints) -> PosedPrediction:
        """What was found in this view, back in the world."""
        back, turn = self.turn.transpose(-1, -2), self.turn.unsqueeze(1)
        local = torch.cat([turn @ seen.local[:, :1], seen.local[:, 1:]], dim=1)
        places = (draft @ back + self.origin, seen.positions @ back + self.origin)
        return PosedPrediction(places[0], sixd_from_matrices(local), places[1], turn @ seen.world, local)


def base_view(base: BaseBatch, asked: JointConstraints | None = None) -> BaseView:
    """The view from the root, turned by the part of its rotation that is about the vertical.

    asked: what is asked of joints in the world; the more strictly a place or a turn is asked of the root, the more the
    view is from there instead of from the base pose.
    """
    root, origin = base.base_world[:, 0], base.base_positions[:, :1]
    if asked is not None:
        place, turn = (asked.asked[:, :1, k : k + 1] * asked.strict[:, :1, k : k + 1] for k in range(2))
        origin = origin + place * (asked.place[:, :1] - origin)
        columns = sixd_from_matrices(root)
        root = matrices_from_6d(columns + turn[:, 0] * (asked.turn[:, 0] - columns))
    cos, sin = root[:, 0, 0] + root[:, 2, 2], root[:, 0, 2] - root[:, 2, 0]
    length = (cos * cos + sin * sin).sqrt()
    still = (length < 1e-6).to(root.dtype)  # upside down: any heading is as good
    cos, sin = (cos + still) / (length + still), sin / (length + still)
    zero, one = torch.zeros_like(cos), torch.ones_like(cos)
    turned = torch.stack([cos, zero, sin, zero, one, zero, -sin, zero, cos], dim=-1).unflatten(-1, (3, 3))
    return BaseView(turned, origin)
