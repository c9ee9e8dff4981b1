"""Forward kinematics in which joints whose rotation in the world is asked for take it, whatever their parents do."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.geometry import level_order, levels_above, matrices_from_6d, sixd_from_matrices


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
    place, world, own = [root.unsqueeze(1)], [first], [first]
    for joints, above in levels_above(parents):
        carrier = world[-1][:, above]
        place.append(place[-1][:, above] + (carrier @ offsets[:, joints, :, None])[..., 0])
        world.append(turned(joints, carrier @ local[:, joints]))
        own.append(carrier.transpose(-1, -2) @ world[-1])
    order = level_order(parents)
    return PosedJoints(*(torch.cat(of, dim=1)[:, order] for of in (place, world, own)))
