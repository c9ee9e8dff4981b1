"""The float32 numbers that a shipped ONNX model computes with, as a network's tensors.

For an int8 model they are (q - zero point) · scale: what the model multiplies by, not what was trained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from solver.training.export.float_activations import TURNED_BACK
from solver.training.export.int8_weights import SCALE, WHOLE, ZERO, Int8Weight

Array = NDArray[Any]
_WHOLE = "network."  # before each name, see onnx_model.Flat
_PRODUCTS = ("MatMul", "Gemm")


def state_of(model: bytes, network: nn.Module) -> dict[str, Tensor]:
    """The state of `network`, whose export `model` is. Raises KeyError if the model lacks one of its layers."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load_from_string(model).graph
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:  # tensors that are equal are stored once
        if node.op_type == "Identity" and node.input[0] in known:
            known[node.output[0]] = known[node.input[0]]
    state: dict[str, Array] = {}
    for name, module in network.named_modules():
        if isinstance(module, nn.Embedding):
            state[f"{name}.weight"] = _whole(known, f"{_WHOLE}{name}.weight")
        elif isinstance(module, nn.Linear):
            node = _product(graph, name)
            weight = _whole(known, node.input[1])
            turned = node.op_type == "Gemm" and any(a.name == "transB" and a.i for a in node.attribute)
            state[f"{name}.weight"] = weight if turned else weight.T
            state[f"{name}.bias"] = known[node.input[2]] if node.op_type == "Gemm" else _added(graph, known, node)
    return {name: torch.from_numpy(np.array(value, np.float32, order="C")) for name, value in state.items()}


def _whole(known: Mapping[str, Array], name: str) -> Array:
    """A tensor by name, dequantised if it is stored as whole numbers."""
    base = name.removesuffix(TURNED_BACK).removesuffix(WHOLE)
    if base + WHOLE not in known:
        return known[base]
    return Int8Weight(base, *(known[base + ending] for ending in (WHOLE, SCALE, ZERO))).dequantised


def _product(graph: Any, name: str) -> Any:
    """The node that multiplies by the weights of the layer `name`."""
    place = f"/network/{name.replace('.blocks.', '/blocks.').replace('.hidden.', '/hidden.')}"
    place = place.replace(".first", "/first").replace(".forward_output", "/forward_output")
    found = [node for node in graph.node if node.op_type in _PRODUCTS and node.name.rpartition("/")[0] == place]
    if len(found) != 1:
        raise KeyError(name)
    return found[0]


def _added(graph: Any, known: Mapping[str, Array], node: Any) -> Array:
    """The bias: what is added first to the product, after its scaling."""
    for later in _followers(graph, node):
        if later.op_type == "Add":
            return next(known[name] for name in later.input if name in known)
    raise KeyError(node.name)


def _followers(graph: Any, node: Any) -> Iterator[Any]:
    """The nodes after this one, each fed by the one before."""
    while node is not None:
        fed = set(node.output)
        node = next((n for n in graph.node if fed & set(n.input)), None)
        if node is not None:
            yield node
