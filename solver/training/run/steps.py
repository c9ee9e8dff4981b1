"""One step of training: draw a batch, predict, compare, descend the gradient, update the moving average.

On a GPU a step of one kind is recorded when it comes for the second time, and from then on only played (CUDA graphs):
its two thousand small operations take the processor longer to launch than the GPU to run.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import torch
from torch import Tensor, nn

from solver.training.run.averaging import MovingAverage
from solver.training.run.config import TrainConfig
from solver.training.run.task import Task
from solver.training.run.workers import Workers

Optimizers = list[torch.optim.Optimizer]


class Stepper:
    """Trains `network`; `model` is what is called, the network itself or a wrapper that several processes share."""

    def __init__(
        self, network: nn.Module, model: Any, optimizers: Optimizers, average: MovingAverage, task: Task[Any],
        config: TrainConfig, workers: Workers,
    ) -> None:  # fmt: skip
        self.network, self.model, self.optimizers, self.average = network, model, optimizers, average
        self.task, self.config, self.workers = task, config, workers
        self.generator = torch.Generator(device=workers.device)
        self._recorded: dict[Hashable, tuple[torch.cuda.CUDAGraph, Tensor]] = {}
        self._seen: set[Hashable] = set()
        self._pool: Any = None

    def step(self, number: int) -> Tensor:
        """The loss of the step of that number, which draws the same as it would in a resumed run."""
        self.generator.manual_seed((self.config.seed << 32) + number)
        self.average.prepare_step(number)
        if not self.config.recorded or self.task.kind is None:
            return self._done(None)
        kind = self.task.kind(self.generator)
        if kind not in self._seen:  # what is made only once is made now, so that it is not recorded
            self._seen.add(kind)
            return self._done(kind)
        if kind not in self._recorded:
            self._recorded[kind] = self._record(kind)
        graph, loss = self._recorded[kind]
        graph.replay()
        return loss

    def _done(self, kind: Hashable) -> Tensor:
        drawn = self.task.draw(self.config.batch, self.generator, *([] if kind is None else [kind]))
        loss = self.task.loss(self.model, drawn.part(self.workers.rank, self.workers.count))
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.gradient_clip, foreach=True)
        for optimizer in self.optimizers:
            optimizer.step()
        self.average.update(self.network)
        return loss.detach()

    def _record(self, kind: Hashable) -> tuple[torch.cuda.CUDAGraph, Tensor]:
        """The operations of a step, recorded but not yet done. Records share memory, as one is played at a time."""
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(self.generator)
        with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
            loss = self._done(kind)
        self._pool = self._pool or graph.pool()
        return graph, loss
