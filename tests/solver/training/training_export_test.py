"""A run becomes a folder of weights with a card, and two folders can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.weight_folders import rows_of_weights
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.tensor_file import TENSORS, read_network
from solver.solvers.learned.weights import load_weights
from solver.training.commands import train
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.dataset import PoseData
from solver.training.data.protocol_r import problems, raw_errors
from solver.training.data.synthetic import synthetic_poses
from solver.training.export import model_errors as model_errors_module
from solver.training.export.card import CardNotes
from solver.training.export.compare import compare, comparison_table
from solver.training.export.export import export
from solver.training.export.model_errors import effectors_of, model_errors
from solver.training.export.run_weights import load_run_or_folder

PARENTS = SMPL_PARENTS[:22]


@pytest.fixture(scope="module", autouse=True)
def timed_a_few_times() -> Iterator[None]:
    """No test reads how long an answer takes, so it is measured over few of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_errors_module, "TIMED", 5)
        yield


@pytest.fixture(scope="module")
def data() -> PoseData:
    return synthetic_poses(500)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory, data: PoseData) -> tuple[Path, Path]:
    folders = []
    for name, steps in (("short", 1), ("long", 40)):
        base = tmp_path_factory.mktemp(name)
        train(None, base / "run", smoke=True, steps=steps, threads=1)
        notes = CardNotes(f"Of {steps} steps.", licence="CC0")
        export(base / "run", base / "weights", data=data, precision="fp32", every=10, notes=notes)
        folders.append(base / "weights")
    return folders[0], folders[1]


@pytest.mark.slow
def test_an_export_holds_model_settings_errors_and_card(weights: tuple[Path, Path]) -> None:
    folder = weights[1]
    config = load_weights(folder, "smplik", "anny").config
    assert config.joints == BODY_JOINTS
    assert config.rotation_6d == "columns"
    assert config.training["width"] == 32
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["shipped"] == config.precision == "fp32"
    assert metrics["int8"]["megabytes"] < metrics["fp32"]["megabytes"]
    from solver.training.run.checkpoint import load_checkpoint

    kept = read_network(folder / TENSORS, "smplik", len(BODY_JOINTS), config.sha256).state_dict()
    trained = load_checkpoint(folder.parent / "run").average
    assert all((kept[name] == trained[name]).all() for name in kept), "the tensors are what was trained"
    card = (folder / "CARD.md").read_text()
    assert "model.safetensors holds the trained float32 weights" in card
    assert "Limits and bias" in card
    assert "`width` 32 (paper: 1024)" in card
    assert "random poses that nobody performed" in card
    assert config.licence == "CC0"
    assert "Licence of the weights: CC0." in card
    assert "train run --config SETTINGS.toml --out out/run --steps 40" in card
    assert "\nOf 40 steps.\n" in card
    last = json.loads((folder.parent / "run" / "history.json").read_text())[-1]
    assert f"{last['mpjpe_mm']:.1f} |\n" in card.split("Progress")[1]


@pytest.mark.slow
def test_a_network_that_reads_a_base_pose_is_exported_as_it_was_trained_with_what_it_keeps(
    tmp_path: Path, data: PoseData
) -> None:
    train(None, tmp_path / "run", smoke=True, steps=2, threads=1, network="skelik", width=16)
    with pytest.raises(InputRefused, match="not made smaller"):
        export(tmp_path / "run", tmp_path / "w", data=data, precision="int8", every=50)
    made = export(tmp_path / "run", tmp_path / "w", data=data, every=50)
    assert made.precision == "fp32"
    assert "int8" not in made.metrics
    weights = load_weights(tmp_path / "w", "skelik", "anny")
    assert weights.config.reads_base
    card = (tmp_path / "w" / "CARD.md").read_text()
    assert "keeps any joint of a base pose" in card
    assert "`width` 16 (paper: 512)" in card
    last = json.loads((tmp_path / "run" / "history.json").read_text())[-1]
    assert f"{last['kept_mm']:.0f} mm from their base places" in card
    rows = rows_of_weights([tmp_path / "w"], "anny", load=load_run_or_folder)
    assert [row.name for row in rows] == ["skelik", "skelik:raw"]
    found = compare((tmp_path / "w", tmp_path / "w"), data, every=50)
    assert found[0] == 0


@pytest.mark.slow
def test_a_network_that_edits_is_measured_by_protocol_n_and_compared_with_its_own_kind(
    tmp_path: Path, data: PoseData, weights: tuple[Path, Path]
) -> None:
    for name, steps in (("one", 1), ("two", 60)):
        train(None, tmp_path / name, smoke=True, steps=steps, threads=1, network="pose_edition", embedding=8)
    with pytest.raises(InputRefused, match="not made smaller"):
        export(tmp_path / "one", tmp_path / "w1", data=data, precision="int8", every=20)
    for run, folder in (("one", "w1"), ("two", "w2")):
        made = export(tmp_path / run, tmp_path / folder, data=data, every=20)
    assert made.metrics["protocol"] == "N"
    raw, exact = made.metrics["fp32"]["raw"], made.metrics["fp32"]["exact"]
    assert exact["effector_mm"] < 1.0 < raw["effector_mm"]
    assert raw["bones_share"] > 0.0
    card = (tmp_path / "w2" / "CARD.md").read_text()
    assert "`width` 32 (paper: 200)" in card
    assert "| network alone |" in card
    assert "It knows neither tolerances" in card
    rows = rows_of_weights([tmp_path / "w2"], "anny", load=load_run_or_folder)
    assert [row.name for row in rows] == ["pose_edition", "pose_edition:raw"]
    assert rows[0].size_bytes == (tmp_path / "w2" / "model.onnx").stat().st_size
    better, found = compare((tmp_path / "w1", tmp_path / "w2"), data, every=20)
    assert better == int(found[1]["raw"]["drawn_mm"] < found[0]["raw"]["drawn_mm"])
    with pytest.raises(InputRefused, match="of another kind"):
        compare((weights[0], tmp_path / "w2"), data, every=20)


