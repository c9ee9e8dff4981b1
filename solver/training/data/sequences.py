"""Recorded motions as DragPoser learns from them: poses paired with the next, and stretches of many poses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from solver.body.body import SHAPE_COMPONENTS
from solver.networks.latent.relative_pose import RelativePose, mirrored, of_one_sign, positions, relative_poses, rotated
from solver.rig.mirroring import mirror_order
from solver.rig.roles import LIMBS, Role
from solver.training.data.bodies import ShapedBodies, draw_shapes
from solver.training.data.dataset import PoseData
from solver.training.data.posture_balance import cumulative_frame_shares, draw_frames

HEIGHTS = (Role.PELVIS, Role.HEAD, *(limb.end for limb in LIMBS))  # of these; the temporal predictor reads them


class PosePairs(NamedTuple):
    """B poses, those a frame later, and the bones (B, J, 3) of the bodies that take them."""

    now: RelativePose
    later: RelativePose
    bones: Tensor

    def part(self, rank: int, ranks: int) -> PosePairs:
        """The rows of one of several equal workers."""
        size = len(self.bones) // ranks
        rows = slice(rank * size, (rank + 1) * size)
        return PosePairs(self.now.rows(rows), self.later.rows(rows), self.bones[rows])


@dataclass(frozen=True)
class RecordedFrames:
    """All frames of a split but the first of each clip, then all of them again, mirrored.

    poses: (2 F). heights: (2 F, 6) metres of HEIGHTS above the floor. clip: (F,), ascending. bones: (J, 3), the mean
    body's. ends: of each frame's share of the draws, None where all are drawn alike.
    """

    poses: RelativePose
    heights: Tensor
    clip: Tensor
    bones: Tensor
    ends: Tensor | None = None

    def __len__(self) -> int:
        return len(self.clip)

    def starts(self, length: int) -> Tensor:
        """Frames at which a stretch of `length` frames of one clip begins, mirrored ones too."""
        first = torch.arange(max(len(self) - length + 1, 0), device=self.clip.device)
        first = first[self.clip[first] == self.clip[first + length - 1]]
        return torch.cat([first, first + len(self)])

    def signed(self, reference: Tensor) -> RecordedFrames:
        """These frames, each quaternion with the sign nearer to the reference (J, 4)."""
        poses = RelativePose(of_one_sign(self.poses.quaternions, reference), self.poses.shift)
        return RecordedFrames(poses, self.heights, self.clip, self.bones, self.ends)


def recorded_frames(
    data: PoseData,
    split: str,
    parents: tuple[int, ...],
    bodies: ShapedBodies,
    balance: float = 0.0,
    device: torch.device | str = "cpu",
) -> RecordedFrames:
    """The frames of a split on the mean body. balance: see `posture_balance`."""
    frames = data.frames_of(split)
    local = torch.nn.functional.normalize(torch.tensor(data.quaternions_xyzw[frames]).float(), dim=-1)
    root, clip = torch.tensor(data.root_positions[frames]), torch.tensor(data.frame_clip[frames].astype(np.int64))
    bones = bodies.mean[0].cpu()
    poses = relative_poses(local, root, parents)
    points = positions(poses, bones, parents)
    told = [data.joint_names.index(role) for role in HEIGHTS]
    turn = local[1:, :1].expand(-1, len(told), 4)
    heights = rotated(turn, points[:, told])[..., 1] + root[1:, 1:2]
    kept = clip[1:] == clip[:-1]
    ends = cumulative_frame_shares(data, split, parents, bodies, balance)
    if ends is not None:
        shares = torch.diff(ends, prepend=ends.new_zeros(1))[1:][kept]
        ends = torch.cumsum(shares / shares.sum(), 0).to(device)
    poses, heights = poses.rows(kept), heights[kept]
    other_side = torch.tensor(mirror_order(data.joint_names))
    flipped = mirrored(poses, other_side)
    sides = [told.index(int(other_side[joint])) for joint in told]
    both = RelativePose(*(torch.cat(pair).to(device) for pair in zip(poses, flipped, strict=True)))
    return RecordedFrames(
        both, torch.cat([heights, heights[:, sides]]).to(device), clip[1:][kept].to(device), bones.to(device), ends
    )


def draw_pairs(frames: RecordedFrames, bodies: ShapedBodies, batch: int, generator: torch.Generator) -> PosePairs:
    """Pairs of consecutive poses on bodies of random shape; on average every second one is mirrored."""
    device = generator.device
    at = draw_frames(len(frames), frames.ends, batch, generator).clamp(max=len(frames) - 2)
    at = torch.where(frames.clip[at] == frames.clip[at + 1], at, (at - 1).clamp(min=0))
    at = at + len(frames) * torch.randint(2, (batch,), generator=generator, device=device)
    betas, gender = draw_shapes(batch, generator)
    return PosePairs(frames.poses.rows(at), frames.poses.rows(at + 1), bodies.offsets(betas, gender))


def mean_bones(bodies: ShapedBodies) -> Tensor:
    """(1, J, 3) bones of the mean neutral body."""
    device = bodies.mean.device
    none = torch.zeros(1, SHAPE_COMPONENTS, device=device)
    return bodies.offsets(none, torch.zeros(1, dtype=torch.int64, device=device))
