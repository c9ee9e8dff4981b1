"""The numbers in an ONNX model's bytes, by name, without the onnx package."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.solvers.learned.onnx_parts import fields_of, whole_numbers_of

# onnx.proto's numbers: of a model, a graph, a node and a tensor.
_GRAPH = 7
_NODE, _TENSOR = 1, 5
_READS, _MAKES, _OPERATION = 1, 2, 4
_DIMS, _TYPE, _FLOATS, _WHOLE, _NAME, _RAW = 1, 2, 4, 5, 8, 9
_TYPES: dict[int, np.dtype[Any]] = {1: np.dtype("<f4"), 3: np.dtype("i1")}  # float32 and int8


def tensors_of(model: bytes) -> Mapping[str, NDArray[Any]]:
    """The float32 and int8 tensors of the model's graph. Equal tensors are stored once, and are here under each of
    their names. ValueError for bytes that are not a model."""
    known: dict[str, NDArray[Any]] = {}
    same: list[tuple[str, str]] = []
    for number, graph in fields_of(memoryview(model)):
        if number != _GRAPH or isinstance(graph, int):
            continue
        for kind, part in fields_of(graph):
            if isinstance(part, int):
                continue
            if kind == _TENSOR:
                known |= _tensor(part)
            elif kind == _NODE:
                same += _alias(part)
    return known | {name: known[of] for name, of in same if of in known}


def _tensor(part: memoryview) -> dict[str, NDArray[Any]]:
    """A tensor by its name; nothing if its numbers are of another type or not in one piece."""
    dims: list[int] = []
    name, raw, kind = b"", bytearray(), 0
    for number, value in fields_of(part):
        if number == _DIMS:
            dims += [value] if isinstance(value, int) else whole_numbers_of(value)
        elif isinstance(value, int):
            kind = value if number == _TYPE else kind
        elif number == _NAME:
            name = bytes(value)
        elif number in (_RAW, _FLOATS):
            raw += value
        elif number == _WHOLE:
            raw += bytes(one & 0xFF for one in whole_numbers_of(value))  # negative ones are as long as in int64
    stored = _TYPES.get(kind)
    if stored is None or 0 in dims or len(raw) != prod(dims) * stored.itemsize:
        return {}
    return {name.decode(errors="replace"): np.frombuffer(bytes(raw), stored).reshape(dims)}


def _alias(part: memoryview) -> list[tuple[str, str]]:
    """A second name for what a node passes on unchanged, and its first name."""
    texts: dict[int, list[str]] = {}
    for number, value in fields_of(part):
        if not isinstance(value, int):
            texts.setdefault(number, []).append(bytes(value).decode(errors="replace"))
    if texts.get(_OPERATION) != ["Identity"]:
        return []
    return list(zip(texts.get(_MAKES, ()), texts.get(_READS, ()), strict=False))
