"""ProtoResWithPrev, a baseline of SKEL-IK's paper (section 5.2): ProtoRes with the base pose as 2 J more effectors."""

from __future__ import annotations

import torch
from torch import Tensor

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork, PosedPrediction
from solver.networks.base_view import base_view
from solver.networks.constrained_fk import PosedJoints
from solver.networks.effector_batch import KINDS, EffectorBatch
from solver.networks.effector_network import IDENTITY_6D
from solver.networks.geometry import forward_kinematics, matrices_from_6d, sixd_from_matrices
from solver.networks.proto_encoder import ProtoEncoder
from solver.networks.protores import EFFECTOR_WIDTH
from solver.networks.residual import NetworkShape, ResidualDecoder, embedding

PRESERVE_KINDS = 2  # keep place, keep shape: their numbers follow those of the effectors' kinds
BONE_WIDTH = 3


class ProtoResWithPrev(BaseNetwork):
    """Each joint's base place and base turn are effectors of two more kinds, more tolerant the less they are to stay.

    The joint's bone stands beside every effector, because bodies differ here.
    """

    rest_6d: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints, self.parents = joints, SMPL_PARENTS[:joints]
        self.joint_embedding = embedding(joints, shape)
        self.kind_embedding = embedding(len(KINDS) + PRESERVE_KINDS, shape)
        self.encoder = ProtoEncoder(EFFECTOR_WIDTH + BONE_WIDTH + 2 * shape.embedding, shape)
        self.position_decoder = ResidualDecoder(shape.width, 3 * joints, shape)
        self.rotation_decoder = ResidualDecoder(shape.width + 3 * joints, 6 * joints, shape)
        self.register_buffer("rest_6d", torch.tensor(IDENTITY_6D), persistent=False)

    def forward(self, effectors: EffectorBatch, base: BaseBatch) -> PosedPrediction:
        """The poses for (B, N) effectors and B base poses."""
        view = base_view(base)
        asked = with_preserved(view.effectors(effectors), view.base(base), self.joints)
        on = (asked.joint.unsqueeze(-1) == torch.arange(self.joints, device=asked.joint.device)).to(asked.data.dtype)
        rows = [
            asked.data,
            asked.tolerance.unsqueeze(-1),
            on @ base.offsets,
            self.joint_embedding(asked.joint),
            self.kind_embedding(asked.kind),
        ]
        pose = self.encoder(torch.cat(rows, dim=-1))
        draft = self.position_decoder(pose)
        turned = self.rotation_decoder(torch.cat([pose, draft], dim=-1)).unflatten(-1, (self.joints, 6)) + self.rest_6d
        draft, local = draft.unflatten(-1, (self.joints, 3)), matrices_from_6d(turned)
        places, world = forward_kinematics(self.parents, base.offsets, draft[:, 0], local)
        return view.prediction(draft, PosedJoints(places, world, local))


def with_preserved(effectors: EffectorBatch, base: BaseBatch, joints: int) -> EffectorBatch:
    """The effectors, followed by those of the base pose: J places, then J local rotations."""
    joint = torch.arange(joints, device=effectors.joint.device) + torch.zeros_like(effectors.joint[:, :1])
    kind = torch.zeros_like(joint) + len(KINDS)
    places = torch.nn.functional.pad(base.base_positions, (0, 3))
    return EffectorBatch(
        torch.cat([effectors.data, places, sixd_from_matrices(base.base_local)], dim=1),
        torch.cat([effectors.tolerance, 1.0 - base.keep_place, 1.0 - base.keep_shape], dim=1),
        torch.cat([effectors.joint, joint, joint], dim=1),
        torch.cat([effectors.kind, kind, kind + 1], dim=1),
    )
