"""The container format of glTF 2.0: JSON and one binary part in one file (GLB), with arrays as its accessors."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERTICES, INDICES = 34962, 34963  # what a view of the buffer is for
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_TYPES = {"uint8": 5121, "uint16": 5123, "uint32": 5125, "float32": 5126}
_JSON, _BINARY = 0x4E4F534A, 0x004E4942


class GlbBuffer:
    """Collects arrays for the binary part and describes them.

    content, binary: of a file that goes on; what it holds stays where it is.
    """

    def __init__(self, content: Mapping[str, Any] = MappingProxyType({}), binary: bytes = b"") -> None:
        self._bytes = bytearray(binary) + bytes(-len(binary) % 4)
        self._buffer: dict[str, Any] = dict(next(iter(content.get("buffers", ())), {}))
        self._views: list[dict[str, Any]] = [*content.get("bufferViews", ())]
        self._accessors: list[dict[str, Any]] = [*content.get("accessors", ())]

    def add(self, array: NDArray[Any], use: int | None = None, *, bounds: bool = False, shares: bool = False) -> int:
        """The number of an accessor for an array (N,) or (N, 3, 4 or 16) of uint8, uint16, uint32 or float32.

        use: VERTICES or INDICES, if a mesh uses it. bounds: with least and greatest, as places and times must have.
        shares: whole numbers stand for shares of their range.
        """
        rows = np.ascontiguousarray(array).reshape(len(array), -1)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._bytes), "byteLength": rows.nbytes}
        if use is not None:
            view["target"] = use
        accessor: dict[str, Any] = {
            "bufferView": len(self._views),
            "componentType": _TYPES[rows.dtype.name],
            "count": len(rows),
            "type": _KINDS[rows.shape[1]],
        }
        if shares:
            accessor["normalized"] = True
        if bounds:
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._bytes += rows.astype(rows.dtype.newbyteorder("<")).tobytes()
        self._bytes += bytes(-len(self._bytes) % 4)
        self._views.append(view)
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def add_bytes(self, data: bytes) -> int:
        """The number of a view of some bytes, as of a picture."""
        self._views.append({"buffer": 0, "byteOffset": len(self._bytes), "byteLength": len(data)})
        self._bytes += data + bytes(-len(data) % 4)
        return len(self._views) - 1

    def file(self, content: dict[str, Any]) -> bytes:
        """The whole GLB file of glTF content that refers to the accessors."""
        held = {"accessors": self._accessors, "bufferViews": self._views}
        buffers = {name: listed for name, listed in held.items() if listed}
        if self._bytes:
            buffers["buffers"] = [{**self._buffer, "byteLength": len(self._bytes)}]
        text = json.dumps({**content, **buffers}, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = b"".join(
            struct.pack("<II", len(data), kind) + data for data, kind in ((text, _JSON), (self._bytes, _BINARY))
        )
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
