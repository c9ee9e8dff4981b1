"""The losses of ProtoRes (section 2.1 and algorithm 1): each for an item of a batch, then averaged over the items."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.effector_batch import AIM, POSITION, ROTATION, PosePrediction
from solver.networks.geometry import angle_between, forward_kinematics, geodesic_angle, matrices_from_6d
from solver.training.data.batches import Batch


class Losses(NamedTuple):
    """Scalars; positions in m², angles in radians.

    rnd: mean over the noisy effectors, weighted by what their tolerance allows. det: sum over all joints.
    gpd: the draft positions; ikd: after forward kinematics. total: what is minimised.
    """

    gpd_rnd: Tensor
    ikd_rnd: Tensor
    gpd_det: Tensor
    ikd_det: Tensor
    aim: Tensor
    global_rotation: Tensor
    local_rotation: Tensor
    total: Tensor


def of_joints(values: Tensor, joint: Tensor) -> Tensor:
    """(B, N, ...) of (B, J, ...), for joints (B, N)."""
    return torch.take_along_dim(values, joint.reshape(*joint.shape, *(1,) * (values.ndim - 2)), dim=1)


def weighted_mean(values: Tensor, weights: Tensor) -> Tensor:
    """Σ w v / Σ w over the last axis, 0 where there is no weight."""
    return (values * weights).sum(dim=-1) / weights.sum(dim=-1).clamp(min=1e-12)


class Target(NamedTuple):
    """What all joints of a batch's poses are drawn to: positions (B, J, 3), local rotations (B, J, 3, 3)."""

    positions: Tensor
    local: Tensor


def losses(
    prediction: PosePrediction,
    batch: Batch,
    parents: tuple[int, ...],
    position_weight: float = 100.0,
    effector_share: float = 1.0,
    target: Target | None = None,
) -> Losses:
    """Algorithm 1's losses. position_weight: W_pos. effector_share scales the randomised terms; the paper's is 1.

    target: replaces the true pose, except in what the effectors ask.
    """
    goal = target or Target(batch.positions, batch.local)
    local = matrices_from_6d(prediction.rotations_6d.float())
    draft = prediction.draft.float()
    positions, world = forward_kinematics(parents, batch.offsets, draft[:, 0], local)

    joint, kind, weight = batch.effectors.joint, batch.effectors.kind, batch.weight
    truth, at, turned = of_joints(batch.positions, joint), of_joints(positions, joint), of_joints(world, joint)
    placed, rotated = weight * (kind == POSITION), weight * (kind == ROTATION)

    looked_at, direction = batch.effectors.data[..., :3], batch.effectors.data[..., 3:]
    wanted = torch.nn.functional.normalize(looked_at - at, dim=-1, eps=1e-6)
    aiming = (kind == AIM).to(weight.dtype)
    astray = angle_between(wanted, (turned @ direction.unsqueeze(-1)).squeeze(-1))  # equation (10)

    gpd_rnd = weighted_mean((of_joints(draft, joint) - truth).square().sum(-1), placed).mean()
    ikd_rnd = weighted_mean((at - truth).square().sum(-1), placed).mean()
    gpd_det = (draft - goal.positions).square().sum(dim=(-1, -2)).mean()
    ikd_det = (positions - goal.positions).square().sum(dim=(-1, -2)).mean()
    aim = weighted_mean(astray, aiming).mean()
    global_rotation = weighted_mean(geodesic_angle(turned, of_joints(batch.world, joint)), rotated).mean()
    local_rotation = geodesic_angle(local, goal.local).sum(dim=-1).mean()
    total = position_weight / 4 * (effector_share * (gpd_rnd + ikd_rnd) + gpd_det + ikd_det)
    total = total + (effector_share * (aim + global_rotation) + local_rotation) / 3
    return Losses(gpd_rnd, ikd_rnd, gpd_det, ikd_det, aim, global_rotation, local_rotation, total)
