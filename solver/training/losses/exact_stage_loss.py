"""A loss through the exact stage: the error that it leaves, differentiated, for the network that proposed.

The answer x minimises E(x, p) = ½ |r(x)|² + ½ (x - p)ᵀ S (x - p), effectors and the pull to the proposal p. By the
implicit function theorem dx/dp = (JᵀJ + S)⁻¹ S: no proposal can change what the effectors decide, and only the rest is
taught. Limits, the natural pose's pull and the curvature of the effectors are left out of that matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from solver.effectors.form_ids import TURN
from solver.effectors.kinds import network_kinds, type_of
from solver.effectors.residual_kernels import Rows
from solver.ik.descent import BATCH_ITERATIONS, SETTLED
from solver.ik.exact import PULLS
from solver.ik.kernel_arrays import joint_model_of, tree_of
from solver.ik.kernels.exact_kernels import StayNear, solve_from_python
from solver.ik.pose_prior import pose_prior
from solver.kinematics.fk_kernels import PlainPose
from solver.kinematics.skeleton import Skeleton
from solver.networks.effector_batch import AIM, POSITION, ROTATION, EffectorBatch
from solver.networks.geometry import ancestors, forward_kinematics, geodesic_angle, sixd_from_matrices
from solver.training.data.batches import Batch

_KINDS = tuple(type_of(id) for id in network_kinds())
_WEIGHTS = tuple(kind.spec.strength(False, 0.0)[0] for kind in _KINDS)


class SolvedPoses(NamedTuple):
    """Poses after the exact stage: root (B, 3) metres, local (B, J, 3, 3)."""

    root: Tensor
    local: Tensor


def noise_free_effectors(batch: Batch) -> EffectorBatch:
    """The batch's effectors without noise or tolerance, as users set them; aims keep the distance of their targets."""
    joint, kind, data = batch.effectors.joint, batch.effectors.kind.unsqueeze(-1), batch.effectors.data
    rows = torch.arange(len(joint), device=joint.device).unsqueeze(1)
    at, turned = batch.positions[rows, joint], batch.world[rows, joint]
    away = (data[..., :3] - at).norm(dim=-1, keepdim=True)
    target = at + away * (turned @ data[..., 3:].unsqueeze(-1)).squeeze(-1)
    placed = torch.nn.functional.pad(at, (0, 3))
    exact = torch.where(kind == POSITION, placed, torch.cat([target, data[..., 3:]], dim=-1))
    exact = torch.where(kind == ROTATION, sixd_from_matrices(turned), exact)
    return batch.effectors._replace(data=exact, tolerance=torch.zeros_like(batch.effectors.tolerance))


def exact_stage_loss(
    root: Tensor, local: Tensor, batch: Batch, effectors: EffectorBatch, skeleton: Skeleton, position_weight: float
) -> Tensor:
    """The errors of joints and of local rotations after the exact stage, scaled like ProtoRes' whole-pose losses.

    root (B, 3), local (B, J, 3, 3): what was proposed for `effectors`. skeleton: names and parents; each row has bones
    of its own. The value is the loss after the stage; its gradient, through the proposal, is the implicit one.
    """
    found = solve_exactly(root.detach(), local.detach(), effectors, batch.offsets, skeleton)
    parents = skeleton.parents
    turn = torch.zeros(*found.root.shape[:1], len(parents), 3, requires_grad=True)
    shift = torch.zeros_like(found.root, requires_grad=True)
    with torch.enable_grad():
        turned = found.local + found.local @ _cross(turn)  # to the first order
        positions, world = forward_kinematics(parents, batch.offsets, found.root + shift, turned)
        places = (positions - batch.positions).square().sum(dim=(-1, -2))
        loss = position_weight / 4 * places + geodesic_angle(turned, batch.local).sum(-1) / 3
        by_turn, by_shift = torch.autograd.grad(loss.sum(), (turn, shift))
    jacobian = _jacobian(effectors, positions.detach(), world.detach(), parents).double()  # stiff: 1e6 beside 1
    pull = _pull(skeleton)
    wanted = torch.cat([by_shift, by_turn.flatten(1)], dim=-1).double()
    passed = (torch.linalg.solve(jacobian.transpose(-1, -2) @ jacobian + pull, wanted) @ pull).float()
    moved = torch.cat([root - root.detach(), _turns(local).flatten(1)], dim=-1)
    return (loss.detach() + (passed * moved).sum(-1)).mean()


