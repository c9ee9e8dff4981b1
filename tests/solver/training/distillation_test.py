"""A teacher beside recorded poses: what poses are drawn to, and what the teacher answers alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.geometry import forward_kinematics, matrices_from_6d
from solver.training.data.batches import Sampler, pose_tensor
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.synthetic import synthetic_poses
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.distillation import Teacher
from solver.training.run.loop import run
from solver.training.run.networks import make_network
from solver.training.run.training_data import TrainingData

PARENTS = SMPL_PARENTS[:22]
ROWS = 8
TINY = {"network": "protores", "width": 16, "embedding": 4, "batch": 16, "threads": 1, "precision": "fp32", "steps": 1}


def config(**changes: object) -> TrainConfig:
    return config_from({**TINY, **changes}, "test")


@pytest.fixture(scope="module")
def training_data() -> TrainingData:
    skeleton = load_body("anny").skeleton(BodyShape())
    return TrainingData(synthetic_poses(500), PARENTS, fixed_skeleton(skeleton, BODY_JOINTS))


@pytest.fixture(scope="module")
def plain(training_data: TrainingData) -> Sampler:
    return Sampler(
        pose_tensor(training_data.data, "train"), BODY_JOINTS, PARENTS, training_data.bodies, random_shape=False
    )


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def teacher(share: float) -> Teacher:
    torch.manual_seed(1)
    return Teacher(make_network(config(), 22).eval(), PARENTS, share)


@pytest.mark.parametrize(("share", "first"), [(0.0, 0), (0.25, 2), (1.0, ROWS)])
def test_a_share_of_the_rows_first_is_of_poses_that_nobody_performed(plain: Sampler, share: float, first: int) -> None:
    assert plain.draw(ROWS, generator()).mixed is None
    batch = plain.with_mixtures(share).draw(ROWS, generator())
    assert batch.mixed is not None
    assert batch.mixed.tolist() == [row < first for row in range(ROWS)]
    performed = plain.draw(ROWS, generator()).local
    assert (batch.local != performed).flatten(1).any(dim=1).tolist() == batch.mixed.tolist()


def test_of_the_poses_that_were_performed_its_answers_count_by_its_share_and_of_the_others_alone(
    plain: Sampler,
) -> None:
    batch = plain.with_mixtures(0.5).draw(ROWS, generator())
    none, some, whole = (teacher(share).target(batch) for share in (0.0, 0.25, 1.0))
    half = ROWS // 2
    torch.testing.assert_close(none.positions[half:], batch.positions[half:])
    torch.testing.assert_close(none.local[half:], batch.local[half:])
    for each in (none, some):
        torch.testing.assert_close(each.positions[:half], whole.positions[:half])
        torch.testing.assert_close(each.local[:half], whole.local[:half])
    between = torch.lerp(batch.positions, whole.positions, 0.25)
    torch.testing.assert_close(some.positions[half:], between[half:])
    assert float((whole.positions - batch.positions).norm()) > 0.1


def test_what_the_teacher_alone_answers_is_a_pose_of_the_rows_own_body(plain: Sampler) -> None:
    batch, taught = plain.draw(ROWS, generator()), teacher(1.0)
    said, target = taught.network(batch.effectors, batch.betas, batch.gender), taught.target(batch)
    torch.testing.assert_close(target.local, matrices_from_6d(said.rotations_6d))
    placed, _ = forward_kinematics(PARENTS, batch.offsets, said.draft[:, 0], target.local)
    torch.testing.assert_close(target.positions, placed)
    assert not target.positions.requires_grad


def test_workers_who_share_a_batch_are_taught_as_one_who_has_it_all(plain: Sampler) -> None:
    batch, taught = plain.with_mixtures(0.25).draw(ROWS, generator()), teacher(0.5)
    parts = [taught.target(batch.part(rank, 2)) for rank in range(2)]
    torch.testing.assert_close(torch.cat([part.positions for part in parts]), taught.target(batch).positions)


@pytest.mark.sweep("pose_edition")
@pytest.mark.parametrize("network", ["skelik", "dragposer", "pose_edition"])
def test_a_network_that_learns_otherwise_has_no_teacher(
    network: str, training_data: TrainingData, tmp_path: Path
) -> None:
    run(config(), training_data, tmp_path / "teacher")
    with pytest.raises(InputRefused, match=f"a {network} learns from no teacher. Take it out"):
        run(config(network=network, teacher=str(tmp_path / "teacher")), training_data, tmp_path / "student")
