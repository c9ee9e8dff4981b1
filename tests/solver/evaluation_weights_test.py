"""Folders of weights take part beside the registered solvers."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from solver.backends.learned.residual import NetworkShape
from solver.backends.learned.weights import COLUMNS, CONFIG, MODEL, WeightsConfig, sha256
from solver.backends.masked_fcr import MaskedFCR
from solver.backends.smplik import SmplIK
from solver.errors import InputRefused
from solver.evaluation.evaluate import Settings, evaluate
from solver.evaluation.weight_folders import rows_of_weights
from solver.evaluation.zones import BODY_JOINTS
from solver.training.onnx_model import onnx_bytes
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


def test_each_folder_has_two_rows_named_after_its_network_or_itself(tmp_path: Path) -> None:
    folders = [weights(tmp_path / name, "smplik") for name in ("first", "second")]
    folders.append(weights(tmp_path / "third", "masked_fcr"))
    names = [row.name for row in rows_of_weights(folders, "anny")]
    assert names == ["smplik", "smplik:raw", "second", "second:raw", "masked_fcr", "masked_fcr:raw"]
    taken = [row.name for row in rows_of_weights(folders[:1], "anny", ["smplik", "first"])]
    assert taken == ["first-2", "first-2:raw"]


def test_a_network_is_measured_alone_and_with_the_exact_stage(tmp_path: Path) -> None:
    write_clips(tmp_path / "mocap", {"a": 11})
    settings = Settings(tmp_path / "mocap", solver="dls", weights=(weights(tmp_path / "w", "masked_fcr"),))
    figures = evaluate(settings).figures
    for rows in figures.values():
        assert list(rows) == ["dls", "masked_fcr", "masked_fcr:raw"]
        assert rows["masked_fcr"]["effector_mm"] < 5.0 < rows["masked_fcr:raw"]["effector_mm"]


def test_weights_of_another_body_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="another|trained on the body"):
        rows_of_weights([weights(tmp_path / "w", "smplik", body="smpl:elsewhere")], "anny")
