"""Poses turned about the vertical and seen in the mirror (ProtoRes appendix C)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from solver.networks.constant_tensors import constant_tensor


def turn_about_vertical(rotations: Tensor, angles: Tensor) -> Tensor:
    """Local rotations (B, J, 3, 3) of poses turned by (B,) radians about Y: only the root's changes."""
    zero, one = torch.zeros_like(angles), torch.ones_like(angles)
    cos, sin = torch.cos(angles), torch.sin(angles)
    turn = torch.stack([cos, zero, sin, zero, one, zero, -sin, zero, cos], dim=-1).unflatten(-1, (3, 3))
    return torch.cat([(turn @ rotations[:, 0]).unsqueeze(1), rotations[:, 1:]], dim=1)


def mirrored(rotations: Tensor, other_side: Tensor) -> Tensor:
    """Local rotations (B, J, 3, 3) of poses seen in the mirror x = 0. other_side: (J,) joint of the other side."""
    sign = constant_tensor((-1.0, 1.0, 1.0), rotations.device)
    return rotations[:, other_side] * sign * sign.unsqueeze(-1)


def augmented(rotations: Tensor, other_side: Tensor, generator: torch.Generator) -> Tensor:
    """Each pose (B, J, 3, 3) turned by a random angle, every second one on average mirrored."""
    batch, device = len(rotations), generator.device
    angles = torch.rand(batch, generator=generator, device=device) * (2 * math.pi)
    flip = torch.rand(batch, generator=generator, device=device) < 0.5
    chosen = torch.where(flip[:, None, None, None], mirrored(rotations, other_side), rotations)
    return turn_about_vertical(chosen, angles)
