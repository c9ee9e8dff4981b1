"""Rigs that move and props as GLB, .gltf and VRM files, and damage done to their bytes, descriptions and numbers."""

from __future__ import annotations

import base64
import json
import random
import struct
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import fuzz_seeds as seeds
from fuzz_mutations import mutated_bytes, mutated_json

from app.document.exchange.skinned_export import export_skinned

Content = dict[str, Any]
_NUMBERS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_VRM = {
    "hips": "pelvis", "spine": "spine1", "chest": "spine2", "neck": "neck", "head": "head",
    **{f"{side}{part}": f"{side}_{joint}" for side in ("left", "right") for part, joint in (
        ("UpperLeg", "hip"), ("LowerLeg", "knee"), ("Foot", "ankle"),
        ("UpperArm", "shoulder"), ("LowerArm", "elbow"), ("Hand", "wrist"))},
}  # fmt: skip
_ODD_FLOATS = (float("nan"), float("inf"), 1e30, -1e30, 1e-30, -1.0, 0.0, 1e5)
_LAYOUTS = ("glb", "glb", "embedded", "beside", "vrm", "vrm0", "bones", "prop")


def sound_gltf(folder: Path) -> Path:
    """A rig that moves."""
    return _write(folder, "glb", *_seed("glb"))


def make_gltf(rng: random.Random, folder: Path) -> Path:
    """A file of one of the layouts, with its bytes, its description or its numbers damaged."""
    layout = rng.choice(_LAYOUTS)
    text, buffer = _seed(layout)
    how = rng.random()
    if how < 0.55:
        text = mutated_json(rng, text)
    elif how < 0.8:
        buffer = _with_odd_numbers(rng, buffer)
    path = _write(folder, layout, text, buffer)
    if how >= 0.8:
        path.write_bytes(mutated_bytes(rng, path.read_bytes()))
    return path


@cache
def _seed(layout: str) -> tuple[str, bytes]:
    """Description and buffer of a small rig, or of a prop alone."""
    content, buffer = _small_rig()
    content = json.loads(content)
    nodes = content["nodes"]
    if layout in ("bones", "prop"):
        content.pop("skins")
        content.pop("meshes" if layout == "bones" else "animations")
        for node in nodes:
            node.pop("skin", None)
            if layout == "bones":
                node.pop("mesh", None)
    place = {node.get("name"): at for at, node in enumerate(nodes)}
    if layout == "vrm":
        bones: Any = {bone: {"node": place[joint]} for bone, joint in _VRM.items()}
        content["extensions"] = {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}
    elif layout == "vrm0":
        bones = [{"bone": bone, "node": place[joint]} for bone, joint in _VRM.items()]
        content["extensions"] = {"VRM": {"humanoid": {"humanBones": bones}}}
    return json.dumps(content), buffer


@cache
def _small_rig() -> tuple[str, bytes]:
    """Our own export of somebody who moves, with a tetrahedron as skin and only the numbers that are used."""
    with tempfile.TemporaryDirectory() as folder:
        person = seeds.document().characters[:1]
        (file,) = export_skinned(Path(folder) / "a.glb", person, whole_motion=True)
        data = file.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    content, binary = json.loads(data[20 : 20 + length]), data[28 + length :]
    buffer, accessors, views = b"", [], []

    def add(data: bytes, told: Content) -> int:
        nonlocal buffer
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
        accessors.append({**told, "bufferView": len(views) - 1, "byteOffset": 0})
        buffer += data + b"\0" * (-len(data) % 4)
        return len(accessors) - 1

    def kept(number: int) -> int:
        told = content["accessors"][number]
        view = content["bufferViews"][told["bufferView"]]
        start = view.get("byteOffset", 0) + told.get("byteOffset", 0)
        return add(binary[start : start + 4 * _NUMBERS[told["type"]] * told["count"]], told)

    for skin in content["skins"]:
        skin["inverseBindMatrices"] = kept(skin["inverseBindMatrices"])
    times: dict[int, int] = {}
    for sampler in (sampler for animation in content["animations"] for sampler in animation["samplers"]):
        sampler["input"] = times.setdefault(sampler["input"], kept(sampler["input"]))
        sampler["output"] = kept(sampler["output"])
    corners = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    sides = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    places = add(corners, {"componentType": 5126, "count": 4, "type": "VEC3", "min": [0] * 3, "max": [1] * 3})
    faces = add(sides, {"componentType": 5123, "count": 12, "type": "SCALAR"})
    content["meshes"] = [{"primitives": [{"attributes": {"POSITION": places}, "indices": faces}]}]
    for node in content["nodes"]:
        if "mesh" in node:
            node["mesh"] = 0
    small = {key: content[key] for key in ("asset", "scene", "scenes", "nodes", "meshes", "skins", "animations")}
    return json.dumps({**small, "accessors": accessors, "bufferViews": views}), buffer


def _with_odd_numbers(rng: random.Random, buffer: bytes) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 5, 50))):
        at = 4 * rng.randrange(len(buffer) // 4)
        number = rng.choice((*_ODD_FLOATS, rng.gauss(0, 1), rng.gauss(0, 100)))
        buffer = buffer[:at] + struct.pack("<f", number) + buffer[at + 4 :]
    return buffer


def _write(folder: Path, layout: str, text: str, buffer: bytes) -> Path:
    """The file, and its buffer beside it in one of the layouts; the buffer is told unless the text is no JSON."""
    path = folder / {"embedded": "rig.gltf", "beside": "rig.gltf", "vrm": "rig.vrm", "vrm0": "rig.vrm"}.get(
        layout, "rig.glb"
    )
    told: Content = {"byteLength": len(buffer)}
    if layout == "embedded":
        told["uri"] = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
    elif layout == "beside":
        told["uri"] = "rig.bin"
        (folder / "rig.bin").write_bytes(buffer)
    if text.startswith("{") and '"buffers"' not in text:
        text = f'{{"buffers": {json.dumps([told])}, {text[1:]}'
    description = text.encode("utf-8", "surrogatepass")
    if path.suffix == ".gltf":
        path.write_bytes(description)
        return path
    description += b" " * (-len(description) % 4)
    chunks = struct.pack("<II", len(description), 0x4E4F534A) + description
    chunks += struct.pack("<II", len(buffer), 0x004E4942) + buffer
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return path
