"""FCNN, the unstructured baseline of SKEL-IK's paper (section 5.2): all joints side by side in one long row."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork, PosedPrediction
from solver.networks.base_view import base_view
from solver.networks.constrained_fk import PosedJoints
from solver.networks.effector_batch import EffectorBatch
from solver.networks.effector_network import IDENTITY_6D
from solver.networks.geometry import forward_kinematics, matrices_from_6d, sixd_from_matrices
from solver.networks.joint_constraints import joint_constraints
from solver.networks.residual import NetworkShape, ResidualDecoder

JOINT_INPUTS = 3 + 6 + 6 + 6 + 3 + 6 + 2  # place, world and local turn, aim, bone, asked and strict, what is kept
ENCODER_LAYERS = 3


class FCNN(BaseNetwork):
    """A fully connected encoder of three layers, and ProtoRes' decoders."""

    rest_6d: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints, self.parents = joints, SMPL_PARENTS[:joints]
        layers: list[nn.Module] = []
        for number in range(ENCODER_LAYERS):
            layer = nn.Linear(JOINT_INPUTS * joints if number == 0 else shape.width, shape.width)
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            layers += [layer, nn.ReLU()]
        self.encoder = nn.Sequential(*layers)
        self.position_decoder = ResidualDecoder(shape.width, 3 * joints, shape)
        self.rotation_decoder = ResidualDecoder(shape.width + 3 * joints, 6 * joints, shape)
        self.register_buffer("rest_6d", torch.tensor(IDENTITY_6D), persistent=False)

    def forward(self, effectors: EffectorBatch, base: BaseBatch) -> PosedPrediction:
        """The poses for (B, N) effectors and B base poses."""
        view = base_view(base)
        seen, asked = view.base(base), joint_constraints(view.effectors(effectors), self.joints)
        told = [
            torch.where(asked.asked[..., :1] > 0, asked.place, seen.base_positions),
            torch.where(asked.asked[..., 1:2] > 0, asked.turn, sixd_from_matrices(seen.base_world)),
            sixd_from_matrices(seen.base_local),
            asked.aim,
            base.offsets,
            asked.asked,
            asked.strict,
            torch.stack([base.keep_place, base.keep_shape], dim=-1),
        ]
        pose = self.encoder(torch.cat(told, dim=-1).flatten(1))
        draft = self.position_decoder(pose)
        turned = self.rotation_decoder(torch.cat([pose, draft], dim=-1)).unflatten(-1, (self.joints, 6)) + self.rest_6d
        draft, local = draft.unflatten(-1, (self.joints, 3)), matrices_from_6d(turned)
        places, world = forward_kinematics(self.parents, base.offsets, draft[:, 0], local)
        return view.prediction(draft, PosedJoints(places, world, local))
