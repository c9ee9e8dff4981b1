"""How well a lifter does on poses that it has not learned from, for validation while training and for cards."""

from __future__ import annotations

from time import thread_time
from typing import Any, NamedTuple

import numpy as np
import torch

from solver.body.catalog import load_body
from solver.evaluation.metrics import MILLIMETRES, pa_mpjpe_mm
from solver.networks.geometry import geodesic_angle, matrices_from_6d
from solver.networks.lifter import CentredViewBatch
from solver.photo.fit.lifting import UNSURE_M
from solver.training.data.bodies import ShapedBodies
from solver.training.data.dataset import PoseData
from solver.training.data.landmark_errors import load_landmark_errors
from solver.training.data.lift_sampler import LiftExamples, LiftSampler, PointsOfPoses
from solver.training.data.posture_balance import cumulative_frame_shares

COUNT, SEED, BALANCE = 1024, 20, 0.5
TIMED = 200  # answers to one person


class LiftTrials(NamedTuple):
    """People as they were seen, the points of bodies, and bones (J, 3), metres."""

    examples: LiftExamples
    points: PointsOfPoses
    bones: torch.Tensor


def lift_trials(
    data: PoseData, split: str, parents: tuple[int, ...], bodies: ShapedBodies, body: str
) -> LiftTrials | None:
    """Examples of every posture class, identical at every call; None for a split without frames."""
    if not len(data.frames_of(split)):
        return None
    ends = cumulative_frame_shares(data, split, parents, bodies, BALANCE, bodies.mean.device)
    draws = LiftSampler.of(data, split, parents, bodies, load_body(body), load_landmark_errors(), ends)
    generator = torch.Generator(device=bodies.mean.device).manual_seed(SEED)
    return LiftTrials(draws.draw(COUNT, generator), draws.points, bodies.mean[0])


def lift_errors(model: Any, trials: LiftTrials | None, every: int = 1) -> dict[str, float]:
    """The errors of every n-th person. model: asked like an ONNX model.

    mpjpe_mm, pa_mpjpe_mm: of the points, about the hips and aligned. ge_rad: world rotations. unsure_mm: how far off
    the points are said to be.
    """
    if trials is None:
        return {}
    examples = trials.examples
    asked = _inputs(examples.seen, slice(None, None, every))
    turns, unsure = (torch.as_tensor(part) for part in model.run(["rotations_6d", "unsure"], asked))
    device = trials.bones.device
    places, world = trials.points.places(matrices_from_6d(turns.to(device)), trials.bones)
    true = examples.points[::every]
    aligned = [pa_mpjpe_mm(a, b) for a, b in zip(places.cpu().numpy(), true.cpu().numpy(), strict=True)]
    return {
        "mpjpe_mm": MILLIMETRES * float((places - true).norm(dim=-1).mean()),
        "pa_mpjpe_mm": float(np.mean(aligned)),
        "ge_rad": float(geodesic_angle(world, examples.world[::every]).mean()),
        "unsure_mm": MILLIMETRES * UNSURE_M * float(unsure.exp().mean()),
    }


def lift_milliseconds(model: Any, trials: LiftTrials | None) -> float:
    """Processor time of one answer, for a person and their mirror image."""
    if trials is None:
        return float("nan")
    seen = _inputs(trials.examples.seen, slice(2))
    model.run(["rotations_6d"], seen)
    started = thread_time()
    for _ in range(TIMED):
        model.run(["rotations_6d"], seen)
    return 1e3 * (thread_time() - started) / TIMED


def _inputs(seen: CentredViewBatch, rows: slice) -> dict[str, np.ndarray]:
    return {name: part[rows].cpu().numpy() for name, part in seen._asdict().items()}
