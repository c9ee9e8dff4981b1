"""Forward kinematics: from local rotations to joints in the world. Nothing else outside kernels and networks does this.

The picture, the panels, the pointer and whatever follows the body ask for the same pose again and again,
so a pose carries its joints with it: they are computed once for each skeleton and pose.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.pose import Pose
from solver.kinematics.rotations import compiled
from solver.kinematics.skeleton import Skeleton
from solver.values import read_only

Array = NDArray[np.float64]
_CARRIED = "_joints"  # beside a pose's fields: the skeleton, and where its joints are


class WorldJoints(NamedTuple):
    """Joints in the world. positions: (..., J, 3) metres. rotations: (..., J, 3, 3), R_world_joint."""

    positions: NDArray[np.floating]
    rotations: NDArray[np.floating]


def forward_kinematics(skeleton: Skeleton, pose: Pose) -> WorldJoints:
    """World positions and rotations of every joint of one pose, float32 and read-only.

    Returns the same arrays for the same skeleton and pose, until the pose is used with another skeleton.
    Raises ValueError if they differ in the number of joints.
    """
    carried = pose.__dict__.get(_CARRIED)
    if carried is not None and carried[0] is skeleton:
        return carried[1]  # type: ignore[no-any-return]
    (parents, offsets), root, local = skeleton.arrays, pose.root_position, pose.rotations
    if len(local) != len(skeleton):
        raise ValueError(f"the pose has {len(local)} joints, the skeleton {len(skeleton)}")
    positions, world = np.empty((1, *offsets.shape)), np.empty((1, *local.shape))
    _walk()(
        parents,
        offsets[None],
        root.astype(np.float64, order="C")[None],
        local.astype(np.float64, order="C")[None],
        positions,
        world,
    )
    joints = WorldJoints(positions[0].astype(np.float32), world[0].astype(np.float32))
    read_only(*joints)
    pose.__dict__[_CARRIED] = skeleton, joints
    return joints


def forward_kinematics_batch(
    parents: tuple[int, ...], offsets: ArrayLike, root_positions: ArrayLike, rotations: ArrayLike
) -> WorldJoints:
    """Joints for any batch: offsets (..., J, 3), root_positions (..., 3), rotations (..., J, 3, 3).

    Computed in float64; returned in the precision of offsets and rotations.
    """
    local, offset, root = np.asarray(rotations), np.asarray(offsets), np.asarray(root_positions)
    dtype, batch, joints = np.result_type(local, offset), local.shape[:-3], len(parents)
    many = int(np.prod(batch))
    if offset.ndim > 2:
        offset = np.broadcast_to(offset, (*batch, joints, 3)).reshape(many, joints, 3)
    places, world = np.empty((many, joints, 3)), np.empty((many, joints, 3, 3))
    _walk()(
        np.array(parents, np.int64),
        _plain(offset.reshape(-1, joints, 3)),
        _plain(np.broadcast_to(root, (*batch, 3)).reshape(many, 3)),
        _plain(local.reshape(many, joints, 3, 3)),
        places,
        world,
    )
    return WorldJoints(
        places.reshape(*batch, joints, 3).astype(dtype, copy=False),
        world.reshape(*batch, joints, 3, 3).astype(dtype, copy=False),
    )


def skinning_matrices(skeleton: Skeleton, pose: Pose) -> NDArray[np.float32]:
    """(J, 4, 4) float32 matrices that carry rest vertices to the pose, one for each joint."""
    joints, frames = forward_kinematics(skeleton, pose), skeleton.rest_frames
    turned = joints.rotations if frames is None else joints.rotations @ np.swapaxes(frames, -1, -2)
    matrices = np.zeros((len(skeleton), 4, 4), dtype=np.float32)
    matrices[:, :3, :3] = turned
    matrices[:, :3, 3] = joints.positions - (turned @ skeleton.rest_positions[..., None])[..., 0]
    matrices[:, 3, 3] = 1.0
    return matrices


def _plain(array: NDArray[Any]) -> Array:
    return np.require(array, np.float64, ["C_CONTIGUOUS", "WRITEABLE"])  # the one kind compiled code takes


def _walk() -> Any:
    """The walk down the tree; compiled once a solver has loaded it."""
    return compiled("fk_kernels", "forward_many") or _walk_in_numpy


def _walk_in_numpy(
    parents: NDArray[np.int64], offsets: Array, roots: Array, local: Array, positions: Array, world: Array
) -> None:
    positions[:, 0], world[:, 0] = roots, local[:, 0]
    for j, p in enumerate(parents.tolist()[1:], start=1):
        positions[:, j] = positions[:, p] + (world[:, p] @ offsets[:, j, :, None])[..., 0]
        world[:, j] = world[:, p] @ local[:, j]
