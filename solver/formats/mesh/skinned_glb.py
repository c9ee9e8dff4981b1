"""Writing bodies with their skeletons as GLB: rest skin and T-pose bind, poses as nodes, motions as one animation.

Metres, Y up, facing +Z, as glTF has it. trimesh writes no skins, and pygltflib packs no arrays, so all that a library
could do is JSON.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.files.atomic import write_bytes
from solver.formats.gltf.surfaces import KEPT
from solver.formats.mesh.glb import INDICES, VERTICES, GlbBuffer
from solver.formats.mesh.material import ROUGHNESS, linear
from solver.formats.mesh.mesh_file import Path, PlacedMesh, names_once
from solver.formats.told import Told, extras_of
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import quaternion_path_xyzw, to_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_names import written_names
from solver.values import ArrayValue, FloatArray, frozen_array

SET = 4  # joints of a vertex in one set of attributes


class _Curve(NamedTuple):
    """What moves a node. path: "translation" or "rotation". times: their accessor. values: (N, 3 or 4)."""

    node: int
    path: str
    times: int
    values: FloatArray


@dataclass(frozen=True, eq=False)
class Part(ArrayValue):
    """Some of a figure's faces, (F, 3), in one plain colour, "#rrggbb"."""

    name: str
    color: str
    faces: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class SkinnedFigure(ArrayValue):
    """Somebody with a skeleton. vertices: (V, 3) metres at rest. weights: (V, J), rows sum to 1.

    motion: all frames, for somebody who moves; the pose is what a viewer without animations shows. kept: (V, 3) metres,
    the vertices at rest by which the pose is shown, if bends change them; written as a shape that is switched on.
    told: the body, for this program to find it again.
    """

    name: str
    skeleton: Skeleton
    vertices: FloatArray
    weights: FloatArray
    parts: tuple[Part, ...]
    pose: Pose
    motion: Motion | None = None
    kept: FloatArray | None = None
    told: Told | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices, (None, 3), "vertices"))
        if self.kept is not None:
            object.__setattr__(self, "kept", frozen_array(self.kept, self.vertices.shape, "kept"))
        shape = (len(self.vertices), len(self.skeleton))
        object.__setattr__(self, "weights", frozen_array(self.weights, shape, "weights"))


def write_skinned_glb(
    path: str | os.PathLike[str],
    figures: Sequence[SkinnedFigure],
    names: str = "smpl",
    generator: str = "Contrapposto",
    things: Sequence[PlacedMesh] = (),
) -> None:
    """Write the figures as `skinned_glb` has them, all or nothing; InputRefused if they cannot be written."""
    write_bytes(path, skinned_glb(figures, names, generator, things))


def skinned_glb(
    figures: Sequence[SkinnedFigure],
    names: str = "smpl",
    generator: str = "Contrapposto",
    things: Sequence[PlacedMesh] = (),
) -> bytes:
    """The file's content. names: "smpl", "humanik" or "mixamo". things: what stands beside the figures, each a node.

    All motions are one animation from time 0, since Blender plays only the first of several and engines one at a time.
    Figures, their skins, materials and things have names of their own, numbered where two are called alike. Joints are
    called alike in every skeleton: Blender and Godot have bone names for each skeleton, and retarget by them.

    A vertex's four strongest joints come first; if any vertex has more, there is a second set of four, and so on, so
    that no weight is lost. A program that reads only the first set is off by some millimetres here and there.
    """
    buffer, curves = GlbBuffer(), list[_Curve]()
    content: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": generator},
        "scene": 0,
        "scenes": [{"nodes": []}],
        **{listed: [] for listed in ("nodes", "meshes", "materials", "skins")},
    }
    joints = [written_names(figure.skeleton.names, names) for figure in figures]
    node_name, material_name = names_once({name for each in joints for name in each}), names_once()
    for figure, called in zip(figures, joints, strict=True):
        own = node_name(figure.name)
        parts = [part.name if len(figures) == 1 else f"{own} {part.name}" for part in figure.parts]
        first = _add_figure(content, buffer, figure, (own, node_name(f"{own} body")), called)
        for part, name in zip(figure.parts, parts, strict=True):
            content["materials"].append(_material(material_name(name), part.color))
        curves += _figure_curves(figure.motion, figure.pose, first, buffer) if figure.motion is not None else []
    for thing in things:
        node, own = len(content["nodes"]), node_name(thing.name)
        content["scenes"][0]["nodes"].append(node)
        content["nodes"].append(_thing_node(thing, own, len(content["meshes"])))
        content["meshes"].append(_thing_mesh(thing, own, len(content["materials"]), buffer))
        content["materials"].append(_material(material_name(thing.name), thing.color))
        curves += _thing_curves(thing.path, node, buffer) if thing.path is not None else []
    if curves:
        content["animations"] = [_animation(curves, buffer)]
    return buffer.file(content)


