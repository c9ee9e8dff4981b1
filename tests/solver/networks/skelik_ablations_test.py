"""SKEL-IK without one of its parts: what the part did is gone, and the rest still solves."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from solver.errors import UnknownName
from solver.networks.base_batch import BaseBatch
from solver.networks.effector_batch import POSITION, EffectorBatch
from solver.networks.geometry import forward_kinematics
from solver.networks.residual import ABLATIONS, NetworkShape
from solver.networks.skeletal.skelik import SkelIK
from solver.training.run.config import TrainConfig

JOINTS = 22


def network(*without: str) -> SkelIK:
    torch.manual_seed(0)
    return SkelIK(JOINTS, NetworkShape(width=16, embedding=8, without=frozenset(without)))


def problem(keep: float = 0.5, bones: float = 1.0) -> tuple[EffectorBatch, BaseBatch]:
    generator = torch.Generator().manual_seed(1)
    offsets = bones * 0.2 * torch.randn(1, JOINTS, 3, generator=generator)
    local = torch.eye(3).expand(1, JOINTS, 3, 3)
    parents = network().parents
    positions, world = forward_kinematics(parents, offsets, torch.zeros(1, 3), local)
    target = torch.nn.functional.pad(positions[:, [20]] + 0.1, (0, 3))
    asked = EffectorBatch(target, torch.zeros(1, 1), torch.tensor([[20]]), torch.tensor([[POSITION]]))
    kept = torch.full((1, JOINTS), keep)
    return asked, BaseBatch(positions, world, local, offsets, kept, kept)


def answer(made: SkelIK, keep: float = 0.5) -> Tensor:
    with torch.no_grad():
        found: Tensor = made(*problem(keep)).rotations_6d
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("part", ABLATIONS)
def test_each_part_does_something_and_can_be_left_out(part: str) -> None:
    without = answer(network(part))
    assert bool(torch.isfinite(without).all())
    assert float((without - answer(network())).abs().max()) > 1e-4


def test_without_control_bits_it_is_deaf_to_what_is_to_be_kept() -> None:
    torch.testing.assert_close(answer(network("bits"), 0.0), answer(network("bits"), 1.0))
    assert float((answer(network(), 0.0) - answer(network(), 1.0)).abs().max()) > 1e-4


def test_a_run_names_the_parts_it_does_without() -> None:
    assert TrainConfig(network="skelik", steps=1, without="mask, levels").ablations == {"mask", "levels"}
    with pytest.raises(UnknownName, match="part to do without named “wings”"):
        TrainConfig(network="skelik", steps=1, without="wings")
