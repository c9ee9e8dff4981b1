"""A run trains, ends in time, goes on where it stopped, and survives a full disk."""

from __future__ import annotations

import io
import itertools
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused, PoserError
from solver.evaluation.body_joints import BODY_JOINTS
from solver.files import atomic
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.geometry import matrices_from_6d
from solver.training.commands import train, write_errors
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.dataset import load_pose_data
from solver.training.data.synthetic import synthetic_poses
from solver.training.run.averaging import MovingAverage
from solver.training.run.checkpoint import CHECKPOINT, load_checkpoint
from solver.training.run.config import TrainConfig, config_from, config_json, load_config
from solver.training.run.curves import draw_curves
from solver.training.run.loop import Report, run
from solver.training.run.networks import make_network
from solver.training.run.progress import ProgressBar, clock
from solver.training.run.schedule import Budget, rate_factor
from solver.training.run.task import task_of
from solver.training.run.training_data import TrainingData

ROOT = Path(__file__).resolve().parents[3]
TINY = {
    "network": "protores",
    "width": 16,
    "embedding": 4,
    "batch": 16,
    "threads": 1,
    "warmup_steps": 2,
    "precision": "fp32",
}


@pytest.fixture(scope="module")
def training_data() -> TrainingData:
    skeleton = load_body("anny").skeleton(BodyShape())
    return TrainingData(synthetic_poses(500), SMPL_PARENTS[:22], fixed_skeleton(skeleton, BODY_JOINTS))


def config(**changes: object) -> TrainConfig:
    return config_from({**TINY, **changes}, "test")


def weights(directory: Path) -> dict[str, torch.Tensor]:
    return load_checkpoint(directory).network


@pytest.mark.slow
def test_the_smoke_run_learns_and_leaves_its_files(tmp_path: Path) -> None:
    before = train(None, tmp_path / "one", smoke=True, steps=1, threads=1)
    after = train(None, tmp_path / "all", smoke=True, threads=1)
    assert after["mpjpe_mm"] < 0.96 * before["mpjpe_mm"]
    assert after["effector_mm"] < 0.96 * before["effector_mm"]
    assert json.loads((tmp_path / "all" / "history.json").read_text())[-1]["mpjpe_mm"] == after["mpjpe_mm"]
    assert load_config(tmp_path / "all" / "config.json").network == "smplik"
    assert Image.open(tmp_path / "all" / "curves.png").size == (840, 520)


@pytest.mark.sweep
@pytest.mark.parametrize("network", ["smplik", "masked_fcr", "transformer", "skelik", "pose_edition"])
def test_every_network_can_be_trained(network: str, training_data: TrainingData, tmp_path: Path) -> None:
    assert np.isfinite(list(run(config(steps=3, network=network), training_data, tmp_path).values())).all()


@pytest.mark.slow
def test_a_run_ends_with_its_minutes(training_data: TrainingData, tmp_path: Path) -> None:
    reports: list[Report] = []
    run(config(minutes=0.02), training_data, tmp_path, tell=reports.append)
    assert reports[-1].progress == 1.0
    assert reports[-1].elapsed >= 1.2
    assert reports[-1].validation is not None


@pytest.mark.slow
def test_a_resumed_run_ends_with_the_same_weights_as_one_that_went_through(
    training_data: TrainingData, tmp_path: Path
) -> None:
    run(config(steps=8), training_data, tmp_path / "whole")
    stop = _Stop(after=5)
    with pytest.raises(KeyboardInterrupt):
        run(config(steps=8, checkpoint_minutes=1e-9), training_data, tmp_path / "parts", tell=stop)
    assert load_checkpoint(tmp_path / "parts").step in (4, 5)
    run(config(steps=8), training_data, tmp_path / "parts", resume=True)
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    for name, tensor in whole.items():
        torch.testing.assert_close(parts[name], tensor, rtol=0, atol=1e-6)


class _Stop:
    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, report: Report) -> None:
        if report.step == self.after:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_muon_trains_as_well(training_data: TrainingData, tmp_path: Path) -> None:
    before = run(config(steps=1), training_data, tmp_path / "one")
    after = run(config(steps=30, optimizer="muon", average_decay=0.9), training_data, tmp_path / "many")
    assert after["mpjpe_mm"] < before["mpjpe_mm"]


