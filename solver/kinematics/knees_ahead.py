"""Knees of poses that turns have been added to: they bend back no further than straight, or than beneath."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Poses
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton


def with_knees_ahead(skeleton: Skeleton, poses: Poses, beneath: Poses) -> Poses:
    """The poses with knees that bend back only as far as the pose beneath each has them, or not at all; what is on a
    knee goes along. The same for a skeleton whose knees are not named as ours.

    Where a recording bends a knee less than at a key, what the key takes off there would bend it backwards.
    """
    there = [name for name in KNEES if name in skeleton.names]
    if not there:
        return poses
    knees, limits = [skeleton.index(name) for name in there], joint_limits(tuple(there))
    bends, before = (limits.coordinates(each.rotations[:, knees])[..., BEND] for each in (poses, beneath))
    over: NDArray[np.float64] = np.minimum(before, 0.0) - bends
    if not (over > 0.0).any():
        return poses
    back = from_rotation_vector(np.maximum(over, 0.0)[..., None] * limits.frames[:, :, BEND])
    rotations = poses.rotations.copy()
    rotations[:, knees] = back @ rotations[:, knees]
    return poses._replace(rotations=rotations)
