"""Another body shape for a character that stands: its soles stay on the floor and its feet's effectors go along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.problem import body_of
from app.document.state import Character
from solver.body.body import Body, BodyShape
from solver.body.floor import keep_sole_on_floor, lowest_sole_point
from solver.ik.effectors import Effector, Position
from solver.kinematics.pose import rest_pose

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
    before, after = _heights(body, old), _heights(body, shape)
    return replace(
        character,
        shape=shape,
        pose=keep_sole_on_floor(body, old, shape, character.pose),
        base_pose=keep_sole_on_floor(body, old, shape, character.base_pose),
        effectors=tuple(_standing(effector, before, after) for effector in character.effectors),
    )


def _heights(body: Body, shape: BodyShape) -> dict[str, float]:
    """How high the joints of the feet are above the sole in rest, metres."""
    skeleton = body.skeleton(shape)
    sole = lowest_sole_point(body, shape, rest_pose(skeleton))
    return {name: float(skeleton.rest_positions[skeleton.index(name)][1]) - sole for name in FOOT_JOINTS}


def _standing(effector: Effector, before: dict[str, float], after: dict[str, float]) -> Effector:
    if not isinstance(effector, Position) or effector.joint not in FOOT_JOINTS:
        return effector
    old, new = before[effector.joint], after[effector.joint]
    if abs(float(effector.target[1]) - old) > STANDING or old == new:
        return effector
    return replace(effector, target=effector.target + np.array([0, new - old, 0], dtype=np.float32))
