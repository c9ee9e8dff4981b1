"""SMPL-IK: ProtoRes that knows the body's shape and gender (Voleti et al., SIGGRAPH Asia 2022, appendix F.1)."""

from __future__ import annotations

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
        count = effectors.data.shape[1]
        return (
            betas.unsqueeze(1).expand(-1, count, -1),
            self.gender_embedding(gender).unsqueeze(1).expand(-1, count, -1),
        )
