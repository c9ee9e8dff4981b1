"""The training task of DragPoser's temporal predictor, over the latents of an autoencoder that has been trained
before."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from solver.errors import InputRefused
from solver.networks.latent.pose_autoencoder import PoseAutoencoder
from solver.networks.latent.relative_pose import RelativePose
from solver.networks.latent.temporal_predictor import FUTURE, PAST, STRIDE, TemporalPredictor, root_features
from solver.rig.roles import LIMBS
from solver.training.data.sequences import RecordedFrames, recorded_frames
from solver.training.run.config import TrainConfig
from solver.training.run.task import Task
from solver.training.run.training_data import TrainingData

LENGTH = (PAST + FUTURE) * STRIDE + 1  # frames of a stretch: past, present and future
LIMB_NOISE = 0.1  # how often a limb of the past is noise
EVERY = 7  # only every seventh stretch is validated


class LatentSequences(NamedTuple):
    """B stretches of latents. quaternions (B, PAST, J, 4) and shift (B, PAST, 3): the past's poses. told: (B, PAST,
    ROOT_FEATURES). known (B, FUTURE, L): the present latent and those after it; next: those one place later. noise: (B,
    PAST, J) where a joint of the past is noise."""

    quaternions: Tensor
    shift: Tensor
    told: Tensor
    known: Tensor
    next: Tensor
    noise: Tensor


class Draw(NamedTuple):
    """Where stretches start, (B,), and noise of `LatentSequences`."""

    start: Tensor
    noise: Tensor

    def part(self, rank: int, ranks: int) -> Draw:
        """The rows of one of several equal workers."""
        size = len(self.start) // ranks
        return Draw(*(t[rank * size : (rank + 1) * size] for t in self))


def temporal_task(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[Draw]:
    """Learning which latent comes next."""
    if not config.start_from:
        raise InputRefused("start_from", "the temporal predictor needs a trained autoencoder", "Name its run's folder")
    data, parents, _ = training_data.to(device)
    splits = {
        name: recorded_frames(data, name, parents, training_data.bodies, device=device) for name in ("train", "val")
    }
    starts = {name: frames.starts(LENGTH) for name, frames in splits.items()}
    if not len(starts["train"]):
        raise InputRefused(config.data, f"no clip has {LENGTH} frames", "Train with longer clips")
    limbs = torch.zeros(len(LIMBS), len(data.joint_names), device=device)
    for row, limb in enumerate(LIMBS):
        limbs[row, [data.joint_names.index(role) for role in limb.joints if role in data.joint_names]] = 1.0
    known: dict[str, Tensor] = {}

    def latents(network: PoseAutoencoder, name: str) -> Tensor:
        if name not in known:  # the autoencoder does not change
            known[name] = latents_of(network, splits[name])
        return known[name]

    def stretches(network: PoseAutoencoder, name: str, start: Tensor, noise: Tensor) -> LatentSequences:
        frames = splits[name]
        past = start[:, None] + STRIDE * torch.arange(PAST, device=device)
        ahead = start[:, None] + STRIDE * torch.arange(PAST, PAST + FUTURE + 1, device=device)
        z = latents(network, name)[ahead]
        poses = frames.poses.rows(past)
        return LatentSequences(*poses, root_features(poses.shift, frames.heights[past]), z[:, :-1], z[:, 1:], noise)

    def draw(batch: int, generator: torch.Generator) -> Draw:
        picked = torch.randint(len(starts["train"]), (batch,), generator=generator, device=device)
        loud = torch.rand(batch, PAST, len(LIMBS), generator=generator, device=device) < LIMB_NOISE
        return Draw(starts["train"][picked], loud.float() @ limbs)

    def loss(model: Any, drawn: Draw) -> Tensor:
        predictor = getattr(model, "module", model)
        batch = stretches(predictor.autoencoder, "train", drawn.start, drawn.noise)
        return prediction_errors(predictor, batch, splits["train"].bones).square().mean()

    def validate(network: nn.Module) -> dict[str, float]:
        assert isinstance(network, TemporalPredictor)
        start = starts["val"][::EVERY]
        if not len(start):
            return {}
        quiet = torch.zeros(len(start), PAST, len(data.joint_names), device=device)
        batch = stretches(network.autoencoder, "val", start, quiet)
        with torch.no_grad():
            off = prediction_errors(network, batch, splits["val"].bones).square().mean(dim=(0, 2)).sqrt()
            held = (batch.next - batch.known).square().mean(dim=(0, 2)).sqrt()
        return {"first": float(off[0]), "mean": float(off.mean()), "held": float(held.mean())}

    return Task(draw, loss, validate)


@torch.no_grad()
def latents_of(network: PoseAutoencoder, frames: RecordedFrames, chunk: int = 4096) -> Tensor:
    """(2 F, L), each pose's mean."""
    rows = range(0, len(frames.poses.shift), chunk)
    return torch.cat([network.encode(frames.poses.rows(slice(i, i + chunk)), frames.bones)[0] for i in rows])


def prediction_errors(network: TemporalPredictor, batch: LatentSequences, bones: Tensor) -> Tensor:
    """(B, FUTURE, L) how far predicted latents are off, given the truth up to each of them."""
    pose = RelativePose(batch.quaternions.flatten(0, 1), batch.shift.flatten(0, 1))
    inside = network.autoencoder
    with torch.no_grad():
        numbers = (inside.dual(pose, bones) - inside.mean) / inside.spread
        noise = batch.noise.flatten(0, 1).unsqueeze(-1)
        past, _ = inside.encoded(torch.where(noise > 0, torch.randn_like(numbers), numbers), bones)
    return network(past.unflatten(0, batch.told.shape[:2]), batch.told, batch.known) - batch.next
