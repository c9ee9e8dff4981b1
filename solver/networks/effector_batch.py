"""Effectors as a network reads them: tensors of any number N of rows, the same N for a whole batch."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.effectors.kinds import network_kinds

POSITION, ROTATION, AIM = 0, 1, 2
KINDS = network_kinds()  # the index is the type that a network embeds


class EffectorBatch(NamedTuple):
    """B problems with N effectors each.

    data: (B, N, 6): position and three zeros; or the first two columns of R_world_joint; or the target that is aimed at
    and the local direction; metres, world frame. tolerance: (B, N) in [0, 1]. joint, kind: (B, N) int64.
    """

    data: Tensor
    tolerance: Tensor
    joint: Tensor
    kind: Tensor


def reference_point(effectors: EffectorBatch) -> Tensor:
    """(B, 3) centroid of the position effectors, the world's origin if there are none (ProtoRes section 2)."""
    mask = (effectors.kind == POSITION).unsqueeze(-1).to(effectors.data.dtype)
    return (effectors.data[..., :3] * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1.0)


def relative_to(effectors: EffectorBatch, reference: Tensor) -> EffectorBatch:
    """The effectors with positions and targets of aims relative to the reference (B, 3); rotations untouched."""
    placed = (effectors.kind != ROTATION).unsqueeze(-1).to(effectors.data.dtype)
    shift = torch.nn.functional.pad(reference.unsqueeze(1) * placed, (0, 3))
    return effectors._replace(data=effectors.data - shift)


class PosePrediction(NamedTuple):
    """What a network says. draft: (B, J, 3) world positions of the position decoder, bone lengths not kept; draft[:, 0]
    is the root. rotations_6d: (B, J, 6) local rotations, first two columns, not normalised."""

    draft: Tensor
    rotations_6d: Tensor
