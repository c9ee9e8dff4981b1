"""Rare postures are drawn as often as the setting says, and frames as recorded where it is off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.posture import POSTURES, Posture
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_PARENTS, Skeleton
from solver.training.data.batches import Sampler, pose_tensor
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.dataset import PoseData, quantised
from solver.training.data.posture_balance import cumulative_frame_shares, cumulative_shares, draw_frames, frame_postures
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.loop import run
from solver.training.run.training_data import TrainingData

SKELETON = load_body("anny").skeleton(BodyShape())
BODIES = fixed_skeleton(SKELETON, BODY_JOINTS)
PARENTS = SMPL_PARENTS[:22]
STANDING, ON_BACK = POSTURES.index(Posture.STANDING), POSTURES.index(Posture.LYING_BACK)


def few_lie(standing: int = 90, lying: int = 10) -> PoseData:
    """Frames that stand as at rest, then frames that lie on the back; all of them to learn from."""
    vectors = np.zeros((standing + lying, 22, 3))
    vectors[standing:, 0] = -np.pi / 2, 0, 0
    roots = np.zeros((len(vectors), 3), np.float32)
    roots[:, 1] = SKELETON.offsets[0, 1]
    roots[standing:, 1] = 0.15
    quaternions = quantised(to_quaternion_xyzw(from_rotation_vector(vectors)))
    clips = np.zeros(len(vectors), np.int32)
    return PoseData(BODY_JOINTS, quaternions, roots, clips, ("clip",), ("train",))


def lying_share(balance: float, draws: int = 20_000) -> float:
    data = few_lie()
    ends = cumulative_frame_shares(data, "train", PARENTS, BODIES, balance)
    drawn = draw_frames(len(data), ends, draws, torch.Generator().manual_seed(1))
    return float((drawn >= 90).double().mean())


def test_frames_are_classed_by_where_they_are_recorded() -> None:
    data = few_lie()
    skeleton = Skeleton(BODY_JOINTS, PARENTS, SKELETON.offsets[:22])
    found = frame_postures(data, data.frames_of("train"), skeleton)
    assert found.tolist() == [STANDING] * 90 + [ON_BACK] * 10


@pytest.mark.parametrize(("balance", "share"), [(0.0, 0.1), (0.5, 0.25), (1.0, 0.5)])
def test_a_rare_posture_is_drawn_as_often_as_the_balance_says(balance: float, share: float) -> None:
    assert lying_share(balance) == pytest.approx(share, abs=0.015)


def test_frames_of_one_class_are_drawn_alike() -> None:
    ends = cumulative_shares(np.array([0, 0, 0, 0, 5]), 1.0)
    drawn = draw_frames(5, ends, 40_000, torch.Generator().manual_seed(2))
    shares = torch.bincount(drawn, minlength=5) / len(drawn)
    assert shares.tolist() == pytest.approx([0.125, 0.125, 0.125, 0.125, 0.5], abs=0.01)


def test_without_balance_a_seed_draws_what_it_always_drew() -> None:
    data = few_lie()
    assert cumulative_frame_shares(data, "train", PARENTS, BODIES, 0.0) is None
    drawn = draw_frames(100, None, 50, torch.Generator().manual_seed(3))
    assert torch.equal(drawn, torch.randint(100, (50,), generator=torch.Generator().manual_seed(3)))


def test_batches_hold_the_rare_posture() -> None:
    data = few_lie()
    sampler = Sampler(pose_tensor(data, "train"), BODY_JOINTS, PARENTS, BODIES, random_shape=False)
    balanced = replace(sampler, cumulative_frame_shares=cumulative_frame_shares(data, "train", PARENTS, BODIES, 1.0))
    shares = []
    for each in (sampler, balanced):
        up = each.draw(400, torch.Generator().manual_seed(4)).local[:, 0, 1, 1]  # the trunk's, 1 for one who stands
        shares.append(float((up < 0.5).float().mean()))
    assert shares == pytest.approx([0.1, 0.5], abs=0.06)


def test_a_run_trains_on_balanced_postures(tmp_path: Path) -> None:
    data = few_lie()
    halves = np.repeat([0, 1], 50).astype(np.int32)
    split = replace(data, frame_clip=halves, clip_names=("stands", "partly lies"), clip_splits=("val", "train"))
    config = {"network": "protores", "width": 16, "embedding": 4, "batch": 16, "steps": 2, "precision": "fp32"}
    errors = []
    for balance in (0.0, 1.0):
        settings = config_from({**config, "threads": 1, "posture_balance": balance}, "test")
        errors.append(run(settings, TrainingData(split, PARENTS, BODIES), tmp_path / str(balance))["mpjpe_mm"])
    assert errors[0] != errors[1]


@pytest.mark.parametrize("balance", [-0.1, 1.1])
def test_a_balance_out_of_range_is_refused(balance: float) -> None:
    with pytest.raises(InputRefused, match="posture_balance must be from 0 to 1"):
        config_from({"steps": 1, "posture_balance": balance}, "test")
    assert TrainConfig(steps=1).posture_balance == 0.0
