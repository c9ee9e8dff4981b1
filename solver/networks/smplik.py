"""SMPL-IK: ProtoRes that knows the body's shape and gender (Voleti et al., SIGGRAPH Asia 2022, appendix F.1)."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.body.body import GENDERS, SHAPE_COMPONENTS
from solver.networks.effector_batch import EffectorBatch
from solver.networks.protores import ProtoRes
from solver.networks.residual import NetworkShape, embedding


class SmplIK(ProtoRes):
    """ProtoRes with 10 shape parameters and an embedded gender beside every effector (figure 6)."""

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__(joints, shape, condition=SHAPE_COMPONENTS + shape.embedding)
        self.gender_embedding = embedding(len(GENDERS), shape)

    def conditioning(self, effectors: EffectorBatch, betas: Tensor | None, gender: Tensor | None) -> tuple[Tensor, ...]:
        """Shape (B, N, 10) and embedded gender (B, N, E), the same for each effector of a body."""
        if betas is None or gender is None:
            raise ValueError("SMPL-IK needs betas and gender")
        blank = torch.zeros_like(effectors.tolerance).unsqueeze(-1)
        whose = torch.cat([betas, self.gender_embedding(gender)], dim=-1)
        return (whose.unsqueeze(1) + blank,)
