"""Protocol R of the benchmark: seeded problems with random effectors, one position effector on each limb."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from solver.backends.learned.effector_batch import POSITION, EffectorBatch
from solver.backends.learned.geometry import forward_kinematics, matrices_from_6d, matrices_from_quaternions_xyzw
from solver.body.body import SHAPE_COMPONENTS
from solver.training.batches import limb_zones
from solver.training.bodies import ShapedBodies
from solver.training.dataset import PoseData
from solver.training.effector_noise import effector_batch
from solver.training.effector_sampling import draw_zoned_effectors
from solver.training.metrics import pose_errors

COUNTS = range(6, 13)
EVERY = 10  # frames


class ProblemSet(NamedTuple):
    """B problems with the same number of effectors; root_positions (B, 3) are part of the truth, not of the input."""

    effectors: EffectorBatch
    positions: Tensor
    local: Tensor
    root_positions: Tensor
    offsets: Tensor


def problems(
    data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies, seed: int = 0
) -> tuple[ProblemSet, ...]:
    """One set for each count of 6..12 effectors, over every 10th frame; exact targets, tolerance 0, neutral body."""
    frames = data.frames_of(split, EVERY)
    generator = torch.Generator().manual_seed(seed)
    local = matrices_from_quaternions_xyzw(torch.tensor(data.quaternions_xyzw[frames]).float())
    root = torch.tensor(data.root_positions[frames])
    gender = torch.zeros(len(frames), dtype=torch.int64)
    offsets = bodies.offsets(torch.zeros(len(frames), SHAPE_COMPONENTS), gender)
    positions, world = forward_kinematics(parents, offsets, root, local)
    sets = []
    for count in COUNTS:
        zones = limb_zones(data.joint_names)
        choice = draw_zoned_effectors(len(frames), zones, len(data.joint_names), count, generator)
        exact = choice._replace(tolerance=torch.zeros_like(choice.tolerance))
        effectors = effector_batch(exact, positions, world, exact.tolerance, generator)
        sets.append(ProblemSet(effectors, positions, local, root, offsets))
    return tuple(sets)


@torch.no_grad()
def raw_errors(network: nn.Module, sets: tuple[ProblemSet, ...], parents: tuple[int, ...]) -> dict[str, float]:
    """What the network alone is off by: mpjpe_mm, pa_mpjpe_mm, ge_rad, effector_mm, means over all problems."""
    rows: dict[str, list[Tensor]] = {"mpjpe_mm": [], "pa_mpjpe_mm": [], "ge_rad": [], "effector_mm": []}
    device = next(network.parameters()).device
    for problem in sets:
        effectors = EffectorBatch(*(t.to(device) for t in problem.effectors))
        count = len(problem.positions)
        betas = torch.zeros(count, SHAPE_COMPONENTS, device=device)
        prediction = network(effectors, betas, torch.zeros(count, dtype=torch.int64, device=device))
        local = matrices_from_6d(prediction.rotations_6d.float().cpu())
        positions, _ = forward_kinematics(parents, problem.offsets, prediction.draft[:, 0].float().cpu(), local)
        errors = pose_errors(positions, local, problem.positions, problem.local)
        for name, values in errors._asdict().items():
            rows[name].append(values)
        at = positions[torch.arange(count).unsqueeze(1), problem.effectors.joint]
        off = 1000.0 * (at - problem.effectors.data[..., :3]).norm(dim=-1)
        rows["effector_mm"].append(off[problem.effectors.kind == POSITION])
    return {name: float(torch.cat(values).mean()) for name, values in rows.items()}
