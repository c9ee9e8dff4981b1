"""What DragPoser's pose autoencoder minimises (Ponton et al., 2024, equations 6 to 13)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from solver.networks.latent.pose_autoencoder import PoseAutoencoder
from solver.networks.latent.relative_pose import RelativePose, carried, of_one_sign, positions
from solver.training.data.sequences import PosePairs


class LatentLosses(NamedTuple):
    """Scalars: reconstruction (6), forward kinematics in m² (7), divergence (8), continuity (11); total: weighted."""

    turns: Tensor
    places: Tensor
    divergence: Tensor
    continuity: Tensor
    total: Tensor


def latent_losses(
    network: PoseAutoencoder,
    pairs: PosePairs,
    noise: Tensor,
    places_weight: float = 100.0,
    divergence_weight: float = 1e-3,
    continuity_weight: float = 1.0,
) -> LatentLosses:
    """noise: (B, L), the ε of equation 4.

    Equations 8 and 13 are printed with the sign reversed: the divergence is to be small, and the gradient of a squared
    error points from the target to what is predicted. Equation 13 has no mean, so the step is that of a sum.
    """
    now, later = _signed(network, pairs.now), _signed(network, pairs.later)
    mean, log_variance = network.encode(now, pairs.bones)
    z = mean + torch.exp(0.5 * log_variance) * noise
    found = network.decode(z, pairs.bones)
    turns = (found.vector - now.vector).square().mean()
    parents = network.parents
    apart = carried(found, positions(found, pairs.bones, parents)) - carried(now, positions(now, pairs.bones, parents))
    places = apart.square().mean()
    divergence = -0.5 * (1.0 + log_variance - mean.square() - log_variance.exp()).sum(dim=-1).mean()
    step = z - slope(found, later, z)
    continuity = (later.vector - network.decode(step, pairs.bones).vector).square().mean()
    total = turns + places_weight * places + divergence_weight * divergence + continuity_weight * continuity
    return LatentLosses(turns, places, divergence, continuity, total)


def slope(found: RelativePose, wanted: RelativePose, z: Tensor) -> Tensor:
    """(B, L) 2 Jᵀ (x̂ - x), differentiable once more (equation 13)."""
    missed = (found.vector - wanted.vector).square().sum()
    return torch.autograd.grad(missed, z, create_graph=True)[0]


def _signed(network: PoseAutoencoder, pose: RelativePose) -> RelativePose:
    return RelativePose(of_one_sign(pose.quaternions, network.reference), pose.shift)
