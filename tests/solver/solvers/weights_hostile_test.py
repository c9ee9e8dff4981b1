"""Weights made to do harm: a model that reads other files, an endless config. All are refused in one line."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest
import torch

from solver.errors import InputRefused
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.networks.residual import NetworkShape
from solver.networks.smplik import SmplIK
from solver.solvers.learned.onnx_parts import names_other_files
from solver.solvers.learned.weights import WEIGHTS, Weights, WeightsConfig, load_weights, read_config, sha256
from solver.training.export.onnx_model import onnx_bytes

onnx = pytest.importorskip("onnx")


@pytest.fixture(scope="module")
def model() -> bytes:
    torch.manual_seed(3)
    return onnx_bytes(SmplIK(22, NetworkShape(width=32, embedding=8)).eval())


def written(folder: Path, model: bytes) -> Path:
    config = WeightsConfig(
        "smplik", "smplik", SMPL_JOINTS[:22], "anny", "columns", "fp32", sha256(model), {}, "none", "none", "", ""
    )
    (folder / "model.onnx").write_bytes(model)
    (folder / "config.json").write_text(config.json())
    return folder


def elsewhere(model: bytes, folder: Path, location: str = "secret.bin") -> bytes:
    """The model with its numbers in a file of their own in the folder."""
    onnx.save_model(
        onnx.load_from_string(model), folder / "m.onnx", save_as_external_data=True, location=location, size_threshold=0
    )
    return (folder / "m.onnx").read_bytes()


def test_a_model_that_wants_its_numbers_from_another_file_is_refused(
    model: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    split = elsewhere(model, tmp_path)
    monkeypatch.chdir(tmp_path)  # where onnxruntime would find them: it takes them from the working folder
    import onnxruntime

    assert onnxruntime.InferenceSession(split, providers=["CPUExecutionProvider"]).get_inputs()
    weights = tmp_path / "weights"
    weights.mkdir()
    with pytest.raises(InputRefused, match="it reads numbers from another file") as refusal:
        load_weights(written(weights, split), "smplik", "anny")
    assert "\n" not in str(refusal.value)
    assert load_weights(written(weights, model), "smplik", "anny").session.get_inputs()


def with_constant(inside: str) -> bytes:
    """A model whose only outside numbers are in a constant, as deep as that."""
    from onnx import TensorProto, helper, numpy_helper

    tensor = numpy_helper.from_array(np.ones(4, np.float32), "c")
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../secret")
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])
    constant = helper.make_node("Constant", [], ["y"], value=tensor)
    branch = helper.make_graph([constant], "branch", [], [out])
    nodes = {
        "a node": [constant],
        "a branch": [helper.make_node("If", ["b"], ["y"], then_branch=branch, else_branch=branch)],
        "a function": [helper.make_node("F", [], ["y"], domain="own")],
    }[inside]
    functions = []
    if inside == "a function":
        functions = [helper.make_function("own", "F", [], ["y"], [constant], [helper.make_opsetid("", 17)])]
    graph = helper.make_graph(nodes, "g", [], [out])
    return helper.make_model(graph, functions=functions).SerializeToString()


@pytest.mark.parametrize("inside", ["a node", "a branch", "a function"])
def test_no_depth_hides_the_other_file(inside: str) -> None:
    assert names_other_files(with_constant(inside))


def test_the_shipped_models_hold_all_their_numbers() -> None:
    for path in WEIGHTS.glob("*/model.onnx"):
        assert not names_other_files(path.read_bytes())


def test_damaged_models_are_refused_by_the_bytes_alone(model: bytes, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(model[: rng.integers(1, len(model))])
        damaged[rng.integers(len(damaged))] = rng.integers(256)
        with contextlib.suppress(ValueError):  # and nothing else
            names_other_files(bytes(damaged))
    with pytest.raises(InputRefused, match="not a model that runs here"):
        load_weights(written(tmp_path, model[: len(model) // 2]), "smplik", "anny")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900, "1" * 100_000])
def test_a_config_nested_without_end_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text)
    with pytest.raises(InputRefused) as refusal:
        read_config(path)
    assert str(refusal.value).startswith(str(path))
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_in_the_folder_of_weights_does_not_hang_it(model: bytes, tmp_path: Path) -> None:
    os.mkfifo(written(tmp_path, model) / "notes.txt")
    assert load_weights(tmp_path, "smplik", "anny").session.get_inputs()


class Liar:
    """Answers with other shapes than a model of 22 joints does."""

    def __init__(self, **answers: tuple[int, ...]) -> None:
        self._answers = answers

    def get_inputs(self) -> list[Liar]:
        return []

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        return [np.zeros(self._answers[name], np.float32) for name in outputs]


@pytest.mark.parametrize(
    ("draft", "rotations"),
    [((2, 22, 3), (2, 5, 6)), ((2, 22, 3), (1, 22, 6)), ((1, 22, 3), (2, 22, 6)), ((2, 22, 3), (2, 22, 4)),
     ((2, 22), (2, 22, 6))],
)  # fmt: skip
def test_answers_of_another_size_than_the_model_says_are_refused(
    tmp_path: Path, model: bytes, draft: tuple[int, ...], rotations: tuple[int, ...]
) -> None:
    config = load_weights(written(tmp_path, model), "smplik", "anny").config
    weights = Weights(config, Liar(draft=draft, rotations_6d=rotations))
    inputs = {"data": np.zeros((2, 1, 6), np.float32)}
    with pytest.raises(InputRefused, match="more or fewer numbers than it says"):
        weights.poses(inputs, 22, np.arange(22))


def test_edited_places_of_another_size_than_the_model_says_are_refused(tmp_path: Path, model: bytes) -> None:
    config = load_weights(written(tmp_path, model), "smplik", "anny").config
    with pytest.raises(InputRefused, match="more or fewer numbers than it says"):
        Weights(config, Liar(positions=(1, 21, 3))).places({"start": np.zeros((1, 22, 3), np.float32)})
