"""The surfaces of a glTF file that a person's skeleton moves: triangles, their joints and their plain colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.gltf.content import Gltf, refusing_damage
from solver.formats.gltf.nodes import node_parents
from solver.formats.gltf.skeletons import GltfPeople
from solver.formats.gltf.vertex_colors import VertexColors
from solver.size_limits import MAX_SKIN_TRIANGLES

Array = NDArray[np.floating]
Numbers = NDArray[np.intp]

KEPT = "kept volume"  # a shape key of our exports: it belongs to the pose that they were written in
_TRIANGLES = 4  # the mode of a primitive
_NO_WEIGHTS: Array = np.zeros((1, 0))
_MOST_READ = 10_000_000  # vertices of all parts together, which may share them
_SETS = 4  # of four joints for each vertex
_REDUCE = f"Reduce it to {MAX_SKIN_TRIANGLES:,} or fewer, in Blender with the Decimate modifier"


class Surface(NamedTuple):
    """Part of a mesh. node: where the file shows it. skin: the number of the skin that moves it; None for a surface
    that goes along with its node.

    vertices: (V, 3) in the space in which it is bound, or of its node. normals: (V, 3), None where the file has none.
    faces: (F, 3). joints: (V, N) numbers among the skin's joints. weights: (V, N), rows sum to 1. colors: (V, 3),
    linear. two_sided: whether it is seen from both sides.
    """

    node: int
    skin: int | None
    vertices: Array
    normals: Array | None
    faces: Numbers
    joints: Numbers
    weights: Array
    colors: Array
    two_sided: bool

    def compact(self) -> Surface:
        """The surface with the vertices that its faces use, in their order."""
        used, corners = np.unique(self.faces, return_inverse=True)
        return self._replace(
            vertices=self.vertices[used],
            normals=None if self.normals is None else self.normals[used],
            faces=corners.reshape(-1, 3),
            joints=self.joints[used],
            weights=self.weights[used],
            colors=self.colors[used],
        )


def surfaces_of(found: GltfPeople, person: BvhFile) -> list[Surface]:
    """The surfaces of one of a file's people: what their skins move, and what hangs from their joints.

    InputRefused for a file whose meshes are damaged, packed in a way that is not read, or too large.
    """
    with refusing_damage(found.gltf.path, "its meshes cannot be read: they are not valid ({})"):
        return _surfaces(found, person)


def holds_props(found: GltfPeople) -> bool:
    """Whether a file has meshes that no skeleton moves."""
    nodes = found.gltf.content["nodes"]
    carried = _carried_by(set(found.bound), node_parents(nodes))
    return any("mesh" in node and "skin" not in node for number, node in enumerate(nodes) if number not in carried)


def _surfaces(found: GltfPeople, person: BvhFile) -> list[Surface]:
    gltf, places = found.gltf, set(person.places or ())
    content = gltf.content
    nodes, skins, meshes = content["nodes"], content.get("skins", []), content.get("meshes", [])
    carried, colors = _carried_by(places, node_parents(nodes)), VertexColors(gltf)
    surfaces: list[Surface] = []
    triangles = vertices = 0
    for number, node in enumerate(nodes):
        skin = node.get("skin")
        mine = number in carried if skin is None else not places.isdisjoint(skins[skin]["joints"])
        if "mesh" not in node or not mine:
            continue
        mesh = meshes[node["mesh"]]
        for primitive in mesh["primitives"]:
            if primitive.get("mode", _TRIANGLES) != _TRIANGLES:
                continue
            triangles += _triangles_in(content, primitive)
            vertices += int(content["accessors"][primitive["attributes"]["POSITION"]]["count"])
            if triangles > MAX_SKIN_TRIANGLES or vertices > _MOST_READ:
                raise InputRefused(
                    gltf.path, f"has more than {MAX_SKIN_TRIANGLES:,} triangles, too many to be posed", _REDUCE
                )
            shapes = [0.0 if name == KEPT else weight for name, weight in shapes_of(mesh, node)]
            surface = _surface(gltf, number, skin, primitive, shapes, colors)
            if surface is not None and (mine_of := _of_person(surface, skins, places)) is not None:
                surfaces.append(mine_of.compact())
    return surfaces


def shapes_of(mesh: Mapping[str, Any], node: Mapping[str, Any]) -> list[tuple[str, float]]:
    """A mesh's shape keys as a node shows it: their names, "" where the file gives none, and their weights."""
    weights = node.get("weights", mesh.get("weights", ()))
    names = (mesh.get("extras") or {}).get("targetNames") or ()
    return [(str(names[i]) if i < len(names) else "", float(weight)) for i, weight in enumerate(weights)]


