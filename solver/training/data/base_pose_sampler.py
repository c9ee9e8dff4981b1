"""Samples base poses and control bits: what a user may have had before the effectors were set (SKEL-IK, 4).

Motion capture holds poses, but not how a user came to them. So a base pose is any other pose of the data, whole or
mixed with the true one, in all of the body or in some of its parts; it stands near the true one, facing anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.base_batch import BaseBatch
from solver.networks.constant_tensors import constant_tensor
from solver.networks.geometry import (
    forward_kinematics,
    matrices_from_6d,
    matrices_from_quaternions_xyzw,
    sixd_from_matrices,
)
from solver.networks.skeleton_levels import LIMB_NODES
from solver.training.data.augmentation import mirrored, turn_about_vertical
from solver.training.data.posture_balance import draw_frames

UNLIKE = 0.45  # share of base poses that are another pose altogether
WHOLE = 0.25  # share that are mixed with the true one by the same amount in all of the body; in the rest, parts differ
PART = 0.4  # the share of parts that differ in those
AT_REST = 0.05  # share that are the rest pose
ANY_HEADING = 0.4  # share of other poses that face anywhere; the rest about as the true one does
HEADING = math.radians(30.0)
NEAR_M, FAR_M, FAR = 0.05, 0.35, 0.5  # how far roots lie apart, and the share of the far ones
HEIGHT_M = 0.03  # how far the lowest joints' heights lie apart


class Poses(NamedTuple):
    """B true poses. local (B, J, 3, 3), positions (B, J, 3), offsets (B, J, 3)."""

    local: Tensor
    positions: Tensor
    offsets: Tensor


@dataclass(frozen=True)
class BasePoseSampler:
    """Draws a base pose and control bits for each pose of a batch.

    quaternions: (F, J, 4) of the poses to choose from. cumulative_frame_shares: how often each is chosen, see
    posture_balance.
    """

    quaternions: Tensor
    roles: tuple[str, ...]
    parents: tuple[int, ...]
    other_side: tuple[int, ...]
    cumulative_frame_shares: Tensor | None = None

    def draw(self, true: Poses, generator: torch.Generator) -> BaseBatch:
        """One base pose for each row; it depends on the generator's state alone."""
        local = self.mixed(true.local, generator)
        batch = len(local)
        root = self._root(true, local, generator)
        positions, world = forward_kinematics(self.parents, true.offsets, root, local)
        place, shape = self.control_bits(batch, generator)
        return BaseBatch(positions, world, local, true.offsets, place, shape)

    def control_bits(self, batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """C_FK and C_IK, (B, J) each: one of the paper's modes, any number for the whole body, or one for each part."""
        parts = self._parts(generator.device)

        def uniform(*shape: int) -> Tensor:
            return torch.rand(shape, generator=generator, device=generator.device)

        whole = uniform(batch, 2, 1)
        share = uniform(batch)
        corner = (uniform(batch, 2, 1) < 0.5).float()  # Global, Local, Place freeze or Pose freeze
        whole = torch.where((share < 0.45)[:, None, None], corner, whole)
        whole = torch.where((share < 0.12)[:, None, None], torch.zeros_like(whole), whole)
        drawn = uniform(batch, 2, len(parts))
        by_part = (2.0 * drawn - 0.5).clamp(0.0, 1.0) @ parts  # a quarter 0, a quarter 1
        bits = torch.where((share > 0.7)[:, None, None], by_part, whole.expand(-1, -1, len(self.roles)))
        return bits[:, 0], bits[:, 1]

    def _parts(self, device: torch.device) -> Tensor:
        """(P, J), 1 where a joint belongs to a limb, the spine or the hips."""
        return constant_tensor(tuple(tuple(float(role in node) for role in self.roles) for node in LIMB_NODES), device)

    def mixed(self, local: Tensor, generator: torch.Generator) -> Tensor:
        """(B, J, 3, 3) base poses' local rotations; the root's heading is drawn relative to the true pose's."""
        batch, device = len(local), generator.device
        uniform = lambda *shape: torch.rand(shape, generator=generator, device=device)  # noqa: E731
        picked = draw_frames(len(self.quaternions), self.cumulative_frame_shares, batch, generator)
        other = matrices_from_quaternions_xyzw(self.quaternions[picked].float())
        flip = (uniform(batch) < 0.5)[:, None, None, None]
        other = torch.where(flip, mirrored(other, constant_tensor(self.other_side, device, torch.long)), other)
        rest = (uniform(batch) < AT_REST)[:, None, None, None]
        other = torch.where(rest, torch.eye(3, device=device).expand_as(other), other)
        away = HEADING * torch.randn(batch, generator=generator, device=device)
        away = torch.where(uniform(batch) < ANY_HEADING, 2.0 * math.pi * uniform(batch), away)
        other = turn_about_vertical(other, heading(local[:, 0]) - heading(other[:, 0]) + away)
        kind = uniform(batch, 1)
        whole = torch.where(kind < UNLIKE, torch.ones_like(kind), 0.7 * uniform(batch, 1))
        parts = self._parts(device)
        some = (uniform(batch, len(parts)) < PART).float() * (0.2 + 0.8 * uniform(batch, len(parts)))
        share = torch.where(kind < UNLIKE + WHOLE, whole.expand(-1, len(self.roles)), some @ parts).unsqueeze(-1)
        return matrices_from_6d(sixd_from_matrices(local) * (1.0 - share) + sixd_from_matrices(other) * share)

    def _root(self, true: Poses, local: Tensor, generator: torch.Generator) -> Tensor:
        """(B, 3) where the base poses' roots are: about where the true ones are, standing about as high."""
        batch, device = len(local), generator.device
        far = torch.rand(batch, 1, generator=generator, device=device) < FAR
        aside = torch.randn(batch, 3, generator=generator, device=device) * torch.where(far, FAR_M, NEAR_M)
        at_origin, _ = forward_kinematics(self.parents, true.offsets, torch.zeros(batch, 3, device=device), local)
        lift = HEIGHT_M * torch.randn(batch, generator=generator, device=device)
        height = true.positions[..., 1].amin(dim=1) - at_origin[..., 1].amin(dim=1) + lift
        return true.positions[:, 0] * constant_tensor((1.0, 0.0, 1.0), device) + torch.stack(
            [aside[:, 0], height, aside[:, 2]], dim=-1
        )


def heading(root: Tensor) -> Tensor:
    """(B,) radians about the vertical, of root rotations (B, 3, 3)."""
    return torch.atan2(root[:, 0, 2] - root[:, 2, 0], root[:, 0, 0] + root[:, 2, 2])
