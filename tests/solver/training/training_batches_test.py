"""Augmentation, random bodies, whole batches, losses and metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.networks.effector_batch import AIM, POSITION, ROTATION, EffectorBatch, PosePrediction
from solver.networks.geometry import (
    forward_kinematics,
    matrices_from_6d,
    matrices_from_euler_zyx,
    matrices_from_quaternions_xyzw,
    sixd_from_matrices,
)
from solver.rig.mirroring import mirror_order, mirror_pose
from solver.training.data.augmentation import augmented, mirrored, turn_about_vertical
from solver.training.data.batches import Batch, Sampler, pose_tensor
from solver.training.data.bodies import draw_shapes, fixed_skeleton, shaped_bodies
from solver.training.data.protocol_r import problems
from solver.training.data.synthetic import synthetic_poses
from solver.training.losses.pose_losses import Target, losses, weighted_mean

PARENTS = SMPL_PARENTS[: len(BODY_JOINTS)]
OTHER_SIDE = torch.tensor(mirror_order(BODY_JOINTS))


def random_local(batch: int, seed: int = 0) -> torch.Tensor:
    return matrices_from_euler_zyx(torch.randn(batch, 22, 3, generator=torch.Generator().manual_seed(seed)))


def test_mirroring_is_that_of_the_kinematics() -> None:
    local = random_local(1)
    skeleton = Skeleton(BODY_JOINTS, PARENTS, np.zeros((22, 3)))
    expected = mirror_pose(skeleton, Pose(np.zeros(3), local[0].numpy())).rotations
    np.testing.assert_allclose(mirrored(local, OTHER_SIDE)[0], expected, atol=1e-6)
    torch.testing.assert_close(mirrored(mirrored(local, OTHER_SIDE), OTHER_SIDE), local)


def test_a_turn_about_the_vertical_turns_the_whole_pose() -> None:
    local, offsets = random_local(2), torch.randn(22, 3, generator=torch.Generator().manual_seed(1))
    before, _ = forward_kinematics(PARENTS, offsets, torch.zeros(2, 3), local)
    turned = turn_about_vertical(local, torch.full((2,), math.pi / 2))
    after, _ = forward_kinematics(PARENTS, offsets, torch.zeros(2, 3), turned)
    expected = torch.stack([before[..., 2], before[..., 1], -before[..., 0]], dim=-1)  # +Z goes to +X
    torch.testing.assert_close(after, expected, atol=1e-5, rtol=1e-5)


def test_augmentation_turns_every_pose_and_mirrors_about_half() -> None:
    local = random_local(1).expand(2000, -1, -1, -1)
    made = augmented(local, OTHER_SIDE, torch.Generator().manual_seed(0))
    is_mirrored = (made[:, 4] - mirrored(local, OTHER_SIDE)[:, 4]).abs().amax(dim=(1, 2)) < 1e-6
    assert 0.45 < is_mirrored.float().mean() < 0.55
    kept = made[~is_mirrored]
    torch.testing.assert_close(kept[:, 1:], local[: len(kept), 1:])
    up = kept[:, 0] @ local[: len(kept), 0].transpose(1, 2)  # what turned the root
    torch.testing.assert_close(up[:, 1, 1], torch.ones(len(kept)), atol=1e-5, rtol=0)
    angles = torch.atan2(up[:, 0, 2], up[:, 2, 2])
    assert torch.histc(angles, 8, -math.pi, math.pi).min() > 0.08 * len(kept)


def test_shapes_are_normal_and_clipped_at_three() -> None:
    betas, gender = draw_shapes(5000, torch.Generator().manual_seed(0))
    assert betas.abs().max() == 3.0
    assert betas.std() == pytest.approx(1.0, abs=0.02)
    assert torch.bincount(gender).min() > 1500


def test_shaped_offsets_are_those_of_the_body() -> None:
    body = load_body("anny")
    bodies = shaped_bodies(body, BODY_JOINTS)
    betas = np.random.default_rng(0).normal(size=(2, 10)).clip(-3, 3).astype(np.float32)
    offsets = bodies.offsets(torch.tensor(betas), torch.tensor([1, 2]))
    for row, gender in enumerate(("male", "female")):
        expected = body.skeleton(BodyShape(betas[row], gender)).offsets[:22]
        np.testing.assert_allclose(offsets[row][1:], expected[1:], atol=1e-5)


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    data = synthetic_poses(500)
    bodies = shaped_bodies(load_body("anny"), BODY_JOINTS)
    return Sampler(pose_tensor(data, "train"), BODY_JOINTS, PARENTS, bodies, random_shape=True)


def test_a_batch_is_consistent_with_forward_kinematics_on_its_bodies(sampler: Sampler) -> None:
    batch = sampler.draw(20, torch.Generator().manual_seed(3))
    positions, world = forward_kinematics(PARENTS, batch.offsets, torch.zeros(20, 3), batch.local)
    torch.testing.assert_close(batch.positions, positions)
    torch.testing.assert_close(batch.world, world)
    torch.testing.assert_close(batch.offsets, sampler.bodies.offsets(batch.betas, batch.gender))


def test_the_generator_alone_decides_a_batch(sampler: Sampler) -> None:
    first = sampler.draw(8, torch.Generator().manual_seed(3))
    again = sampler.draw(8, torch.Generator().manual_seed(3))
    other = sampler.draw(8, torch.Generator().manual_seed(4))
    torch.testing.assert_close(first.effectors.data, again.effectors.data)
    assert not torch.equal(first.positions, other.positions)


def test_a_generator_says_beforehand_of_what_kind_its_batch_will_be(sampler: Sampler) -> None:
    for choosing in (sampler, sampler.with_bases()):
        for seed in range(8):
            kind = choosing.kind(torch.Generator().manual_seed(seed))
            batch = choosing.draw(4, torch.Generator().manual_seed(seed))
            assert batch.effectors.joint.shape == (4, kind.effectors)


def test_the_first_rows_of_a_batch_hold_mixed_poses_where_they_are_asked_for(sampler: Sampler) -> None:
    plain, mixed = sampler, sampler.with_mixtures(0.25)
    first, second = (s.draw(40, torch.Generator().manual_seed(4)) for s in (plain, mixed))
    assert not torch.allclose(first.local[:10], second.local[:10], atol=0.05)
    torch.testing.assert_close(first.local[10:], second.local[10:])


def test_each_limb_has_its_place_where_there_are_enough_effectors_for_that(sampler: Sampler) -> None:
    zoned = replace(sampler, limb_share=1.0)
    kinds = [zoned.kind(torch.Generator().manual_seed(seed)) for seed in range(60)]
    assert {kind.effectors for kind in kinds} >= {3, 4, 16}
    assert all(kind.zoned is (kind.effectors >= 4) for kind in kinds)
    assert not any(kind.few for kind in kinds), "that is for networks that read a base pose"
    assert not any(sampler.kind(torch.Generator().manual_seed(seed)).zoned for seed in range(60))


def test_the_workers_parts_make_up_the_batch(sampler: Sampler) -> None:
    batch = sampler.draw(8, torch.Generator().manual_seed(3))
    parts = [batch.part(rank, 2) for rank in range(2)]
    torch.testing.assert_close(torch.cat([p.effectors.data for p in parts]), batch.effectors.data)
    torch.testing.assert_close(torch.cat([p.local for p in parts]), batch.local)


def truth_as_prediction(batch: Batch) -> PosePrediction:
    return PosePrediction(batch.positions.clone(), sixd_from_matrices(batch.local))


def test_the_true_pose_has_no_loss_but_the_aims_noise(sampler: Sampler) -> None:
    batch = sampler.draw(16, torch.Generator().manual_seed(5))
    found = losses(truth_as_prediction(batch), batch, PARENTS)
    for name in ("gpd_rnd", "ikd_rnd", "gpd_det", "ikd_det", "global_rotation", "local_rotation"):
        assert getattr(found, name) < 1e-4, name


def test_a_target_draws_all_joints_and_what_effectors_ask_stays_the_truth(sampler: Sampler) -> None:
    batch = sampler.draw(16, torch.Generator().manual_seed(5))
    local = batch.local.flip(0)
    positions, _ = forward_kinematics(PARENTS, batch.offsets, batch.positions[:, 0], local)
    prediction = PosePrediction(positions, sixd_from_matrices(local))
    drawn = losses(prediction, batch, PARENTS, target=Target(positions, local))
    for name in ("gpd_det", "ikd_det", "local_rotation"):
        assert getattr(drawn, name) < 1e-4, name
        assert getattr(losses(prediction, batch, PARENTS), name) > 1e-2, name
    assert min(drawn.gpd_rnd, drawn.ikd_rnd, drawn.global_rotation) > 1e-4


def one_item(kind: list[int], weight: list[float]) -> Batch:
    """One pose at rest on a stick body, with exact effectors on joints 0, 1, 2 ..."""
    count = len(kind)
    local = torch.eye(3).expand(1, 22, 3, 3)
    offsets = torch.zeros(1, 22, 3)
    offsets[:, 1:, 0] = 1.0
    positions, world = forward_kinematics(PARENTS, offsets, torch.zeros(1, 3), local)
    data = torch.zeros(1, count, 6)
    for row, k in enumerate(kind):
        data[0, row] = {
            POSITION: torch.cat([positions[0, row], torch.zeros(3)]),
            ROTATION: torch.tensor([1.0, 0, 0, 0, 1, 0]),
            AIM: torch.cat([positions[0, row] + torch.tensor([0.0, 0, 2]), torch.tensor([0.0, 0, 1])]),
        }[k]
    effectors = EffectorBatch(data, torch.zeros(1, count), torch.arange(count).unsqueeze(0), torch.tensor([kind]))
    gender = torch.zeros(1, dtype=torch.int64)
    return Batch(effectors, torch.tensor([weight]), positions, world, local, offsets, torch.zeros(1, 10), gender)


def test_position_losses_are_weighted_means_over_position_effectors() -> None:
    batch = one_item([POSITION, ROTATION, POSITION], [1.0, 50.0, 3.0])
    draft = batch.positions.clone()
    draft[0, 1] += torch.tensor([9.0, 0, 0])  # joint 1 has a rotation effector: not counted
    draft[0, 2] += torch.tensor([0.0, 0.2, 0])
    found = losses(PosePrediction(draft, sixd_from_matrices(batch.local)), batch, PARENTS)
    assert found.gpd_rnd == pytest.approx(3 * 0.04 / 4)
    assert found.gpd_det == pytest.approx(81.0 + 0.04, rel=1e-5)
    assert found.ikd_rnd == pytest.approx(0.0, abs=1e-6)


def test_a_wrong_root_moves_every_joint_of_the_kinematic_loss() -> None:
    batch = one_item([POSITION, POSITION], [1.0, 1.0])
    draft = batch.positions.clone()
    draft[0, 0] += torch.tensor([0.0, 0.0, 0.1])
    found = losses(PosePrediction(draft, sixd_from_matrices(batch.local)), batch, PARENTS)
    assert found.ikd_det == pytest.approx(22 * 0.01, rel=1e-4)
    assert found.ikd_rnd == pytest.approx(0.01, rel=1e-4)


def test_rotation_losses_are_angles_in_radians() -> None:
    batch = one_item([POSITION, ROTATION, AIM], [1.0, 7.0, 2.0])
    local = batch.local.clone()
    local[:, 1] = matrices_from_euler_zyx(torch.tensor([0.0, 0.0, 0.3]))
    local[:, 2] = matrices_from_euler_zyx(torch.tensor([0.0, 0.4, 0.0]))
    found = losses(PosePrediction(batch.positions, sixd_from_matrices(local)), batch, PARENTS)
    assert found.local_rotation == pytest.approx(0.7, rel=1e-4)
    assert found.global_rotation == pytest.approx(0.3, rel=1e-4)
    assert found.aim == pytest.approx(0.4, rel=1e-4)


def test_the_total_weighs_positions_by_a_quarter_of_w_pos_and_angles_by_a_third() -> None:
    batch = one_item([POSITION, ROTATION, AIM], [1.0, 7.0, 2.0])
    draft = batch.positions + 0.1
    local = batch.local @ matrices_from_euler_zyx(torch.tensor([0.1, 0.2, 0.3]))
    found = losses(PosePrediction(draft, sixd_from_matrices(local)), batch, PARENTS, 100.0, 2.0)
    expected = 25 * (2 * (found.gpd_rnd + found.ikd_rnd) + found.gpd_det + found.ikd_det)
    expected = expected + (2 * (found.aim + found.global_rotation) + found.local_rotation) / 3
    assert found.total == pytest.approx(float(expected), rel=1e-5)


def test_a_weighted_mean_without_weights_is_zero() -> None:
    assert weighted_mean(torch.tensor([3.0, 4.0]), torch.zeros(2)) == 0.0
    assert weighted_mean(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 3.0])) == 3.75


def test_protocol_r_has_six_to_twelve_exact_effectors_with_every_limb_placed() -> None:
    data = synthetic_poses(500)
    body = load_body("anny").skeleton(BodyShape())
    sets = problems(data, "val", PARENTS, fixed_skeleton(body, BODY_JOINTS))
    assert [s.effectors.data.shape[1] for s in sets] == list(range(6, 13))
    for s in sets:
        assert s.effectors.tolerance.abs().max() == 0.0
        rows = torch.arange(len(s.positions)).unsqueeze(1)
        off = (s.positions[rows, s.effectors.joint] - s.effectors.data[..., :3]).norm(dim=-1)
        assert off[s.effectors.kind == POSITION].max() < 1e-6
        assert ((s.effectors.kind == POSITION).sum(dim=1) >= 4).all()
    again = problems(data, "val", PARENTS, fixed_skeleton(body, BODY_JOINTS))
    torch.testing.assert_close(sets[3].effectors.data, again[3].effectors.data)


def test_protocol_r_stands_on_the_body_of_the_application() -> None:
    data = synthetic_poses(500)
    body = load_body("anny").skeleton(BodyShape())
    one = problems(data, "val", PARENTS, fixed_skeleton(body, BODY_JOINTS))[0]
    frame = data.frames_of("val", 10)[2]
    local = matrices_from_quaternions_xyzw(torch.tensor(data.quaternions_xyzw[frame]).float())
    skeleton = Skeleton(SMPL_JOINTS[:22], PARENTS, body.offsets[:22])
    expected, _ = forward_kinematics(
        PARENTS, torch.tensor(np.array(skeleton.offsets)), torch.tensor(data.root_positions[frame]), local
    )
    torch.testing.assert_close(one.positions[2], expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(matrices_from_6d(sixd_from_matrices(local)), local, atol=1e-5, rtol=1e-4)
