"""Poses to learn from, as one compact file: quantised local rotations, the root's path, clips assigned to splits."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.files.atomic import write_bytes
from solver.files.reading import MEBIBYTE, open_regular
from solver.values import ArrayValue, FloatArray, same

MAX_BYTES = 64 * 1024 * MEBIBYTE
QUATERNION_SCALE = 32767.0  # int16: one step is 3e-5, at most 0.004° of angle
VAL_SHARE, TEST_SHARE = 0.08, 0.12  # of all clips
_VERSION = 1


@dataclass(frozen=True, eq=False)
class PoseData(ArrayValue):
    """F frames of C clips on the J joints named.

    quaternions_xyzw: (F, J, 4) int16, unit quaternions times QUATERNION_SCALE, R_parent_joint against our T-pose.
    root_positions: (F, 3) metres. frame_clip: (F,) clip of each frame, ascending. clip_names, clip_splits: C each.
    """

    joint_names: tuple[str, ...]
    quaternions_xyzw: NDArray[np.int16]
    root_positions: FloatArray
    frame_clip: NDArray[np.int32]
    clip_names: tuple[str, ...]
    clip_splits: tuple[str, ...]
    fps: float = 30.0

    def __len__(self) -> int:
        return len(self.frame_clip)

    def frames_of(self, split: str, every: int = 1) -> NDArray[np.int64]:
        """Indices of the split's frames, every n-th of each clip."""
        first = np.searchsorted(self.frame_clip, np.arange(len(self.clip_names)))
        number = np.arange(len(self)) - first[self.frame_clip]
        wanted = np.array([s == split for s in self.clip_splits])[self.frame_clip]
        return np.flatnonzero(wanted & (number % every == 0))


def check_splits(data: PoseData, source: object, *needed: str) -> None:
    """InputRefused where one of these splits has no frame, as happens with few clips. source: the file of the data."""
    for split in needed:
        if not len(data.frames_of(split)):
            way_out = "Prepare more clips, or name that split in a manifest.json in their folder (docs/training.md)"
            raise InputRefused(source, f"holds no frame of the split “{split}”", way_out)


def quantised(quaternions_xyzw: NDArray[np.floating]) -> NDArray[np.int16]:
    """(..., 4) unit quaternions as int16."""
    return np.asarray(np.rint(quaternions_xyzw * QUATERNION_SCALE), dtype=np.int16)


def deal_splits(names: tuple[str, ...], seed: int = 0) -> tuple[str, ...]:
    """A split for each clip, drawn by clip; the same names give the same splits in any order of the files."""
    order = np.random.default_rng(seed).permutation(len(names))
    ranked = np.argsort(np.argsort(names, kind="stable"), kind="stable")
    share = order[ranked] / max(len(names), 1)
    return tuple("test" if s < TEST_SHARE else "val" if s < TEST_SHARE + VAL_SHARE else "train" for s in share)


def save_pose_data(data: PoseData, path: Path) -> None:
    """Write the file, all or nothing; InputRefused says why if it cannot be written."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        version=np.int32(_VERSION),
        joint_names=np.array(data.joint_names),
        quaternions_xyzw=data.quaternions_xyzw,
        root_positions=data.root_positions,
        frame_clip=data.frame_clip,
        clip_names=np.array(data.clip_names),
        clip_splits=np.array(data.clip_splits),
        fps=np.float64(data.fps),
    )
    write_bytes(path, buffer.getvalue())


def load_pose_data(path: Path) -> PoseData:
    """Reads a file of `save_pose_data`; InputRefused says what is wrong with any other."""
    prepare = "Make it with “train prepare”"
    if not path.exists():
        raise InputRefused(path, "there is no such file", prepare)
    try:
        with open_regular(path, MAX_BYTES) as file, np.load(file, allow_pickle=False) as stored:
            if int(stored["version"]) != _VERSION:
                raise InputRefused(path, f"it has version {int(stored['version'])}, not {_VERSION}", prepare)
            return _checked(
                path,
                PoseData(
                    tuple(str(n) for n in stored["joint_names"]),
                    stored["quaternions_xyzw"],
                    stored["root_positions"],
                    stored["frame_clip"],
                    tuple(str(n) for n in stored["clip_names"]),
                    tuple(str(s) for s in stored["clip_splits"]),
                    float(stored["fps"]),
                ),
            )
    except (zipfile.BadZipFile, EOFError, KeyError, ValueError, OSError) as error:
        raise InputRefused(path, f"it is not pose data ({error})", prepare) from None


def _checked(path: Path, data: PoseData) -> PoseData:
    frames, joints = len(data.frame_clip), len(data.joint_names)
    if data.quaternions_xyzw.shape != (frames, joints, 4) or data.root_positions.shape != (frames, 3):
        raise InputRefused(path, "its arrays do not belong together", "Make it again with “train prepare”")
    if not np.isfinite(data.root_positions).all():
        raise InputRefused(path, "root positions hold a value that is not finite", "Make it again with “train prepare”")
    if not same(data.frame_clip, np.sort(data.frame_clip)) or data.frame_clip.max(initial=0) >= len(data.clip_names):
        raise InputRefused(path, "its frames are not grouped by clip", "Make it again with “train prepare”")
    return data
