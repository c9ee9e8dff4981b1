"""Steps of training that are recorded: what is played does what would have been done."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.synthetic import synthetic_poses
from solver.training.run.averaging import MovingAverage
from solver.training.run.config import TrainConfig
from solver.training.run.networks import make_network
from solver.training.run.optimizers import make_optimizers
from solver.training.run.steps import Stepper
from solver.training.run.task import task_of
from solver.training.run.training_data import TrainingData
from solver.training.run.workers import Workers

CPU = torch.device("cpu")
CONFIG = TrainConfig(network="protores", width=16, embedding=4, batch=16, steps=60, precision="fp32", limb_share=0.5)


class Played(Stepper):
    """Its records are played without a GPU: by doing the step anew."""

    def _record(self, kind: Hashable) -> tuple[torch.cuda.CUDAGraph, Tensor]:
        recorded.append(kind)
        loss, do = torch.zeros(()), self._done

        class Graph:
            def replay(self) -> None:
                loss.copy_(do(kind))
                played.append(kind)

        return Graph(), loss  # type: ignore[return-value]


recorded: list[Hashable] = []
played: list[Hashable] = []


@pytest.fixture(scope="module")
def training_data() -> TrainingData:
    skeleton = load_body("anny").skeleton(BodyShape())
    return TrainingData(synthetic_poses(500), SMPL_PARENTS[:22], fixed_skeleton(skeleton, BODY_JOINTS))


def trained(
    stepper: type[Stepper], config: TrainConfig, training_data: TrainingData
) -> tuple[list[float], MovingAverage]:
    """The losses of some steps, and what has trailed behind the network."""
    torch.manual_seed(0)
    network = make_network(config, 22)
    average = MovingAverage(network, config.average_decay)
    task = task_of(CONFIG, training_data, CPU)
    steps = stepper(network, network, make_optimizers(network, CONFIG), average, task, config, Workers(0, 1, CPU))
    return [float(steps.step(number)) for number in range(60)], average


@pytest.mark.slow
def test_each_kind_is_done_once_and_recorded_once_and_then_played_and_all_is_as_without(
    training_data: TrainingData,
) -> None:
    recorded.clear()
    played.clear()
    plain, without = trained(Stepper, CONFIG, training_data)
    losses, average = trained(Played, replace(CONFIG, recorded=True), training_data)
    assert losses == pytest.approx(plain)
    for one, other in zip(average.module.parameters(), without.module.parameters(), strict=True):
        torch.testing.assert_close(one, other)
    assert len(recorded) == len(set(recorded)) > 10
    assert len(played) > len(recorded)
    assert len(played) < 60 - len(recorded), "each of them was done once before"
