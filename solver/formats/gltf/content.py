"""What a glTF 2.0 file holds: its description, and numbers from its buffers, in one file (GLB) or beside it (.gltf)."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused, one_line
from solver.files.reading import MEBIBYTE, read_bytes
from solver.formats.gltf.compression import DRACO, refuse_compressed

Array = NDArray[np.float64]
GLB_START = b"glTF"
MAX_BYTES = 512 * MEBIBYTE
AGAIN = "Export it again as GLB (glTF 2.0)"
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_COLUMNS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


@dataclass(frozen=True)
class Gltf:
    """content: the description. binary: the buffer within a GLB file."""

    path: Path
    content: dict[str, Any]
    binary: bytes
    _buffers: dict[int, bytes] = field(default_factory=dict)

    def numbers(self, accessor: int, kind: str, most: int = MAX_BYTES) -> Array:
        """(N, 1, 2, 3, 4 or 16) of an accessor, N at most `most`, whole numbers as shares of their range; ValueError if
        the file does not say `kind`.

        InputRefused for numbers that are packed in a way that cannot be read here.
        """
        rows = self.rows(accessor, kind, most)
        numbers = rows.astype(np.float64)
        return numbers if rows.dtype.kind == "f" else np.maximum(numbers / np.iinfo(rows.dtype).max, -1.0)

    def rows(self, accessor: int, kind: str, most: int = MAX_BYTES) -> NDArray[Any]:
        """Likewise, but as they are in the file: indices have to be whole numbers."""
        told = self.content["accessors"][accessor]
        if told["type"] != kind or told["componentType"] not in _TYPES:
            raise ValueError(f"accessor {accessor} does not hold {kind} as it should")
        if "bufferView" not in told and DRACO in self.content.get("extensionsUsed", ()):
            raise refuse_compressed(self.path, DRACO)
        if "sparse" in told or "bufferView" not in told:
            raise InputRefused(self.path, "holds sparse numbers, which are not read", AGAIN)
        view = self.content["bufferViews"][told["bufferView"]]
        packed = next((name for name in view.get("extensions", {}) if "compression" in name), "")
        if packed:
            raise refuse_compressed(self.path, packed)
        form, columns, count = np.dtype(_TYPES[told["componentType"]]), _COLUMNS[kind], int(told["count"])
        step = int(view.get("byteStride") or form.itemsize * columns)
        start, shift = int(view.get("byteOffset", 0)), int(told.get("byteOffset", 0))
        data = self.buffer(int(view.get("buffer", 0)))
        if min(start, shift, count - 1) < 0 or step < form.itemsize * columns:
            raise ValueError(f"accessor {accessor} lies nowhere")
        if start + shift + step * (count - 1) + form.itemsize * columns > len(data):
            raise ValueError(f"accessor {accessor} ends behind its buffer")
        count = min(count, most)
        return np.ndarray((count, columns), form, data, start + shift, (step, form.itemsize))

    def buffer(self, place: int) -> bytes:
        """The bytes of a buffer; InputRefused where they are in a file that is not there."""
        if place not in self._buffers:
            uri = self.content["buffers"][place].get("uri")
            self._buffers[place] = self.binary if uri is None else self.beside(str(uri))
            if sum(map(len, self._buffers.values())) > MAX_BYTES:
                raise InputRefused(self.path, f"has buffers of more than {MAX_BYTES // MEBIBYTE} MB", AGAIN)
        return self._buffers[place]

    def beside(self, uri: str) -> bytes:
        """A buffer or picture that is embedded in the description, or lies beside the file. InputRefused if it does
        not, or if it would lie outside the file's folder."""
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        name = unquote(uri).removeprefix("./")
        if not name or Path(name).is_absolute() or ".." in Path(name).parts or ":" in name:
            raise InputRefused(self.path, f"asks for a file outside its folder (“{name[:80]}”)", AGAIN)
        if not (self.path.parent / name).exists():
            way_out = "Keep the .gltf file and the files that came with it in one folder, or export it as GLB"
            raise InputRefused(self.path, f"the file {name[:80]} that belongs to it is not there", way_out)
        return read_bytes(self.path.parent / name, MAX_BYTES)


@contextmanager
def refusing_damage(path: Path, fault: str) -> Iterator[None]:
    """Whatever goes wrong meanwhile becomes an InputRefused: a file may say anything at any place.

    fault: what is wrong with the file then, with {} for what the error says.
    """
    try:
        yield
    except InputRefused:
        raise
    except Exception as error:
        raise InputRefused(path, fault.format(one_line(error)), AGAIN) from None


def read_gltf(path: Path) -> Gltf:
    """A file's content; InputRefused for one that is damaged, or is no glTF 2.0."""
    return gltf_in(read_bytes(path, MAX_BYTES), path)


def gltf_in(data: bytes, path: Path) -> Gltf:
    """Like `read_gltf`, from a file's bytes. path: where they are from, for messages and to find what is beside it."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return Gltf(path, _description(data.removeprefix(b"\xef\xbb\xbf"), path), b"")
    if not data.startswith(GLB_START) or len(data) < 20 or struct.unpack_from("<I", data, 4)[0] != 2:
        raise InputRefused(path, "is not a GLB file of glTF 2.0", AGAIN)
    found: dict[int, bytes] = {}
    start = 12
    while start + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, start)
        if start + 8 + length > len(data):
            raise InputRefused(path, "was cut short", "Copy it again")
        found.setdefault(kind, data[start + 8 : start + 8 + length])
        start += 8 + length
    return Gltf(path, _description(found.get(_JSON, b""), path), found.get(_BINARY, b""))


def _description(text: bytes, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InputRefused(path, "cannot be read: its description is not JSON", AGAIN) from None
    if not isinstance(content, dict):
        raise InputRefused(path, "cannot be read: its description is not an object", AGAIN)
    return content
