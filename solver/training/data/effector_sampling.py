"""Which effectors a training problem has (ProtoRes section 2.2, algorithm 1)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.constant_tensors import constant_tensor
from solver.networks.effector_batch import KINDS, POSITION, ROTATION

FEWEST, MOST = 3, 16
FAVOUR = 8.0


class EffectorChoice(NamedTuple):
    """joint, kind: (B, N) int64, no pair twice in a row. tolerance: (B, N) in [0, 1]."""

    joint: Tensor
    kind: Tensor
    tolerance: Tensor


def decisions(generator: torch.Generator) -> torch.Generator:
    """The generator that decides for a whole batch: this one, or one on the processor, so that no GPU is waited for.

    That one has the seed that the GPU's was last given: until there is another seed, it decides the same.
    """
    if generator.device.type == "cpu":
        return generator
    return torch.Generator().manual_seed(generator.initial_seed())


def draw_count(generator: torch.Generator, fewest: int = FEWEST, most: int = MOST) -> int:
    """The number of effectors of a batch, uniform in fewest..most; one number for all rows of it."""
    return int(torch.randint(fewest, most + 1, (), generator=generator, device=generator.device))


def draw_effectors(batch: int, joints: int, count: int, generator: torch.Generator) -> EffectorChoice:
    """`count` (joint, kind) pairs for each row, uniform without replacement, tolerances uniform in [0, 1].

    A row without any position effector gets one in its first place, because the positions' centroid is its origin.
    """
    device = generator.device
    pairs = torch.rand(batch, joints * len(KINDS), generator=generator, device=device).topk(count, dim=1).indices
    joint, kind = pairs // len(KINDS), pairs % len(KINDS)
    unplaced = (kind != POSITION).all(dim=1)
    kind[:, 0] = torch.where(unplaced, torch.full_like(kind[:, 0], POSITION), kind[:, 0])
    return EffectorChoice(joint, kind, torch.rand(batch, count, generator=generator, device=device))


def draw_zoned_effectors(
    batch: int, zones: tuple[tuple[int, ...], ...], joints: int, count: int, generator: torch.Generator
) -> EffectorChoice:
    """As `draw_effectors`, but every row begins with one position effector from each of the zones (appendix E)."""
    device = generator.device
    score = torch.rand(batch, joints * len(KINDS), generator=generator, device=device)
    for zone in zones:
        pairs = constant_tensor(zone, device, torch.long) * len(KINDS) + POSITION
        pick = torch.randint(len(zone), (batch,), generator=generator, device=device)
        score.scatter_(1, pairs[pick].unsqueeze(1), 2.0)
    pairs = score.topk(count, dim=1).indices
    tolerance = torch.rand(batch, count, generator=generator, device=device)
    return EffectorChoice(pairs // len(KINDS), pairs % len(KINDS), tolerance)


def draw_favoured_effectors(
    batch: int, favoured: tuple[int, ...], joints: int, count: int, generator: torch.Generator
) -> EffectorChoice:
    """As `draw_effectors`, but positions and rotations of some joints come FAVOUR times as often; none is required."""
    device = generator.device
    weight = [
        FAVOUR if joint in favoured and kind in (POSITION, ROTATION) else 1.0
        for joint in range(joints)
        for kind in range(len(KINDS))
    ]
    uniform = torch.rand(batch, joints * len(KINDS), generator=generator, device=device)
    score = uniform ** (1.0 / constant_tensor(tuple(weight), device))
    pairs = score.topk(count, dim=1).indices
    tolerance = torch.rand(batch, count, generator=generator, device=device)
    return EffectorChoice(pairs // len(KINDS), pairs % len(KINDS), tolerance)


def noise_deviation(tolerance: Tensor, largest: float = 0.1, exponent: float = 13.0) -> Tensor:
    """Standard deviation of an effector's noise, metres or radians: σ(Λ) = σ_M Λ^η (equation 11)."""
    return largest * tolerance**exponent


def loss_weight(deviation: Tensor, largest: float = 1e3) -> Tensor:
    """Weight of an effector in the randomised losses: W(Λ) = min(W_M, 1 / σ(Λ)) (equation 12)."""
    return deviation.clamp(min=1.0 / largest).reciprocal()