@pytest.mark.slow
def test_a_full_disk_leaves_the_last_checkpoint_whole_and_the_run_alive(
    training_data: TrainingData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(config(steps=2), training_data, tmp_path)
    kept = (tmp_path / CHECKPOINT).read_bytes()
    whole = atomic.os.fsync
    full = {"now": True}

    def fsync(handle: int) -> None:
        if full["now"]:
            raise OSError(28, "No space left on device")
        whole(handle)

    monkeypatch.setattr(atomic.os, "fsync", fsync)
    notes: list[str] = []

    def tell(report: Report) -> None:
        if report.note:
            notes.append(report.note)
            assert (tmp_path / CHECKPOINT).read_bytes() == kept
            full["now"] = report.step < 4

    run(config(steps=6, checkpoint_minutes=1e-9), training_data, tmp_path, tell=tell)
    assert notes
    assert "cannot be written" in notes[0]
    assert load_checkpoint(tmp_path).step == 6
    assert not list(tmp_path.glob("*.part"))


def test_a_checkpoint_that_is_cut_or_missing_is_refused(training_data: TrainingData, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such checkpoint"):
        run(config(steps=2), training_data, tmp_path, resume=True)
    run(config(steps=1), training_data, tmp_path)
    path = tmp_path / CHECKPOINT
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputRefused, match="not a complete checkpoint"):
        run(config(steps=2), training_data, tmp_path, resume=True)


def test_a_checkpoint_with_an_optimiser_of_other_settings_is_refused(
    training_data: TrainingData, tmp_path: Path
) -> None:
    run(config(steps=2), training_data, tmp_path)
    stored = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    for optimizer in stored["optimizers"]:
        for group in optimizer["param_groups"]:
            group["trail"] = group.pop("betas")
    torch.save(stored, tmp_path / CHECKPOINT)
    with pytest.raises(InputRefused, match="another network or optimiser"):
        run(config(steps=3), training_data, tmp_path, resume=True)


@pytest.mark.slow
def test_a_run_whose_steps_were_recorded_on_a_gpu_goes_on_without_one(
    training_data: TrainingData, tmp_path: Path
) -> None:
    run(config(steps=2), training_data, tmp_path / "gpu")
    stored = torch.load(tmp_path / "gpu" / CHECKPOINT, weights_only=True)
    for optimizer in stored["optimizers"]:
        for group in optimizer["param_groups"]:
            group["lr"], group["capturable"] = torch.tensor(group["lr"]), True
    torch.save(stored, tmp_path / "gpu" / CHECKPOINT)
    run(config(steps=4), training_data, tmp_path / "gpu", resume=True)
    assert load_checkpoint(tmp_path / "gpu").step == 4
    assert not load_checkpoint(tmp_path / "gpu").optimizers[0]["param_groups"][0]["capturable"]


def test_steps_are_recorded_on_one_gpu_alone_and_of_networks_that_complete_poses(
    training_data: TrainingData, tmp_path: Path
) -> None:
    with pytest.raises(InputRefused, match="on one GPU alone"):
        run(config(steps=1, recorded=True, device="cpu"), training_data, tmp_path)
    with pytest.raises(InputRefused, match="a dragposer trains without recorded steps"):
        task_of(config(steps=1, recorded=True, network="dragposer"), training_data, torch.device("cpu"))


def test_a_checkpoint_of_another_network_is_refused(training_data: TrainingData, tmp_path: Path) -> None:
    run(config(steps=1), training_data, tmp_path)
    with pytest.raises(PoserError, match="another network"):
        run(config(steps=2, width=24), training_data, tmp_path, resume=True)


@pytest.mark.slow
def test_two_processes_train_the_same_weights_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = tmp_path / "two.toml"
    settings = {**TINY, "steps": 6, "data": str(tmp_path / "poses.npz"), "device": "cpu", "validate_minutes": 60.0}
    toml.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in settings.items()))
    from solver.training.data.dataset import save_pose_data

    save_pose_data(synthetic_poses(500), tmp_path / "poses.npz")
    order = ["main.py", "train", "run", "--config", str(toml), "--out"]
    train(toml, tmp_path / "one")
    with socket.create_server(("127.0.0.1", 0)) as free:
        group = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
    for key, value in {**group, "OMP_NUM_THREADS": "1", "RANK": "0"}.items():  # as torchrun starts each process
        monkeypatch.setenv(key, value)
    command = [sys.executable, *order, str(tmp_path / "two")]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "RANK": "1"}) as other:
        train(toml, tmp_path / "two")
        assert other.wait(60) == 0
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, rtol=1e-4, atol=1e-5)


