"""From anny's A-pose to an exact T-pose, person by person, by plain skinning."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from solver.body.build.source import People
from solver.body.whole_rig import FINGER_JOINTS, SMPLX_JOINTS, smplx_parents
from solver.kinematics.rotations import from_rotation_vector, rotation_between

Array = NDArray[np.float64]

_J = {name: j for j, name in enumerate(SMPLX_JOINTS)}
_COUNT = len(SMPLX_JOINTS)
_X, _DOWN = np.array([1.0, 0, 0]), np.array([0, -1.0, 0])


def to_t_pose(people: People, weights: Array) -> People:
    """People turned from the A-pose into a T-pose: arms along ±X, palms down, legs along -Y and feet as they were.

    weights: (V, 55). Moves everyone so that the pelvis stands over the origin and the lowest vertex at y = 0.
    """
    vertices, joints = np.empty_like(people.vertices), np.empty_like(people.joints)
    for n, (rest, heads) in enumerate(zip(people.vertices, people.joints, strict=True)):
        vertices[n], joints[n] = posed_people(rest, heads, weights, _t_rotations(heads))
        shift = np.array([joints[n, 0, 0], vertices[n, :, 1].min(), joints[n, 0, 2]])
        vertices[n] -= shift
        joints[n] -= shift
    return People(vertices, joints)


def _t_rotations(heads: Array) -> Array:
    """(55, 3, 3) world rotations from the A-pose to the T-pose."""
    world = np.broadcast_to(np.eye(3), (_COUNT, 3, 3)).copy()
    for side, outwards in (("left", _X), ("right", -_X)):
        chain = [_J[f"{side}_{joint_name}"] for joint_name in ("shoulder", "elbow", "wrist", "middle1")]
        turn = np.eye(3)
        for joint, end in itertools.pairwise(chain):
            turn = rotation_between(turn @ (heads[end] - heads[joint]), outwards) @ turn
            world[joint] = turn
        # Pronation: the elbow's crease and the palm, each about the arm's own axis, so that the arm stays straight.
        palm = _twist(turn @ _palm_normal(heads, side), outwards, _DOWN)
        world[chain[2]] = palm @ world[chain[2]]
        half = from_rotation_vector(_rotation_about(palm, outwards) * 0.5 * outwards)
        world[chain[1]] = half @ world[chain[1]]
        for finger in FINGER_JOINTS:
            if finger.startswith(side):
                world[_J[finger]] = world[chain[2]]
        for upper, lower in (("hip", "knee"), ("knee", "ankle")):
            world[_J[f"{side}_{upper}"]] = rotation_between(
                heads[_J[f"{side}_{lower}"]] - heads[_J[f"{side}_{upper}"]], _DOWN
            )
    return world


def _palm_normal(heads: Array, side: str) -> Array:
    """The direction that the palm faces in the rest pose."""
    along = heads[_J[f"{side}_middle1"]] - heads[_J[f"{side}_wrist"]]
    across = heads[_J[f"{side}_pinky1"]] - heads[_J[f"{side}_index1"]]
    normal = np.cross(across, along) if side == "left" else np.cross(along, across)
    return normal / np.linalg.norm(normal)


def _twist(direction: Array, axis: Array, target: Array) -> Array:
    """The rotation about `axis` that brings `direction` as near to `target` as it can."""
    flat = direction - (direction @ axis) * axis
    angle = np.arctan2(np.cross(flat, target) @ axis, flat @ target)
    return np.asarray(from_rotation_vector(angle * axis), dtype=np.float64)


def _rotation_about(rotation: Array, axis: Array) -> float:
    skew = np.array([rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]])
    return float(np.arctan2(skew @ axis / 2, (np.trace(rotation) - 1) / 2))


def posed_people(rest: Array, heads: Array, weights: Array, world: Array) -> tuple[Array, Array]:
    """Skins `rest` with world rotations; joints keep their distances."""
    joints = heads.copy()
    for j, p in enumerate(smplx_parents()):
        if p >= 0:
            joints[j] = joints[p] + world[p] @ (heads[j] - heads[p])
    translations = joints - np.einsum("jik,jk->ji", world, heads)
    blended = (weights @ world.reshape(_COUNT, 9)).reshape(-1, 3, 3)
    return np.einsum("vik,vk->vi", blended, rest) + weights @ translations, joints
