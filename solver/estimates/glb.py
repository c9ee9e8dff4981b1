"""Skeletons of GLB files as they stand: MHR's, Mixamo's, our own, or of any other rig whose joints can be recognised.

A file's skin says where its joints are when it is bound, its nodes how they stand now. That is what a BVH file says as
well, with its rest pose and one frame, and it is brought to our body in the same way.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.hierarchy import BvhJoint
from solver.kinematics.rotations import from_quaternion_xyzw, nearest_rotation, to_euler

Array = NDArray[np.float64]
GLB_START = b"glTF"
MAX_BYTES = 512 * MEBIBYTE
MAX_NODES = 20_000
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_FLOAT = 5126
_TURNS = ("Zrotation", "Xrotation", "Yrotation")
_PLACES = ("Xposition", "Yposition", "Zposition")
_AGAIN = "Export it again as GLB (glTF 2.0)"


def read_glb(path: Path) -> list[BvhFile]:
    """Each skin's skeleton with one frame: how it stands. InputRefused for a file that has none, or is damaged."""
    content, binary = _chunks(path)
    try:
        nodes, skins = content.get("nodes", []), content.get("skins", [])
        if not skins:
            way_out = "Export the rig with its skin, or save the key points (docs/estimates.md)"
            raise InputRefused(path, "holds a mesh without a skeleton", way_out)
        parents = _parents(nodes)
        places = _world(nodes, parents)
        return [_skeleton(path, content, binary, skin, parents, places) for skin in skins]
    except InputRefused:
        raise
    except Exception as error:  # a file may say anything at any place
        said = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputRefused(path, f"cannot be read: it is not valid glTF ({said})", _AGAIN) from None


def holds_skeleton(path: Path) -> bool:
    """Whether a GLB file has a skin. InputRefused for a file that is damaged."""
    return bool(_chunks(path)[0].get("skins"))


def holds_animation(path: Path) -> bool:
    """Whether a GLB file moves; what it does over time is not read. InputRefused for a file that is damaged."""
    return bool(_chunks(path)[0].get("animations"))


def holds_props(path: Path) -> bool:
    """Whether a GLB file has meshes that no skeleton moves. InputRefused for a file that is damaged."""
    nodes = _chunks(path)[0].get("nodes", [])
    return any("mesh" in node and "skin" not in node for node in nodes if isinstance(node, dict))


def _chunks(path: Path) -> tuple[dict[str, Any], bytes]:
    data = read_bytes(path, MAX_BYTES)
    if not data.startswith(GLB_START) or len(data) < 20 or struct.unpack_from("<I", data, 4)[0] != 2:
        raise InputRefused(path, "is not a GLB file of glTF 2.0", _AGAIN)
    found: dict[int, bytes] = {}
    start = 12
    while start + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, start)
        if start + 8 + length > len(data):
            raise InputRefused(path, "was cut short", "Copy it again")
        found.setdefault(kind, data[start + 8 : start + 8 + length])
        start += 8 + length
    try:
        content = json.loads(found.get(_JSON, b""))
    except (ValueError, RecursionError):
        raise InputRefused(path, "cannot be read: its description is not JSON", _AGAIN) from None
    if not isinstance(content, dict):
        raise InputRefused(path, "cannot be read: its description is not an object", _AGAIN)
    return content, found.get(_BINARY, b"")


def _parents(nodes: list[dict[str, Any]]) -> list[int]:
    """Each node's parent, -1 for a root; ValueError where nodes hang in a ring."""
    if len(nodes) > MAX_NODES:
        raise ValueError(f"more than {MAX_NODES:,} nodes")
    parents = [-1] * len(nodes)
    for place, node in enumerate(nodes):
        for child in node.get("children", []):
            if parents[child] >= 0 or child < 0:
                raise ValueError(f"node {child} hangs from two others")
            parents[child] = place
    _in_order(parents)
    return parents


def _in_order(parents: list[int]) -> list[int]:
    """All places, parents first."""
    children: dict[int, list[int]] = {}
    for place, parent in enumerate(parents):
        children.setdefault(parent, []).append(place)
    order = list(children.get(-1, []))
    for place in order:  # grows while it is gone through
        order += children.get(place, [])
    if len(order) != len(parents):
        raise ValueError("nodes hang in a ring")
    return order


