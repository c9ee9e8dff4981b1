"""The benchmark's errors of predicted poses, batched: distances in millimetres, angles in radians."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.backends.learned.geometry import geodesic_angle


class PoseErrors(NamedTuple):
    """One number for each pose, (B,)."""

    mpjpe_mm: Tensor
    pa_mpjpe_mm: Tensor
    ge_rad: Tensor


def procrustes_aligned(points: Tensor, target: Tensor) -> Tensor:
    """(B, J, 3) points after the similarity that brings each set closest to its target."""
    centre, goal = points.mean(dim=1, keepdim=True), target.mean(dim=1, keepdim=True)
    p, t = points - centre, target - goal
    u, s, vh = torch.linalg.svd(p.transpose(1, 2) @ t)
    sign = torch.det(u @ vh).sign()
    s = torch.cat([s[:, :2], s[:, 2:] * sign.unsqueeze(1)], dim=1)
    u = torch.cat([u[:, :, :2], u[:, :, 2:] * sign[:, None, None]], dim=2)
    scale = s.sum(dim=1) / p.square().sum(dim=(1, 2)).clamp(min=1e-12)
    return scale[:, None, None] * p @ (u @ vh) + goal


def pose_errors(positions: Tensor, local: Tensor, true_positions: Tensor, true_local: Tensor) -> PoseErrors:
    """Errors of positions (B, J, 3) in metres and local rotations (B, J, 3, 3)."""
    aligned = procrustes_aligned(positions, true_positions)
    return PoseErrors(
        1000.0 * (positions - true_positions).norm(dim=-1).mean(dim=1),
        1000.0 * (aligned - true_positions).norm(dim=-1).mean(dim=1),
        geodesic_angle(local, true_local).mean(dim=1),
    )
