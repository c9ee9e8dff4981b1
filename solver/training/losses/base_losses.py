"""The losses of SKEL-IK (equations 7 and 8): ProtoRes' effector losses, and what is kept of the base pose."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.kinematics.skeleton import SMPL_JOINTS
from solver.networks.base_network import PosedPrediction
from solver.networks.effector_batch import AIM, POSITION, ROTATION
from solver.networks.geometry import angle_between, geodesic_angle
from solver.training.data.batches import Batch
from solver.training.losses.limit_loss import beyond_limits
from solver.training.losses.pose_losses import of_joints, weighted_mean


class BaseLosses(NamedTuple):
    """Scalars; positions in m², angles in radians.

    effectors: what ProtoRes calls the randomised losses, scaled. pose: the distance to the true pose where nothing is
    kept. kept: the pose-preservation loss. total: what is minimised, equation (8).
    """

    effectors: Tensor
    pose: Tensor
    kept: Tensor
    beyond: Tensor
    total: Tensor


def base_losses(
    prediction: PosedPrediction,
    batch: Batch,
    position_weight: float = 100.0,
    effector_share: float = 1.0,
    preservation: float = 1.0,
    limit_weight: float = 0.0,
) -> BaseLosses:
    """preservation: λ_pp. limit_weight: the cost of a radian beyond a joint's range.

    C_IK weighs the angle, not the matrix as in equation (7), whose angle at C_IK = 0 is 120°.

    A joint that is to stay as it was cannot also be as in the true pose, so it is drawn to the true pose only by as
    much as it is free. Without that the answer ends half way between the two, and meets neither.
    """
    base = batch.base
    if base is None:
        raise ValueError("these losses need base poses")
    joint, kind, weight = batch.effectors.joint, batch.effectors.kind, batch.weight
    draft, posed = prediction.draft.float(), prediction.positions.float()
    world, local = prediction.world.float(), prediction.local.float()

    placed, turned = weight * (kind == POSITION), weight * (kind == ROTATION)
    at, truth = of_joints(posed, joint), of_joints(batch.positions, joint)
    place = weighted_mean((of_joints(draft, joint) - truth).square().sum(-1), placed)
    place = place + weighted_mean((at - truth).square().sum(-1), placed)
    turn = weighted_mean(geodesic_angle(of_joints(world, joint), of_joints(batch.world, joint)), turned)
    target, direction = batch.effectors.data[..., :3], batch.effectors.data[..., 3:]
    wanted = torch.nn.functional.normalize(target - at, dim=-1, eps=1e-6)
    astray = angle_between(wanted, (of_joints(world, joint) @ direction.unsqueeze(-1)).squeeze(-1))
    aim = weighted_mean(astray, (kind == AIM).to(weight.dtype))
    effectors = effector_share * (position_weight / 4 * place + (aim + turn) / 3).mean()

    constrained = torch.zeros_like(base.keep_place).scatter(1, joint, 1.0)
    keep_place, keep_shape = base.keep_place * (1.0 - constrained), base.keep_shape * (1.0 - constrained)
    free = 1.0 - torch.maximum(keep_place, keep_shape)

    def places(towards: Tensor) -> Tensor:
        return (draft - towards).square().sum(-1) + (posed - towards).square().sum(-1)

    pose = position_weight / 4 * (free * places(batch.positions)).sum(-1)
    pose = (pose + (free * geodesic_angle(local, batch.local)).sum(-1) / 3).mean()
    kept = position_weight / 4 * (keep_place * places(base.base_positions)).sum(-1)
    kept = (kept + (keep_shape * geodesic_angle(local, base.base_local)).sum(-1) / 3).mean()
    total = effectors + pose + preservation * kept
    if not limit_weight:
        return BaseLosses(effectors, pose, kept, torch.zeros_like(total), total)
    beyond = beyond_limits(local, SMPL_JOINTS[: local.shape[-3]]).sum(-1).mean()
    return BaseLosses(effectors, pose, kept, beyond, total + limit_weight * beyond)