def _carried_by(places: set[int], parents: Sequence[int]) -> set[int]:
    """These nodes and all below them."""
    carried = set(places)
    for start in range(len(parents)):
        way, node = [], start
        while node >= 0 and node not in carried:
            way.append(node)
            node = parents[node]
        if node >= 0:
            carried.update(way)
    return carried


def _triangles_in(content: Mapping[str, Any], primitive: Mapping[str, Any]) -> int:
    corners = primitive.get("indices", primitive["attributes"]["POSITION"])
    return int(content["accessors"][corners]["count"]) // 3


def _surface(
    gltf: Gltf,
    node: int,
    skin: int | None,
    primitive: Mapping[str, Any],
    shapes: Sequence[float],
    colors: VertexColors,
) -> Surface | None:
    """One primitive; None for one without triangles, or that is wholly transparent."""
    attributes = primitive["attributes"]
    vertices: Array = gltf.numbers(attributes["POSITION"], "VEC3")
    for weight, target in zip(shapes, primitive.get("targets", ()), strict=False):
        if weight and "POSITION" in target:
            vertices = vertices + weight * gltf.numbers(target["POSITION"], "VEC3")
    count = len(vertices)
    normals = gltf.numbers(attributes["NORMAL"], "VEC3") if "NORMAL" in attributes else None
    told = primitive.get("indices")
    corners = np.arange(count) if told is None else _whole(gltf.rows(told, "SCALAR"))[:, 0]
    faces = corners[: len(corners) // 3 * 3].reshape(-1, 3)
    seen = colors.of(primitive, count)
    if not len(faces) or seen is None:
        return None
    if faces.max() >= count or not np.isfinite(vertices).all() or (normals is not None and len(normals) != count):
        raise ValueError("a triangle has a corner that is not there")
    joints, weights = np.zeros((count, 0), np.intp), _NO_WEIGHTS.repeat(count, axis=0)
    if skin is not None:
        joints, weights = _borne(gltf, attributes, count, len(gltf.content["skins"][skin]["joints"]))
    return Surface(node, skin, vertices, normals, faces, joints, weights, seen.colors, seen.two_sided)


def _borne(gltf: Gltf, attributes: Mapping[str, Any], count: int, most: int) -> tuple[Numbers, Array]:
    """(V, N) joints and their weights, whose rows sum to 1; all on the first joint for a vertex without any."""
    sets = [number for number in range(_SETS) if f"JOINTS_{number}" in attributes]
    joints = np.concatenate([_whole(gltf.rows(attributes[f"JOINTS_{n}"], "VEC4")) for n in sets], axis=1)
    weights: Array = np.concatenate([gltf.numbers(attributes[f"WEIGHTS_{n}"], "VEC4") for n in sets], axis=1)
    weights = np.maximum(np.nan_to_num(weights, posinf=0.0), 0.0)
    weights[weights.sum(axis=1) <= 0.0, 0] = 1.0
    joints[weights == 0.0] = 0
    if len(joints) != count or len(weights) != count or joints.max() >= most:
        raise ValueError("a vertex hangs on a joint that is not there")
    return joints, weights / weights.sum(axis=1, keepdims=True)


def _whole(rows: NDArray[Any]) -> Numbers:
    if rows.dtype.kind != "u":
        raise ValueError("numbers of vertices or joints are not whole numbers")
    return rows.astype(np.intp)


def _of_person(surface: Surface, skins: Sequence[Mapping[str, Any]], places: set[int]) -> Surface | None:
    """The surface without the triangles that joints of somebody else carry, if people share a skin; None if those are
    all."""
    if surface.skin is None:
        return surface
    mine = np.array([node in places for node in skins[surface.skin]["joints"]])
    if mine.all():
        return surface
    strongest = np.take_along_axis(surface.joints, surface.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
    faces = surface.faces[mine[strongest][surface.faces].all(axis=1)]
    return surface._replace(faces=faces) if len(faces) else None
