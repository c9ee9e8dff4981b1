"""Poses and motions: what a skeleton does, apart from its proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import interpolate, nearest_rotation
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue, FloatArray, frozen_array


@dataclass(frozen=True, eq=False)
class Pose(ArrayValue):
    """One moment. root_position: (3,) metres, the root joint in the world. rotations: (J, 3, 3), R_parent_joint."""

    root_position: FloatArray
    rotations: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "root_position", frozen_array(self.root_position, (3,), "root position"))
        object.__setattr__(self, "rotations", frozen_array(self.rotations, (None, 3, 3), "rotations"))


@dataclass(frozen=True, eq=False)
class Motion(ArrayValue):
    """F moments at a steady rate. root_positions: (F, 3) metres. rotations: (F, J, 3, 3). fps: frames a second."""

    root_positions: FloatArray
    rotations: FloatArray
    fps: float = 30.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "root_positions", frozen_array(self.root_positions, (None, 3), "root positions"))
        frames = len(self.root_positions)
        object.__setattr__(self, "rotations", frozen_array(self.rotations, (frames, None, 3, 3), "rotations"))
        if frames == 0:
            raise ValueError("a motion needs at least one frame")
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise ValueError(f"frames per second must be above 0, not {self.fps}")

    def __len__(self) -> int:
        return len(self.root_positions)

    def pose(self, frame: int) -> Pose:
        """The pose of one frame."""
        return Pose(self.root_positions[frame], self.rotations[frame])


class Poses(NamedTuple):
    """Poses of several frames: roots (N, 3) metres, rotations (N, J, 3, 3)."""

    roots: FloatArray
    rotations: FloatArray

    @classmethod
    def of(cls, poses: Sequence[Pose]) -> Poses:
        """These poses."""
        return cls(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]))

    def each(self) -> list[Pose]:
        """One pose for each frame."""
        return [Pose(root, rotations) for root, rotations in zip(*self, strict=True)]


def rest_pose(skeleton: Skeleton) -> Pose:
    """The T-pose where the skeleton's rest offsets put it."""
    rotations, frames = np.tile(np.eye(3, dtype=np.float32), (len(skeleton), 1, 1)), skeleton.rest_frames
    if frames is not None:
        rotations[0] = frames[0]
        rotations[1:] = np.swapaxes(frames[list(skeleton.parents[1:])], -1, -2) @ frames[1:]
    return Pose(skeleton.offsets[0], rotations)


def pose_moved(pose: Pose, by: NDArray[np.floating]) -> Pose:
    """The pose carried by (3,) metres; itself where that is nothing."""
    if not by.any():
        return pose
    return Pose((pose.root_position + by).astype(np.float32), pose.rotations)


def pose_between(start: Pose, end: Pose, share: float) -> Pose:
    """The pose a share of the way between two poses of one skeleton, each joint along its shortest arc; at 1, `end`
    itself."""
    if share >= 1.0:
        return end
    root = start.root_position + np.float32(share) * (end.root_position - start.root_position)
    return Pose(root, interpolate(start.rotations, end.rotations, share).astype(np.float32))


def mean_pose(poses: Sequence[Pose]) -> Pose:
    """The mean of poses of one skeleton: each joint's rotation is the one nearest to the mean of its matrices."""
    root = np.mean([pose.root_position for pose in poses], axis=0)
    turns = nearest_rotation(np.mean([pose.rotations for pose in poses], axis=0, dtype=np.float64))
    return Pose(root.astype(np.float32), turns.astype(np.float32))
