"""Shipped ProtoRes and SMPL-IK are run by compiled functions, with the answers that onnxruntime gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from solver.kinematics.rotations import from_6d, geodesic_angle
from solver.networks.residual import NetworkShape
from solver.networks.smplik import SmplIK
from solver.solvers.learned.onnx_tensors import tensors_of
from solver.solvers.learned.protores_model import ROWS, ProtoResModel, protores_model
from solver.solvers.learned.weights import WEIGHTS, load_weights
from solver.training.export.onnx_model import int8_bytes, onnx_bytes

onnx = pytest.importorskip("onnx")
OUTPUTS = ["draft", "rotations_6d"]
Arrays = dict[str, NDArray[Any]]


def asked(batch: int, count: int, seed: int = 0) -> Arrays:
    """Problems with effectors of all kinds, on bodies of all kinds."""
    rng = np.random.default_rng(seed)
    return {
        "data": rng.normal(size=(batch, count, 6)).astype(np.float32),
        "tolerance": rng.random((batch, count)).astype(np.float32),
        "joint": rng.integers(22, size=(batch, count)),
        "kind": rng.integers(3, size=(batch, count)),
        "betas": rng.normal(size=(batch, 10)).astype(np.float32),
        "gender": rng.integers(3, size=batch),
    }


def by_onnxruntime(model: bytes, inputs: Arrays) -> list[NDArray[Any]]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.disable_quant_qdq", "1")  # what it computes is not rounded
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    read = {entry.name for entry in session.get_inputs()}
    return list(session.run(OUTPUTS, {name: array for name, array in inputs.items() if name in read}))


def shipped(id: str) -> bytes:
    return (WEIGHTS / id / "model.onnx").read_bytes()


@pytest.fixture(scope="module")
def small() -> bytes:
    """A network of other sizes than those that are shipped, with int8 weights."""
    torch.manual_seed(3)
    network = SmplIK(22, NetworkShape(width=48, blocks=3, layers=2, embedding=8)).eval()
    for name, numbers in network.named_parameters():
        if name.endswith(".bias") and not name.startswith("position_decoder"):  # where they stay equal, at zero
            torch.nn.init.normal_(numbers, std=0.1)
    return int8_bytes(onnx_bytes(network))


@pytest.mark.sweep
@pytest.mark.parametrize("id", ["smplik", "protores"])
@pytest.mark.parametrize(("batch", "count"), [(1, 1), (2, 12), (3, 66)])
def test_a_shipped_network_answers_as_by_onnxruntime(id: str, batch: int, count: int) -> None:
    model = load_weights(WEIGHTS / id, id, "anny").session
    assert isinstance(model, ProtoResModel)
    draft, rotations = model.run(OUTPUTS, asked(batch, count))
    wanted_draft, wanted_rotations = by_onnxruntime(shipped(id), asked(batch, count))
    assert np.abs(draft - wanted_draft).max() < 1e-4  # metres
    assert geodesic_angle(from_6d(rotations), from_6d(wanted_rotations)).max() < 1e-3


@pytest.mark.slow
def test_a_network_of_other_sizes_answers_as_by_onnxruntime(small: bytes) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    for found, wanted in zip(model.run(OUTPUTS, asked(4, 7)), by_onnxruntime(small, asked(4, 7)), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-3)


def test_outputs_come_in_the_order_that_they_are_asked_for(small: bytes) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    (rotations,) = model.run(["rotations_6d"], asked(2, 3))
    assert rotations.shape == (2, 22, 6)
    assert [entry.shape for entry in model.get_outputs()] == [(None, 22, 3), (None, 22, 6)]


def test_each_of_many_problems_is_answered_as_if_alone() -> None:
    model = protores_model(shipped("smplik"), "smplik")
    assert model is not None
    count = ROWS // 12 + 5  # more than go through the network at once
    together = model.run(OUTPUTS, asked(count, 12))
    for b in (0, count - 1):
        alone = model.run(OUTPUTS, {name: array[b : b + 1] for name, array in asked(count, 12).items()})
        for found, wanted in zip(together, alone, strict=True):
            np.testing.assert_array_equal(found[b], wanted[0])


@pytest.mark.parametrize(("name", "number"), [("joint", 22), ("joint", -1), ("kind", 3), ("gender", 3)])
def test_what_the_network_does_not_know_is_refused(small: bytes, name: str, number: int) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    inputs = asked(2, 3)
    inputs[name][-1] = number
    with pytest.raises(ValueError, match="no such joint"):
        model.run(OUTPUTS, inputs)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("data", (2, 3, 5)), ("data", (1, 3, 6)), ("tolerance", (2, 2)), ("kind", (2, 2)), ("joint", (2, 4)),
     ("betas", (2, 9)), ("betas", (1, 10)), ("gender", (1,))],
)  # fmt: skip
def test_inputs_that_do_not_belong_together_are_refused(small: bytes, name: str, shape: tuple[int, ...]) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    inputs = asked(2, 3)
    inputs[name] = np.zeros(shape, inputs[name].dtype)
    with pytest.raises(ValueError, match="there is "):
        model.run(OUTPUTS, inputs)


@pytest.mark.parametrize(("batch", "count"), [(0, 3), (2, 0)])
def test_nothing_asked_is_refused(small: bytes, batch: int, count: int) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    with pytest.raises(ValueError, match="there is no effector"):
        model.run(OUTPUTS, asked(batch, count))


def test_inputs_may_lie_column_by_column(small: bytes) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    by_columns = {name: np.asfortranarray(array) for name, array in asked(2, 3).items()}
    for found, wanted in zip(model.run(OUTPUTS, by_columns), model.run(OUTPUTS, asked(2, 3)), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_more_effectors_than_go_through_at_once_are_answered_as_by_onnxruntime(small: bytes) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    many = asked(2, ROWS + 44)
    for found, wanted in zip(model.run(OUTPUTS, many), by_onnxruntime(small, many), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_asked_in_no_numbers_is_answered_with_none(small: bytes, bad: float) -> None:
    model = protores_model(small, "smplik")
    assert model is not None
    inputs = asked(2, 3)
    inputs["data"][0, 1, 2] = bad
    draft, rotations = model.run(OUTPUTS, inputs)
    assert np.isnan(draft[0]).any()
    assert np.isnan(rotations[0]).any()
    assert np.isfinite(draft[1]).all()
    assert np.isfinite(rotations[1]).all()


def test_the_network_of_one_body_reads_no_shape() -> None:
    model = protores_model(shipped("protores"), "protores")
    assert model is not None
    assert [entry.name for entry in model.get_inputs()] == ["data", "tolerance", "joint", "kind"]


def test_other_networks_and_float32_are_left_to_onnxruntime(small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(3)
    full = onnx_bytes(SmplIK(22, NetworkShape(width=16, embedding=4)).eval())
    assert protores_model(full, "smplik") is None
    assert protores_model(shipped("skelik"), "skelik") is None
    assert protores_model(shipped("fcnn"), "protores") is None
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert protores_model(small, "smplik") is None


def changed(model: bytes, ending: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> bytes:
    """The model with the first tensor whose name ends so in another state."""
    from onnx import numpy_helper

    whole = onnx.load_from_string(model)
    tensor = next(t for t in whole.graph.initializer if t.name.endswith(ending))
    tensor.CopyFrom(numpy_helper.from_array(change(numpy_helper.to_array(tensor).copy()), tensor.name))
    return bytes(whole.SerializeToString())


@pytest.mark.parametrize(
    ("ending", "change"),
    [
        (".bias", lambda a: a[:-1]),
        ("blocks.1.hidden.0.weight_Transposed_quantized", lambda a: a[:-1]),
        ("blocks.1.hidden.0.weight_Transposed_quantized", lambda a: a.astype(np.int16)),
        ("blocks.1.hidden.0.weight_Transposed_quantized", lambda a: a.astype(np.float32)),
        ("joint_embedding.weight", lambda a: a * np.float32("nan")),
        ("blocks.1.hidden.0.weight_Transposed_scale", lambda a: a * np.float32("nan")),
        ("blocks.1.hidden.0.weight_Transposed_zero_point", lambda a: a + np.int8(1)),
        ("encoder.blocks.1.first.weight_Transposed", lambda a: a * np.float32("inf")),
        ("encoder.blocks.1.first.weight_Transposed", lambda a: a[:-1]),
        ("encoder.blocks.0.first.weight_Transposed", lambda a: a[:-1]),
        ("encoder.blocks.0.first.weight_Transposed", lambda a: np.concatenate([a, a[:, :1]], axis=1)),
        ("kind_embedding.weight", lambda a: a[:-1]),
        ("joint_embedding.weight", lambda a: np.repeat(a, 100, axis=0)),
        ("position_decoder.blocks.0.first.weight_Transposed_quantized", lambda a: a[:, :-2]),
    ],
)
def test_numbers_that_do_not_fit_are_left_to_onnxruntime(
    small: bytes, ending: str, change: Callable[[NDArray[Any]], NDArray[Any]]
) -> None:
    assert protores_model(changed(small, ending, change), "smplik") is None


def test_kinds_are_not_taken_for_genders(small: bytes) -> None:
    fewer = changed(small, "gender_embedding.weight", lambda a: a[:-1])
    assert protores_model(changed(fewer, "kind_embedding.weight", lambda a: np.repeat(a, 2, 0)[:4]), "smplik") is None


def test_layers_are_not_mixed_up_with_others_of_their_size(small: bytes) -> None:
    """Whole numbers where the encoder has fine ones, and the other way round in a decoder."""
    from onnx import numpy_helper

    model = onnx.load_from_string(small)
    encoder, decoder = (f"network.{part}.blocks.1.first.weight_Transposed" for part in ("encoder", "position_decoder"))
    fine = numpy_helper.to_array(next(t for t in model.graph.initializer if t.name == encoder))
    scale, zero = np.ones(fine.shape[1], np.float32), np.zeros(fine.shape[1], np.int8)
    kept = [t for t in model.graph.initializer if t.name != encoder and not t.name.startswith(decoder)]
    assert len(kept) == len(model.graph.initializer) - 4
    new = {f"{encoder}_quantized": fine.astype(np.int8), f"{encoder}_scale": scale, f"{encoder}_zero_point": zero}
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    model.graph.initializer.extend(numpy_helper.from_array(a, name) for name, a in {**new, decoder: fine}.items())
    assert protores_model(model.SerializeToString(), "smplik") is None


def test_tensors_are_those_that_onnx_reads(small: bytes) -> None:
    from onnx import TensorProto, numpy_helper

    known = tensors_of(small)
    graph = onnx.load_from_string(small).graph
    kinds = (TensorProto.FLOAT, TensorProto.INT8)
    stored = [tensor for tensor in graph.initializer if tensor.data_type in kinds]
    assert len(stored) > 20
    for tensor in stored:
        np.testing.assert_array_equal(known[tensor.name], numpy_helper.to_array(tensor))
    again = [node for node in graph.node if node.op_type == "Identity" and node.input[0] in known]
    assert again, "tensors that are equal are stored once"
    assert all(known[node.output[0]] is known[node.input[0]] for node in again)


def test_damaged_models_give_no_tensors_or_a_plain_error(small: bytes) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        damaged = bytearray(small[: rng.integers(1, len(small))])
        damaged[rng.integers(len(damaged))] = rng.integers(256)
        assert protores_model(bytes(damaged), "smplik") is None


def test_tensors_may_be_written_as_numbers_one_by_one_and_odd_ones_are_left_out() -> None:
    from onnx import TensorProto, helper

    known = [
        helper.make_tensor("whole", TensorProto.INT8, [2, 2], [-128, -1, 0, 127]),
        helper.make_tensor("fine", TensorProto.FLOAT, [3], [0.5, -2.0, 1e9]),
    ]
    odd = [
        helper.make_tensor("empty", TensorProto.FLOAT, [0, 3], []),
        helper.make_tensor("double", TensorProto.DOUBLE, [1], [1.0]),
    ]
    for name, length in (("short", 2), ("long", 4)):
        odd.append(TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[3], raw_data=bytes(4 * length)))
    found = tensors_of(helper.make_model(helper.make_graph([], "g", [], [], known + odd)).SerializeToString())
    assert set(found) == {"whole", "fine"}
    assert found["whole"].tolist() == [[-128, -1], [0, 127]]
    assert found["fine"].tolist() == [0.5, -2.0, 1e9]
