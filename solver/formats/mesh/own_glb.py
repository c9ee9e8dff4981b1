"""Writing a glTF file again with its own meshes, skins, materials and pictures, its rig posed by a motion of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.onto_rig import RigMotion
from solver.formats.gltf.compression import refuse_compressed
from solver.formats.gltf.content import Gltf, refusing_damage
from solver.formats.gltf.nodes import node_parents
from solver.formats.gltf.posed_nodes import Parts, mover_of, posed_nodes, still_parts
from solver.formats.gltf.skeletons import GltfPeople
from solver.formats.gltf.surfaces import KEPT, shapes_of
from solver.formats.mesh.glb import GlbBuffer

_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}


class _Moved(NamedTuple):
    node: int
    path: str
    values: NDArray[np.floating]  # (F, 3 or 4), a single row where nothing moves


def glb_onto(found: GltfPeople, person: BvhFile, rig: RigMotion) -> bytes:
    """The content of a GLB file: the file that was read, with one of its people in the motion.

    A single frame is a pose: the nodes stand in it. More frames are an animation. It comes first, where other programs
    and this one look; the file's own animations stay behind it under their names. A pose is written as an animation of
    one frame as well where they would hide it, and as that alone where the nodes are the rest pose, as of bones without
    a skin. Buffers stay byte for byte; what lies beside a .gltf file comes within.
    """
    with refusing_damage(found.gltf.path, "cannot be written again: {}"):
        content, buffer = _packed(found.gltf)
        places, parents = person.places or (), node_parents(content["nodes"])
        parts = posed_nodes(found, person, rig, parents)
        mover = None if rig.moved is None else mover_of(person, places[rig.carrier], parents)
        posed = [(places[j], "rotation") for j in rig.turns] + [(places[rig.carrier], "translation")]
        posed += [] if mover is None else [(mover, "translation"), (mover, "rotation")]
        _write(content, buffer, parts, posed, rig)
        return buffer.file(content)


def _write(
    content: dict[str, Any],
    buffer: GlbBuffer,
    parts: Mapping[int, Parts],
    posed: Sequence[tuple[int, str]],
    rig: RigMotion,
) -> None:
    """posed: nodes, and which of their parts the rig poses."""
    nodes, animations = content["nodes"], content.get("animations") or []
    _switch_kept_volume_off(content.get("meshes", ()), nodes)
    known = {(c["target"].get("node"), c["target"].get("path")) for one in animations for c in one["channels"]}
    # Where an animation of the file moves a joint this one must as well, or the two would be mixed.
    others = [(node, path) for node in parts for path in parts[node] if (node, path) in known - {*posed}]
    if len(rig) == 1 and _bound_apart(content, [node for node, _ in posed]):
        for node, path in posed:
            _part(nodes[node])[path] = parts[node][path][0].tolist()
        if not any((node, path) in known for node in parts for path in parts[node]):
            return
    for node in parts:
        _part(nodes[node])
    moved = [_Moved(node, path, _shortened(parts[node][path])) for node, path in (*posed, *others)]
    name = _free_name("pose" if len(rig) == 1 else "motion", {str(one.get("name", "")) for one in animations})
    content["animations"] = [_animation(name, moved, rig.fps, buffer), *animations]


def _switch_kept_volume_off(meshes: Sequence[dict[str, Any]], nodes: Sequence[dict[str, Any]]) -> None:
    """Switch off the shape that our own exports have for the pose in which they were written: it fits no other."""
    for mesh in meshes:
        users = [node for node in nodes if "weights" in node and meshes[node.get("mesh", 0)] is mesh]
        for holder in (mesh, *users):
            if any(name == KEPT and weight for name, weight in shapes_of(mesh, holder)):
                told = shapes_of(mesh, holder)
                holder["weights"] = [0.0 if name == KEPT else weight for name, weight in told]


def _bound_apart(content: Mapping[str, Any], joints: Sequence[int]) -> bool:
    """Whether a skin says where joints are when it is bound, so that nodes may stand otherwise."""
    skins = [skin for skin in content.get("skins", ()) if not set(joints).isdisjoint(skin["joints"])]
    return bool(skins) and all("inverseBindMatrices" in skin for skin in skins)


def _part(node: dict[str, Any]) -> dict[str, Any]:
    """The node with its parts in place of a matrix, which may not be animated."""
    if "matrix" in node:
        node |= {path: values[0].tolist() for path, values in still_parts(node).items()}
        del node["matrix"]
    return node


def _shortened(values: NDArray[np.floating]) -> NDArray[np.floating]:
    return values[:1] if (values == values[:1]).all() else values


def _free_name(name: str, taken: set[str]) -> str:
    return next(free for number in count(1) if (free := name if number == 1 else f"{name} {number}") not in taken)


def _animation(name: str, moved: Sequence[_Moved], fps: float, buffer: GlbBuffer) -> dict[str, Any]:
    times: dict[int, int] = {}
    samplers, channels = [], []
    for number, (node, path, values) in enumerate(moved):
        if len(values) not in times:
            times[len(values)] = buffer.add((np.arange(len(values)) / fps).astype(np.float32), bounds=True)
        output = buffer.add(values.astype(np.float32))
        samplers.append({"input": times[len(values)], "output": output, "interpolation": "LINEAR"})
        channels.append({"sampler": number, "target": {"node": node, "path": path}})
    return {"name": name, "samplers": samplers, "channels": channels}


def _packed(gltf: Gltf) -> tuple[dict[str, Any], GlbBuffer]:
    """The file's description, to be changed, and all its buffers and pictures as one buffer, its own one in front."""
    content = deepcopy(gltf.content)
    buffers, views = content.get("buffers", []), content.get("bufferViews", [])
    binary = gltf.binary
    if len(buffers) > 1 or any("uri" in told for told in buffers):
        packed = next((name for view in views for name in view.get("extensions", {}) if "compression" in name), "")
        if packed:
            raise refuse_compressed(gltf.path, packed)
        joined, begins = bytearray(), []
        for place in range(len(buffers)):
            joined += bytes(-len(joined) % 4)
            begins.append(len(joined))
            joined += gltf.buffer(place)
        for view in views:
            view["byteOffset"] = begins[view["buffer"]] + view.get("byteOffset", 0)
            view["buffer"] = 0
        content["buffers"] = [{key: value for key, value in buffers[0].items() if key != "uri"}]
        binary = bytes(joined)
    buffer, within = GlbBuffer(content, binary), dict[str, dict[str, Any]]()
    for image in content.get("images", ()):
        uri = str(image.get("uri", "data:"))
        if not uri.startswith("data:"):
            if uri not in within:  # a file may name one picture many times
                data = gltf.beside(uri)
                mime = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), "image/png")
                within[uri] = {"bufferView": buffer.add_bytes(data), "mimeType": mime}
            image.update(within[uri])
            del image["uri"]
    return content, buffer
