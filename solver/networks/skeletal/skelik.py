"""SKEL-IK: a pose from effectors and a base pose, on the skeleton's own graph (Agrawal et al., SIGGRAPH Asia 2023).

Each joint has an embedding (who it is, and its control bits) and a state (where it is). States begin as the encoded
base pose, overwritten where effectors ask for something; the skeletal transformer mixes them along the skeleton;
decoders read each joint's state by itself.

Where it differs from the paper:
- A joint of which only the place or only the turn is asked could not find the other, because constrained joints are
  never updated. So a state has two halves: a position effector closes the first to updates, a rotation effector the
  second, and an aim, which fixes neither, closes none. Both begin as the base pose where nothing is asked. C_IC is
  three bits, one for each kind.
- Tolerance is a soft C_IC: a half is updated by as much as the tolerance says.
- A joint's local orientation cannot be derived from a state that knows nothing of its parent's, so a rotation that is
  asked for is applied in forward kinematics; a place that is asked for is the draft position.
- The skeleton's offsets enter the states, the embedding enters the fully connected network, and the decoders begin at
  the base pose: for the rotation they decode how much of it stays and what is added.
- The decoder reads the control bits too: as far as C_IK says, a joint keeps its base rotation against its parent; as
  far as C_FK alone says, in the world. How far either is obeyed is learned, and nearly full at the start.
- All is seen from the root as it is asked to be, else as in the base pose, so that place and heading need not be
  learned. Each joint is also told what it has to reach, see reach_features.py.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork, PosedPrediction
from solver.networks.base_view import base_view
from solver.networks.constrained_fk import constrained_fk
from solver.networks.effector_batch import EffectorBatch
from solver.networks.geometry import matrices_from_6d, sixd_from_matrices
from solver.networks.joint_constraints import JointConstraints, joint_constraints
from solver.networks.residual import NetworkShape
from solver.networks.skeletal.reach_features import REACH_INPUTS, descendants, reach_features
from solver.networks.skeletal.skeletal_transformer import Nodes, SkeletalTransformer
from solver.networks.skeleton_levels import levels
from solver.rig.roles import SMPL_ROLES, Role

# Place, world and local turn, aim, offset, what is asked and how strictly, place as carried along, what to reach.
STATE_INPUTS = 3 + 6 + 6 + 6 + 3 + 6 + 3 + REACH_INPUTS
CONTROL_BITS = 5  # C_FK, C_IK and three of C_IC
TURN_OUTPUTS = 6 + 1 + 2  # what is added, how much of the base pose stays, how far shape and place are kept
START_SCALE = 0.1
GATE_START = 1.0  # how much of the base pose stays before anything is learned: its sigmoid
STIFF_SPINE = {Role.SPINE1: 1 / 3, Role.SPINE2: 1 / 2}  # a trunk that stays over a turning pelvis twists evenly
HOLD_START = 3.0  # how much of what is to be kept is kept before anything is learned: its sigmoid


class SkelIK(BaseNetwork):
    """For SMPL's first `joints` joints. shape.width: of states and hidden layers. shape.embedding: of joints.

    shape.without: "bits" hides from it what is to be kept, "bones" the body's bones.
    """

    rest_6d: Tensor
    halves: Tensor
    stiff: Tensor
    members: Tensor
    under: Tensor

    def __init__(self, joints: int, shape: NetworkShape) -> None:
        super().__init__()
        self.joints, self.parents, self.without = joints, SMPL_PARENTS[:joints], shape.without
        width, embedded = shape.width, shape.embedding + CONTROL_BITS
        self.levels = levels(tuple(SMPL_ROLES[:joints]), self.parents)
        self.names = nn.ParameterList(
            nn.Parameter(torch.randn(len(level.adjacency), shape.embedding) * 0.3) for level in self.levels
        )  # W_emb of the one-hot vectors, equation (1)
        self.encoder = _two_layers(STATE_INPUTS, width, width)
        self.transformer = SkeletalTransformer(self.levels, width, embedded, shape.without)
        self.position_decoder = _two_layers(width + embedded, width, 3, START_SCALE)
        self.rotation_decoder = _two_layers(width + embedded, width, TURN_OUTPUTS, START_SCALE)
        self.rotation_decoder[2].bias.data[6] = GATE_START  # type: ignore[union-attr, operator]
        self.counts = tuple(len(level.members) for level in self.levels)
        self.register_buffer("members", torch.cat([level.members for level in self.levels]), persistent=False)
        self.register_buffer("rest_6d", torch.tensor((1.0, 0.0, 0.0, 0.0, 1.0, 0.0)), persistent=False)
        self.register_buffer(
            "stiff", torch.tensor([STIFF_SPINE.get(r, 1.0) for r in SMPL_ROLES[:joints]]), persistent=False
        )
        self.register_buffer("under", descendants(self.parents), persistent=False)
        self.register_buffer("halves", torch.arange(2).repeat_interleave(width // 2), persistent=False)

    def forward(self, effectors: EffectorBatch, base: BaseBatch) -> PosedPrediction:
        """The poses for (B, N) effectors and B base poses."""
        if "bits" in self.without:
            nothing = torch.zeros_like(base.keep_place)
            base = base._replace(keep_place=nothing, keep_shape=nothing)
        view = base_view(base, joint_constraints(effectors, self.joints))
        asked = joint_constraints(view.effectors(effectors), self.joints)
        seen = view.base(base)
        place = torch.where(asked.asked[..., :1] > 0, asked.place, seen.base_positions)
        columns = torch.where(asked.asked[..., 1:2] > 0, asked.turn, sixd_from_matrices(seen.base_world))
        local = sixd_from_matrices(seen.base_local)
        root = seen.base_positions[:, 0] + asked.strict[:, 0, :1] * (place[:, 0] - seen.base_positions[:, 0])
        turns = asked.asked[..., 1] * asked.strict[..., 1]
        carried = constrained_fk(self.parents, base.offsets, root, seen.base_local, columns, turns)
        bones = torch.zeros_like(base.offsets) if "bones" in self.without else base.offsets
        told = [place, columns, local, asked.aim, bones, asked.asked, asked.strict]
        told += [carried.positions, reach_features(carried, asked, self.parents, self.under)]
        nodes = self._nodes(self.encoder(_by_node(torch.cat(told, dim=-1))), asked, base)
        joints = torch.cat([self.transformer(nodes), nodes[0].embedding], dim=-1)
        draft = place + self._by_problem(self.position_decoder(joints)) * (1.0 - asked.strict[..., :1])
        said = self._by_problem(self.rotation_decoder(joints))
        stays = torch.sigmoid(said[..., 6:7])
        turned = stays * local + (1.0 - stays) * self.rest_6d + said[..., :6]
        keep = kept_bits(base, asked) * torch.sigmoid(said[..., 7:] + HOLD_START)
        turned = turned + keep[..., 1:] * (local - turned)
        limbs = self.members.split(self.counts)[1]
        placed = (asked.asked[..., 0] @ limbs.T).clamp(max=1.0) @ limbs  # (B, J): whether its limb has to reach
        still = keep[..., 0] * (1.0 - base.keep_shape) * self.stiff * (1.0 - placed)
        strict = torch.where(asked.asked[..., 1] > 0, asked.strict[..., 1], still)
        posed = constrained_fk(self.parents, base.offsets, draft[:, 0], matrices_from_6d(turned), columns, strict)
        return view.prediction(draft, posed)

    def _nodes(self, state: Tensor, asked: JointConstraints, base: BaseBatch) -> tuple[Nodes, ...]:
        """The nodes of every level before the first step, equations (2) and (5). state: (J · B, width)."""
        new = asked.asked.amax(dim=-1, keepdim=True)
        told = torch.cat([kept_bits(base, asked), asked.strict, 1.0 - asked.strict[..., :2], new], dim=-1)
        summed = (self.members @ told.transpose(0, 1).flatten(1)).unflatten(-1, (-1, told.shape[-1]))  # (T, B, ...)
        bits, others = summed.split((CONTROL_BITS, 3), dim=-1)
        open_, new = others.clamp(max=1.0).split((2, 1), dim=-1)  # a limb is closed where all of its joints are
        blank = new * 0.0  # (T, B, 1): with zeros_like ONNX would store the batch's size
        names = torch.cat(list(self.names)).unsqueeze(1) + blank
        embeddings = torch.cat([names, bits / self.members.sum(dim=1).reshape(-1, 1, 1)], dim=-1).split(self.counts)
        free, confidence = open_[..., self.halves].split(self.counts), new[..., 0].T.split(self.counts, dim=-1)
        empty = (blank + torch.zeros_like(self.halves, dtype=state.dtype)).split(self.counts)
        states = (state, *(one.flatten(0, 1) for one in empty[1:]))
        return tuple(
            Nodes(state, embedding.flatten(0, 1), open_.flatten(0, 1), sure)
            for state, embedding, open_, sure in zip(states, embeddings, free, confidence, strict=True)
        )

    def _by_problem(self, rows: Tensor) -> Tensor:
        """(J · B, D) -> (B, J, D)."""
        return rows.reshape(self.joints, -1, rows.shape[-1]).transpose(0, 1)


def _by_node(rows: Tensor) -> Tensor:
    """(B, J, D) -> (J · B, D), as the transformer has them."""
    return rows.transpose(0, 1).flatten(0, 1)


def kept_bits(base: BaseBatch, asked: JointConstraints) -> Tensor:
    """C_FK and C_IK (B, J, 2); 0 for a joint of which something is asked."""
    free = 1.0 - asked.asked.amax(dim=-1, keepdim=True)
    return torch.stack([base.keep_place, base.keep_shape], dim=-1) * free


def _two_layers(inputs: int, width: int, outputs: int, scale: float = 1.0) -> nn.Sequential:
    """A fully connected network with one hidden layer."""
    first, last = nn.Linear(inputs, width), nn.Linear(width, outputs)
    with torch.no_grad():
        nn.init.kaiming_normal_(first.weight, nonlinearity="relu")
        nn.init.kaiming_normal_(last.weight, nonlinearity="linear")
        last.weight.mul_(scale)
        nn.init.zeros_(last.bias)
    return nn.Sequential(first, nn.ReLU(), last)