def _add_figure(
    content: dict[str, Any], buffer: GlbBuffer, figure: SkinnedFigure, names: tuple[str, str], joints: tuple[str, ...]
) -> int:
    """Its nodes, mesh and skin, before its materials are added; the node of its first joint.

    names: of the node above the joints, and of the skinned mesh.
    """
    nodes, number = content["nodes"], len(content["skins"])
    root, (own, body) = len(nodes), names
    first, mesh = root + 1, len(content["meshes"])
    nodes += [{"name": own, "children": [first]}, *_joint_nodes(figure.skeleton, figure.pose, joints, first)]
    # A skinned mesh stands beside the skeleton, as nodes above it would not move it.
    content["scenes"][0]["nodes"] += [root, len(nodes)]
    nodes.append({"name": body, "mesh": mesh, "skin": number})
    content["meshes"].append(_mesh(figure, own, len(content["materials"]), buffer))
    content["skins"].append(
        {
            "name": own,
            "joints": [*range(first, first + len(joints))],
            "skeleton": first,
            "inverseBindMatrices": buffer.add(inverse_bind_matrices(figure.skeleton)),
            **({} if figure.told is None else {"extras": extras_of(figure.told)}),
        }
    )
    return first


def inverse_bind_matrices(skeleton: Skeleton) -> NDArray[np.float32]:
    """(J, 16) float32, column by column: from the body at rest into each joint's own frame."""
    matrices = np.tile(np.eye(4, dtype=np.float32), (len(skeleton), 1, 1))
    frames = skeleton.rest_frames
    if frames is not None:
        matrices[:, :3, :3] = np.swapaxes(frames, -1, -2)
    matrices[:, :3, 3] = -(matrices[:, :3, :3] @ skeleton.rest_positions[..., None])[..., 0]
    return np.swapaxes(matrices, -1, -2).reshape(-1, 16)


