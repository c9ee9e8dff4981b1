"""The skeleton at three resolutions, joints, limbs and body halves, as SKEL-IK passes messages on it (figure 4)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, SPINE, Role


class Level(NamedTuple):
    """One resolution. adjacency: (N, N), 1 between neighbours and on the diagonal. members: (N, J), 1 where a joint
    belongs to a node; the identity at the level of joints."""

    adjacency: Tensor
    members: Tensor


LIMB_NODES: tuple[tuple[Role, ...], ...] = (
    (Role.PELVIS,), (*SPINE, *HEAD_AND_NECK), *(arm.joints for arm in ARMS), *(leg.joints for leg in LEGS),
)  # fmt: skip
LIMB_EDGES = ((0, 1), (1, 2), (1, 3), (0, 4), (0, 5))  # the hips carry spine and legs, the spine the arms
BODY_NODES: tuple[tuple[int, ...], ...] = ((1, 2, 3), (0, 4, 5))  # the limb nodes of the upper and the lower body
BODY_EDGES = ((0, 1),)


def levels(roles: tuple[str, ...], parents: tuple[int, ...]) -> tuple[Level, Level, Level]:
    """The levels of a skeleton whose joints have these roles: joints, limbs, body."""
    limb = torch.tensor([[float(role in node) for role in roles] for node in LIMB_NODES])
    body = torch.stack([limb[list(nodes)].sum(dim=0) for nodes in BODY_NODES])
    bones = tuple((parent, joint) for joint, parent in enumerate(parents) if parent >= 0)
    return (
        Level(_adjacency(len(roles), bones), torch.eye(len(roles))),
        Level(_adjacency(len(limb), LIMB_EDGES), limb),
        Level(_adjacency(len(body), BODY_EDGES), body),
    )


def shared_joints(of: Level, among: Level) -> Tensor:
    """(N, M), 1 where a node of one level and a node of the other have a joint in common."""
    return (of.members @ among.members.T > 0).float()


def _adjacency(count: int, edges: tuple[tuple[int, int], ...]) -> Tensor:
    matrix = torch.eye(count)
    for a, b in edges:
        matrix[a, b] = matrix[b, a] = 1.0
    return matrix
