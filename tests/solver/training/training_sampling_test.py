"""Effectors, noise and weights are drawn as the papers say."""

from __future__ import annotations

import math

import pytest
import torch
from scipy import stats

from solver.evaluation.body_joints import BODY_JOINTS
from solver.networks.effector_batch import AIM, POSITION, ROTATION
from solver.networks.geometry import geodesic_angle, matrices_from_6d, matrices_from_euler_zyx
from solver.training.data.batches import limb_zones
from solver.training.data.effector_noise import (
    AIM_DISTANCE,
    aim_targets,
    effector_batch,
    noisy_positions,
    noisy_rotations,
)
from solver.training.data.effector_sampling import (
    EffectorChoice,
    draw_count,
    draw_effectors,
    draw_zoned_effectors,
    loss_weight,
    noise_deviation,
)

JOINTS = len(BODY_JOINTS)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_the_number_of_effectors_is_uniform_from_3_to_16(generator: torch.Generator) -> None:
    counts = torch.tensor([draw_count(generator) for _ in range(2800)])
    assert (counts.min(), counts.max()) == (3, 16)
    assert stats.chisquare(torch.bincount(counts, minlength=17)[3:].numpy()).pvalue > 1e-3


def test_no_pair_of_joint_and_kind_comes_twice(generator: torch.Generator) -> None:
    choice = draw_effectors(300, JOINTS, 16, generator)
    pairs = (choice.joint * 3 + choice.kind).sort(dim=1).values
    # the first place may have been turned into a position effector, which may then repeat another
    assert ((pairs[:, 1:] == pairs[:, :-1]).sum(dim=1) == 0).float().mean() > 0.95


def test_joints_kinds_and_tolerances_are_uniform(generator: torch.Generator) -> None:
    choice = draw_effectors(2000, JOINTS, 10, generator)
    assert stats.chisquare(torch.bincount(choice.joint.flatten(), minlength=JOINTS).numpy()).pvalue > 1e-3
    shares = torch.bincount(choice.kind.flatten(), minlength=3) / choice.kind.numel()
    torch.testing.assert_close(shares, torch.full((3,), 1 / 3), atol=0.01, rtol=0)
    assert stats.kstest(choice.tolerance.flatten()[:2000].numpy(), "uniform").pvalue > 1e-3


@pytest.mark.parametrize("count", [1, 3, 16])
def test_every_row_has_a_position_effector(count: int, generator: torch.Generator) -> None:
    choice = draw_effectors(1000, JOINTS, count, generator)
    assert (choice.kind == POSITION).any(dim=1).all()


def test_a_pair_is_never_chosen_twice_when_a_position_effector_is_forced() -> None:
    for seed in range(20):
        choice = draw_effectors(200, JOINTS, 3, torch.Generator().manual_seed(seed))
        pairs = (choice.joint * 3 + choice.kind).sort(dim=1).values
        assert (pairs[:, 1:] != pairs[:, :-1]).all()


def test_zoned_rows_begin_with_a_position_on_each_limb(generator: torch.Generator) -> None:
    zones = limb_zones(BODY_JOINTS)
    choice = draw_zoned_effectors(400, zones, JOINTS, 7, generator)
    for zone in zones:
        at_zone = torch.isin(choice.joint, torch.tensor(zone)) & (choice.kind == POSITION)
        assert at_zone.any(dim=1).all()
    pairs = (choice.joint * 3 + choice.kind).sort(dim=1).values
    assert (pairs[:, 1:] != pairs[:, :-1]).all()


def test_the_limb_zones_are_arms_and_legs() -> None:
    names = [{BODY_JOINTS[j] for j in zone} for zone in limb_zones(BODY_JOINTS)]
    assert names[0] == {"left_shoulder", "left_elbow", "left_wrist"}
    assert names[3] == {"right_knee", "right_ankle", "right_foot"}


def test_noise_grows_as_a_high_power_of_the_tolerance() -> None:
    deviation = noise_deviation(torch.tensor([0.0, 0.5, 1.0]))
    torch.testing.assert_close(deviation, torch.tensor([0.0, 0.1 * 0.5**13, 0.1]))


def test_the_weight_is_the_reciprocal_of_the_noise_up_to_a_thousand() -> None:
    torch.testing.assert_close(
        loss_weight(torch.tensor([0.0, 1e-4, 1e-3, 0.01, 0.1])), torch.tensor([1000.0, 1000.0, 1000.0, 100.0, 10.0])
    )


def test_position_noise_has_the_deviation_asked(generator: torch.Generator) -> None:
    noise = noisy_positions(torch.zeros(4000, 3), torch.full((4000,), 0.07), generator)
    torch.testing.assert_close(noise.std(dim=0), torch.full((3,), 0.07), atol=0.004, rtol=0)
    assert noise.mean(dim=0).abs().max() < 0.005


def test_rotation_noise_turns_by_euler_angles_of_the_deviation_asked(generator: torch.Generator) -> None:
    start = matrices_from_euler_zyx(torch.tensor([0.3, -1.0, 2.0])).expand(4000, 3, 3)
    turned = noisy_rotations(start, torch.full((4000,), 0.05), generator)
    # three small independent angles: the turn's square averages three variances
    assert geodesic_angle(turned, start).square().mean().sqrt() == pytest.approx(0.05 * math.sqrt(3), rel=0.05)


def test_without_noise_a_rotation_effector_is_the_truth(generator: torch.Generator) -> None:
    start = matrices_from_euler_zyx(torch.randn(6, 3))
    torch.testing.assert_close(noisy_rotations(start, torch.zeros(6), generator), start)


def test_aim_targets_lie_along_the_joints_own_direction(generator: torch.Generator) -> None:
    positions = torch.randn(3000, 3)
    rotations = matrices_from_euler_zyx(torch.randn(3000, 3))
    target, local = aim_targets(positions, rotations, torch.zeros(3000), generator)
    away = target - positions
    along = (rotations @ local.unsqueeze(-1)).squeeze(-1)
    torch.testing.assert_close(away, away.norm(dim=1, keepdim=True) * along, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(local.norm(dim=1), torch.ones(3000))
    assert stats.kstest(away.norm(dim=1).numpy(), stats.halfnorm(scale=AIM_DISTANCE).cdf).pvalue > 1e-3


def test_an_effector_batch_holds_each_kind_in_its_own_form(generator: torch.Generator) -> None:
    positions = torch.randn(1, JOINTS, 3)
    rotations = matrices_from_euler_zyx(torch.randn(1, JOINTS, 3))
    joint = torch.tensor([[4, 7, 9]])
    kind = torch.tensor([[POSITION, ROTATION, AIM]])
    choice = EffectorChoice(joint, kind, torch.tensor([[0.0, 0.1, 0.2]]))
    made = effector_batch(choice, positions, rotations, torch.zeros(1, 3), generator)
    torch.testing.assert_close(made.data[0, 0], torch.cat([positions[0, 4], torch.zeros(3)]))
    torch.testing.assert_close(matrices_from_6d(made.data[0, 1]), rotations[0, 7])
    target, local = made.data[0, 2, :3], made.data[0, 2, 3:]
    away = torch.nn.functional.normalize(target - positions[0, 9], dim=0)
    torch.testing.assert_close(away, rotations[0, 9] @ local, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(made.tolerance, choice.tolerance)
