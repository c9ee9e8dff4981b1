"""How well a network preserves a base pose: pelvis and ankles of one pose are the effectors, the base is another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS
from solver.evaluation.poses import EVERY
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.networks.base_batch import BaseBatch
from solver.networks.effector_batch import POSITION, ROTATION, EffectorBatch
from solver.networks.geometry import (
    forward_kinematics,
    geodesic_angle,
    matrices_from_quaternions_xyzw,
    sixd_from_matrices,
)
from solver.rig.roles import LEGS, Role
from solver.training.data.base_poses import base_batch
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData


class PreservationProblems(NamedTuple):
    """What is asked, and the base poses.

    effectors: (B, 4): the pelvis's place and turn, the ankles' places. base: another pose of the split, with its root
    above the same point of the floor. others: the joints of which nothing is asked.
    """

    effectors: EffectorBatch
    base: BaseBatch
    others: tuple[int, ...]


def preservation_problems(
    data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies
) -> PreservationProblems | None:
    """One problem for every 10th frame, on the mean neutral body; None for a split without frames."""
    frames = data.frames_of(split, EVERY)
    if not len(frames):
        return None
    local = matrices_from_quaternions_xyzw(torch.tensor(data.quaternions_xyzw[frames]).float())
    root = torch.tensor(data.root_positions[frames])
    offsets = bodies.offsets(torch.zeros(1, SHAPE_COMPONENTS), torch.zeros(1, dtype=torch.int64))
    positions, world = forward_kinematics(parents, offsets, root, local)
    pelvis, *ankles = (data.joint_names.index(role) for role in (Role.PELVIS, *(leg.end for leg in LEGS)))
    joint = torch.tensor([pelvis, pelvis, *ankles]).expand(len(frames), -1)
    kind = torch.tensor([POSITION, ROTATION, POSITION, POSITION]).expand(len(frames), -1)
    rows = [torch.nn.functional.pad(positions[:, j], (0, 3)) for j in (pelvis, *ankles)]
    rows.insert(1, sixd_from_matrices(world[:, pelvis]))
    effectors = EffectorBatch(torch.stack(rows, dim=1), torch.zeros(len(frames), 4), joint, kind)
    other = np.random.default_rng(0).permutation(len(frames))
    skeleton = Skeleton(data.joint_names, parents, offsets[0].numpy())
    poses = []
    for number, chosen in enumerate(other):
        place = torch.stack([root[number, 0], root[chosen, 1], root[number, 2]])
        poses.append(Pose(place.numpy(), local[chosen].numpy()))
    others = tuple(j for j in range(len(parents)) if j not in (pelvis, *ankles))
    return PreservationProblems(effectors, base_batch(skeleton, poses), others)


@torch.no_grad()
def preservation_errors(network: nn.Module, problems: PreservationProblems | None) -> dict[str, float]:
    """kept_mm: how far the other joints are from their base places in Place freeze. kept_rad: their local rotations in
    Pose freeze. asked_mm: how far pelvis and ankles then are from where they are asked to be, the mean of the two."""
    if problems is None:
        return {}
    device = next(network.parameters()).device
    effectors = EffectorBatch(*(t.to(device) for t in problems.effectors))
    base, others = BaseBatch(*(t.to(device) for t in problems.base)), list(problems.others)
    one, none = torch.ones_like(base.keep_place), torch.zeros_like(base.keep_place)
    placed = network(effectors, base._replace(keep_place=one, keep_shape=none))
    shaped = network(effectors, base._replace(keep_place=none, keep_shape=one))
    away = (placed.positions - base.base_positions)[:, others].norm(dim=-1)
    turned = geodesic_angle(shaped.local, base.base_local)[:, others]
    return {
        "kept_mm": 1000.0 * float(away.mean()),
        "kept_rad": float(turned.mean()),
        "asked_mm": 500.0 * float(_missed(placed.positions, effectors) + _missed(shaped.positions, effectors)),
    }


def _missed(positions: Tensor, effectors: EffectorBatch) -> Tensor:
    """The mean distance in metres from the position effectors."""
    rows = torch.arange(len(positions), device=positions.device).unsqueeze(1)
    off = (positions[rows, effectors.joint] - effectors.data[..., :3]).norm(dim=-1)
    return off[effectors.kind == POSITION].mean()
