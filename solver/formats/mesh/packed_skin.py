"""A character's skin and rig as a small GLB file: without pictures, animations, shapes and other people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.mapping import foreign_skeleton
from solver.formats.gltf.nodes import REST
from solver.formats.gltf.skeletons import GltfPeople, node_names
from solver.formats.gltf.surfaces import Surface, surfaces_of
from solver.formats.mesh.glb import INDICES, VERTICES, GlbBuffer
from solver.rig.joint_map_file import labels_of
from solver.rig.roles import Role

OURS = "contrapposto"  # among the file's extras: the node of the pelvis, and the joint map where somebody gave it
PELVIS, JOINTS = "person", "joints"
_BOUND = "inverseBindMatrices"
_SIDES = [{"name": "one side"}, {"name": "both sides", "doubleSided": True}]
_MOST = 65535  # of a colour's whole numbers


def packed_skin(found: GltfPeople, person: BvhFile) -> bytes | None:
    """The content of a GLB file with what is drawn of one of a file's people; None for somebody without a surface.

    Nodes, skins and binds stand as in the file, so that the rig is posed as the file's own is. Each vertex has its
    plain colour. InputRefused for meshes that are damaged, packed in a way that is not read, or too large.
    """
    surfaces = surfaces_of(found, person)
    if not surfaces:
        return None
    content, places = found.gltf.content, set(person.places or ())
    skins = content.get("skins", [])
    kept = [number for number, skin in enumerate(skins) if not places.isdisjoint(skin["joints"])]
    buffer = GlbBuffer()
    names = node_names(found.gltf)
    nodes = [_node(node, names.get(number, ""), kept) for number, node in enumerate(content["nodes"])]
    meshes: list[dict[str, Any]] = []
    for number in dict.fromkeys(surface.node for surface in surfaces):
        nodes[number]["mesh"] = len(meshes)
        meshes.append({"primitives": [_primitive(s, buffer) for s in surfaces if s.node == number]})
    ours: dict[str, Any] = {PELVIS: places_of(person)[person.joint_map.joints[Role.PELVIS]]}
    if person.given is not None:
        ours[JOINTS] = labels_of(foreign_skeleton(person), person.given)
    packed: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "Contrapposto"},
        "nodes": nodes,
        "skins": [_skin(skins[number], found, buffer) for number in kept],
        "meshes": meshes,
        "materials": _SIDES,
        "extras": {OURS: ours},
    }
    if "VRM" in (content.get("extensions") or {}):
        packed["extensions"] = {"VRM": {}}  # by which people before version 1 are known to face the other way
    return buffer.file(packed)


def places_of(person: BvhFile) -> tuple[int, ...]:
    """The nodes of a person's joints."""
    assert person.places is not None, "the joints of a glTF file are nodes"
    return person.places


def _node(node: Mapping[str, Any], name: str, kept: Sequence[int]) -> dict[str, Any]:
    packed = {key: node[key] for key in ("children", "matrix", *REST) if key in node}
    if name:
        packed["name"] = name
    if node.get("skin") in kept:
        packed["skin"] = kept.index(node["skin"])
    return packed


def _skin(skin: Mapping[str, Any], found: GltfPeople, buffer: GlbBuffer) -> dict[str, Any]:
    packed = {key: skin[key] for key in ("name", "joints") if key in skin}
    if _BOUND in skin:
        packed[_BOUND] = buffer.add(found.gltf.numbers(skin[_BOUND], "MAT4").astype(np.float32))
    return packed


def _primitive(surface: Surface, buffer: GlbBuffer) -> dict[str, Any]:
    count = len(surface.vertices)
    attributes = {"POSITION": buffer.add(surface.vertices.astype(np.float32), VERTICES, bounds=True)}
    if surface.normals is not None:
        attributes["NORMAL"] = buffer.add(surface.normals.astype(np.float32), VERTICES)
    for number in range(surface.joints.shape[1] // 4):
        four = slice(4 * number, 4 * number + 4)
        joints, weights = surface.joints[:, four], surface.weights[:, four]
        if number and not weights.any():
            break
        attributes[f"JOINTS_{number}"] = buffer.add(joints.astype(_least(joints)), VERTICES)
        attributes[f"WEIGHTS_{number}"] = buffer.add(weights.astype(np.float32), VERTICES)
    colors = np.column_stack([surface.colors, np.ones(count)])
    attributes["COLOR_0"] = buffer.add(np.round(_MOST * colors).astype(np.uint16), VERTICES, shares=True)
    kind = np.uint16 if count <= _MOST else np.uint32
    return {
        "attributes": attributes,
        "indices": buffer.add(surface.faces.reshape(-1).astype(kind), INDICES),
        "material": int(surface.two_sided),
    }


def _least(joints: NDArray[np.intp]) -> type[np.uint8] | type[np.uint16]:
    return np.uint8 if joints.max(initial=0) < 256 else np.uint16
