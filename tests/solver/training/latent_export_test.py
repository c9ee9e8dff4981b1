"""DragPoser's two networks are exported as one folder, which is measured and compared by protocol D."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.errors import InputRefused
from solver.ik.pipeline.pipeline import Solver
from solver.resources import resource_folder
from solver.solvers.catalog import SOLVERS
from solver.solvers.latent.dragposer import DragPoser
from solver.solvers.latent.latent_weights import load_latent_weights
from solver.training.commands import train
from solver.training.data.dataset import PoseData
from solver.training.data.synthetic import synthetic_poses
from solver.training.export.compare import compare, comparison_table
from solver.training.export.export import export
from solver.training.export.latent_run import latent_trackers, latent_weights_of

TINY = {"smoke": True, "threads": 1, "width": 4, "embedding": 6, "blocks": 1}


@pytest.fixture(scope="module")
def data() -> PoseData:
    return synthetic_poses(500)


@pytest.fixture(scope="module")
def autoencoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    poses = tmp_path_factory.mktemp("latent") / "poses"
    train(None, poses, network="dragposer", steps=60, **TINY)  # type: ignore[arg-type]
    return poses


@pytest.fixture(scope="module")
def folder(autoencoder: Path, data: PoseData) -> Path:
    base = autoencoder.parent
    train(None, base / "run", network="dragposer_time", start_from=str(autoencoder), steps=3, **TINY)  # type: ignore[arg-type]
    export(base / "run", base / "weights", data=data, every=4)
    return base / "weights"


@pytest.mark.slow
def test_an_export_is_the_run_with_its_errors_and_a_card(folder: Path) -> None:
    shipped, trained = load_latent_weights(folder, "anny"), latent_weights_of(folder.parent / "run")
    assert {name: tensor.tobytes() for name, tensor in shipped.tensors.items()} == {
        name: tensor.tobytes() for name, tensor in trained.tensors.items()
    }
    assert DragPoser(shipped)
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["protocol"] == "D"
    raw, exact = metrics["fp32"]["raw"], metrics["fp32"]["exact"]
    assert exact["effector_mm"] < raw["effector_mm"]
    assert metrics["fp32"]["megabytes"] < 1.0
    card = (folder / "CARD.md").read_text()
    assert "followed" in card.split("How good it is")[1]
    assert "autoencoder: `divergence`" not in card, "what is as in the paper is not called different"
    assert "- autoencoder: `learning_rate`" in card
    assert "autoencoder: 60 steps" in card
    assert "-o weights/dragposer\n" in card
    assert "without time" not in card
    assert not (folder / "model.onnx").exists()


@pytest.mark.slow
def test_two_exports_are_compared_and_other_kinds_refused(folder: Path, data: PoseData) -> None:
    better, found = compare((folder, folder), data, every=4)
    assert better == 0
    assert found[0]["raw"] == found[1]["raw"]
    table = comparison_table(("one", "two"), found)
    assert "one raw" in table
    assert "–" in table
    with pytest.raises(InputRefused, match="of another kind"):
        compare((folder, resource_folder("weights") / "smplik"), data)


@pytest.mark.slow
def test_an_export_follows_sensors_under_its_name(folder: Path) -> None:
    rows = latent_trackers(folder, name="mine")
    assert [row.name for row in rows] == ["mine", "mine:raw"]
    assert isinstance(rows[0].solver, Solver)
    assert rows[0].solver.spec is SOLVERS["dragposer"]


def test_an_autoencoder_alone_is_not_exported(autoencoder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="autoencoder alone"):
        export(autoencoder, tmp_path / "weights")
