"""The int8 weights of a model, kept when it is written anew: rounding them a second time would move them again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WHOLE, SCALE, ZERO = "_quantized", "_scale", "_zero_point"  # behind the name of a weight, as onnxruntime writes them


class Int8Weight(NamedTuple):
    """A weight of an int8 model: its integers as stored; scale and zero by column, or for all of it."""

    name: str
    integers: NDArray[Any]
    scale: NDArray[Any]
    zero: NDArray[Any]

    @property
    def dequantised(self) -> NDArray[np.float32]:
        """The numbers that the model computes with."""
        return (self.integers.astype(np.float32) - self.zero.astype(np.float32)) * self.scale


def with_weights_of(model: bytes, before: bytes) -> bytes:
    """The int8 model with the integer weights of another that holds the same weights but may compute differently.

    Raises ValueError if a weight of `model` is not in `before`.
    """
    import onnx
    from onnx import numpy_helper

    made, known = onnx.load_from_string(model), list(int8_weights(onnx.load_from_string(before).graph))
    tensors = {tensor.name: tensor for tensor in made.graph.initializer}
    for weight in int8_weights(made.graph):
        same = next((one for one in known if _is_same(weight, one)), None)
        if same is None:
            raise ValueError(f"the model before has no weight like {weight.name}")
        for ending, array in ((WHOLE, same.integers), (SCALE, same.scale), (ZERO, same.zero)):
            tensors[weight.name + ending].CopyFrom(numpy_helper.from_array(array, weight.name + ending))
    return bytes(made.SerializeToString())


def int8_weights(graph: Any) -> Iterator[Int8Weight]:
    """All weights of the graph that are stored as int8."""
    from onnx import numpy_helper

    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name in known:
        if name.endswith(WHOLE):
            base = name.removesuffix(WHOLE)
            yield Int8Weight(base, *(known[base + ending] for ending in (WHOLE, SCALE, ZERO)))


def _is_same(one: Int8Weight, other: Int8Weight) -> bool:
    """Whether both were made from the same numbers: nowhere more than one step apart."""
    if one.integers.shape != other.integers.shape:
        return False
    return bool((np.abs(one.dequantised - other.dequantised) <= np.maximum(one.scale, other.scale)).all())
