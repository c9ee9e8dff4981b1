"""Mirroring across the body's middle plane (x -> -x)."""

from __future__ import annotations

import numpy as np

from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton, mirrored_name
from solver.values import FloatArray

_FLIP = np.diag([-1.0, 1.0, 1.0]).astype(np.float32)


def mirror_permutation(names: tuple[str, ...]) -> tuple[int, ...]:
    """For each joint the index of the one on the other side."""
    index = {name: j for j, name in enumerate(names)}
    return tuple(index.get(mirrored_name(name), j) for j, name in enumerate(names))


def mirror_rotation(rotations: FloatArray) -> FloatArray:
    """(..., 3, 3) rotations seen in the mirror."""
    return np.asarray(_FLIP @ rotations @ _FLIP, dtype=np.float32)


def mirror_point(points: FloatArray) -> FloatArray:
    """(..., 3) points seen in the mirror x = 0."""
    return points * np.array([-1, 1, 1], dtype=np.float32)


def mirror_pose(skeleton: Skeleton, pose: Pose) -> Pose:
    """The same pose with left and right exchanged; twice gives the pose back."""
    order = list(mirror_permutation(skeleton.names))
    return Pose(mirror_point(pose.root_position), mirror_rotation(pose.rotations)[order])