def solve_exactly(
    root: Tensor, local: Tensor, effectors: EffectorBatch, offsets: Tensor, skeleton: Skeleton
) -> SolvedPoses:
    """The exact stage's answers about proposals root (B, 3), local (B, J, 3, 3), for effectors of tolerance 0."""
    tree, model = tree_of(skeleton), joint_model_of(skeleton)
    base = np.ascontiguousarray(pose_prior(skeleton.names).mean)
    hold, bones = np.zeros(len(skeleton)), offsets.double().numpy()
    data, joint, kind = effectors.data.double().numpy(), effectors.joint.numpy(), effectors.kind.numpy()
    strengths = np.array([each.spec.strength(False, 0.0) for each in _KINDS])
    forms = np.array([each.form for each in _KINDS], np.int64)
    roots, locals_ = root.double().numpy().copy(), local.double().numpy().copy()
    for i in range(len(roots)):
        proposal = PlainPose(roots[i].copy(), locals_[i].copy())
        pose = PlainPose(roots[i].copy(), locals_[i].copy())
        soft = PlainPose(np.full(3, np.nan), np.full_like(locals_[i], np.nan))
        kinds = forms[kind[i]]
        rows = Rows(kinds, joint[i].astype(np.int64), _targets(kinds, data[i]))
        solve_from_python(
            tree._replace(offsets=bones[i]), model, StayNear(proposal, base, hold), PULLS, rows, strengths[kind[i]],
            BATCH_ITERATIONS, SETTLED, pose, soft, np.empty(len(kinds)),
        )  # fmt: skip
        roots[i], locals_[i] = pose.root, pose.local
    return SolvedPoses(torch.from_numpy(roots).float(), torch.from_numpy(locals_).float())


def _targets(forms: np.ndarray, data: np.ndarray) -> np.ndarray:
    """(N, 3, 3) as the kernels take them, from rows (N, 6) as networks read them."""
    out = np.zeros((len(data), 3, 3))
    out[:, 0] = data[:, :3]
    turned = forms == TURN
    aimed = ~turned
    out[aimed, 1] = data[aimed, 3:]
    first, second = data[turned, :3], data[turned, 3:]
    out[turned] = np.stack([first, second, np.cross(first, second)], axis=-1)
    return out


def _jacobian(effectors: EffectorBatch, positions: Tensor, world: Tensor, parents: tuple[int, ...]) -> Tensor:
    """(B, 3 N, 3 + 3 J): how the effectors' errors change with the root's shift and turns of joints in their own axes,
    times the root of their weights."""
    joint, kind = effectors.joint, effectors.kind
    rows = torch.arange(len(joint)).unsqueeze(1)
    above = ancestors(parents)[joint]  # (B, N, J)
    at = positions[rows, joint]
    lever = at.unsqueeze(2) - positions.unsqueeze(1)  # (B, N, J, 3)
    turns = world.unsqueeze(1)  # (B, 1, J, 3, 3)
    moved = -_cross(lever) @ turns
    direction = (world[rows, joint] @ effectors.data[..., 3:].unsqueeze(-1)).squeeze(-1)
    pointed = -_cross(direction).unsqueeze(2) @ turns
    chosen = torch.where((kind == POSITION)[..., None, None, None], moved, turns.expand_as(moved))
    chosen = torch.where((kind == AIM)[..., None, None, None], pointed, chosen)
    chosen = chosen * above[..., None, None]
    shift = torch.eye(3) * (kind == POSITION)[..., None, None]
    weight = torch.tensor(_WEIGHTS).sqrt()[kind][..., None, None]
    whole = torch.cat([shift, chosen.transpose(2, 3).flatten(-2)], dim=-1)
    return (weight * whole).flatten(1, 2)


def _pull(skeleton: Skeleton) -> Tensor:
    """(3 + 3 J, 3 + 3 J) S: the pull to the proposal, of the root's place and of each joint's turn."""
    joints = torch.from_numpy(PULLS.near * joint_model_of(skeleton).stiffness)
    return torch.block_diag(PULLS.root * torch.eye(3, dtype=torch.float64), *joints)


def _turns(local: Tensor) -> Tensor:
    """(..., 3) zeros that carry the gradient of how rotations (..., 3, 3) turn in their own axes."""
    change = local.detach().transpose(-1, -2) @ local
    apart = change - change.transpose(-1, -2)
    return 0.5 * torch.stack([apart[..., 2, 1], apart[..., 0, 2], apart[..., 1, 0]], dim=-1)


def _cross(v: Tensor) -> Tensor:
    """(..., 3, 3): the matrix of v × ·."""
    x, y, z = v.unbind(-1)
    o = torch.zeros_like(x)
    return torch.stack([o, -z, y, z, o, -x, -y, x, o], dim=-1).unflatten(-1, (3, 3))
