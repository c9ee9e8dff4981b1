"""Effectors taken from a pose: made where the joint is, or moved along with it, so that nothing pulls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from app.document.identity import free_ids, next_effector_id
from app.document.loose import moved_to
from app.document.problem import joints_of, skeleton_of
from app.document.state import Character
from solver.errors import UnknownName
from solver.ik.effectors import EFFECTOR_TYPES, Effector, LookAt, Position, Rotation
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import BODY_PARTS, Skeleton
from solver.values import FloatArray

LOOK_DISTANCE = 1.0  # metres from the joint to a new look-at target


def new_effector(
    character: Character, kind: str, joint: str, id: str = "", tolerance: float = 0.0, loose: bool = False
) -> Effector:
    """An effector of that kind that holds the joint as it is now; a look-at's target lies 1 m ahead.

    loose: one that goes along with the joint instead. Raises UnknownName for a joint or a kind that does not exist.
    """
    if kind not in EFFECTOR_TYPES:
        raise UnknownName("kind of effector", kind, EFFECTOR_TYPES)
    skeleton = skeleton_of(character)
    j = skeleton.index(joint)
    world = joints_of(character)
    id = id or next_effector_id(character)
    position, rotation = world.positions[j], world.rotations[j]
    if kind == "position":
        return Position(joint, position, tolerance=tolerance, loose=loose, id=id)
    if kind == "rotation":
        return Rotation(joint, nearest_rotation(rotation), tolerance=tolerance, loose=loose, id=id)
    axis = look_axis(skeleton, joint)
    ahead = position + LOOK_DISTANCE * (rotation @ axis)
    return LookAt(joint, ahead, axis, tolerance=tolerance, loose=loose, id=id)


def new_effectors(character: Character, kind: str, joints: Iterable[str]) -> tuple[Effector, ...]:
    """One effector for each joint as `new_effector` makes it, each with an id of its own."""
    made: list[Effector] = []
    for joint in joints:
        made.append(new_effector(character, kind, joint))
        character = replace(character, effectors=(*character.effectors, made[-1]))
    return tuple(made)


def look_axis(skeleton: Skeleton, joint: str) -> FloatArray:
    """(3,) unit axis in the joint's frame with which it points: along the bone for arms, straight ahead otherwise."""
    if any(joint in BODY_PARTS[part] for part in ("left arm", "right arm")):
        j = skeleton.index(joint)
        children = skeleton.children(j)
        bone = skeleton.offsets[children[0] if children else j]
        length = float(np.linalg.norm(bone))
        if length > 1e-4:
            return np.asarray(bone / length, dtype=np.float32)
    return np.array([0.0, 0.0, 1.0], dtype=np.float32)


def following(character: Character, pose: Pose) -> Character:
    """The character in `pose`, base pose too, every effector moved to where that pose has it: a solve changes nothing.

    Look-at targets keep their distance. What the solver remembered is forgotten: it belongs to another pose.
    """
    skeleton = skeleton_of(character)
    before, after = forward_kinematics(skeleton, character.pose), forward_kinematics(skeleton, pose)
    effectors = tuple(moved_to(effector, skeleton, before, after) for effector in character.effectors)
    return replace(
        character, pose=pose, base_pose=pose, effectors=effectors, solver_state=None, residuals=(), elapsed_s=0.0
    )


def with_ids(effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The effectors, those without an id or with a repeated one given a fresh id."""
    fresh = free_ids("e", (effector.id for effector in effectors))
    seen: set[str] = set()
    result = []
    for effector in effectors:
        id = effector.id if effector.id and effector.id not in seen else next(fresh)
        seen.add(id)
        result.append(effector if id == effector.id else replace(effector, id=id))
    return tuple(result)