def test_settings_survive_toml_and_json(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('network = "protores"\nsteps = 10\nlearning_rate = 1\n')
    first = load_config(tmp_path / "a.toml")
    assert first == TrainConfig(network="protores", steps=10, learning_rate=1.0)
    (tmp_path / "a.json").write_text(config_json(first))
    assert load_config(tmp_path / "a.json") == first
    assert load_config(tmp_path / "a.json", minutes=3.0).minutes == 3.0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour = 1", "colour: there is no such setting"),
        ('steps = "many"', "steps: expected int"),
        ("steps = 0", "give minutes or steps"),
        ("steps = 1\nwidth = 0", "width must be above 0"),
        ('steps = 1\nrecorded = true\noptimizer = "muon"', "with adam alone"),
        ("steps = 1\nrecorded = true\nexact_share = 1.0", "without exact_share"),
        ('steps = 1\nnetwork = "gpt"', "no network named “gpt”"),
        ("steps = [", "cannot be read"),
    ],
)
def test_wrong_settings_are_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(PoserError, match=reason):
        load_config(tmp_path / "a.toml")


def test_the_shipped_settings_are_valid() -> None:
    files = sorted((ROOT / "configs").glob("*.toml"))
    assert files
    for file in files:
        assert max(load_config(file).minutes, load_config(file).steps) > 0


def test_the_rate_rises_then_falls_to_its_last_share() -> None:
    factors = [rate_factor(step, step / 1000, 100, 0.01) for step in range(1001)]
    assert factors[0] == pytest.approx(0.01)
    assert max(factors) == factors[int(np.argmax(factors))] > 0.95
    assert 90 <= int(np.argmax(factors)) <= 110
    assert factors[-1] == pytest.approx(0.01)
    assert all(a >= b for a, b in itertools.pairwise(factors[110:]))


def test_progress_goes_by_steps_where_they_are_given() -> None:
    assert Budget(60.0).progress(10, 30.0) == 0.5
    assert Budget(60.0, steps=40).progress(10, 30.0) == 0.25
    assert Budget(60.0).progress(10, 90.0) == 1.0


def test_the_average_of_the_weights_trails_behind() -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(network.weight)
    average = MovingAverage(network, 0.9)
    torch.nn.init.ones_(network.weight)
    average.prepare_step(10**6)
    average.update(network)
    assert float(average.module.weight) == pytest.approx(0.1)
    for _ in range(100):
        average.update(network)
    assert float(average.module.weight) == pytest.approx(1.0, abs=1e-3)


def test_the_average_forgets_its_first_steps_quickly() -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(network.weight)
    average = MovingAverage(network, 0.999)
    torch.nn.init.constant_(network.weight, 3.0)
    average.prepare_step(0)
    average.update(network)
    assert float(average.module.weight) == 3.0, "of what it began with nothing is left"
    torch.nn.init.ones_(network.weight)
    for done in range(1, 21):
        average.prepare_step(done)
        average.update(network)
    assert float(average.module.weight) > 0.99


@pytest.mark.slow
def test_a_student_is_drawn_to_its_teachers_answers(training_data: TrainingData, tmp_path: Path) -> None:
    run(config(steps=5, seed=7), training_data, tmp_path / "teacher")
    far = {"teacher": str(tmp_path / "teacher"), "teacher_share": 1.0, "steps": 40, "learning_rate": 1e-2}
    run(config(**far), training_data, tmp_path / "student")
    run(config(**{**far, "teacher": ""}), training_data, tmp_path / "alone")
    taught, alone = (_answer(tmp_path / name, training_data) for name in ("student", "alone"))
    teacher = _answer(tmp_path / "teacher", training_data)
    assert float((taught - teacher).norm()) < 0.5 * float((alone - teacher).norm())


