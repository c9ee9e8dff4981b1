"""DragPoser's autoencoder sees poses from the root, and its losses are those of the paper."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.networks.latent.pose_autoencoder import PoseAutoencoder
from solver.networks.latent.relative_pose import (
    RelativePose,
    carried,
    dual_quaternions,
    mirrored,
    positions,
    product,
    relative_poses,
    rotated,
)
from solver.networks.latent.skeletal_linear import SkeletalLinear
from solver.networks.residual import NetworkShape
from solver.rig.mirroring import mirror_order
from solver.training.data.sequences import PosePairs
from solver.training.losses.latent_losses import latent_losses, slope

PARENTS, NAMES = SMPL_PARENTS[:22], SMPL_JOINTS[:22]
SHAPE = NetworkShape(width=4, embedding=6)


@pytest.fixture(scope="module")
def bones() -> torch.Tensor:
    return torch.tensor(load_body("anny").skeleton(BodyShape()).offsets[:22].copy())


@pytest.fixture(scope="module")
def motion() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return from_rotation_vector(rng.normal(0, 0.5, (6, 22, 3))), rng.normal(0, 0.3, (6, 3))


def poses_of(motion: tuple[np.ndarray, np.ndarray]) -> RelativePose:
    local, root = motion
    return relative_poses(torch.tensor(to_quaternion_xyzw(local)).float(), torch.tensor(root).float(), PARENTS)


def network() -> PoseAutoencoder:
    torch.manual_seed(0)
    return PoseAutoencoder(22, SHAPE)


def test_a_relative_pose_says_where_joints_went_since_the_frame_before(
    motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor
) -> None:
    local, root = motion
    pose = poses_of(motion)
    found = carried(pose, positions(pose, bones, PARENTS)).numpy()
    world = forward_kinematics_batch(PARENTS, bones.numpy(), root.astype(np.float32), local.astype(np.float32))
    wanted = np.einsum("fba,fjb->fja", local[:-1, 0], world.positions[1:] - root[:-1, None])
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_a_pose_is_the_same_wherever_it_stands_and_whichever_way_it_faces(
    motion: tuple[np.ndarray, np.ndarray],
) -> None:
    local, root = motion
    turn = from_rotation_vector([0.0, 1.2, 0.0])
    turned = np.concatenate([turn @ local[:, :1], local[:, 1:]], axis=1)
    here, there = poses_of(motion), poses_of((turned, root @ turn.T + [1.0, 0.0, 2.0]))
    torch.testing.assert_close(there.shift, here.shift, atol=1e-5, rtol=0)
    same = (there.quaternions * here.quaternions).sum(dim=-1).abs()
    torch.testing.assert_close(same, torch.ones_like(same), atol=1e-5, rtol=0)


def test_a_pose_seen_in_the_mirror_has_its_joints_there(
    motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor
) -> None:
    other = torch.tensor(mirror_order(NAMES))
    across = torch.tensor([-1.0, 1.0, 1.0])
    even = (bones + bones[other] * across) / 2
    pose = poses_of(motion)
    there = carried(mirrored(pose, other), positions(mirrored(pose, other), even, PARENTS))
    here = carried(pose, positions(pose, even, PARENTS))
    torch.testing.assert_close(there, here[:, other] * across, atol=1e-5, rtol=0)


def test_dual_quaternions_hold_the_place_of_each_joint(
    motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor
) -> None:
    pose = poses_of(motion)
    seen = positions(pose, bones, PARENTS)
    dual = dual_quaternions(pose, seen)
    back = torch.cat([-dual[..., :3], dual[..., 3:4]], dim=-1)
    place = 2.0 * product(dual[..., 4:], back)[..., :3]
    torch.testing.assert_close(place[:, 1:], seen[:, 1:], atol=1e-5, rtol=0)
    torch.testing.assert_close(place[:, 0], pose.shift, atol=1e-5, rtol=0)


def test_a_layer_reads_only_what_is_near() -> None:
    layer = SkeletalLinear(torch.tensor([[1.0, 0.0], [1.0, 1.0]]), 2, 3)
    x = torch.randn(1, 4)
    moved = x + torch.tensor([[0.0, 0.0, 1.0, 1.0]])
    assert torch.equal(layer(x)[:, :3], layer(moved)[:, :3])
    assert not torch.equal(layer(x)[:, 3:], layer(moved)[:, 3:])


def test_it_measures_the_data_and_knows_a_turn_by_one_name(
    motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor
) -> None:
    made, pose = network(), poses_of(motion)
    made.measure(pose, bones)
    numbers = (made.dual(pose, bones) - made.mean) / made.spread
    assert numbers.mean(dim=0).abs().max() < 1e-4
    other_signs = RelativePose(-pose.quaternions, pose.shift)
    torch.testing.assert_close(made.encode(other_signs, bones)[0], made.encode(pose, bones)[0])


def test_what_it_decodes_depends_on_the_bones(bones: torch.Tensor) -> None:
    made, z = network(), torch.zeros(1, 6)
    made.bones.copy_(bones)
    assert not torch.equal(made.decode(z, bones).quaternions, made.decode(z, 1.1 * bones).quaternions)
    length = made.decode(z, bones).quaternions.norm(dim=-1)
    torch.testing.assert_close(length, torch.ones_like(length))


def test_the_slope_is_that_of_the_squared_error(motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor) -> None:
    made, pose = network(), poses_of(motion).rows(slice(0, 2))
    z = torch.randn(2, 6, requires_grad=True)
    found = slope(made.decode(z, bones), pose, z).detach()
    nudge = 0.05 * found / found.norm()
    with torch.no_grad():
        ahead, back = made.decode(z + nudge, bones).vector, made.decode(z - nudge, bones).vector
        rise = (ahead - pose.vector).square().sum() - (back - pose.vector).square().sum()
    assert abs(float((2 * found * nudge).sum()) / float(rise) - 1.0) < 0.02


def test_each_loss_is_that_of_its_equation(motion: tuple[np.ndarray, np.ndarray], bones: torch.Tensor) -> None:
    made, pose = network(), poses_of(motion)
    now, later = pose.rows(slice(0, 4)), pose.rows(slice(1, 5))
    noise = torch.randn(4, 6)
    got = latent_losses(made, PosePairs(now, later, bones.expand(4, -1, -1)), noise, 100.0, 1e-3, 0.5)
    assert all(float(loss.detach()) >= 0 for loss in got)
    total = got.turns + 100.0 * got.places + 1e-3 * got.divergence + 0.5 * got.continuity
    torch.testing.assert_close(got.total, total)
    normal = torch.distributions.Normal
    mean, log_variance = made.encode(now, bones)
    apart = torch.distributions.kl_divergence(normal(mean, (log_variance / 2).exp()), normal(0.0, 1.0))
    torch.testing.assert_close(got.divergence, apart.sum(dim=-1).mean())
    got.total.backward()
    assert all(p.grad is not None for p in made.parameters())


def test_vectors_turn_with_a_quaternion_as_with_its_matrix() -> None:
    vector = torch.tensor([0.3, -0.2, 0.9])
    turn = from_rotation_vector([0.4, 0.1, -0.8])
    got = rotated(torch.tensor(to_quaternion_xyzw(turn)).float(), vector)
    np.testing.assert_allclose(got.numpy(), turn @ vector.numpy(), atol=1e-6)
