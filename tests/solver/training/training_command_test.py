"""`train` on the command line: prepare, run, export and compare, with one line for every refusal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app.cli.main import main
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.formats.bvh.write import write_bvh
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.training.data.dataset import load_pose_data

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    skeleton = load_body("anny").skeleton(BodyShape())
    rng = np.random.default_rng(0)
    for number in range(15):
        vectors = 0.3 * rng.normal(size=(1, 24, 3)) + 0.02 * rng.normal(size=(20, 24, 3))
        write_bvh(
            folder / f"clip{number}.bvh",
            skeleton,
            Motion(np.zeros((20, 3)), from_rotation_vector(vectors).astype(np.float32)),
        )
    return folder


@pytest.mark.slow
def test_from_bvh_files_to_weights_that_are_compared(
    clips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, run, weights = tmp_path / "data/poses.npz", tmp_path / "run", tmp_path / "weights"
    (clips / "broken.bvh").write_text("HIERARCHY\n")
    assert main(["train", "prepare", "--bvh", str(clips), "-o", str(data)]) == 0
    printed = capsys.readouterr().out
    assert "skipped: " in printed
    assert "300 frames of 15 clips" in printed
    assert "1 file skipped" in printed
    assert len(load_pose_data(data)) == 300
    config = tmp_path / "tiny.toml"
    config.write_text("width = 16\nembedding = 4\nbatch = 16\nsteps = 1000\nthreads = 1\n")
    order = ["train", "run", "--config", str(config), "--data", str(data), "--out", str(run), "--steps", "5"]
    assert main(order) == 0
    assert "validation: MPJPE" in capsys.readouterr().out
    assert main(["train", "export", "--run", str(run), "-o", str(weights)]) == 0
    assert f"wrote {weights}" in capsys.readouterr().out
    assert main(["train", "compare", str(weights), str(weights), "--data", str(data)]) == 0
    assert f"better with the exact stage: {weights}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["prepare", "--bvh", "{empty}", "-o", "x.npz"], "there are no BVH files in it"),
        (["prepare", "--amass", "{empty}", "-o", "x.npz"], "there are no NPZ files in it"),
        (["run", "--config", "{empty}/none.toml", "--out", "{empty}/out"], "there is no such file"),
        (["export", "--run", "{empty}", "-o", "{empty}/w"], "there is no such checkpoint"),
        (["compare", "{empty}", "{empty}", "--data", "{empty}/none.npz"], "there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *(a.format(empty=tmp_path) for a in arguments)]) == 1
    message = capsys.readouterr().err
    assert reason in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--out", "x"],
        ["run", "--smoke", "--out", "x", "--minutes", "0"],
        ["run", "--smoke", "--out", "x", "--minutes", "soon"],
        ["run", "--smoke", "--out", "x", "--set", "width"],
        ["run", "--smoke", "--out", "x", "--steps", "-3"],
        ["run", "--smoke", "--out", "x", "--data", "y.npz"],
        ["run", "--smoke", "--out", "x", "--set", "data=y.npz"],
        ["export", "--run", "x", "-o", "y", "--share-from", "z"],
        ["compare", "one"],
        ["prepare", "-o", "x.npz"],
        ["tidy"],
        [],
    ],
)
def test_wrong_usage_is_told_apart(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *arguments]) == 2
    assert "--help" in capsys.readouterr().err


def test_help_does_not_wait_for_torch() -> None:
    code = (
        "import sys; from app.cli.main import main; main(['train', 'run', '--help']); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_settings_can_be_given_on_the_command_line(tmp_path: Path) -> None:
    settings = ["--set", "batch=8", "--set", "network=protores", "--set", "learning_rate=5e-4", "--set", "width=16"]
    assert main(["train", "run", "--smoke", "--steps", "2", "--out", str(tmp_path / "run"), *settings]) == 0
    written = json.loads((tmp_path / "run" / "config.json").read_text())
    assert (written["batch"], written["network"], written["learning_rate"]) == (8, "protores", 5e-4)


def test_a_smoke_run_is_exported_without_any_data_and_its_card_says_what_it_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["--set", "batch=8", "--set", "width=16", "--set", "network=protores"]
    assert main(["train", "run", "--smoke", "--steps", "2", "--out", "run", *small]) == 0
    assert main(["train", "export", "--run", "run", "-o", "weights", "--every", "200", "--precision", "fp32"]) == 0
    assert "wrote weights (fp32)" in capsys.readouterr().out
    card = (tmp_path / "weights" / "CARD.md").read_text(encoding="utf-8")
    assert "Data: random poses that nobody performed" in card
    assert "CMU" not in card.split("What differs")[0]


@pytest.mark.slow
def test_a_run_whose_data_are_gone_is_exported_with_others(
    clips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, moved, config, run = (tmp_path / name for name in ("poses.npz", "moved.npz", "tiny.toml", "run"))
    config.write_text("network = 'protores'\nwidth = 16\nembedding = 4\nbatch = 16\nsteps = 2\nthreads = 1\n")
    assert main(["train", "prepare", "--bvh", str(clips), "-o", str(data)]) == 0
    assert main(["train", "run", "--config", str(config), "--data", str(data), "--out", str(run)]) == 0
    data.rename(moved)
    capsys.readouterr()
    export = ["train", "export", "--run", str(run), "-o", str(tmp_path / "w"), "--every", "50", "--precision", "fp32"]
    assert main(export) == 1
    assert f"{data}: the data that the run learned from are not there. Name them with --data" in capsys.readouterr().err
    assert not (tmp_path / "w").exists()
    assert main([*export, "--data", str(moved)]) == 0
    assert (tmp_path / "w" / "CARD.md").exists()


def test_a_run_is_not_replaced_by_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    again = ["train", "run", "--smoke", "--steps", "2", "--out", str(run), "--set", "batch=8", "--set", "width=16"]
    assert main([*again, "--resume"]) == 1
    assert "there is no such checkpoint. Start the run without --resume." in capsys.readouterr().err
    assert main(again) == 0
    before = (run / "checkpoint.pt").read_bytes()
    capsys.readouterr()
    assert main(again) == 1
    said = f"{run} holds a run already, which would be lost. Continue it with --resume, or name another folder."
    assert said in capsys.readouterr().err
    assert (run / "checkpoint.pt").read_bytes() == before
    (run / "checkpoint.pt").write_bytes(before[:100])
    assert main([*again, "--resume"]) == 1
    assert "Move it away, and start the run without --resume." in capsys.readouterr().err


def test_too_few_clips_for_every_split_are_told_before_training_and_comparing(
    clips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one").mkdir()
    whole = next(file for file in sorted(clips.glob("*.bvh")) if file.stem != "broken")
    (tmp_path / "one" / whole.name).write_bytes(whole.read_bytes())
    manifest, data, config = tmp_path / "one" / "manifest.json", tmp_path / "one.npz", tmp_path / "tiny.toml"
    config.write_text("width = 16\nembedding = 4\nbatch = 16\nsteps = 2\nthreads = 1\n")
    weights = str(ROOT / "weights" / "smplik")
    for split, missing in (("test", "train"), ("train", "val")):
        manifest.write_text(json.dumps([{"clip": whole.stem, "split": split}]))
        assert main(["train", "prepare", "--bvh", str(manifest.parent), "-o", str(data)]) == 0
        assert "frames of 1 clip (" in capsys.readouterr().out
        order = ["train", "run", "--config", str(config), "--data", str(data), "--out", str(tmp_path / "run")]
        assert main(order) == 1
        said = f"{data} holds no frame of the split “{missing}”. Prepare more clips, or name that split in a manifest"
        assert said in capsys.readouterr().err
        assert main(["train", "compare", weights, weights, "--data", str(data)]) == 1
        assert f"{data} holds no frame of the split “val”" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("setting", "said"),
    [("batch=0", "--set: batch must be above 0, not 0. Correct the value."),
     ("learning_rate=nan", "--set, learning_rate: nan is not a finite number. Correct the value."),
     ("nothing=1", "--set, nothing: there is no such setting."),
     ("device=cuda", "device: “cuda” is asked for, but torch finds no such GPU here. Give auto or cpu.")],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_told_in_one_line(
    setting: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert main(["train", "run", "--smoke", "--steps", "2", "--out", str(tmp_path / "run"), "--set", setting]) == 1
    assert said in capsys.readouterr().err