def joint_sets(weights: FloatArray) -> list[tuple[NDArray[Any], NDArray[np.float32]]]:
    """(V, J) weights as sets of four: joints (V, 4) and their weights (V, 4), the strongest first, 0 if none."""
    most = int((weights > 0).sum(axis=1).max())
    order = np.argsort(-weights, axis=1, kind="stable")
    sets = -(-most // SET)
    order = np.pad(order, ((0, 0), (0, max(0, SET * sets - order.shape[1]))))[:, : SET * sets]
    strongest = np.take_along_axis(weights.astype(np.float64), order, axis=1)
    strongest[:, weights.shape[1] :] = 0.0  # those added to fill the last set
    strongest = (strongest / strongest.sum(axis=1, keepdims=True)).astype(np.float32)
    joints = np.where(strongest > 0, order, 0).astype(np.uint8 if weights.shape[1] <= 256 else np.uint16)
    return [(joints[:, i : i + SET], strongest[:, i : i + SET]) for i in range(0, SET * sets, SET)]


def vertex_normals(vertices: FloatArray, faces: NDArray[np.int32]) -> NDArray[np.float32]:
    """(V, 3) unit normals, those of the faces around a vertex by their areas; up where there are none."""
    a, b, c = (vertices[faces[:, corner]].astype(np.float64) for corner in range(3))
    across, total = np.cross(b - a, c - a), np.zeros((len(vertices), 3))
    for axis in range(3):
        for corner in range(3):
            total[:, axis] += np.bincount(faces[:, corner], across[:, axis], len(vertices))
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.where(length > 0, total / np.maximum(length, 1e-30), [0.0, 1.0, 0.0]).astype(np.float32)


def _joint_nodes(skeleton: Skeleton, pose: Pose, names: tuple[str, ...], first: int) -> list[dict[str, Any]]:
    quaternions, nodes = to_quaternion_xyzw(pose.rotations), []
    for j, name in enumerate(names):
        place = pose.root_position if j == 0 else skeleton.offsets[j]
        node = {"name": name, "translation": place.tolist(), "rotation": np.float32(quaternions[j]).tolist()}
        if children := skeleton.children(j):
            node["children"] = [first + child for child in children]
        nodes.append(node)
    return nodes


def _mesh(figure: SkinnedFigure, name: str, material: int, buffer: GlbBuffer) -> dict[str, Any]:
    """material: of its first part; the others follow."""
    faces = np.concatenate([part.faces for part in figure.parts])
    attributes = {
        "POSITION": buffer.add(figure.vertices, VERTICES, bounds=True),
        "NORMAL": buffer.add(vertex_normals(figure.vertices, faces), VERTICES),
    }
    for number, (joints, weights) in enumerate(joint_sets(figure.weights)):
        attributes[f"JOINTS_{number}"] = buffer.add(joints, VERTICES)
        attributes[f"WEIGHTS_{number}"] = buffer.add(weights, VERTICES)
    mesh: dict[str, Any] = {
        "name": name,
        "primitives": [
            {
                "attributes": attributes,
                "indices": buffer.add(part.faces.astype(np.uint32).reshape(-1), INDICES),
                "material": number,
            }
            for number, part in enumerate(figure.parts, start=material)
        ],
    }
    if (
        figure.kept is not None
    ):  # normals stay those of the T-pose, as the pushed-out skin at rest is no surface to shade
        shape = {"POSITION": buffer.add(figure.kept - figure.vertices, VERTICES, bounds=True)}
        for primitive in mesh["primitives"]:
            primitive["targets"] = [shape]
        mesh |= {"weights": [1.0], "extras": {"targetNames": [KEPT]}}
    return mesh


def _thing_node(thing: PlacedMesh, name: str, mesh: int) -> dict[str, Any]:
    turn = np.float32(to_quaternion_xyzw(thing.turn)).tolist()
    return {"name": name, "mesh": mesh, "translation": thing.place.tolist(), "rotation": turn}


def _thing_mesh(thing: PlacedMesh, name: str, material: int, buffer: GlbBuffer) -> dict[str, Any]:
    primitive = {
        "attributes": {
            "POSITION": buffer.add(thing.vertices, VERTICES, bounds=True),
            "NORMAL": buffer.add(thing.normals, VERTICES),
        },
        "indices": buffer.add(thing.faces.astype(np.uint32).reshape(-1), INDICES),
        "material": material,
    }
    return {"name": name, "primitives": [primitive]}


def _material(name: str, color: str) -> dict[str, Any]:
    return {
        "name": name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*linear(color), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": ROUGHNESS,
        },
    }


def _figure_curves(motion: Motion, pose: Pose, first: int, buffer: GlbBuffer) -> list[_Curve]:
    """The root's path and the rotations of all joints that turn; the others stand as their nodes say. first: the node
    of the root."""
    times = _times(len(motion), motion.fps, buffer)
    curves = [_Curve(first, "translation", times, motion.root_positions)]
    quaternions = quaternion_path_xyzw(motion.rotations).astype(np.float32)
    turning = np.flatnonzero((motion.rotations != pose.rotations).any(axis=(0, 2, 3)))
    return curves + [_Curve(first + int(j), "rotation", times, quaternions[:, j]) for j in turning]


def _thing_curves(path: Path, node: int, buffer: GlbBuffer) -> list[_Curve]:
    times = _times(len(path.places), path.fps, buffer)
    quaternions = quaternion_path_xyzw(path.turns[:, None])[:, 0].astype(np.float32)
    return [_Curve(node, "translation", times, path.places), _Curve(node, "rotation", times, quaternions)]


def _times(count: int, fps: float, buffer: GlbBuffer) -> int:
    return buffer.add((np.arange(count) / fps).astype(np.float32), bounds=True)


def _animation(curves: Sequence[_Curve], buffer: GlbBuffer) -> dict[str, Any]:
    return {
        "name": "motion",
        "samplers": [
            {"input": each.times, "output": buffer.add(each.values), "interpolation": "LINEAR"} for each in curves
        ],
        "channels": [
            {"sampler": number, "target": {"node": each.node, "path": each.path}} for number, each in enumerate(curves)
        ],
    }
