"""Poses made from nothing but random rotations: enough to see that a network learns, without any data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw
from solver.training.data.dataset import PoseData, load_pose_data, quantised

SYNTHETIC = "synthetic poses"  # as the data of a run's settings, where a file is named otherwise
CLIP = 100  # frames
FACTORS = 4  # how many numbers decide a pose: few, so that a few effectors determine it
FRAMES = 2000
SWING = 0.3  # radians


def data_of(named: str, seed: int) -> PoseData:
    """The data that a run's settings name: SYNTHETIC's poses, or those of a file. InputRefused as for any data file."""
    return synthetic_poses(FRAMES, seed) if named == SYNTHETIC else load_pose_data(Path(named))


def synthetic_poses(frames: int, seed: int = 0) -> PoseData:
    """Poses in which every joint's rotation follows the same few random factors; clips of 100 frames, all splits."""
    rng = np.random.default_rng(seed)
    mixing = SWING * rng.normal(size=(FACTORS, len(BODY_JOINTS), 3)) / FACTORS**0.5
    vectors = np.einsum("fk,kjc->fjc", rng.normal(size=(frames, FACTORS)), mixing)
    clip = np.arange(frames) // CLIP
    names = tuple(f"synthetic {number}" for number in range(clip[-1] + 1))
    splits = tuple(("train", "train", "train", "val", "test")[number % 5] for number in range(len(names)))
    quaternions = quantised(to_quaternion_xyzw(from_rotation_vector(vectors)))
    roots = np.zeros((frames, 3), np.float32)
    return PoseData(BODY_JOINTS, quaternions, roots, clip.astype(np.int32), names, splits)
