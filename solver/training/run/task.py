"""The training task of each kind of network: which batches are drawn, and what is minimised and measured."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from solver.errors import InputRefused
from solver.kinematics.skeleton import Skeleton
from solver.networks.catalog import ANY_BODY, READ_BASE
from solver.networks.geometry import matrices_from_6d
from solver.training.data.batches import Batch, Sampler, pose_tensor
from solver.training.data.posture_balance import cumulative_frame_shares
from solver.training.losses.exact_stage_loss import exact_stage_loss, noise_free_effectors
from solver.training.run.config import TrainConfig
from solver.training.run.distillation import teacher_of
from solver.training.run.objective import loss_of, predicted
from solver.training.run.precision import autocast
from solver.training.run.training_data import TrainingData
from solver.training.run.validation import validation


class DivisibleBatch(Protocol):
    """A batch that can be divided among several workers."""

    def part(self, rank: int, ranks: int) -> Any:
        """The rows of one of several equal workers."""
        ...


# Networks that do not complete poses from effectors, and what makes their tasks.
OTHER_TASKS = {
    "dragposer": "solver.training.run.autoencoder_task:autoencoder_task",
    "dragposer_time": "solver.training.run.temporal_task:temporal_task",
    "pose_edition": "solver.training.run.edit_task:edit_task",
    "lifter": "solver.training.run.lift_task:lift_task",
}

EXACT_SHARE = 4  # one row of so many of a batch goes through the exact stage, which is slow

B = TypeVar("B", bound=DivisibleBatch)


@dataclass(frozen=True)
class Task(Generic[B]):
    """draw: a batch of so many rows by a generator, on its device. loss: of a model on a batch, a scalar to minimise.
    validate: the errors of a network on the split `val`. begin: gives a fresh network what it needs of the data.
    kind: of the batch that the generator draws next, if there are several, for `draw` as its third argument; batches
    of one kind go through the same operations."""

    draw: Callable[..., B]
    loss: Callable[[Any, B], Tensor]
    validate: Callable[[nn.Module], dict[str, float]]
    begin: Callable[[nn.Module], None] = lambda network: None
    kind: Callable[[torch.Generator], Hashable] | None = None


def task_of(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[Any]:
    """The task of the run's network. InputRefused for settings that it cannot heed."""
    if config.network in OTHER_TASKS:
        for name, said in (("teacher", "learns from no teacher"), ("recorded", "trains without recorded steps")):
            if getattr(config, name):
                raise InputRefused(name, f"a {config.network} {said}", "Take it out of the settings")
        module, _, name = OTHER_TASKS[config.network].partition(":")
        made: Task[Any] = getattr(import_module(module), name)(config, training_data, device)
        return made
    return pose_task(config, training_data, device)


def pose_task(config: TrainConfig, training_data: TrainingData, device: torch.device) -> Task[Batch]:
    """Learning to complete poses from effectors."""
    data, parents, bodies = training_data.to(device)
    sampler = Sampler(
        pose_tensor(data, "train", device),
        data.joint_names,
        parents,
        bodies,
        random_shape=config.network in ANY_BODY,
        limb_share=config.limb_share,
        noise=config.noise,
        noise_exponent=config.noise_exponent,
        largest_weight=config.largest_weight,
        cumulative_frame_shares=cumulative_frame_shares(
            data, "train", parents, training_data.bodies, config.posture_balance, device
        ),
    )
    if config.network in READ_BASE:
        sampler = sampler.with_bases()
    teacher = teacher_of(config, parents, len(data.joint_names), device)
    if teacher:
        sampler = sampler.with_mixtures(config.mixed_share)
    precision = autocast(config.precision, device)
    skeleton = Skeleton(data.joint_names, parents, bodies.mean[0].cpu().numpy())

    def loss(model: Any, batch: Batch) -> Tensor:
        with precision:
            prediction = predicted(model, batch)
            taught = teacher.target(batch) if teacher else None
        found = loss_of(prediction, batch, parents, config, taught)
        if not config.exact_share:
            return found
        few = batch.part(0, EXACT_SHARE)
        asked = noise_free_effectors(few)
        with precision:
            proposed = predicted(model, few._replace(effectors=asked))
        turns = matrices_from_6d(proposed.rotations_6d.float())
        behind = exact_stage_loss(proposed.draft[:, 0].float(), turns, few, asked, skeleton, config.position_weight)
        return found + config.exact_share * behind

    measured = validation(config.network, data, parents, training_data.bodies)
    return Task(sampler.draw, loss, measured, kind=sampler.kind)
