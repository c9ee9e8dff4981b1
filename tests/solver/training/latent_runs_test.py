"""DragPoser's two networks are trained by the common command, one after the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.training.data.bodies import shaped_bodies
from solver.training.data.dataset import PoseData
from solver.training.data.sequences import draw_pairs, recorded_frames
from solver.training.data.synthetic import synthetic_poses
from solver.training.run.checkpoint import load_checkpoint
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.loop import run
from solver.training.run.training_data import TrainingData

TINY = {"network": "dragposer", "width": 4, "embedding": 6, "batch": 16, "threads": 1, "warmup_steps": 2,
        "precision": "fp32", "blocks": 1, "average_decay": 0.5, "learning_rate": 3e-3}  # fmt: skip


def config(**changes: object) -> TrainConfig:
    return config_from({**TINY, **changes}, "test")


@pytest.fixture(scope="module")
def training_data() -> TrainingData:
    return TrainingData(synthetic_poses(600), SMPL_PARENTS[:22], shaped_bodies(load_body("anny"), BODY_JOINTS))


@pytest.mark.slow
def test_the_autoencoder_learns_and_its_predictor_begins_with_it(training_data: TrainingData, tmp_path: Path) -> None:
    before = run(config(steps=1), training_data, tmp_path / "one")
    after = run(config(steps=80), training_data, tmp_path / "all")
    assert after["mpjpe_mm"] < 0.9 * before["mpjpe_mm"]
    time = config(network="dragposer_time", start_from=str(tmp_path / "all"), steps=3)
    errors = run(time, training_data, tmp_path / "time")
    assert np.isfinite(list(errors.values())).all()
    made, used = load_checkpoint(tmp_path / "all").average, load_checkpoint(tmp_path / "time").average
    for name, tensor in made.items():
        torch.testing.assert_close(used[f"autoencoder.{name}"], tensor)


def test_a_predictor_without_an_autoencoder_is_refused(training_data: TrainingData, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="needs a trained autoencoder"):
        run(config(network="dragposer_time", steps=1), training_data, tmp_path)


def test_clips_too_short_to_predict_are_refused(training_data: TrainingData, tmp_path: Path) -> None:
    short = training_data._replace(data=cut(training_data.data, 40))
    with pytest.raises(InputRefused, match="no clip has"):
        run(config(network="dragposer_time", start_from="somewhere", steps=1), short, tmp_path)


def cut(data: PoseData, length: int) -> PoseData:
    kept = np.arange(len(data)) % 100 < length
    arrays = data.quaternions_xyzw[kept], data.root_positions[kept], data.frame_clip[kept]
    return PoseData(data.joint_names, *arrays, data.clip_names, data.clip_splits)


@pytest.mark.parametrize("balance", [0.0, 0.5])
def test_pairs_are_neighbours_within_a_clip(training_data: TrainingData, balance: float) -> None:
    data = training_data.data
    mark = np.arange(len(data), dtype=np.float32)  # the root's height tells the frame
    roots = np.stack([0 * mark, mark**2, 0 * mark], axis=1)
    level = np.zeros_like(data.quaternions_xyzw)
    level[..., 3] = 1
    frames = recorded_frames(
        PoseData(data.joint_names, level, roots, data.frame_clip, data.clip_names, data.clip_splits),
        "train", training_data.parents, training_data.bodies, balance,
    )  # fmt: skip
    generator = torch.Generator()
    generator.manual_seed(1)
    pairs = draw_pairs(frames, training_data.bodies, 200, generator)
    up = pairs.now.shift[:, 1], pairs.later.shift[:, 1]  # a square's differences: 2 f - 1
    torch.testing.assert_close(up[1] - up[0], torch.full((200,), 2.0))
    assert len(frames) == sum(split == "train" for split in data.clip_splits) * 99
    starts = frames.starts(50)
    assert torch.equal(
        frames.clip[starts % len(frames)], frames.clip[(starts + 49 - (starts >= len(frames)) * len(frames))]
    )
