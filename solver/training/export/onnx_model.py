"""A trained network as an ONNX model: any batch, any number of effectors; as float32 or with int8 weights."""

from __future__ import annotations

import logging
import tempfile
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from solver.body.body import SHAPE_COMPONENTS
from solver.networks.effector_batch import EffectorBatch
from solver.networks.torch_model import INPUTS

OUTPUTS = ("draft", "rotations_6d")
OPSET = 17


class Flat(nn.Module):
    """The network with its inputs side by side, as ONNX names them."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """draft and rotations_6d."""
        prediction = self.network(EffectorBatch(*inputs[:4]), *inputs[4:])
        return prediction.draft, prediction.rotations_6d


def onnx_bytes(network: nn.Module) -> bytes:
    """The network as a float32 ONNX model; inputs that it does not read are left out."""
    batch, count = 2, 5
    whole = torch.zeros(batch, count, dtype=torch.int64)
    example = (
        torch.randn(batch, count, 6), torch.rand(batch, count), whole, whole,
        torch.zeros(batch, SHAPE_COMPONENTS), torch.zeros(batch, dtype=torch.int64),
    )  # fmt: skip
    rows = {name: {0: "batch", 1: "effectors"} for name in INPUTS[:4]}
    rest = {name: {0: "batch"} for name in (*INPUTS[4:], *OUTPUTS)}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's newer exporter needs one more package and brings nothing here
        path = Path(folder, "model.onnx")
        torch.onnx.export(
            Flat(network.eval()), example, path, dynamo=False, opset_version=OPSET,
            input_names=list(INPUTS), output_names=list(OUTPUTS), dynamic_axes={**rows, **rest},
        )  # fmt: skip
        return path.read_bytes()


def told_of_body(model: bytes) -> tuple[str, ...]:
    """The model's inputs beside effectors: “betas” and “gender”, or nothing."""
    import onnx

    names = {entry.name for entry in onnx.load_from_string(model).graph.input}
    return tuple(name for name in INPUTS[4:] if name in names)


def int8_bytes(model: bytes) -> bytes:
    """The model with int8 weights and activations quantised as it runs: smaller and quicker on processors.

    The layers that read the effectors stay float32: 256 steps over metres would move every target by a centimetre.
    Weights have seven bits, for processors without VNNI add two products in sixteen.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    readers = [node.name for node in onnx.load_from_string(model).graph.node if _reads_effectors(node.name)]
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder, "full.onnx"), Path(folder, "small.onnx")
        full.write_bytes(model)
        logging.disable(logging.WARNING)  # it warns of indices, which are not to be quantised
        try:
            quantize_dynamic(
                full, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8, nodes_to_exclude=readers
            )
        finally:
            logging.disable(logging.NOTSET)
        return small.read_bytes()


def _reads_effectors(node: str) -> bool:
    """Whether a node, named by its place in the network, is the first layer of one of the encoder's blocks."""
    return "/encoder/" in node and "/first/" in node