def test_steps_are_not_recorded_without_a_gpu(training_data: TrainingData, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="one GPU alone"):
        run(config(steps=1, recorded=True, device="cpu"), training_data, tmp_path)


def test_another_kind_of_network_is_no_teacher(training_data: TrainingData, tmp_path: Path) -> None:
    run(config(steps=1), training_data, tmp_path / "teacher")
    with pytest.raises(InputRefused, match="a protores cannot teach a smplik"):
        run(config(network="smplik", teacher=str(tmp_path / "teacher"), steps=1), training_data, tmp_path / "student")


def _answer(directory: Path, training_data: TrainingData) -> torch.Tensor:
    """The local rotations that a run's network answers to some problems with."""
    settings = load_checkpoint(directory)
    network = make_network(config_from(settings.config, "test"), 22)
    network.load_state_dict(settings.average)
    batch = task_of(config(steps=1), training_data, torch.device("cpu")).draw(64, torch.Generator().manual_seed(5))
    with torch.no_grad():
        return matrices_from_6d(network(batch.effectors, batch.betas, batch.gender).rotations_6d)


def test_the_bar_tells_the_time_left() -> None:
    bar = ProgressBar(TrainConfig(minutes=2), sys.stderr)
    text = bar.text(Report(50, 30.0, 0.25, 1.5))
    assert " 25%" in text
    assert "1:30 left" in text
    assert clock(3723) == "1:02:03"


def test_a_log_says_at_once_what_is_trained_and_goes_on_until_the_first_validation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s, log = [100.0], io.StringIO()
    monkeypatch.setattr("solver.training.run.progress.time.monotonic", lambda: now_s[0])
    bar = ProgressBar(TrainConfig(minutes=2), log)
    bar.begin(Path("out"))
    said = [log.getvalue()]
    for step, passed in ((1, 0.0), (2, 5.0), (3, 16.0), (4, 1.0)):
        now_s[0] += passed
        bar.show(Report(step, float(step), step / 10, 1.5))
    said += log.getvalue().splitlines()[1:]
    assert said == [
        "Training smplik for 2 minutes; checkpoints go into out.\n",
        "10%, step 1, loss 1.5, 0:09 left",
        "30%, step 3, loss 1.5, 0:07 left",
    ]
    bar.show(Report(5, 5.0, 0.5, 1.5, {"latent": 0.5}))
    now_s[0] += 100.0
    bar.show(Report(6, 6.0, 0.6, 1.5))
    assert log.getvalue().splitlines()[3:] == ["step 5, 0.1 min, loss 1.5: latent 0.5"], "then validations suffice"


def test_curves_are_drawn_for_one_row_and_for_none(tmp_path: Path) -> None:
    draw_curves([], tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()
    row = {"minutes": 0.0, "mpjpe_mm": 5.0, "pa_mpjpe_mm": 4.0, "ge_rad": 0.0, "effector_mm": 1.0}
    draw_curves([row], tmp_path / "one.png")
    assert Image.open(tmp_path / "one.png").size == (840, 520)


def test_prepared_data_can_be_read_by_a_run(tmp_path: Path) -> None:
    from solver.training.data.dataset import save_pose_data

    save_pose_data(synthetic_poses(300), tmp_path / "poses.npz")
    assert load_pose_data(tmp_path / "poses.npz").joint_names == BODY_JOINTS


def test_a_run_that_measures_other_errors_has_curves_and_a_last_line_too(tmp_path: Path) -> None:
    draw_curves([{"step": 1.0, "minutes": 0.1, "loss": 2.0, "latent": 0.5}], tmp_path / "curves.png")
    assert Image.open(tmp_path / "curves.png").size == (840, 520)
    said = io.StringIO()
    write_errors({"latent": 0.5}, said)
    assert said.getvalue() == "validation: latent 0.5\n"
