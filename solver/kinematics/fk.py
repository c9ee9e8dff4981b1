"""Forward kinematics: from local rotations to joints in the world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton


class WorldJoints(NamedTuple):
    """Joints in the world. positions: (..., J, 3) metres. rotations: (..., J, 3, 3), R_world_joint."""

    positions: NDArray[np.floating]
    rotations: NDArray[np.floating]


def forward_kinematics(skeleton: Skeleton, pose: Pose) -> WorldJoints:
    """World positions and rotations of every joint of one pose, float32."""
    return forward_kinematics_batch(skeleton.parents, skeleton.offsets, pose.root_position, pose.rotations)


def forward_kinematics_batch(
    parents: tuple[int, ...], offsets: ArrayLike, root_positions: ArrayLike, rotations: ArrayLike
) -> WorldJoints:
    """The same for any batch: offsets (..., J, 3), root_positions (..., 3), rotations (..., J, 3, 3)."""
    local, offset, root = np.asarray(rotations), np.asarray(offsets), np.asarray(root_positions)
    world = np.array(np.broadcast_to(local, local.shape))
    positions = np.empty((*local.shape[:-2], 3), dtype=np.result_type(local, offset))
    positions[..., 0, :] = root
    for j, p in enumerate(parents):
        if p < 0:
            continue
        world[..., j, :, :] = world[..., p, :, :] @ local[..., j, :, :]
        positions[..., j, :] = positions[..., p, :] + np.einsum(
            "...ik,...k->...i", world[..., p, :, :], offset[..., j, :]
        )
    return WorldJoints(positions, world)


def skinning_matrices(skeleton: Skeleton, pose: Pose) -> NDArray[np.float32]:
    """(J, 4, 4) float32 matrices that carry rest vertices to the pose, one for each joint."""
    joints = forward_kinematics(skeleton, pose)
    matrices = np.zeros((len(skeleton), 4, 4), dtype=np.float32)
    matrices[:, :3, :3] = joints.rotations
    matrices[:, :3, 3] = joints.positions - np.einsum("jik,jk->ji", joints.rotations, skeleton.rest_positions)
    matrices[:, 3, 3] = 1.0
    return matrices
