"""The loss of the lifter: points and rotations, and how far off it says its points are."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.geometry import matrices_from_6d
from solver.networks.lifter import LiftPrediction
from solver.photo.fit.lifting import LEAST_LOG, MOST_LOG, UNSURE_M
from solver.training.data.lift_sampler import LiftExamples, PointsOfPoses

POINTS_SHARE, WORLD_SHARE, HONEST_SHARE = 8.0, 2.0, 0.1  # weights of a metre, of a world rotation, and of the honesty


class LiftLosses(NamedTuple):
    """Scalars. points: mean distance, metres. turned: rotations, world ones twice. honest: the negative log-likelihood
    of the distances, exponentially distributed with the mean that was predicted. total: what is minimised."""

    points: Tensor
    turned: Tensor
    honest: Tensor
    total: Tensor


def lift_losses(prediction: LiftPrediction, examples: LiftExamples, points: PointsOfPoses, bones: Tensor) -> LiftLosses:
    """bones: (J, 3) metres, of the mean body."""
    local = matrices_from_6d(prediction.rotations_6d.float())
    places, world = points.places(local, bones)
    off = (places - examples.points).norm(dim=-1)
    unsure = prediction.unsure.float().clamp(LEAST_LOG, MOST_LOG)
    honest = (off.detach() / (UNSURE_M * torch.exp(unsure)) + unsure).mean()
    turned = WORLD_SHARE * (world - examples.world).abs().mean() + (local - examples.local).abs().mean()
    total = POINTS_SHARE * off.mean() + HONEST_SHARE * honest + turned
    return LiftLosses(off.mean(), turned, honest, total)
