"""How natural poses are, without a true pose to compare with: by the pose prior, joint limits and recorded poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.body.body import Body, BodyShape
from solver.evaluation.body_joints import BODY_JOINTS, body_skeleton
from solver.evaluation.metrics import MILLIMETRES
from solver.evaluation.poses import read_poses
from solver.formats.clip_folder import MANIFEST, read_manifest
from solver.ik.pose_prior import pose_prior, whole_pose_stiffness
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.float64]
CHUNK = 256  # poses compared with the recorded ones at once


def prior_energy(local: ArrayLike) -> Array:
    """(T,) squared distance of poses (T, 22, 3, 3) from the mean pose, measured in the spread of motion capture and
    divided by the degrees of freedom: recorded poses have about 1. The root plays no part."""
    away = to_rotation_vector(np.swapaxes(pose_prior(BODY_JOINTS).mean, -1, -2) @ np.asarray(local, dtype=np.float64))
    flat = away.reshape(len(away), -1)
    energy = np.einsum("ti,ij,tj->t", flat, whole_pose_stiffness(BODY_JOINTS), flat)
    return np.asarray(energy / (flat.shape[1] - 3))


def beyond_limits(local: ArrayLike) -> Array:
    """(T,) degrees, how far the worst joint of each pose (T, 22, 3, 3) is beyond a human's range of motion."""
    return np.degrees(joint_limits(BODY_JOINTS).excess(local).max(axis=-1))


@dataclass(frozen=True)
class Library:
    """Recorded poses to compare with. places: (P, 22, 3) metres about the pelvis, on the mean body."""

    skeleton: Skeleton
    places: Array

    @classmethod
    def of(cls, body: Body, poses: Sequence[Pose]) -> Library:
        """The library of these poses, which move at least the body joints."""
        whole = body.skeleton(BodyShape())
        joints = [whole.index(name) for name in BODY_JOINTS]
        skeleton = body_skeleton(whole)
        local = np.stack([pose.rotations[joints] for pose in poses])
        return cls(skeleton, _about_pelvis(skeleton, local))

    def nearest_mm(self, local: ArrayLike) -> Array:
        """(T,) root mean square distance over the joints from poses (T, 22, 3, 3) to the nearest recorded pose, both
        on the mean body, pelvis on pelvis, turned about the vertical for the best fit."""
        mine = _about_pelvis(self.skeleton, np.asarray(local, dtype=np.float64))
        theirs = self.places.transpose(2, 1, 0)  # (3, 22, P)
        size = np.square(theirs).sum(axis=(0, 1))
        found = np.empty(len(mine))
        for start in range(0, len(mine), CHUNK):
            x, y, z = mine[start : start + CHUNK].transpose(2, 0, 1)  # each (chunk, 22)
            level, across = x @ theirs[0] + z @ theirs[2], z @ theirs[0] - x @ theirs[2]
            alike = y @ theirs[1] + np.hypot(level, across)  # at the best turn about the vertical
            own = (x * x + y * y + z * z).sum(axis=-1)
            found[start : start + CHUNK] = (own[:, None] + size - 2 * alike).min(axis=1)
        return np.asarray(MILLIMETRES * np.sqrt(np.maximum(found, 0.0) / len(BODY_JOINTS)))


def library_of(folder: Path, body: Body) -> Library | None:
    """Every 10th frame of the clips that the folder's manifest assigns to training; None if it assigns none."""
    if "train" not in read_manifest(folder / MANIFEST).values():
        return None
    return Library.of(body, [truth.pose for truth in read_poses(folder, body, "train").poses])


def _about_pelvis(skeleton: Skeleton, local: NDArray[np.floating]) -> Array:
    joints = forward_kinematics_batch(skeleton.parents, skeleton.offsets, np.zeros((len(local), 3)), local)
    return joints.positions.astype(np.float64)
