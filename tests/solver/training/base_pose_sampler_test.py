"""Base poses for training: likely to have been there before, near enough to be edited, kept by any amount."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.effector_batch import AIM, POSITION, ROTATION
from solver.networks.geometry import forward_kinematics, geodesic_angle
from solver.rig.roles import LIMBS, Role
from solver.training.data.base_pose_sampler import BasePoseSampler, Poses, heading
from solver.training.data.batches import FEW, Sampler, ends, pose_tensor
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.effector_sampling import FEWEST, draw_favoured_effectors
from solver.training.data.preservation_problems import preservation_errors, preservation_problems
from solver.training.data.synthetic import synthetic_poses

PARENTS = SMPL_PARENTS[:22]
DATA = synthetic_poses(500)
BODIES = fixed_skeleton(load_body("anny").skeleton(BodyShape()), BODY_JOINTS)
SAMPLER = Sampler(pose_tensor(DATA, "train"), DATA.joint_names, PARENTS, BODIES, random_shape=False).with_bases()


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.fixture(scope="module")
def drawn() -> tuple[Poses, BaseBatch]:
    batch = SAMPLER.draw(400, generator())
    assert batch.base
    return Poses(batch.local, batch.positions, batch.offsets), batch.base


def draws() -> BasePoseSampler:
    assert SAMPLER.bases
    return SAMPLER.bases


def test_a_base_pose_is_a_pose_of_the_same_body(drawn: tuple[Poses, BaseBatch]) -> None:
    true, base = drawn
    positions, world = forward_kinematics(PARENTS, true.offsets, base.base_positions[:, 0], base.base_local)
    torch.testing.assert_close(positions, base.base_positions)
    torch.testing.assert_close(world, base.base_world)
    turns = base.base_local.transpose(-1, -2) @ base.base_local
    torch.testing.assert_close(turns, torch.eye(3).expand_as(turns), atol=1e-5, rtol=0)


def test_base_poses_stand_near_the_true_ones_and_about_as_high(drawn: tuple[Poses, BaseBatch]) -> None:
    true, base = drawn
    apart = (base.base_positions - true.positions)[:, 0]
    aside = apart[:, [0, 2]].norm(dim=-1)
    assert float(aside.median()) < 0.4
    assert float(aside.quantile(0.9)) > 0.3
    lowest = base.base_positions[..., 1].amin(dim=1) - true.positions[..., 1].amin(dim=1)
    assert float(lowest.abs().quantile(0.95)) < 0.07


def test_some_base_poses_differ_in_some_limbs_alone_and_some_in_all(drawn: tuple[Poses, BaseBatch]) -> None:
    true, base = drawn
    same = geodesic_angle(base.base_local, true.local)[:, 1:] < 1e-3
    some = same.any(dim=1) & ~same.all(dim=1)
    assert 0.1 < float(some.float().mean()) < 0.5
    assert float((~same.any(dim=1)).float().mean()) > 0.5


def test_most_base_poses_face_about_as_the_true_one_and_some_away(drawn: tuple[Poses, BaseBatch]) -> None:
    true, base = drawn
    off = heading(base.base_local[:, 0]) - heading(true.local[:, 0])
    off = torch.atan2(torch.sin(off), torch.cos(off)).abs()
    assert float((off < 1.0).float().mean()) > 0.6
    assert float((off > 2.0).float().mean()) > 0.05


def test_control_bits_are_numbers_from_0_to_1_with_all_four_modes_among_them() -> None:
    place, shape = draws().control_bits(2000, generator())
    assert float(torch.stack([place, shape]).min()) == 0.0
    assert float(torch.stack([place, shape]).max()) == 1.0

    def share(of_place: float, of_shape: float) -> float:
        return float(((place == of_place) & (shape == of_shape)).all(dim=1).float().mean())

    assert share(0.0, 0.0) > 0.12
    assert min(share(1.0, 1.0), share(1.0, 0.0), share(0.0, 1.0)) > 0.05
    by_part = (place != place[:, :1]).any(dim=1)
    assert 0.2 < float(by_part.float().mean()) < 0.4
    left, right = (BODY_JOINTS.index(role) for role in (Role.LEFT_ELBOW, Role.LEFT_WRIST))
    assert torch.equal(place[:, left], place[:, right])  # a limb is kept as a whole


def test_a_draw_depends_on_the_generator_alone() -> None:
    one, two, three = (SAMPLER.draw(8, generator(seed)).base for seed in (4, 4, 5))
    assert one
    assert two
    assert three
    assert all(torch.equal(a, b) for a, b in zip(one, two, strict=True))
    assert not torch.equal(one.base_positions, three.base_positions)


def test_ends_are_asked_for_more_often_than_other_joints_and_nothing_twice() -> None:
    chosen = draw_favoured_effectors(3000, ends(BODY_JOINTS), 22, 4, generator())
    pairs = chosen.joint * 3 + chosen.kind
    assert all(len(set(row)) == 4 for row in pairs[:200].tolist())
    counts = torch.bincount(pairs.flatten(), minlength=66).reshape(22, 3)
    wrist, knee = BODY_JOINTS.index(LIMBS[0].end), BODY_JOINTS.index(Role.LEFT_KNEE)
    for kind in (POSITION, ROTATION):
        assert counts[wrist, kind] > 3 * counts[knee, kind]
    assert counts[wrist, AIM] < 2 * counts[knee, AIM]


def test_in_half_of_the_batches_few_effectors_are_asked_and_most_of_them_of_ends() -> None:
    favoured = torch.tensor(ends(BODY_JOINTS))
    batches = [SAMPLER.draw(64, generator(seed)).effectors for seed in range(30)]
    few = [each for each in batches if each.joint.shape[1] < FEWEST]
    assert few, "as few as no other batch has"
    of_ends = torch.cat([torch.isin(each.joint, favoured).float().flatten() for each in few]).mean()
    assert of_ends > 0.6
    assert 8 <= sum(each.joint.shape[1] <= FEW for each in batches) <= 26


class _Copies(torch.nn.Module):
    """A network that gives the base pose back, whatever is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, effectors: object, base: BaseBatch) -> BaseBatch:
        return _Said(base.base_positions, base.base_local)  # type: ignore[return-value]


class _Said:
    def __init__(self, positions: Tensor, local: Tensor) -> None:
        self.positions, self.local = positions, local


def test_a_network_that_copies_keeps_everything_and_answers_nothing() -> None:
    problems = preservation_problems(DATA, "val", PARENTS, BODIES)
    assert problems
    errors = preservation_errors(_Copies(), problems)
    assert errors["kept_mm"] == 0.0
    assert errors["kept_rad"] < 1e-6
    assert errors["asked_mm"] > 10.0


def test_the_base_pose_of_such_a_problem_is_above_the_same_point_of_the_floor() -> None:
    problems = preservation_problems(DATA, "val", PARENTS, BODIES)
    assert problems
    root, wanted = problems.base.base_positions[:, 0], problems.effectors.data[:, 0, :3]
    torch.testing.assert_close(root[:, [0, 2]], wanted[:, [0, 2]])
    assert not torch.allclose(problems.base.base_local[:, 1:], torch.eye(3))
    assert preservation_problems(DATA, "none", PARENTS, BODIES) is None
