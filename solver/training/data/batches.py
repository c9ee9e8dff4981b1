"""From stored poses to a batch of training problems: augmentation, a body, forward kinematics, noisy effectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from solver.body.body import SHAPE_COMPONENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.constant_tensors import constant_tensor
from solver.networks.effector_batch import EffectorBatch
from solver.networks.geometry import forward_kinematics, matrices_from_quaternions_xyzw
from solver.rig.mirroring import mirror_order
from solver.rig.roles import ARMS, LEGS, LIMBS, Role
from solver.training.data.augmentation import augmented
from solver.training.data.base_pose_sampler import BasePoseSampler, Poses
from solver.training.data.bodies import ShapedBodies, draw_shapes
from solver.training.data.dataset import PoseData
from solver.training.data.effector_noise import effector_batch
from solver.training.data.effector_sampling import (
    decisions,
    draw_count,
    draw_effectors,
    draw_favoured_effectors,
    draw_zoned_effectors,
    loss_weight,
    noise_deviation,
)
from solver.training.data.posture_balance import draw_frames

FEW = 6  # effectors at most, in every second batch with base poses: few are moved at a time


class Batch(NamedTuple):
    """B problems and their answers.

    weight: (B, N) of the randomised losses. positions (B, J, 3), world (B, J, 3, 3) and local (B, J, 3, 3): the truth,
    root near the world's vertical axis. offsets: (B, J, 3) bones. betas (B, 10), gender (B,). base: the base poses, for
    networks that read them. mixed: (B,) whether the pose is a mixture that nobody performed, if there are any.
    """

    effectors: EffectorBatch
    weight: Tensor
    positions: Tensor
    world: Tensor
    local: Tensor
    offsets: Tensor
    betas: Tensor
    gender: Tensor
    base: BaseBatch | None = None
    mixed: Tensor | None = None

    def part(self, rank: int, ranks: int) -> Batch:
        """The rows of one of several equal workers."""
        size = len(self.betas) // ranks
        rows = slice(rank * size, (rank + 1) * size)
        effectors = EffectorBatch(*(t[rows] for t in self.effectors))
        base = self.base and BaseBatch(*(t[rows] for t in self.base))
        return Batch(
            effectors, self.weight[rows], self.positions[rows], self.world[rows], self.local[rows], self.offsets[rows],
            self.betas[rows], self.gender[rows], base, None if self.mixed is None else self.mixed[rows],
        )  # fmt: skip


def limb_zones(joint_names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The joints of each arm and leg, without collars and hips, which belong to the trunk's zones."""
    outer = (*(arm.joints[1:] for arm in ARMS), *(leg.joints[1:] for leg in LEGS))
    return tuple(tuple(joint_names.index(role) for role in joints if role in joint_names) for joints in outer)


def ends(joint_names: tuple[str, ...]) -> tuple[int, ...]:
    """The joints that are moved most: pelvis, head, and the ends of arms and legs."""
    roles = (Role.PELVIS, Role.HEAD, *(limb.end for limb in LIMBS))
    return tuple(joint_names.index(role) for role in roles if role in joint_names)


class BatchKind(NamedTuple):
    """What is drawn for a whole batch: the number of effectors in a row, whether few joints are favoured, as with base
    poses, and whether each limb is given a place. Batches of one kind are made by the same operations."""

    effectors: int
    few: bool
    zoned: bool


@dataclass(frozen=True)
class Sampler:
    """Draws batches. `limb_share`: the share of batches that begin with a position effector on every limb.

    cumulative_frame_shares: (F,) where each frame's share of the draws ends, see posture_balance; None draws all alike.
    `bases`: draws a base pose for each row, if the network reads one; half of the batches then have few effectors.
    `mixtures`: mixes the poses of the first rows, a share of `mixed_share`, with others, into poses nobody performed.
    """

    quaternions: Tensor
    joint_names: tuple[str, ...]
    parents: tuple[int, ...]
    bodies: ShapedBodies
    random_shape: bool
    limb_share: float = 0.0
    noise: float = 0.1
    noise_exponent: float = 13.0
    largest_weight: float = 1e3
    cumulative_frame_shares: Tensor | None = None
    bases: BasePoseSampler | None = None
    mixtures: BasePoseSampler | None = None
    mixed_share: float = 0.0

    def with_bases(self) -> Sampler:
        """This sampler, drawing base poses too, from its own poses."""
        other_side = mirror_order(self.joint_names)
        bases = BasePoseSampler(
            self.quaternions, self.joint_names, self.parents, other_side, self.cumulative_frame_shares
        )
        return replace(self, bases=bases)

    def with_mixtures(self, share: float) -> Sampler:
        """This sampler with mixed poses in the first rows of a batch, this share of them."""
        return replace(self, mixtures=self.with_bases().bases, mixed_share=share)

    def kind(self, generator: torch.Generator) -> BatchKind:
        """The kind of the batch that the generator draws next."""
        chance = decisions(generator)
        count = draw_count(chance)
        few = bool(self.bases) and float(torch.rand((), generator=chance)) < 0.5
        zoned = count >= len(LIMBS) and float(torch.rand((), generator=chance)) < self.limb_share
        return BatchKind(draw_count(chance, 1, FEW), True, False) if few else BatchKind(count, False, zoned)

    def draw(self, batch: int, generator: torch.Generator, kind: BatchKind | None = None) -> Batch:
        """One batch; it depends on the generator's state alone, unless its kind is given."""
        kind = kind or self.kind(generator)
        device = generator.device
        picked = draw_frames(len(self.quaternions), self.cumulative_frame_shares, batch, generator)
        local = matrices_from_quaternions_xyzw(self.quaternions[picked].float())
        other_side = constant_tensor(mirror_order(self.joint_names), device, torch.long)
        local = augmented(local, other_side, generator)
        mixed = None
        if self.mixtures:
            first = round(self.mixed_share * batch)
            local = torch.cat([self.mixtures.mixed(local[:first], generator), local[first:]])
            mixed = torch.arange(batch, device=device) < first
        betas, gender = draw_shapes(batch, generator)
        if not self.random_shape:
            betas, gender = torch.zeros(batch, SHAPE_COMPONENTS, device=device), torch.zeros_like(gender)
        offsets = self.bodies.offsets(betas, gender)
        positions, world = forward_kinematics(self.parents, offsets, torch.zeros(batch, 3, device=device), local)
        joints = len(self.joint_names)
        if kind.few:
            choice = draw_favoured_effectors(batch, ends(self.joint_names), joints, kind.effectors, generator)
        elif kind.zoned:
            choice = draw_zoned_effectors(batch, limb_zones(self.joint_names), joints, kind.effectors, generator)
        else:
            choice = draw_effectors(batch, joints, kind.effectors, generator)
        deviation = noise_deviation(choice.tolerance, self.noise, self.noise_exponent)
        effectors = effector_batch(choice, positions, world, deviation, generator)
        weight = loss_weight(deviation, self.largest_weight)
        base = self.bases.draw(Poses(local, positions, offsets), generator) if self.bases else None
        return Batch(effectors, weight, positions, world, local, offsets, betas, gender, base, mixed)


def pose_tensor(data: PoseData, split: str, device: torch.device | str = "cpu") -> Tensor:
    """(F, J, 4) int16 quaternions of the split's frames."""
    return torch.tensor(np.ascontiguousarray(data.quaternions_xyzw[data.frames_of(split)]), device=device)
