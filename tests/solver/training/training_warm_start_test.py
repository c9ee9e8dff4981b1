"""A run can begin with what another has learnt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.kinematics.skeleton import SMPL_PARENTS
from solver.networks.tensor_file import TENSORS, read_tensors
from solver.solvers.learned.weights import WEIGHTS
from solver.training.commands import train
from solver.training.data.bodies import fixed_skeleton
from solver.training.data.protocol_r import problems
from solver.training.data.synthetic import synthetic_poses
from solver.training.run.checkpoint import load_checkpoint
from solver.training.run.config import TrainConfig, config_from
from solver.training.run.networks import make_network
from solver.training.run.warm_start import blend_with_start, warm_start


@pytest.fixture(scope="module")
def smplik(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("smplik")
    train(None, run, smoke=True, steps=3, threads=1)
    return run


def of_run(run: Path, network: str) -> tuple[TrainConfig, torch.nn.Module]:
    config = config_from({**load_checkpoint(run).config, "network": network}, run)
    return config, make_network(config, len(BODY_JOINTS)).eval()


@pytest.mark.slow
def test_protores_begins_as_smplik_of_the_mean_neutral_body(smplik: Path) -> None:
    _, taught = of_run(smplik, "smplik")
    taught.load_state_dict(load_checkpoint(smplik).average)
    _, network = of_run(smplik, "protores")
    warm_start(network, smplik)
    body = load_body("anny").skeleton(BodyShape())
    bodies = fixed_skeleton(body, BODY_JOINTS)
    for given in problems(synthetic_poses(500), "val", SMPL_PARENTS[: len(BODY_JOINTS)], bodies):
        rows = len(given.effectors.data)
        asked = (given.effectors, torch.zeros(rows, SHAPE_COMPONENTS), torch.zeros(rows, dtype=torch.int64))
        with torch.no_grad():
            mine, theirs = network(*asked), taught(*asked)
        torch.testing.assert_close(mine.draft, theirs.draft, rtol=0, atol=1e-5)
        torch.testing.assert_close(mine.rotations_6d, theirs.rotations_6d, rtol=0, atol=1e-5)


@pytest.mark.slow
def test_a_run_begins_where_its_settings_say(smplik: Path, tmp_path: Path) -> None:
    train(None, tmp_path / "on", smoke=True, steps=1, threads=1, start_from=str(smplik), learning_rate=1e-9)
    before, after = load_checkpoint(smplik).average, load_checkpoint(tmp_path / "on").average
    for name, value in before.items():
        torch.testing.assert_close(after[name], value, rtol=0, atol=1e-5)


def test_a_run_begins_with_exported_weights() -> None:
    shipped = WEIGHTS / "smplik"
    settings = config_from(json.loads((shipped / "config.json").read_text())["training"], shipped)
    network = make_network(settings, len(BODY_JOINTS))
    warm_start(network, shipped)
    tensors, _ = read_tensors(shipped / TENSORS)
    for name, value in network.state_dict().items():
        torch.testing.assert_close(value, tensors[name], rtol=0, atol=0)


def test_a_run_begins_with_a_float32_model_alone_as_with_its_tensors(tmp_path: Path) -> None:
    shipped = WEIGHTS / "lifter"
    settings = config_from(json.loads((shipped / "config.json").read_text())["training"], shipped)
    network = make_network(settings, len(BODY_JOINTS))
    (tmp_path / "model.onnx").write_bytes((shipped / "model.onnx").read_bytes())
    warm_start(network, tmp_path)
    tensors, _ = read_tensors(shipped / TENSORS)
    assert set(tensors) == set(network.state_dict())
    for name, value in network.state_dict().items():
        torch.testing.assert_close(value, tensors[name], rtol=0, atol=0)


def test_whole_numbers_alone_are_refused_as_a_start_and_so_is_what_is_no_model(tmp_path: Path) -> None:
    network = make_network(TrainConfig(width=16, steps=1), len(BODY_JOINTS))
    (tmp_path / "model.onnx").write_bytes((WEIGHTS / "protores" / "model.onnx").read_bytes())
    with pytest.raises(InputRefused, match="do not fit"):
        warm_start(network, tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"\xff" * 64)
    with pytest.raises(InputRefused, match="not an ONNX model"):
        warm_start(network, tmp_path)


def test_a_damaged_export_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / TENSORS).write_bytes(b"not tensors")
    config = TrainConfig(width=16, steps=1)
    with pytest.raises(InputRefused, match="not a file of tensors"):
        warm_start(make_network(config, len(BODY_JOINTS)), tmp_path)


def test_a_run_of_other_sizes_or_of_another_network_is_refused(smplik: Path) -> None:
    config, _ = of_run(smplik, "protores")
    from dataclasses import replace

    for network in (replace(config, width=16), replace(config, network="masked_fcr")):
        with pytest.raises(InputRefused, match="do not fit"):
            warm_start(make_network(network, len(BODY_JOINTS)), smplik)


@pytest.mark.slow
def test_half_of_a_run_is_half_way_from_where_it_began(smplik: Path, tmp_path: Path) -> None:
    train(None, tmp_path / "on", smoke=True, steps=3, threads=1, start_from=str(smplik))
    config, network = of_run(tmp_path / "on", "smplik")
    own, begun = load_checkpoint(tmp_path / "on").average, load_checkpoint(smplik).average
    network.load_state_dict(own)
    blend_with_start(network, config, 0.5, tmp_path / "on")
    apart = 0.0
    for name, value in network.state_dict().items():
        torch.testing.assert_close(value, (own[name] + begun[name]) / 2, rtol=0, atol=1e-6)
        apart = max(apart, float((own[name] - begun[name]).abs().max()))
    assert apart > 1e-4


@pytest.mark.slow
def test_a_run_can_go_on_from_other_weights_than_it_began_with(smplik: Path, tmp_path: Path) -> None:
    train(None, tmp_path / "other", smoke=True, steps=3, threads=1, seed=5)
    config, network = of_run(smplik, "smplik")
    own, other = load_checkpoint(smplik).average, load_checkpoint(tmp_path / "other").average
    network.load_state_dict(own)
    blend_with_start(network, config, 0.25, smplik, tmp_path / "other")
    for name, value in network.state_dict().items():
        torch.testing.assert_close(value, 0.25 * own[name] + 0.75 * other[name], rtol=0, atol=1e-6)


def test_a_run_from_random_weights_cannot_go_half_of_the_way(smplik: Path) -> None:
    config, network = of_run(smplik, "smplik")
    with pytest.raises(InputRefused, match="random weights"):
        blend_with_start(network, config, 0.5, smplik)
