"""Effectors gathered by joint: what is asked of each joint's place, turn and look, and how strictly."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.effector_batch import AIM, POSITION, ROTATION, EffectorBatch


class JointConstraints(NamedTuple):
    """What B sets of effectors ask of J joints; zeros where nothing is asked.

    place: (B, J, 3) metres. turn: (B, J, 6) two columns. aim: (B, J, 6) target and local direction.
    asked: (B, J, 3), 1 where there is a position, rotation or look-at effector. strict: (B, J, 3), 1 minus its
    tolerance, 0 without one.
    """

    place: Tensor
    turn: Tensor
    aim: Tensor
    asked: Tensor
    strict: Tensor


def joint_constraints(effectors: EffectorBatch, joints: int) -> JointConstraints:
    """The effectors by joint; of several of one kind on a joint, their mean."""
    on = (effectors.joint.unsqueeze(-1) == torch.arange(joints, device=effectors.joint.device)).to(effectors.data.dtype)
    data, asked, strict = [], [], []
    for kind in (POSITION, ROTATION, AIM):
        share = (on * (effectors.kind == kind).unsqueeze(-1).to(on.dtype)).transpose(1, 2)  # (B, J, N)
        count = share.sum(dim=-1, keepdim=True)
        mean = share / count.clamp(min=1.0)
        data.append(mean @ effectors.data)
        asked.append(count.clamp(max=1.0))
        strict.append(mean @ (1.0 - effectors.tolerance).unsqueeze(-1))
    return JointConstraints(data[0][..., :3], data[1], data[2], torch.cat(asked, dim=-1), torch.cat(strict, dim=-1))
