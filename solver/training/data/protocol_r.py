"""Protocol R of the benchmark as batches, for validation while training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.effectors.placement import placed
from solver.evaluation.metrics import POSE_ERRORS, pose_errors
from solver.evaluation.poses import EVERY, TruePose
from solver.evaluation.protocols import COUNTS, PROTOCOLS
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.networks.base_batch import BaseBatch
from solver.networks.effector_batch import POSITION, EffectorBatch
from solver.networks.geometry import forward_kinematics, matrices_from_6d, matrices_from_quaternions_xyzw
from solver.solvers.learned.model_input import model_arrays
from solver.training.data.base_poses import base_batch
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData


class ProblemSet(NamedTuple):
    """B problems with the same number of effectors; root_positions (B, 3) are part of the truth, not of the input.

    base: for networks that read a base pose: the natural pose where the effectors put it, nothing of it to be kept.
    """

    effectors: EffectorBatch
    positions: Tensor
    local: Tensor
    root_positions: Tensor
    offsets: Tensor
    base: BaseBatch | None = None


def problems(
    data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies, seed: int = 0, based: bool = False
) -> tuple[ProblemSet, ...]:
    """The benchmark's problems over every 10th frame, by their number of effectors; on the mean neutral body."""
    frames = data.frames_of(split, EVERY)
    local = matrices_from_quaternions_xyzw(torch.tensor(data.quaternions_xyzw[frames]).float())
    root = torch.tensor(data.root_positions[frames])
    gender = torch.zeros(len(frames), dtype=torch.int64)
    offsets = bodies.offsets(torch.zeros(len(frames), SHAPE_COMPONENTS), gender)
    positions, _ = forward_kinematics(parents, offsets, root, local)
    if not len(frames):
        return ()
    skeleton = Skeleton(data.joint_names, parents, offsets[0].numpy())
    rows: dict[int, list[EffectorBatch]] = {count: [] for count in COUNTS}
    bases: dict[int, list[Pose]] = {count: [] for count in COUNTS}
    for number, frame in enumerate(frames):
        pose = Pose(data.root_positions[frame], local[number].numpy())
        for effectors in PROTOCOLS["R"].effectors(TruePose(number, "", int(frame), BodyShape(), skeleton, pose), seed):
            arrays = model_arrays(skeleton, effectors, BodyShape())
            row = EffectorBatch(*(torch.from_numpy(arrays[name]) for name in EffectorBatch._fields))
            rows[len(effectors)].append(row)
            if based:
                bases[len(effectors)].append(placed(skeleton, natural_pose(skeleton), effectors))
    batches = [EffectorBatch(*(torch.cat(part) for part in zip(*some, strict=True))) for some in rows.values()]
    told = [base_batch(skeleton, poses) if based else None for poses in bases.values()]
    return tuple(
        ProblemSet(batch, positions, local, root, offsets, base) for batch, base in zip(batches, told, strict=True)
    )


@torch.no_grad()
def raw_errors(network: nn.Module, sets: tuple[ProblemSet, ...], parents: tuple[int, ...]) -> dict[str, float]:
    """The errors of the network alone: mpjpe_mm, pa_mpjpe_mm, ge_rad, effector_mm, means over all problems."""
    rows: dict[str, list[np.ndarray]] = {name: [] for name in (*POSE_ERRORS, "effector_mm")}
    device = next(network.parameters()).device
    for problem in sets:
        effectors = EffectorBatch(*(t.to(device) for t in problem.effectors))
        count = len(problem.positions)
        if problem.base:
            prediction = network(effectors, BaseBatch(*(t.to(device) for t in problem.base)))
        else:
            betas = torch.zeros(count, SHAPE_COMPONENTS, device=device)
            prediction = network(effectors, betas, torch.zeros(count, dtype=torch.int64, device=device))
        local = matrices_from_6d(prediction.rotations_6d.float().cpu())
        positions, _ = forward_kinematics(parents, problem.offsets, prediction.draft[:, 0].float().cpu(), local)
        found = pose_errors(positions.numpy(), local.numpy(), problem.positions.numpy(), problem.local.numpy())
        for name, values in found.items():
            rows[name].append(values)
        at = positions[torch.arange(count).unsqueeze(1), problem.effectors.joint]
        off = 1000.0 * (at - problem.effectors.data[..., :3]).norm(dim=-1)
        rows["effector_mm"].append(off[problem.effectors.kind == POSITION].numpy())
    return {name: float(np.concatenate(values).mean()) for name, values in rows.items()}
