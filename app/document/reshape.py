"""Another body shape for a character that stands: its soles stay on the floor and its feet's effectors go along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.problem import body_of
from app.document.state import Character
from solver.body.body import BodyShape
from solver.body.floor import keep_sole_on_floor
from solver.ik.effectors import Effector, Position
from solver.kinematics.skeleton import Skeleton

FOOT_JOINTS = ("left_ankle", "right_ankle", "left_foot", "right_foot")
STANDING = 0.05  # metres: a foot's target this near to its height in rest stands on the floor


def reshaped(character: Character, shape: BodyShape) -> Character:
    """The character with another shape. Pose and base pose are lifted so that soles on the floor stay there.

    Effectors hold their targets, save for the feet that stand: their joints' height above the sole differs from body
    to body, and their targets rise or sink by that difference.
    """
    if shape == character.shape:
        return character
    body, old = body_of(character), character.shape
    before, after = body.skeleton(old), body.skeleton(shape)
    return replace(
        character,
        shape=shape,
        pose=keep_sole_on_floor(body, old, shape, character.pose),
        base_pose=keep_sole_on_floor(body, old, shape, character.base_pose),
        effectors=tuple(_standing(effector, before, after) for effector in character.effectors),
    )


def _standing(effector: Effector, before: Skeleton, after: Skeleton) -> Effector:
    if not isinstance(effector, Position) or effector.joint not in FOOT_JOINTS:
        return effector
    j = before.index(effector.joint)
    old, new = float(before.rest_positions[j][1]), float(after.rest_positions[j][1])
    if abs(float(effector.target[1]) - old) > STANDING or old == new:
        return effector
    return replace(effector, target=effector.target + np.array([0, new - old, 0], dtype=np.float32))
