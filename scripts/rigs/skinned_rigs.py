"""Characters of other makes as GLB files, for studies and tests: any rig of foreign_rigs.txt, in any proportions.

Every joint carries a block of skin that reaches to the next ones. Bones point as bound, with a frame of their own at
each joint, as programs export them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.rigs.foreign_rigs import Rest, Rig, rest_turn, rig_places, roles_above
from solver.formats.mesh.glb import INDICES, VERTICES, GlbBuffer
from solver.kinematics.rotations import from_rotation_vector, to_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import LEGS, Role

Array = NDArray[np.float64]
CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
THICK = 0.03  # metres, half a block
SOLE = 0.08  # metres of skin below an ankle
# How many times as long as ours the bones to these joints are; "hip" and "shoulder" make them broad.
PROPORTIONS: Mapping[str, Mapping[str, float]] = {
    "ours": {},
    "mannequin": {"knee": 1.06, "ankle": 0.97, "hip": 1.18, "elbow": 1.08, "wrist": 0.96, "shoulder": 1.12},
    "long legs": {"knee": 1.25, "ankle": 1.3, "elbow": 1.1, "wrist": 1.12, "hip": 0.85},
    "toon": {"knee": 0.6, "ankle": 0.5, "hip": 1.5, "elbow": 0.7, "wrist": 0.6, "shoulder": 0.8, Role.HEAD: 1.8},
    "ape": {"knee": 0.75, "ankle": 0.7, "hip": 1.2, "elbow": 1.35, "wrist": 1.4, "shoulder": 1.35, Role.SPINE2: 1.2},
}  # fmt: skip


class Binding(NamedTuple):
    """How a file holds a rig. rest: how the limbs are bound. unit: of its nodes to a metre. armature: (3,) scale of the
    node above the root. upright: (3, 3), from our axes to those below that node. size: times as large as a person."""

    rest: Rest = Rest()
    unit: float = 1.0
    armature: tuple[float, float, float] = (1.0, 1.0, 1.0)
    upright: NDArray[np.floating] = np.eye(3)
    size: float = 1.0
    extensions: Mapping[str, Any] = {}


_PLAIN = Binding()


def in_proportions(skeleton: Skeleton, longer: Mapping[str, float]) -> Skeleton:
    """The skeleton with bones as many times as long."""
    offsets = np.array(skeleton.offsets, np.float64)
    for j, name in enumerate(skeleton.names):
        offsets[j] *= longer.get(Role(name).part, 1.0)
    return Skeleton(skeleton.names, skeleton.parents, offsets.astype(np.float32))


def glb_rig(rig: Rig, skeleton: Skeleton, binding: Binding = _PLAIN, seed: int = 0) -> bytes:
    """The file's content. seed: of how the joints' frames are turned."""
    content, buffer = glb_content(rig, skeleton, binding, seed)
    return buffer.file(content)


def glb_content(
    rig: Rig, skeleton: Skeleton, binding: Binding = _PLAIN, seed: int = 0
) -> tuple[dict[str, Any], GlbBuffer]:
    """What the file says, and its arrays."""
    places, turns = _bound(rig, skeleton, binding)
    rng = np.random.default_rng(seed)
    frames = turns @ from_rotation_vector(rng.normal(size=(len(places), 3)))
    nodes: list[dict[str, Any]] = [_armature(binding)]
    for j, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        back = frames[parent].T if parent >= 0 else np.eye(3)
        step = places[j] - (places[parent] if parent >= 0 else 0.0)
        local = {"translation": (back @ step).tolist(), "rotation": to_quaternion_xyzw(back @ frames[j]).tolist()}
        nodes.append({"name": name, **local})
        if below := [k + 1 for k, above in enumerate(rig.parents) if above == j]:
            nodes[-1]["children"] = below
    buffer, inverse = GlbBuffer(), np.tile(np.eye(4), (len(places), 1, 1))
    inverse[:, :3, :3] = np.swapaxes(frames, 1, 2)
    inverse[:, :3, 3] = -np.einsum("jik,ji->jk", frames, places)
    nodes.append({"name": "body", "mesh": 0, "skin": 0})
    content = {
        "asset": {"version": "2.0", "generator": "scripts.rigs.skinned_rigs"},
        "scene": 0,
        "scenes": [{"nodes": [0, len(nodes) - 1]}],
        "nodes": nodes,
        "skins": [
            {
                "joints": [*range(1, 1 + len(places))],
                "inverseBindMatrices": buffer.add(np.swapaxes(inverse, 1, 2).reshape(-1, 16).astype(np.float32)),
            }
        ],
        "meshes": [{"primitives": [_blocks(buffer, rig, places, binding)]}],
        **binding.extensions,
    }
    return content, buffer


def _armature(binding: Binding) -> dict[str, Any]:
    turn = to_quaternion_xyzw(binding.upright.T)
    return {"name": "Armature", "children": [1], "scale": list(binding.armature), "rotation": turn.tolist()}


def _bound(rig: Rig, skeleton: Skeleton, binding: Binding) -> tuple[Array, Array]:
    """(J, 3) places in the nodes' unit and axes, and (J, 3, 3) how each joint is turned from our T-pose."""
    straight = rig_places(rig, skeleton)
    ankles = [straight[j, 1] for j, role in enumerate(rig.roles) if role in [leg.end for leg in LEGS]]
    straight -= [0.0, min(ankles) - SOLE, 0.0]
    places, turns = np.zeros_like(straight), np.empty((len(straight), 3, 3))
    for j, parent in enumerate(rig.parents):
        turns[j] = rest_turn(next((role for role in roles_above(rig, j) if role), ""), binding.rest).T
        step = straight[j] - straight[parent] if parent >= 0 else straight[j]
        places[j] = places[parent] + turns[parent] @ step if parent >= 0 else step
    axes = binding.upright @ binding.rest.turned
    return binding.unit * binding.size * places @ axes.T, axes @ turns


def _blocks(buffer: GlbBuffer, rig: Rig, places: Array, binding: Binding) -> dict[str, Any]:
    metre = binding.unit * binding.size
    down = -binding.upright[:, 1] * SOLE * metre
    points, carried = [], []
    for j, role in enumerate(rig.roles):
        ends = [places[k] for k, above in enumerate(rig.parents) if above == j] or [places[j]]
        ends = [*ends, places[j] + down] if role.endswith("ankle") else ends
        for end in ends:
            low, high = np.minimum(places[j], end) - THICK * metre, np.maximum(places[j], end) + THICK * metre
            points.append((low + high) / 2 + CORNERS * (high - low) / 2)
            carried += [j] * len(CORNERS)
    joints = np.zeros((len(carried), 4), np.uint16)
    joints[:, 0] = carried
    faces = np.concatenate([FACES + len(CORNERS) * number for number in range(len(points))])
    return {
        "attributes": {
            "POSITION": buffer.add(np.concatenate(points).astype(np.float32), VERTICES, bounds=True),
            "JOINTS_0": buffer.add(joints, VERTICES),
            "WEIGHTS_0": buffer.add(np.eye(4, dtype=np.float32)[np.zeros(len(carried), int)], VERTICES),
        },
        "indices": buffer.add(faces.astype(np.uint32).reshape(-1), INDICES),
    }
