"""The float32 tensors beside a model are the same network; a file that does not fit is refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.speed import TWELVE, positions_of, random_poses
from solver.kinematics.rotations import from_6d
from solver.networks.catalog import NETWORKS, make
from solver.networks.residual import NetworkShape
from solver.networks.tensor_file import TENSORS, read_network, shape_of, tensor_bytes
from solver.networks.torch_model import TorchModel
from solver.solvers.learned.model_input import model_arrays
from solver.solvers.learned.weights import CARD, CONFIG, MODEL, WEIGHTS, load_weights, read_config, run_model, sha256
from solver.training.export.dequantise import state_of
from solver.training.export.int8_weights import int8_weights, with_weights_of
from solver.training.export.onnx_model import int8_bytes, onnx_bytes

SHIPPED = ("smplik", "protores")
SMALL = NetworkShape(width=32, blocks=2, layers=2, embedding=8)


def small(id: str = "smplik") -> torch.nn.Module:
    torch.manual_seed(5)
    return make(id, 22, SMALL).eval()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / TENSORS
    path.write_bytes(tensor_bytes(small().state_dict(), "smplik", "the model"))
    return path


def inputs() -> dict[str, np.ndarray]:
    """Sixteen problems of twelve effectors, of bodies that differ."""
    skeleton = load_body("anny").skeleton(BodyShape())
    rows = []
    for number, pose in enumerate(random_poses(skeleton, 16)):
        shape = BodyShape(np.full(10, 0.1 * number, np.float32))
        rows.append(model_arrays(skeleton, positions_of(skeleton, pose, TWELVE), shape))
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}


def test_what_is_written_is_read_back_with_its_sizes(file: Path) -> None:
    read = read_network(file, "smplik", 22, "the model")
    state = small().state_dict()
    assert shape_of(state) == SMALL
    for name, tensor in read.state_dict().items():
        assert torch.equal(tensor, state[name]), name


@pytest.mark.sweep("smplik")
@pytest.mark.parametrize("id", SHIPPED)
def test_torch_answers_as_a_float32_onnx_model_of_the_shipped_tensors(id: str) -> None:
    import onnxruntime

    folder = WEIGHTS / id
    network = read_network(folder / TENSORS, id, 22, read_config(folder / CONFIG).sha256)
    session = onnxruntime.InferenceSession(onnx_bytes(network))
    (draft, sixd), (known_draft, known_sixd) = (run_model(m, inputs()) for m in (TorchModel(network), session))
    assert np.abs(draft - known_draft).max() < 1e-4
    assert np.abs(from_6d(sixd) - from_6d(known_sixd)).max() < 1e-4  # the six numbers have no unit and no fixed length


@pytest.mark.parametrize("id", SHIPPED)
def test_the_shipped_tensors_are_the_numbers_of_the_shipped_model(id: str) -> None:
    folder = WEIGHTS / id
    config = read_config(folder / CONFIG)
    kept = read_network(folder / TENSORS, id, 22, config.sha256)
    state = state_of((folder / MODEL).read_bytes(), kept)
    for name, tensor in kept.state_dict().items():
        assert torch.equal(tensor, state[name]), name
    assert (folder / TENSORS).stat().st_size < 50e6
    assert "safetensors" in (folder / CARD).read_text(encoding="utf-8")


@pytest.mark.parametrize("id", SHIPPED)
def test_the_numbers_of_a_float32_model_are_the_networks_own(id: str) -> None:
    network = small(id)
    for name, tensor in state_of(onnx_bytes(network), network).items():
        assert torch.equal(tensor, network.state_dict()[name]), name


def test_the_numbers_of_an_int8_model_are_the_networks_own_to_half_a_step() -> None:
    network = small()
    state = state_of(int8_bytes(onnx_bytes(network)), network)
    assert set(state) == set(network.state_dict())
    for name, tensor in network.state_dict().items():
        step = 2.0 * tensor.abs().max() / 254.0
        assert (state[name] - tensor).abs().max() <= 0.51 * step, name


@pytest.mark.parametrize("id", SHIPPED)
def test_an_int8_model_rounds_every_layer_but_those_that_read_the_effectors(id: str) -> None:
    import onnx

    network = small(id)
    rounded = {weight.name for weight in int8_weights(onnx.load_from_string(int8_bytes(onnx_bytes(network))).graph)}
    layers = {name for name, module in network.named_modules() if isinstance(module, torch.nn.Linear)}
    reading = {name for name in layers if name.startswith("encoder.") and name.endswith(".first")}
    assert len(reading) == SMALL.blocks
    assert {name.removeprefix("network.").partition(".weight")[0] for name in rounded} == layers - reading


@pytest.mark.slow
def test_an_int8_model_that_is_written_again_keeps_its_whole_numbers() -> None:
    before, kept = int8_bytes(onnx_bytes(small())), small()
    kept.load_state_dict(state_of(before, small()))
    anew = with_weights_of(int8_bytes(onnx_bytes(kept)), before)
    for name, tensor in state_of(anew, kept).items():
        assert torch.equal(tensor, kept.state_dict()[name]), name
    with pytest.raises(ValueError, match="no weight like network"):
        with_weights_of(int8_bytes(onnx_bytes(make("smplik", 22, SMALL))), before)


@pytest.mark.parametrize("id", SHIPPED)
def test_an_exported_model_has_one_operation_for_each_layer_with_what_is_added(id: str) -> None:
    import onnx

    network = small(id)
    layers = sum(isinstance(module, torch.nn.Linear) for module in network.modules())
    kinds = [node.op_type for node in onnx.load_from_string(onnx_bytes(network)).graph.node]
    assert kinds.count("Gemm") == layers
    assert "MatMul" not in kinds


def test_a_model_of_another_network_lacks_layers() -> None:
    with pytest.raises(KeyError):
        state_of(onnx_bytes(small("protores")), small("smplik"))


def test_every_network_has_a_name_that_makes_it() -> None:
    for id in NETWORKS:
        assert sum(p.numel() for p in make(id, 22, SMALL).parameters()) > 1000


@pytest.mark.parametrize(
    ("network", "joints", "model", "reason"),
    [
        ("protores", 22, "the model", "“smplik”, not “protores”"),
        ("smplik", 22, "a later model", "another model.onnx"),
        ("smplik", 24, "the model", "not the network's"),
    ],
)
def test_tensors_of_something_else_are_refused(file: Path, network: str, joints: int, model: str, reason: str) -> None:
    with pytest.raises(InputRefused, match=reason):
        read_network(file, network, joints, model)


def test_damaged_files_are_refused(file: Path) -> None:
    whole = file.read_bytes()
    for data in (b"", whole[:7], whole[:200], whole[:-1], b"\xff" * 64, b"\x80\x04pickle" + whole):
        file.write_bytes(data)
        with pytest.raises(InputRefused, match="not a file of tensors"):
            read_network(file, "smplik", 22, "the model")
    file.unlink()
    with pytest.raises(InputRefused, match="missing"):
        read_network(file, "smplik", 22, "the model")


def test_tensors_that_lack_a_layer_or_hold_no_numbers_are_refused(file: Path) -> None:
    state = dict(small().state_dict())
    file.write_bytes(tensor_bytes({n: t for n, t in state.items() if "gender" not in n}, "smplik", "the model"))
    with pytest.raises(InputRefused, match="not the network's"):
        read_network(file, "smplik", 22, "the model")
    state["joint_embedding.weight"] = torch.full_like(state["joint_embedding.weight"], float("nan"))
    file.write_bytes(tensor_bytes(state, "smplik", "the model"))
    with pytest.raises(InputRefused, match="not finite"):
        read_network(file, "smplik", 22, "the model")


def test_a_file_of_tensors_that_happens_to_begin_like_a_pickle_is_no_reason_to_refuse_a_folder(tmp_path: Path) -> None:
    for file in (WEIGHTS / "smplik").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    header = b"{}".ljust(0x0280)  # its length begins with the two bytes by which pickles are known
    (tmp_path / TENSORS).write_bytes(len(header).to_bytes(8, "little") + header)
    assert load_weights(tmp_path, "smplik", "anny").config.network == "smplik"


def test_the_fingerprint_in_the_file_is_that_of_the_model_beside_it() -> None:
    for id in SHIPPED:
        data = (WEIGHTS / id / TENSORS).read_bytes()
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        assert header["__metadata__"] == {
            "network": id,
            "model_sha256": sha256((WEIGHTS / id / MODEL).read_bytes()),
        }
