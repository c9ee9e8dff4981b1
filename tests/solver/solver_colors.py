"""GLB files of our own with a picture on their surface."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
from gltf_changes import parts
from gltf_reader import read_glb


def with_picture(path: Path, picture: bytes, right: Callable[[np.ndarray], np.ndarray]) -> Path:
    """The file with a picture on all its surfaces, whose right half is taken where `right` of the vertices says so."""
    content, buffer = parts(path)
    half = right(read_glb(path).shaped()).astype(np.float32)
    places = np.stack([0.25 + 0.5 * half, 0.5 * np.ones_like(half)], axis=1).astype("<f4").tobytes()
    binary = bytearray(buffer)
    content["bufferViews"] += [
        {"buffer": 0, "byteOffset": len(binary), "byteLength": len(places)},
        {"buffer": 0, "byteOffset": len(binary) + len(places), "byteLength": len(picture)},
    ]
    binary += places + picture + bytes(-len(picture) % 4)
    views = len(content["bufferViews"])
    content["accessors"].append({"bufferView": views - 2, "componentType": 5126, "count": len(half), "type": "VEC2"})
    content["images"] = [{"bufferView": views - 1, "mimeType": "image/png"}]
    content["textures"] = [{"source": 0}]
    content["buffers"] = [{"byteLength": len(binary)}]
    for primitive in content["meshes"][0]["primitives"]:
        primitive["attributes"]["TEXCOORD_0"] = len(content["accessors"]) - 1
    for material in content["materials"]:
        material["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x4E4942) + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path
