"""Which frames a batch takes: all equally often, or rare postures more often than they were recorded."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from solver.evaluation.posture import POSTURES, postures_of
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.rotations import from_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import QUATERNION_SCALE, PoseData

CHUNK = 8192  # frames looked at at once


def frame_postures(data: PoseData, frames: NDArray[np.int64], skeleton: Skeleton) -> NDArray[np.int64]:
    """(N,) the frames' indices into POSTURES, performed by the skeleton, which has the data's joints."""
    rig, found = rig_of(skeleton), np.empty(len(frames), np.int64)
    for start in range(0, len(frames), CHUNK):
        part = frames[start : start + CHUNK]
        turns = from_quaternion_xyzw(data.quaternions_xyzw[part] / QUATERNION_SCALE)
        joints = forward_kinematics_batch(rig.parents, rig.offsets, data.root_positions[part], turns)
        found[start : start + CHUNK] = postures_of(rig, joints.positions)
    return found


def cumulative_shares(postures: NDArray[np.int64], balance: float) -> Tensor:
    """(N,) float64 rising to 1: where each frame's share of the draws ends.

    A class of n frames is drawn in proportion to n^(1 − balance): at 0 as recorded, at 1 every class as often.
    """
    counts = np.bincount(postures, minlength=len(POSTURES)).astype(np.float64)
    ends = np.cumsum(np.maximum(counts, 1.0)[postures] ** -balance)
    return torch.from_numpy(ends / ends[-1])


def cumulative_frame_shares(
    data: PoseData,
    split: str,
    parents: tuple[int, ...],
    bodies: ShapedBodies,
    balance: float,
    device: torch.device | str = "cpu",
) -> Tensor | None:
    """`cumulative_shares` of the split's frames on the mean body; None at balance 0, where all are drawn alike."""
    if balance <= 0:
        return None
    skeleton = Skeleton(data.joint_names, parents, bodies.mean[0].cpu().numpy())
    return cumulative_shares(frame_postures(data, data.frames_of(split), skeleton), balance).to(device)


def draw_frames(frames: int, ends: Tensor | None, batch: int, generator: torch.Generator) -> Tensor:
    """(batch,) int64 below `frames`, all alike, or each as often as its share of `ends` says."""
    device = generator.device
    if ends is None:
        return torch.randint(frames, (batch,), generator=generator, device=device)
    at = torch.rand(batch, dtype=torch.float64, generator=generator, device=device)
    return torch.searchsorted(ends, at, right=True).clamp(max=frames - 1)
