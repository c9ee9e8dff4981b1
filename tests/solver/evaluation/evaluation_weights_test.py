"""Folders of weights and of runs take part beside the registered solvers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.evaluate import Settings, evaluate
from solver.evaluation.weight_folders import rows_of_weights
from solver.networks.masked_fcr import MaskedFCR
from solver.networks.residual import NetworkShape
from solver.networks.smplik import SmplIK
from solver.solvers.learned.weights import COLUMNS, CONFIG, MODEL, WeightsConfig, run_model, sha256
from solver.training.commands import train
from solver.training.data.synthetic import synthetic_poses
from solver.training.export import model_errors
from solver.training.export.export import export
from solver.training.export.onnx_model import onnx_bytes
from solver.training.export.run_weights import load_run_or_folder
from tests.solver.evaluation_samples import write_clips

NETWORKS = {"smplik": SmplIK, "masked_fcr": MaskedFCR}


def weights(folder: Path, network: str, body: str = "anny") -> Path:
    """An untrained network, as an export would write it."""
    torch.manual_seed(0)
    model = onnx_bytes(NETWORKS[network](len(BODY_JOINTS), NetworkShape(width=16, embedding=4)).eval())
    config = WeightsConfig(
        network, network, BODY_JOINTS, body, COLUMNS, "fp32", sha256(model), {}, "none", "Apache-2.0", "", ""
    )
    folder.mkdir(parents=True)
    (folder / MODEL).write_bytes(model)
    (folder / CONFIG).write_text(config.json(), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_each_folder_has_two_rows_named_after_its_network_or_itself(tmp_path: Path) -> None:
    folders = [weights(tmp_path / name, "smplik") for name in ("first", "second")]
    folders.append(weights(tmp_path / "third", "masked_fcr"))
    names = [row.name for row in rows_of_weights(folders, "anny")]
    assert names == ["smplik", "smplik:raw", "second", "second:raw", "masked_fcr", "masked_fcr:raw"]
    taken = [row.name for row in rows_of_weights(folders[:1], "anny", ["smplik", "first"])]
    assert taken == ["first-2", "first-2:raw"]


def test_a_network_is_measured_alone_and_with_the_exact_stage(tmp_path: Path) -> None:
    write_clips(tmp_path / "mocap", {"a": 11})
    given = (weights(tmp_path / "w", "masked_fcr"),)
    settings = Settings(tmp_path / "mocap", protocol="R,F", solver="dls", weights=given)
    figures = evaluate(settings).figures
    for rows in figures.values():
        assert list(rows) == ["dls", "masked_fcr", "masked_fcr:raw"]
        assert rows["masked_fcr"]["effector_mm"] < 5.0 < rows["masked_fcr:raw"]["effector_mm"]


def test_weights_of_another_body_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="another|trained on the body"):
        rows_of_weights([weights(tmp_path / "w", "smplik", body="smpl:elsewhere")], "anny")


@pytest.mark.slow
def test_a_runs_own_network_answers_as_its_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_errors, "TIMED", 5)  # nothing here reads how long an answer takes
    train(None, tmp_path / "run", smoke=True, steps=2, threads=1)
    export(tmp_path / "run", tmp_path / "w", data=synthetic_poses(500), precision="fp32", every=50)
    run, folder = (load_run_or_folder(tmp_path / name, "anny") for name in ("run", "w"))
    rng = np.random.default_rng(0)
    asked = {
        "data": rng.normal(size=(2, 7, 6)).astype(np.float32),
        "tolerance": np.zeros((2, 7), np.float32),
        "joint": rng.integers(0, 22, (2, 7)),
        "kind": rng.integers(0, 3, (2, 7)),
        "betas": rng.normal(size=(2, 10)).astype(np.float32),
        "gender": np.array([0, 2]),
    }
    for mine, theirs in zip(run_model(run.session, asked), run_model(folder.session, asked), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-4)


@pytest.mark.parametrize("network", ["masked_fcr", pytest.param("transformer", marks=pytest.mark.slow)])
def test_a_baseline_takes_part_as_the_run_that_trained_it(tmp_path: Path, network: str) -> None:
    write_clips(tmp_path / "mocap", {"a": 11})
    train(None, tmp_path / "run", smoke=True, network=network, steps=1, threads=1)
    settings = Settings(tmp_path / "mocap", solver="dls", protocol="R", weights=(tmp_path / "run",))
    rows = evaluate(settings, load=load_run_or_folder).figures["R"]
    assert list(rows) == ["dls", network, f"{network}:raw"]
    assert rows[network]["effector_mm"] < 5.0 < rows[f"{network}:raw"]["effector_mm"]


def test_a_run_on_another_body_is_refused(tmp_path: Path) -> None:
    train(None, tmp_path / "run", smoke=True, steps=1, threads=1)
    with pytest.raises(InputRefused, match="trained on the body"):
        load_run_or_folder(tmp_path / "run", "smpl:elsewhere")
