"""Samples edits: pairs of poses of one clip, from one to the other (Victor et al., sections 3.2 and 3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from solver.body.body import SHAPE_COMPONENTS
from solver.networks.geometry import forward_kinematics, matrices_from_quaternions_xyzw
from solver.networks.pose_edition import EditBatch
from solver.rig.mirroring import mirror_order
from solver.rig.roles import ENDS
from solver.training.data.augmentation import turn_about_vertical
from solver.training.data.base_pose_sampler import heading
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData
from solver.training.data.posture_balance import draw_frames

CHUNK = 8192  # frames posed at once
FARTHEST_PULL_M = 0.2  # the largest standard deviation of drawn targets on each axis
MOVED = 0.7  # share of the joints that are pulled; the others are asked to stay


class EditExamples(NamedTuple):
    """B edits and their results. edits: all five joints are asked for. goal: (B, J, 3) metres, the pose that the
    targets are taken from. deviation: (J, 3) metres, of the data's numbers, by which errors are divided."""

    edits: EditBatch
    goal: Tensor
    deviation: Tensor

    def part(self, rank: int, ranks: int) -> EditExamples:
        """The rows of one of several equal workers."""
        size = len(self.goal) // ranks
        rows = slice(rank * size, (rank + 1) * size)
        return EditExamples(EditBatch(*(t[rows] for t in self.edits)), self.goal[rows], self.deviation)


@dataclass(frozen=True)
class EditSampler:
    """Draws edits. positions: (F, J, 3) metres, as `seen_positions` gives them. first, count: (F,) of each frame's
    clip: its first frame among these and how many there are. other_side: (J,). drawn_share: of edits whose targets are
    drawn about the start pose, the rest of which is to stay. cumulative_frame_shares: see posture_balance."""

    positions: Tensor
    first: Tensor
    count: Tensor
    other_side: tuple[int, ...]
    ends: tuple[int, ...]
    deviation: Tensor
    drawn_share: float = 0.0
    cumulative_frame_shares: Tensor | None = None

    @classmethod
    def of(
        cls,
        data: PoseData,
        split: str,
        parents: tuple[int, ...],
        bodies: ShapedBodies,
        least_deviation: float,
        drawn_share: float = 0.0,
        cumulative_frame_shares: Tensor | None = None,
    ) -> EditSampler:
        """Draws from the split's frames, on the mean neutral body and the device of its bones.

        least_deviation: metres, for numbers that hardly change.
        """
        positions = seen_positions(data, split, parents, bodies)
        clips = data.frame_clip[data.frames_of(split)]
        _, first, number, count = np.unique(clips, return_index=True, return_inverse=True, return_counts=True)
        device = positions.device
        return cls(
            positions,
            torch.tensor(first[number], device=device),
            torch.tensor(count[number], device=device),
            mirror_order(data.joint_names),
            tuple(data.joint_names.index(role) for role in ENDS),
            positions.std(dim=0).clamp(min=least_deviation),
            drawn_share,
            cumulative_frame_shares,
        )

    def draw(self, batch: int, generator: torch.Generator) -> EditExamples:
        """One batch; it depends on the generator's state alone. Every second edit on average is seen in the mirror."""
        device = generator.device
        start = draw_frames(len(self.positions), self.cumulative_frame_shares, batch, generator)
        share = torch.rand(batch, generator=generator, device=device, dtype=torch.float64)
        goal = self.first[start] + (share * self.count[start]).long()
        flip = (torch.rand(batch, generator=generator, device=device) < 0.5)[:, None, None]
        poses = [torch.where(flip, self._mirrored(p), p) for p in (self.positions[start], self.positions[goal])]
        drawn = torch.rand(batch, generator=generator, device=device) < self.drawn_share
        wanted = torch.where(drawn[:, None, None], self._pulled(poses[0], generator), poses[1])
        asked = torch.ones(batch, len(self.ends), device=device)
        return EditExamples(EditBatch(poses[0], wanted[:, list(self.ends)], asked), wanted, self.deviation)

    def _pulled(self, start: Tensor, generator: torch.Generator) -> Tensor:
        """The start poses with some of the five joints moved in any direction, as if a handle were dragged."""
        batch, device, ends = len(start), start.device, list(self.ends)
        away = FARTHEST_PULL_M * torch.rand(batch, 1, 1, generator=generator, device=device)
        moved = torch.rand(batch, len(ends), 1, generator=generator, device=device) < MOVED
        way = away * moved * torch.randn(batch, len(ends), 3, generator=generator, device=device)
        return start.index_add(1, torch.tensor(ends, device=device), way)

    def _mirrored(self, positions: Tensor) -> Tensor:
        sign = torch.tensor([-1.0, 1.0, 1.0], device=positions.device)
        return positions[:, list(self.other_side)] * sign


def seen_positions(data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies) -> Tensor:
    """(F, J, 3) metres: the split's frames on the mean neutral body, seen from below the pelvis on the floor, facing as
    the pelvis does."""
    frames, device = data.frames_of(split), bodies.mean.device
    shape = torch.zeros(1, SHAPE_COMPONENTS, device=device), torch.zeros(1, dtype=torch.int64, device=device)
    offsets = bodies.offsets(*shape)[0]
    found = [torch.zeros(0, len(parents), 3, device=device)]
    for start in range(0, len(frames), CHUNK):
        part = frames[start : start + CHUNK]
        local = matrices_from_quaternions_xyzw(torch.tensor(data.quaternions_xyzw[part], device=device).float())
        local = turn_about_vertical(local, -heading(local[:, 0]))
        root = torch.tensor(data.root_positions[part], device=device) * torch.tensor([0.0, 1.0, 0.0], device=device)
        found.append(forward_kinematics(parents, offsets, root, local)[0])
    return torch.cat(found)
