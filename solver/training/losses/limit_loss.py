"""How far poses are beyond a human's range of motion, differentiable: the pipeline's limits, for training."""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from solver.kinematics.limits import joint_limits

_LEAST = 1e-6
_LEAST_PART = 0.1  # a quaternion's largest part is at least a half; smaller ones are not divided by


def beyond_limits(local: Tensor, names: tuple[str, ...]) -> Tensor:
    """(..., J) radians, how far each joint of local rotations (..., J, 3, 3) is beyond its range; 0 within.

    The swing–twist coordinates of `solver.kinematics.limits`, whose `excess` has the same values.
    """
    frames, low, high = _limits(names, local.device, local.dtype)
    w, axis = _quaternion(local)
    t, b, s = (axis.unsqueeze(-2) @ frames)[..., 0, :].unbind(-1)
    n = (w * w + t * t + _LEAST**2).sqrt()
    x, y = (w * b - t * s) / n, (w * s + t * b) / n
    h = (x * x + y * y + _LEAST**2).sqrt()
    swing = 2.0 * torch.atan2(h, n) / h
    found = torch.stack([2.0 * torch.atan2(t, w + _LEAST), swing * x, swing * y], dim=-1)
    beyond = torch.relu(torch.maximum(low - found, found - high))
    return (beyond.square().sum(-1) + _LEAST**2).sqrt() - _LEAST


def _quaternion(matrices: Tensor) -> tuple[Tensor, Tensor]:
    """w (...), at least 0, and the other three (..., 3) of (..., 3, 3), by the formula of the largest part."""
    (a, b, c), (d, e, f), (g, h, i) = (row.unbind(-1) for row in matrices.unbind(-2))
    parts = torch.stack([1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i], dim=-1)
    parts = parts.clamp(min=_LEAST).sqrt()  # twice the size of w, x, y, z
    rows = [
        parts[..., 0].square(), h - f, c - g, d - b,
        h - f, parts[..., 1].square(), d + b, c + g,
        c - g, d + b, parts[..., 2].square(), f + h,
        d - b, c + g, f + h, parts[..., 3].square(),
    ]  # fmt: skip
    each = torch.stack(rows, dim=-1).unflatten(-1, (4, 4)) / (2.0 * parts.clamp(min=_LEAST_PART)).unsqueeze(-1)
    largest = parts.argmax(dim=-1, keepdim=True).unsqueeze(-1)
    q = each.gather(-2, largest.expand(*largest.shape[:-1], 4)).squeeze(-2)
    q = torch.where(q[..., :1] < 0, -q, q)
    return q[..., 0], q[..., 1:]


@cache
def _limits(names: tuple[str, ...], device: torch.device, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Frames (J, 3, 3), low and high (J, 3)."""
    found = joint_limits(names)
    frames, low, high = (
        torch.tensor(part, dtype=dtype, device=device) for part in (found.frames, found.low, found.high)
    )
    return frames, low, high
