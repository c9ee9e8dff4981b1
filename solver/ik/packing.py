"""From frozen values to the plain float64 arrays that the compiled functions take; constant parts are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.ik.pose_prior import pose_prior
from solver.ik.prior_kernels import quaternions
from solver.ik.residual_kernels import LOOKAT, POSITION, ROTATION
from solver.kinematics.limits import joint_limits
from solver.kinematics.skeleton import Skeleton
from solver.made_once import made_once

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
_KINDS = {"position": POSITION, "rotation": ROTATION, "lookat": LOOKAT}


class Tree(NamedTuple):
    """parents (J,), offsets (J, 3) metres, paths (J, J): joints from the root to each, depths (J,): how many."""

    parents: Indices
    offsets: Array
    paths: Indices
    depths: Indices


class Body(NamedTuple):
    """mean: (J, 4) quaternions w, x, y, z. stiffness, frames: (J, 3, 3). low, high: (J, 3). Known by joints' names."""

    mean: Array
    stiffness: Array
    frames: Array
    low: Array
    high: Array


class Rows(NamedTuple):
    """E effectors: kinds, joints (E,), targets (E, 3, 3) as in residual_kernels."""

    kinds: Indices
    joints: Indices
    targets: Array


@made_once(16, by_identity=True)
def tree_of(skeleton: Skeleton) -> Tree:
    """The skeleton as arrays; made once for each skeleton object among the last few."""
    joints = len(skeleton)
    paths, depths = np.zeros((joints, joints), np.int64), np.zeros(joints, np.int64)
    for j, parent in enumerate(skeleton.parents):
        depth = depths[parent] if parent >= 0 else 0
        paths[j, :depth] = paths[parent, :depth]
        paths[j, depth] = j
        depths[j] = depth + 1
    return Tree(np.array(skeleton.parents, np.int64), skeleton.offsets.astype(np.float64), paths, depths)


@made_once(16)
def body_of(names: tuple[str, ...]) -> Body:
    """Prior and limits of joints by name."""
    prior, limits = pose_prior(names), joint_limits(names)
    mean = np.empty((len(names), 4))
    quaternions(np.ascontiguousarray(prior.mean), mean)
    return Body(mean, np.ascontiguousarray(prior.stiffness), limits.frames, limits.low, limits.high)


def rows_of(skeleton: Skeleton, effectors: Sequence[Effector]) -> Rows:
    """The effectors as arrays, in their order."""
    index, targets = skeleton.index, np.zeros((len(effectors), 3, 3))
    for i, effector in enumerate(effectors):
        if isinstance(effector, Position):
            targets[i, 0] = effector.target
        elif isinstance(effector, Rotation):
            targets[i] = effector.target
        elif isinstance(effector, LookAt):
            targets[i, 0], targets[i, 1] = effector.target, effector.local_axis
    kinds = np.array([_KINDS[effector.kind] for effector in effectors], np.int64)
    return Rows(kinds, np.array([index(effector.joint) for effector in effectors], np.int64), targets)
