"""A reader of skinned GLB files of its own, after the specification: nothing here knows how ours are written."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
Array = NDArray[np.float64]


@dataclass
class Gltf:
    """One file. content: its JSON."""

    content: dict[str, Any]
    binary: bytes

    def array(self, accessor: int) -> NDArray[Any]:
        """An accessor's numbers, (N, width)."""
        told = self.content["accessors"][accessor]
        view = self.content["bufferViews"][told["bufferView"]]
        kind, width = np.dtype(KINDS[told["componentType"]]), WIDTHS[told["type"]]
        start = view["byteOffset"] + told.get("byteOffset", 0)
        assert start % kind.itemsize == 0
        assert told["count"] * width * kind.itemsize <= view["byteLength"]
        return np.frombuffer(self.binary, kind, told["count"] * width, start).reshape(-1, width)

    def locals_at(self, seconds: float | None) -> Array:
        """(N, 4, 4): each node's own transform, as it stands or as the first animation has it."""
        parts = [{"translation": [0.0, 0, 0], "rotation": [0.0, 0, 0, 1], **node} for node in self.content["nodes"]]
        if seconds is not None:
            animation = self.content["animations"][0]
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                assert sampler["interpolation"] == "LINEAR"
                times, values = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
                now = float(np.clip(seconds, times[0], times[-1]))
                target = channel["target"]
                if target["path"] == "translation":
                    value = [np.interp(now, times, values[:, axis]) for axis in range(3)]
                elif len(times) == 1:
                    value = values[0]
                else:
                    value = Slerp(times, Rotation.from_quat(values))(now).as_quat()
                parts[target["node"]][target["path"]] = value
        matrices = np.tile(np.eye(4), (len(parts), 1, 1))
        for matrix, part in zip(matrices, parts, strict=True):
            if "matrix" in part:
                matrix[:] = np.reshape(part["matrix"], (4, 4)).T
                continue
            matrix[:3, :3] = Rotation.from_quat(part["rotation"]).as_matrix() * part.get("scale", 1.0)
            matrix[:3, 3] = part["translation"]
        return matrices

    def worlds_at(self, seconds: float | None = None) -> Array:
        """(N, 4, 4): each node's place in the world."""
        own, worlds = self.locals_at(seconds), np.tile(np.eye(4), (len(self.content["nodes"]), 1, 1))

        def walk(node: int, above: Array) -> None:
            worlds[node] = above @ own[node]
            for child in self.content["nodes"][node].get("children", ()):
                walk(child, worlds[node])

        for root in self.content["scenes"][self.content["scene"]]["nodes"]:
            walk(root, np.eye(4))
        return worlds

    def joints_at(self, seconds: float | None = None, number: int = 0) -> dict[str, Array]:
        """(3,) metres, by the joints' names, of the skin of a number."""
        worlds, nodes = self.worlds_at(seconds), self.content["nodes"]
        return {nodes[j]["name"]: worlds[j, :3, 3] for j in self.content["skins"][number]["joints"]}

    def skin_at(self, seconds: float | None = None, sets: int | None = None, number: int = 0) -> Array:
        """(V, 3) metres: the mesh of a skin, by so many sets of joints (all of them without), as engines blend it."""
        (mesh,) = (node["mesh"] for node in self.content["nodes"] if node.get("skin") == number)
        skin, attributes = self.content["skins"][number], self.content["meshes"][mesh]["primitives"][0]["attributes"]
        bind = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2).astype(np.float64)
        matrices = self.worlds_at(seconds)[skin["joints"]] @ bind
        there = sum(name.startswith("JOINTS_") for name in attributes)
        numbers = range(min(sets or there, there))
        joints = np.concatenate([self.array(attributes[f"JOINTS_{i}"]) for i in numbers], axis=1)
        weights = np.concatenate([self.array(attributes[f"WEIGHTS_{i}"]) for i in numbers], axis=1).astype(np.float64)
        weights /= weights.sum(axis=1, keepdims=True)
        blended = (weights[..., None, None] * matrices[joints]).sum(axis=1)
        rest = np.pad(self.shaped(mesh), ((0, 0), (0, 1)), constant_values=1.0)
        return np.einsum("vab,vb->va", blended, rest)[:, :3]

    def shaped(self, number: int = 0) -> Array:
        """(V, 3) metres: a mesh at rest, with its shapes as far as they are switched on."""
        mesh = self.content["meshes"][number]
        primitive = mesh["primitives"][0]
        places = self.array(primitive["attributes"]["POSITION"]).astype(np.float64)
        for weight, target in zip(mesh.get("weights", ()), primitive.get("targets", ()), strict=True):
            places = places + weight * self.array(target["POSITION"])
        return places

    def rest_joints(self, number: int = 0) -> Array:
        """(J, 3) metres: where the bind of a skin has the joints."""
        bind = self.array(self.content["skins"][number]["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
        return np.linalg.inv(bind.astype(np.float64))[:, :3, 3]


def read_glb(source: Path | bytes) -> Gltf:
    """The file, its header checked."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    magic, version, length = struct.unpack("<4sII", data[:12])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    chunks, at = [], 12
    while at < length:
        size, kind = struct.unpack("<I4s", data[at : at + 8])
        assert size % 4 == 0
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    (first, text), (second, binary) = chunks
    assert (first, second) == (b"JSON", b"BIN\0")
    return Gltf(json.loads(text), binary)
