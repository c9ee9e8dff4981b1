"""A trained network as an ONNX model: any batch, any number of effectors; as float32 or with int8 weights."""

from __future__ import annotations

import logging
import tempfile
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS
from solver.networks.base_batch import BaseBatch
from solver.networks.base_network import BaseNetwork
from solver.networks.effector_batch import EffectorBatch
from solver.networks.lifter import POINTS, Lifter
from solver.networks.pose_edition import PoseEdition
from solver.networks.torch_model import OF_BODY, answer, input_names
from solver.rig.roles import ENDS
from solver.training.export.float_activations import float_activations

OUTPUTS = ("draft", "rotations_6d")
EDIT_OUTPUTS = ("positions",)
LIFT_OUTPUTS = ("rotations_6d", "unsure")
OPSET = 17


class FlatInputs(nn.Module):
    """The network with its inputs side by side, as ONNX names them."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """The outputs that `outputs_of` names."""
        prediction = answer(self.network, dict(zip(input_names(self.network), inputs, strict=True)))
        return tuple(getattr(prediction, name) for name in outputs_of(self.network))


def outputs_of(network: nn.Module) -> tuple[str, ...]:
    """What the network is asked for."""
    if isinstance(network, Lifter):
        return LIFT_OUTPUTS
    return EDIT_OUTPUTS if isinstance(network, PoseEdition) else OUTPUTS


def onnx_bytes(network: nn.Module) -> bytes:
    """The network as a float32 ONNX model; inputs that it does not read are left out."""
    edits = isinstance(network, PoseEdition)
    joints = network.joints if isinstance(network, BaseNetwork | PoseEdition) else 1
    names, example = input_names(network), example_inputs(2, 5, joints)
    rows = {name: {0: "batch", 1: "effectors"} for name in names if name in EffectorBatch._fields}
    rest = {name: {0: "batch"} for name in (*names, *outputs_of(network)) if name not in rows}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's newer exporter needs one more package and gains nothing here
        path = Path(folder, "model.onnx")
        torch.onnx.export(
            FlatInputs(network.eval()), tuple(example[name] for name in names), path, dynamo=False, opset_version=OPSET,
            input_names=list(names), output_names=list(outputs_of(network)), dynamic_axes={**rows, **rest},
            do_constant_folding=not edits,  # it would store a second, transposed copy of weights the decoder shares
        )  # fmt: skip
        return path.read_bytes()


def example_inputs(batch: int, count: int, joints: int) -> dict[str, Tensor]:
    """Inputs of every name that a network can have, of the right sizes, for `count` effectors on the first joint."""
    whole, turns = torch.zeros(batch, count, dtype=torch.int64), torch.eye(3).expand(batch, joints, 3, 3)
    place, keep = torch.randn(batch, joints, 3), torch.rand(batch, joints)
    return {
        "data": torch.randn(batch, count, 6), "tolerance": torch.rand(batch, count), "joint": whole, "kind": whole,
        "betas": torch.zeros(batch, SHAPE_COMPONENTS), "gender": torch.zeros(batch, dtype=torch.int64),
        "base_positions": place, "base_world": turns, "base_local": turns, "offsets": place,
        "keep_place": keep, "keep_shape": keep, "start": place, "targets": torch.randn(batch, len(ENDS), 3),
        "asked": torch.ones(batch, len(ENDS)),
        "picture": torch.randn(batch, POINTS, 2), "space": torch.randn(batch, POINTS, 3),
        "weight": torch.rand(batch, POINTS),
    }  # fmt: skip


def conditions_of(model: bytes) -> tuple[str, ...]:
    """The model's inputs beside effectors: the body's shape, the base pose, or none."""
    import onnx

    names = {entry.name for entry in onnx.load_from_string(model).graph.input}
    return tuple(name for name in (*OF_BODY, *BaseBatch._fields) if name in names)


def int8_bytes(model: bytes) -> bytes:
    """The model with int8 weights, a third of the size; it computes in float32, see `float_activations`.

    The layers that read the effectors stay float32, because their errors are multiplied by metres. So do embeddings,
    which are small and would be dequantised at every run.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    readers = [node.name for node in onnx.load_from_string(model).graph.node if _reads_effectors(node.name)]
    readers += [f"{name}_MatMul" for name in readers]  # as onnxruntime calls the product of a Gemm
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder, "full.onnx"), Path(folder, "small.onnx")
        full.write_bytes(model)
        logging.disable(logging.WARNING)  # it warns of indices, which are not to be quantised
        try:
            quantize_dynamic(
                full, small, per_channel=True, weight_type=QuantType.QInt8, nodes_to_exclude=readers,
                op_types_to_quantize=["MatMul"],
            )  # fmt: skip
        finally:
            logging.disable(logging.NOTSET)
        return float_activations(small.read_bytes())


def _reads_effectors(node: str) -> bool:
    """Whether a node, named by its place in the network, is the first layer of one of the encoder's blocks."""
    return "/encoder/" in node and "/first/" in node