@pytest.mark.slow
def test_a_network_that_lifts_landmarks_is_measured_on_people_and_compared_with_its_own_kind(
    tmp_path: Path, data: PoseData, weights: tuple[Path, Path]
) -> None:
    for name, steps in (("one", 1), ("two", 30)):
        train(None, tmp_path / name, smoke=True, steps=steps, threads=1, network="lifter", blocks=1)
        made = export(tmp_path / name, tmp_path / f"w{name}", data=data, every=4)
    assert made.metrics["protocol"] == "P"
    assert set(made.metrics["fp32"]) == {"raw", "network_ms", "megabytes"}
    card = (tmp_path / "wtwo" / "CARD.md").read_text()
    assert "Lifts the landmarks of a person in a photo" in card
    assert f"| {made.metrics['fp32']['raw']['mpjpe_mm']:.1f} |" in card
    assert "exact stage" not in card
    better, found = compare((tmp_path / "wone", tmp_path / "wtwo"), data, every=4)
    assert better == 1
    assert [line.split()[:2] for line in comparison_table(("a", "b"), found).splitlines()[1:]] == [
        ["a", "raw"], ["b", "raw"],
    ]  # fmt: skip
    sha = load_weights(tmp_path / "wtwo", "lifter", "anny").config.sha256
    again = read_network(tmp_path / "wtwo" / TENSORS, "lifter", len(BODY_JOINTS), sha)
    assert sum(p.numel() for p in again.parameters()) > 1000
    with pytest.raises(InputRefused, match="of another kind"):
        compare((weights[0], tmp_path / "wtwo"), data)
    with pytest.raises(InputRefused, match="solves no effectors"):
        rows_of_weights([tmp_path / "wtwo"], "anny")


@pytest.mark.slow
def test_the_exact_stage_meets_what_the_network_misses(weights: tuple[Path, Path]) -> None:
    metrics = json.loads((weights[1] / "metrics.json").read_text())["fp32"]
    assert metrics["raw"]["effector_mm"] > 20.0
    assert metrics["exact"]["effector_mm"] < 5.0  # 2.4 on some processors, less on others
    assert metrics["exact"]["mpjpe_mm"] < metrics["raw"]["mpjpe_mm"]


@pytest.mark.slow
def test_the_models_errors_are_those_that_training_validates(data: PoseData, tmp_path: Path) -> None:
    import onnxruntime
    import torch

    from solver.networks.residual import NetworkShape
    from solver.networks.smplik import SmplIK
    from solver.training.export.onnx_model import onnx_bytes

    torch.manual_seed(0)
    network = SmplIK(22, NetworkShape(width=16, embedding=4)).eval()
    body = load_body("anny").skeleton(BodyShape())
    sets = problems(data, "val", PARENTS, fixed_skeleton(body, BODY_JOINTS))
    session = onnxruntime.InferenceSession(onnx_bytes(network))
    expected = raw_errors(network, sets, PARENTS)
    for name, value in model_errors(session, sets, body, exact=False).items():
        assert value == pytest.approx(expected[name], rel=1e-3), name


@pytest.mark.slow
def test_compare_prefers_the_smaller_errors_and_the_first_of_equals(weights: tuple[Path, Path], data: PoseData) -> None:
    better, found = compare(weights, data, every=10)
    ratios = [found[1]["exact"][n] / found[0]["exact"][n] for n in ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad")]
    assert better == int(np.mean(ratios) < 1.0)
    assert compare((weights[0], weights[0]), data, every=10)[0] == 0
    table = comparison_table(("a", "b"), found).splitlines()
    assert [line.split()[:2] for line in table[1:]] == [["a", "raw"], ["a", "exact"], ["b", "raw"], ["b", "exact"]]


def test_rows_of_a_problem_set_become_the_programs_effectors(data: PoseData) -> None:
    body = load_body("anny").skeleton(BodyShape())
    sets = problems(data, "val", PARENTS, fixed_skeleton(body, BODY_JOINTS))
    kinds = {e.kind for row in range(10) for e in effectors_of(sets[-1].effectors, row, body.names)}
    assert kinds == {"position", "rotation", "lookat"}


def test_a_baseline_is_not_exported(tmp_path: Path, data: PoseData) -> None:
    train(None, tmp_path / "run", smoke=True, network="masked_fcr", steps=1, threads=1)
    with pytest.raises(InputRefused, match="baseline"):
        export(tmp_path / "run", tmp_path / "weights", data=data)


def test_the_card_names_the_settings_only_where_they_are_those_of_the_run(tmp_path: Path) -> None:
    from dataclasses import replace

    from solver.training.export.export import CONFIGS, settings_file
    from solver.training.run.config import load_config

    config = load_config(CONFIGS / "protores.toml")
    assert settings_file(config, tmp_path / "protores") == "configs/protores.toml"
    assert settings_file(replace(config, minutes=5.0, threads=1), tmp_path / "protores") == "configs/protores.toml"
    for other in (replace(config, width=64), load_config(CONFIGS / "smplik.toml")):
        assert settings_file(other, tmp_path / "protores") == "SETTINGS.toml"
    assert settings_file(config, tmp_path / "mine") == "SETTINGS.toml"
