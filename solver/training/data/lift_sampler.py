"""Samples what the lifter learns from: recorded poses seen by random cameras, with the noise of landmark networks."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import NamedTuple

import torch
from torch import Tensor

from solver.body.body import SHAPE_COMPONENTS, Body
from solver.networks.geometry import (
    forward_kinematics,
    matrices_from_6d,
    matrices_from_euler_zyx,
    matrices_from_quaternions_xyzw,
)
from solver.networks.lifter import CentredViewBatch
from solver.photo.fit.evidence import body_points
from solver.rig.mirroring import mirror_order
from solver.rig.roles import ARMS, Role
from solver.training.data.augmentation import mirrored
from solver.training.data.batches import pose_tensor
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData
from solver.training.data.landmark_errors import LandmarkErrors
from solver.training.data.landmark_noise import LandmarkNoise
from solver.training.data.posture_balance import draw_frames

# Parts that some poses take from other poses: the chest and all above it, or the left arm.
_ARM = (ARMS[0].girdle, *ARMS[0].line)
_UPPER = (Role.SPINE3, Role.NECK, Role.HEAD, *(role for arm in ARMS for role in arm.joints))
MIXED, SHAKEN = 0.15, 0.05  # shares of poses, and radians by which joints are shaken
LIKELY_BETAS = 0.8  # one standard deviation of the people who are seen
NEAREST_M, FARTHEST_M = 1.8, 7.8  # cameras, nearer ones more often
ABOVE, TILTED, ROLLED = 0.15, 0.25, 0.1  # radians: how cameras look down, and standard deviations
ANY_WAY_UP = 0.25  # share of people who are seen any way up


class LiftExamples(NamedTuple):
    """B people. seen: as landmark networks might see them. local, world: (B, J, 3, 3) in the frame of what is seen.
    points: (B, P, 3) metres about the hips, of the mean body in that pose."""

    seen: CentredViewBatch
    local: Tensor
    world: Tensor
    points: Tensor

    def part(self, rank: int, ranks: int) -> LiftExamples:
        """The rows of one of several equal workers."""
        size = len(self.local) // ranks
        rows = slice(rank * size, (rank + 1) * size)
        return LiftExamples(CentredViewBatch(*(t[rows] for t in self.seen)), *(t[rows] for t in self[1:]))


@dataclass(frozen=True)
class PointsOfPoses:
    """Where landmarks are on posed bodies. near, carrier: (P,) joints; offset: (P, 3) metres from near, turned by
    carrier. hips: the points at both hips."""

    parents: tuple[int, ...]
    near: Tensor
    carrier: Tensor
    offset: Tensor
    hips: Tensor

    @classmethod
    def of(cls, body: Body, parents: tuple[int, ...], device: torch.device) -> PointsOfPoses:
        """Those of a body, on a torch device."""
        points = body_points(body)
        near, carrier = (torch.tensor(part, device=device) for part in (points.joint, points.carrier))
        offset = torch.tensor(points.offset, dtype=torch.float32, device=device)
        return cls(parents, near, carrier, offset, torch.tensor(points.hips, device=device))

    def places(self, local: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
        """Points (B, P, 3) about the middle of the hips, and world rotations (B, J, 3, 3), of poses on such bones."""
        joints, world = forward_kinematics(self.parents, offsets, torch.zeros_like(local[:, 0, 0]), local)
        found = joints[:, self.near] + (world[:, self.carrier] @ self.offset.unsqueeze(-1)).squeeze(-1)
        return found - found[:, self.hips].mean(1, keepdim=True), world


@dataclass(frozen=True)
class LiftSampler:
    """Draws examples. poses: (F, J, 4) int16 quaternions. cumulative_frame_shares: see posture_balance."""

    poses: Tensor
    other_side: Tensor
    upper: Tensor
    arm: Tensor
    bodies: ShapedBodies
    points: PointsOfPoses
    noise: LandmarkNoise
    cumulative_frame_shares: Tensor | None = None

    @classmethod
    def of(
        cls, data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies, body: Body,
        errors: LandmarkErrors, cumulative_frame_shares: Tensor | None = None,
    ) -> LiftSampler:  # fmt: skip
        """Draws from the split's frames, on the device of the bones."""
        device, names = bodies.mean.device, data.joint_names
        upper, arm = (torch.tensor([name in part for name in names], device=device) for part in (_UPPER, _ARM))
        return cls(
            pose_tensor(data, split, device),
            torch.tensor(mirror_order(names), device=device),
            upper,
            arm,
            bodies,
            PointsOfPoses.of(body, parents, device),
            LandmarkNoise.of(errors, body_points(body), device),
            cumulative_frame_shares,
        )

    def draw(self, batch: int, generator: torch.Generator) -> LiftExamples:
        """One batch; it depends on the generator's state alone."""
        device = generator.device
        local = _seen_from_anywhere(self._mixed(batch, generator), generator)
        betas = LIKELY_BETAS * torch.randn(batch, SHAPE_COMPONENTS, generator=generator, device=device)
        neutral = torch.zeros(batch, dtype=torch.int64, device=device)
        true, _ = self.points.places(local, self.bodies.offsets(betas, neutral))
        away = torch.rand(batch, 1, 1, generator=generator, device=device) ** 1.5
        away = NEAREST_M + (FARTHEST_M - NEAREST_M) * away
        flat = true[..., :2] / (1 - true[..., 2:] / away).clamp(min=0.2)
        flat = flat / (flat.amax(1) - flat.amin(1)).norm(dim=-1)[:, None, None]
        mean, world = self.points.places(local, self.bodies.mean[0])
        return LiftExamples(self.noise.applied(flat, true, generator), local, world, mean)

    def _mixed(self, batch: int, generator: torch.Generator) -> Tensor:
        """Recorded poses (B, J, 3, 3), some with the upper body or an arm of others, half of them mirrored, all with
        their joints shaken."""
        device, local = generator.device, self._picked(batch, generator)
        for part in (self.upper, self.arm):
            some = torch.rand(batch, 1, generator=generator, device=device) < MIXED
            local = torch.where((some & part)[..., None, None], self._picked(batch, generator), local)
        flip = (torch.rand(batch, generator=generator, device=device) < 0.5)[:, None, None, None]
        local = torch.where(flip, mirrored(local, self.other_side), local)
        shaken = SHAKEN * torch.randn(batch, local.shape[1], 3, generator=generator, device=device)
        return local @ matrices_from_euler_zyx(shaken)

    def _picked(self, batch: int, generator: torch.Generator) -> Tensor:
        frames = draw_frames(len(self.poses), self.cumulative_frame_shares, batch, generator)
        return matrices_from_quaternions_xyzw(self.poses[frames].float())


def _seen_from_anywhere(local: Tensor, generator: torch.Generator) -> Tensor:
    """Poses seen from any side and a little from above, some of them any way up."""
    batch, device = len(local), generator.device
    even = torch.rand(2, batch, generator=generator, device=device)
    down, roll = torch.randn(2, batch, generator=generator, device=device)
    none = torch.zeros_like(down)
    about = matrices_from_euler_zyx(torch.stack([none, 2 * pi * even[0], none], -1))
    tilt = matrices_from_euler_zyx(torch.stack([ROLLED * roll, none, ABOVE + TILTED * down], -1))
    anyhow = matrices_from_6d(torch.randn(batch, 6, generator=generator, device=device))
    seen = torch.where((even[1] < ANY_WAY_UP)[:, None, None], anyhow, tilt @ about)
    return torch.cat([(seen @ local[:, 0]).unsqueeze(1), local[:, 1:]], dim=1)
