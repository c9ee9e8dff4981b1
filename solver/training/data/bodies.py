"""Bodies of random shape as bone offsets on the training device: joints are affine in a body's betas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from solver.body.body import GENDERS, SHAPE_COMPONENTS, Body, BodyShape
from solver.kinematics.skeleton import Skeleton

WIDEST_DRAW = 3.0  # betas beyond three standard deviations are clipped


class ShapedBodies(NamedTuple):
    """mean: (G, J, 3) bone offsets of the mean body of each gender; slope: (G, J, 3, 10) metres for one beta."""

    mean: Tensor
    slope: Tensor

    def offsets(self, betas: Tensor, gender: Tensor) -> Tensor:
        """(B, J, 3) metres for betas (B, 10) and gender (B,) int64."""
        return self.mean[gender] + torch.einsum("bjck,bk->bjc", self.slope[gender], betas)


def shaped_bodies(body: Body, joint_names: tuple[str, ...]) -> ShapedBodies:
    """The offsets of a body model, cut to the joints named; every parent of a joint named must be among them."""
    unit = np.eye(SHAPE_COMPONENTS, dtype=np.float32)
    mean, slope = [], []
    for gender in GENDERS:
        rest = _offsets(body.skeleton(BodyShape(gender=gender)), joint_names)
        moved = [_offsets(body.skeleton(BodyShape(beta, gender)), joint_names) for beta in unit]
        mean.append(rest)
        slope.append(np.stack([m - rest for m in moved], axis=-1))
    return ShapedBodies(torch.tensor(np.stack(mean)), torch.tensor(np.stack(slope)))


def fixed_skeleton(skeleton: Skeleton, joint_names: tuple[str, ...]) -> ShapedBodies:
    """One skeleton for every shape and gender: what ProtoRes trains on."""
    mean = torch.tensor(_offsets(skeleton, joint_names)).expand(len(GENDERS), -1, -1)
    return ShapedBodies(mean, torch.zeros(*mean.shape, SHAPE_COMPONENTS))


def draw_shapes(batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """betas (B, 10), normal and clipped at ±3; gender (B,) int64, uniform."""
    betas = torch.randn(batch, SHAPE_COMPONENTS, generator=generator, device=generator.device)
    gender = torch.randint(len(GENDERS), (batch,), generator=generator, device=generator.device)
    return betas.clamp(-WIDEST_DRAW, WIDEST_DRAW), gender


def _offsets(skeleton: Skeleton, joint_names: tuple[str, ...]) -> np.ndarray:
    return np.array(skeleton.offsets[[skeleton.index(name) for name in joint_names]])
