"""The training loop: draw a batch, predict, compare, step; validate and save now and then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from solver.errors import InputRefused
from solver.files.atomic import make_folder, write_text
from solver.training.run.averaging import MovingAverage
from solver.training.run.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from solver.training.run.config import TrainConfig, config_json
from solver.training.run.curves import draw_curves
from solver.training.run.networks import make_network
from solver.training.run.optimizers import make_optimizers, set_rate
from solver.training.run.schedule import Budget, rate_factor
from solver.training.run.steps import Stepper
from solver.training.run.task import Task, task_of
from solver.training.run.training_data import TrainingData
from solver.training.run.warm_start import warm_start
from solver.training.run.workers import Workers, join_workers

HISTORY, SETTINGS, CURVES = "history.json", "config.json", "curves.png"


@dataclass(frozen=True)
class Report:
    """A run's report while it goes on. validation: of this step, None between validations. note: what went wrong."""

    step: int
    elapsed: float
    progress: float
    loss: float
    validation: dict[str, float] | None = None
    note: str = ""


def run(
    config: TrainConfig,
    training_data: TrainingData,
    directory: Path,
    *,
    resume: bool = False,
    tell: Callable[[Report], None] = lambda report: None,
) -> dict[str, float]:
    """Train to the end of the schedule and return the last validation; `directory` holds all that is written.

    With resume the run goes on from its checkpoint.
    """
    make_folder(directory, "Name another folder for the run")
    if config.threads > 0:
        torch.set_num_threads(config.threads)
    with join_workers(config.device) as workers:
        if config.batch % workers.count:
            way_out = f"Choose a multiple of {workers.count}"
            raise InputRefused(
                "batch", f"{config.batch} rows cannot be shared among {workers.count} processes", way_out
            )
        if config.recorded and (workers.count > 1 or workers.device.type != "cuda"):
            way_out = "Take it out of the settings, or give --set recorded=false"
            raise InputRefused("recorded", "steps are recorded on one GPU alone", way_out)
        torch.manual_seed(config.seed)
        network = make_network(config, len(training_data.data.joint_names))
        network = network.to(workers.device)
        task = task_of(config, training_data, workers.device)
        if config.start_from and not resume:
            warm_start(network, Path(config.start_from))
        elif not resume:
            task.begin(network)
        state = _State(config, network)
        if resume:
            state.restore(load_checkpoint(directory))
        return _train(state, task, workers, directory=directory, tell=tell)


class _State:
    """What changes during a run."""

    def __init__(self, config: TrainConfig, network: nn.Module) -> None:
        self.config, self.network = config, network
        self.optimizers = make_optimizers(network, config)
        self.average = MovingAverage(network, config.average_decay)
        self.step, self.elapsed = 0, 0.0
        self.history: list[dict[str, float]] = []

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on where the checkpoint was written; InputRefused if it is of another network or optimiser."""
        try:
            self.network.load_state_dict(checkpoint.network)
            self.average.module.load_state_dict(checkpoint.average)
            for optimizer, stored in zip(self.optimizers, checkpoint.optimizers, strict=True):
                known = [group.keys() for group in optimizer.param_groups]
                if [group.keys() for group in stored["param_groups"]] != known:
                    raise ValueError("another optimiser's settings")
                here = [(group["lr"], group["capturable"]) for group in optimizer.param_groups if "capturable" in group]
                optimizer.load_state_dict(stored)
                for group, (rate, capturable) in zip(optimizer.param_groups, here, strict=False):
                    group["lr"], group["capturable"] = rate, capturable  # the run may go on on another device
        except (RuntimeError, ValueError):
            way_out = "Resume with the settings beside it, or start afresh in another folder"
            raise InputRefused("checkpoint", "it is of another network or optimiser", way_out) from None
        self.step, self.elapsed, self.history = checkpoint.step, checkpoint.elapsed, checkpoint.history

    def save(self, directory: Path) -> None:
        """Write everything that belongs to the run."""
        stored = [optimizer.state_dict() for optimizer in self.optimizers]
        average = self.average.module.state_dict()
        network = self.network.state_dict()
        save_checkpoint(
            Checkpoint(asdict(self.config), self.step, self.elapsed, network, average, stored, self.history), directory
        )
        write_text(directory / SETTINGS, config_json(self.config))
        write_text(directory / HISTORY, json.dumps(self.history, indent=1) + "\n")
        draw_curves(self.history, directory / CURVES)


def _train(
    state: _State,
    task: Task[Any],
    workers: Workers,
    *,
    directory: Path,
    tell: Callable[[Report], None],
) -> dict[str, float]:
    config = state.config
    budget = Budget(config.minutes * 60.0, config.steps)
    model: Any = workers.parallel(state.network)
    if config.compile:
        model = torch.compile(model, dynamic=True)
    stepper = Stepper(state.network, model, state.optimizers, state.average, task, config, workers)
    before, recent = state.elapsed, 0.0
    started = time.perf_counter()
    validated = saved = state.elapsed
    while True:
        state.elapsed = workers.agreed(before + time.perf_counter() - started)
        progress = budget.progress(state.step, state.elapsed)
        if progress >= 1.0:
            break
        factor = rate_factor(state.step, progress, config.warmup_steps, config.final_rate)
        set_rate(state.optimizers, config.learning_rate * factor)
        loss = stepper.step(state.step)
        state.step += 1
        if not workers.first:
            continue
        if state.step % 10 == 0 or not recent:
            recent = float(loss)
        report = Report(state.step, state.elapsed, progress, recent)
        if state.elapsed - validated >= 60.0 * config.validate_minutes:
            validated = state.elapsed
            report = _validated(state, report, task.validate)
        tell(report)
        if state.elapsed - saved >= 60.0 * config.checkpoint_minutes:
            saved = state.elapsed
            try:
                state.save(directory)
            except InputRefused as error:  # a full disk must not cost the run
                tell(replace(report, validation=None, note=str(error)))
    if not workers.first:
        return {}
    last = _validated(state, Report(state.step, state.elapsed, 1.0, recent), task.validate)
    tell(last)
    state.save(directory)
    return last.validation or {}


def _validated(state: _State, report: Report, validate: Callable[[nn.Module], dict[str, float]]) -> Report:
    errors = validate(state.average.module)
    state.history.append({"step": float(report.step), "minutes": report.elapsed / 60.0, "loss": report.loss, **errors})
    return Report(report.step, report.elapsed, report.progress, report.loss, errors)
