"""Forward kinematics in which joints whose rotation in the world is asked for take it, whatever their parents do."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.geometry import matrices_from_6d, sixd_from_matrices, tree_levels


class PosedJoints(NamedTuple):
    """positions (B, J, 3), world and local rotations (B, J, 3, 3)."""

    positions: Tensor
    world: Tensor
    local: Tensor


def constrained_fk(
    parents: tuple[int, ...], offsets: Tensor, root: Tensor, local: Tensor, wanted: Tensor, strict: Tensor
) -> PosedJoints:
    """From root (B, 3) and local rotations (B, J, 3, 3); offsets: (B, J, 3).

    wanted: (B, J, 6) columns of world rotations. strict: (B, J) in [0, 1]: 1 turns the joint as wanted, 0 as its local
    rotation says, between them it is as far turned as their columns mixed.
    """
    share = strict.unsqueeze(-1)

    def turned(joints: list[int], free: Tensor) -> Tensor:
        mixed = sixd_from_matrices(free) * (1.0 - share[:, joints]) + wanted[:, joints] * share[:, joints]
        return matrices_from_6d(mixed)

    first = turned([0], local[:, :1])
    place: dict[int, Tensor] = {0: root}
    world: dict[int, Tensor] = {0: first[:, 0]}
    own: dict[int, Tensor] = {0: first[:, 0]}
    for level in tree_levels(parents):
        joints, above = list(level), [parents[j] for j in level]
        carrier = torch.stack([world[p] for p in above], dim=1)
        reached = turned(joints, carrier @ local[:, joints])
        within = carrier.transpose(-1, -2) @ reached
        moved = torch.stack([place[p] for p in above], dim=1) + (carrier @ offsets[:, joints, :, None])[..., 0]
        for i, joint in enumerate(joints):
            world[joint], own[joint], place[joint] = reached[:, i], within[:, i], moved[:, i]
    order = range(len(parents))
    return PosedJoints(*(torch.stack([of[j] for j in order], dim=1) for of in (place, world, own)))