def _world(nodes: list[dict[str, Any]], parents: list[int]) -> Array:
    """(N, 4, 4): where each node stands."""
    world = np.tile(np.eye(4), (len(nodes), 1, 1))
    for place in _in_order(parents):
        node, local = nodes[place], np.eye(4)
        if "matrix" in node:
            local = np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
        else:
            turned = from_quaternion_xyzw(np.array(node.get("rotation", (0, 0, 0, 1)), dtype=np.float64).reshape(4))
            local[:3, :3] = turned * np.array(node.get("scale", (1, 1, 1)), dtype=np.float64).reshape(3)
            local[:3, 3] = np.array(node.get("translation", (0, 0, 0)), dtype=np.float64).reshape(3)
        world[place] = local if parents[place] < 0 else world[parents[place]] @ local
    return world


def _skeleton(
    path: Path, content: dict[str, Any], binary: bytes, skin: dict[str, Any], parents: list[int], places: Array
) -> BvhFile:
    """One skin's joints as a BVH file has them: offsets of the bound skeleton, and one frame of turns from it."""
    wanted = set(skin["joints"])
    order = [place for place in _in_order(parents) if place in wanted]
    if len(order) != len(skin["joints"]):
        raise ValueError("a joint stands twice in its skin")
    bound = dict(zip(skin["joints"], _bound(content, binary, skin, places), strict=True))
    above = [_joint_above(place, parents, wanted) for place in order]
    numbers = np.concatenate([np.stack([bound[place] for place in order]), places[order]])
    if not np.isfinite(numbers).all() or np.abs(numbers).max() > 1e6:
        raise InputRefused(path, "a joint stands nowhere, or kilometres away (NaN)", _AGAIN, str(skin.get("name", "")))
    turns = {
        place: nearest_rotation(places[place, :3, :3] @ np.linalg.inv(bound[place][:3, :3])) for place in order
    }  # of the joint from where it is bound to where it stands, in the world
    joints, values = [], []
    for place, parent in zip(order, above, strict=True):
        local = turns[place] if parent < 0 else turns[parent].T @ turns[place]
        offset = bound[place][:3, 3] - (0.0 if parent < 0 else bound[parent][:3, 3])
        name = str(content["nodes"][place].get("name") or f"node {place}")
        channels = _TURNS if parent >= 0 else (*_PLACES, *_TURNS)
        x, y, z = (float(part) for part in offset)
        joints.append(BvhJoint(name, order.index(parent) if parent >= 0 else -1, (x, y, z), channels, None))
        values += [*(() if parent >= 0 else places[place, :3, 3]), *np.degrees(to_euler("ZXY", local))]
    notes = ("the file's animation is not read, only how its skeleton stands",) if content.get("animations") else ()
    return BvhFile(str(path), tuple(joints), 1 / 30, np.array([values], dtype=np.float64), notes)


def _joint_above(place: int, parents: list[int], joints: set[int]) -> int:
    place = parents[place]
    while place >= 0 and place not in joints:
        place = parents[place]
    return place


def _bound(content: dict[str, Any], binary: bytes, skin: dict[str, Any], places: Array) -> Array:
    """(J, 4, 4): where the skin's joints are when it is bound; where they stand now if the file does not say."""
    if "inverseBindMatrices" not in skin:
        return places[skin["joints"]]
    accessor = content["accessors"][skin["inverseBindMatrices"]]
    view = content["bufferViews"][accessor["bufferView"]]
    count, start = len(skin["joints"]), int(view.get("byteOffset", 0)) + int(accessor.get("byteOffset", 0))
    if accessor["componentType"] != _FLOAT or accessor["type"] != "MAT4" or accessor["count"] < count or start < 0:
        raise ValueError("inverse bind matrices are not of floats, one for each joint")
    if int(view.get("byteStride", 64)) != 64:
        raise ValueError("inverse bind matrices are not packed")
    matrices = np.frombuffer(binary, "<f4", 16 * count, start).reshape(count, 4, 4)
    return np.linalg.inv(np.swapaxes(matrices, -1, -2).astype(np.float64))
