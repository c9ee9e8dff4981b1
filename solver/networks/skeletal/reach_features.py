"""Features of what each joint has to reach, seen from where it is: targets of the joints below it, and their places.

The base pose is carried along by what is asked of the root and of turns in the world. From there a joint that has an
asked place below it sees where that joint is and where it ought to be, in its parent's frame, where its own local
rotation acts: the turn between the two is nearly the whole answer. With absolute places a small network would have to
learn to multiply by rotations.
"""

from __future__ import annotations

import torch
from torch import Tensor

from solver.networks.constant_tensors import select_rows
from solver.networks.constrained_fk import PosedJoints
from solver.networks.geometry import ancestors
from solver.networks.joint_constraints import JointConstraints

REACH_INPUTS = 3 + 3 + 1  # where it is, where it ought to be, whether there is any


def descendants(parents: tuple[int, ...]) -> Tensor:
    """(J, J), 1 where the second joint hangs below the first."""
    return ancestors(parents).T - torch.eye(len(parents))


def reach_features(carried: PosedJoints, asked: JointConstraints, parents: tuple[int, ...], under: Tensor) -> Tensor:
    """(B, J, REACH_INPUTS) of the mean of all asked places below each joint; zeros where there is none."""
    share = under * asked.strict[..., :1].transpose(1, 2)  # (B, J, J)
    total = share.sum(dim=-1, keepdim=True)
    share = share / total.clamp(min=1e-3)
    there = (total > 1e-3).to(carried.positions.dtype)
    frame = torch.cat([carried.world[:, :1], select_rows(carried.world, parents[1:], 1)], dim=1)

    def seen(places: Tensor) -> Tensor:
        away = share @ places - there * carried.positions
        return (away.unsqueeze(-2) @ frame)[..., 0, :]

    return torch.cat([seen(carried.positions), seen(asked.place), there], dim=-1)
