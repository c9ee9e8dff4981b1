"""The training task of DragPoser's pose autoencoder."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from solver.networks.geometry import geodesic_angle, matrices_from_quaternions_xyzw
from solver.networks.latent.pose_autoencoder import PoseAutoencoder
from solver.networks.latent.relative_pose import RelativePose, carried, positions
from solver.training.data.sequences import PosePairs, RecordedFrames, draw_pairs, mean_bones, recorded_frames
from solver.training.losses.latent_losses import latent_losses, slope
from solver.training.run.config import TrainConfig
from solver.training.run.task import Task
from solver.training.run.training_data import TrainingData

EVERY = 5  # only every fifth frame is validated


def autoencoder_task(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[PosePairs]:
    """Learning a latent space of poses, each beside the next."""
    data, parents, bodies = training_data.to(device)
    frames = recorded_frames(data, "train", parents, training_data.bodies, config.posture_balance, device)
    unseen = recorded_frames(data, "val", parents, training_data.bodies, device=device)

    def begin(network: nn.Module) -> None:
        assert isinstance(network, PoseAutoencoder)
        network.measure(frames.poses, frames.bones)

    def loss(model: Any, pairs: PosePairs) -> Tensor:
        noise = torch.randn(len(pairs.bones), config.embedding, device=device)
        weights = (config.position_weight, config.divergence, config.continuity)
        return latent_losses(getattr(model, "module", model), pairs, noise, *weights).total

    def draw(batch: int, generator: torch.Generator) -> PosePairs:
        torch.manual_seed(generator.initial_seed())  # of the noise in the latent
        return draw_pairs(frames, bodies, batch, generator)

    bones = mean_bones(bodies)[0]
    return Task(draw, loss, lambda network: latent_errors(network, unseen, bones), begin)


def latent_errors(network: nn.Module, frames: RecordedFrames, bones: Tensor) -> dict[str, float]:
    """What poses lose on the way into the latent space and back; empty without frames.

    mpjpe_mm: distance of joints, the root's in the previous frame's axes. ge_rad: angle of joints from the root.
    root_mm: of the root alone. next_mm: to the next pose, after the one step of equation 12.
    """
    assert isinstance(network, PoseAutoencoder)
    chosen = torch.arange(0, len(frames) - 1, EVERY, device=bones.device)
    chosen = chosen[frames.clip[chosen] == frames.clip[chosen + 1]]
    if not len(chosen):
        return {}
    signed = frames.signed(network.reference).poses
    now, later = signed.rows(chosen), signed.rows(chosen + 1)
    with torch.no_grad():
        mean, _ = network.encode(now, bones)
    z = mean.requires_grad_()
    with torch.enable_grad():
        found = network.decode(z, bones)
        step = (z - slope(found, later, z)).detach()
    with torch.no_grad():
        apart = _apart(network, found, now, bones)
        stepped = _apart(network, network.decode(step, bones), later, bones)
        turned = geodesic_angle(
            matrices_from_quaternions_xyzw(found.quaternions), matrices_from_quaternions_xyzw(now.quaternions)
        )
    return {
        "mpjpe_mm": 1000.0 * float(apart.mean()),
        "ge_rad": float(turned.mean()),
        "root_mm": 1000.0 * float(apart[:, 0].mean()),
        "next_mm": 1000.0 * float(stepped.mean()),
    }


def _apart(network: PoseAutoencoder, found: RelativePose, truth: RelativePose, bones: Tensor) -> Tensor:
    """(B, J) metres."""
    places = [carried(pose, positions(pose, bones, network.parents)) for pose in (found, truth)]
    return (places[0] - places[1]).norm(dim=-1)
