"""Packs a .gltf file and the buffers beside it into one GLB file, for readers of surfaces alone."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE
from solver.formats.gltf.content import read_gltf

APPEARANCE_KEYS = ("images", "textures", "samplers", "materials")


def as_glb(path: Path, most: int) -> bytes:
    """A file without its looks, as GLB of up to `most` bytes. InputRefused where a buffer is not there or too large;
    other errors where its description is damaged."""
    gltf = read_gltf(path)
    content: dict[str, Any] = {key: value for key, value in gltf.content.items() if key not in APPEARANCE_KEYS}
    binary, begins = bytearray(), []
    for place in range(len(content.get("buffers", ()))):
        begins.append(len(binary))
        binary += gltf.buffer(place)
        binary += bytes(-len(binary) % 4)
        if len(binary) > most:
            raise InputRefused(path, f"is larger than {most // MEBIBYTE} MB with its buffers", "Reduce it")
    content["buffers"] = [{"byteLength": len(binary)}]
    content["bufferViews"] = [
        {**view, "buffer": 0, "byteOffset": begins[view["buffer"]] + view.get("byteOffset", 0)}
        for view in content.get("bufferViews", ())
    ]
    content["meshes"] = [
        {**mesh, "primitives": [{k: v for k, v in part.items() if k != "material"} for part in mesh["primitives"]]}
        for mesh in content.get("meshes", ())
    ]
    text = json.dumps(content).encode("utf-8")
    text += b" " * (-len(text) % 4)
    header = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary))
    return header + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
