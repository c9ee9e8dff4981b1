"""Poses as the base poses of a batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.networks.base_batch import BaseBatch


def base_batch(skeleton: Skeleton, poses: Sequence[Pose]) -> BaseBatch:
    """Poses of one skeleton; nothing of them is to be kept."""
    roots, local = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, roots, local)
    shape = (len(poses), len(skeleton))
    return BaseBatch(
        torch.from_numpy(np.array(world.positions)),
        torch.from_numpy(np.array(world.rotations)),
        torch.from_numpy(local),
        torch.from_numpy(np.array(skeleton.offsets)).expand(len(poses), -1, -1),
        torch.zeros(shape),
        torch.zeros(shape),
    )
