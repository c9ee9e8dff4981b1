"""The nodes of a glTF file's rig turned as a motion of ours asks: what they are in their parents' spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.onto_rig import RigMotion
from solver.formats.gltf.nodes import REST, parents_first, with_all_above
from solver.formats.gltf.skeletons import GltfPeople
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_quaternion_xyzw, nearest_rotation, quaternion_path_xyzw, to_quaternion_xyzw

Array = NDArray[np.floating]
Parts = dict[str, Array]  # "translation", "rotation" (xyzw) and "scale" -> (F or 1, 3 or 4)

_TRIES = 30  # to turn a joint below one that is scaled differently along its axes
_NEAR = 1e-9


def still_parts(node: Mapping[str, Any]) -> Parts:
    """How a node stands in its parent's space; a matrix taken apart."""
    if "matrix" not in node:
        return {path: np.array(node.get(path, rest), np.float64).reshape(1, -1) for path, rest in REST.items()}
    matrix = np.array(node["matrix"], np.float64).reshape(4, 4).T
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    scale = np.where(scale > 0, scale, 1.0) * (-1.0 if np.linalg.det(matrix[:3, :3]) < 0 else 1.0)
    turn = to_quaternion_xyzw(nearest_rotation(matrix[:3, :3] / scale))
    return {"translation": matrix[None, :3, 3], "rotation": turn[None], "scale": scale[None]}


def posed_nodes(found: GltfPeople, person: BvhFile, rig: RigMotion, parents: list[int]) -> dict[int, Parts]:
    """For the person's joints and all nodes above them what they are in their parents' spaces, frame by frame.

    Joints of the rig's own stand in the frames of the file that the motion names, or as the file's nodes do.
    """
    places, nodes = person.places or (), found.gltf.content["nodes"]
    turns = {places[j]: turn for j, turn in rig.turns.items()}
    way = with_all_above(places, parents)
    parts = {node: still_parts(nodes[node]) for node in way}
    if rig.frames is not None and found.moved is not None and len(rig) == found.moved.frames:
        for node in way & found.moved.moved.keys():
            parts[node] |= found.moved.moved[node]
    carrier = places[rig.carrier]
    mover = None if rig.moved is None else mover_of(person, carrier, parents)
    world: dict[int, Array] = {}
    for node in parents_first(parents):
        if node not in way:
            continue
        above = world[parents[node]] if parents[node] >= 0 else found.above[None]
        if node in turns:
            turn = _turn(turns[node], above[:, :3, :3], parts[node]["scale"], found.bound[node][:3, :3])
            parts[node]["rotation"] = quaternion_path_xyzw(turn)
        if node == mover and rig.moved is not None:
            parts[node] |= _moved(parts[node], above, rig.moved)
        world[node] = above @ _matrices(parts[node])
    away = rig.hips - sum(world[places[leg]][:, :3, 3] for leg in rig.legs) / 2
    above = world[parents[carrier]] if parents[carrier] >= 0 else found.above[None]
    step = np.linalg.solve(np.broadcast_to(above[:, :3, :3], (len(away), 3, 3)), away[..., None])[..., 0]
    parts[carrier]["translation"] = parts[carrier]["translation"] + step
    return parts


def mover_of(person: BvhFile, carrier: int, parents: list[int]) -> int | None:
    """The topmost of the person's joints above the one that carries pelvis and chest, as nodes; None without one."""
    own, top, node = set(person.places or ()), None, parents[carrier]
    while node >= 0:
        top, node = node if node in own else top, parents[node]
    return top


def _moved(parts: Parts, above: Array, by: RigidMotion) -> Parts:
    """Of a node that is moved as a whole in the world, below spaces `above` (F or 1, 4, 4)."""
    back = np.linalg.inv(above[:, :3, :3])
    turn = nearest_rotation(back @ by.turn @ above[:, :3, :3]) @ from_quaternion_xyzw(parts["rotation"])
    place = (above[:, :3, :3] @ parts["translation"][..., None])[..., 0] + above[:, :3, 3]
    step = (back @ (by.points(place) - above[:, :3, 3])[..., None])[..., 0]
    return {"translation": step, "rotation": quaternion_path_xyzw(turn)}


def _matrices(parts: Parts) -> Array:
    """(F or 1, 4, 4)."""
    matrices = np.tile(np.eye(4), (max(map(len, parts.values())), 1, 1))
    matrices[:, :3, :3] = from_quaternion_xyzw(parts["rotation"]) * parts["scale"][:, None, :]
    matrices[:, :3, 3] = parts["translation"]
    return matrices


def _turn(wanted: Array, above: Array, scale: Array, bound: Array) -> Array:
    """(F, 3, 3): the rotation of a node by which it is turned so (in the world, from where it is bound)."""
    wanted = nearest_rotation(wanted)  # of single precision: else it could not be met as nearly as that
    size = np.where(np.abs(scale) > 0, scale, 1.0)
    unbound = size[:, :, None] * np.linalg.inv(bound)
    turn = nearest_rotation(np.linalg.inv(above) @ wanted @ np.linalg.inv(unbound))
    tries = _TRIES
    while tries and np.abs((off := _off(wanted, above @ turn @ unbound)) - np.eye(3)).max() >= _NEAR:
        turn = nearest_rotation(np.linalg.inv(above) @ off @ above @ turn)
        tries -= 1
    return turn


def _off(wanted: Array, reached: Array) -> Array:
    """(F, 3, 3): what is left to turn."""
    return np.asarray(wanted @ np.swapaxes(nearest_rotation(reached), -1, -2))
