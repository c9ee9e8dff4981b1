"""How a label says how fingers are held: as SMPL-X does, whose fingers hang from the wrists."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from solver.body.hands import Hands, hands_at_rest
from solver.body.whole_rig import FINGER_JOINTS, HANDS, carrier
from solver.files.json_checks import Node
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

LARGEST_TURN = 2 * math.pi  # of any joint of a label, radians
KEYS = ("left_hand_pose", "right_hand_pose")
WIDTH = 45  # of each: 15 joints
_FIRST = np.array([carrier(joint) in HANDS for joint in FINGER_JOINTS])
_CARRIERS = [SMPL_JOINTS.index(carrier(joint)) for joint in FINGER_JOINTS if carrier(joint) in HANDS]


def fingers_of(character: Character) -> dict[str, list[float]]:
    """(45) turns of each hand's finger joints in SMPL-X's order, axis times angle."""
    turns = (character.hands or hands_at_rest()).rotations.astype(np.float64)
    turns[_FIRST] = character.pose.rotations[_CARRIERS] @ turns[_FIRST]
    return dict(zip(KEYS, to_rotation_vector(turns).reshape(2, WIDTH).tolist(), strict=True))


def hands_in(node: Node, pose: Pose) -> Hands | None:
    """The hands of a label's person in `pose`; None where the label does not say. InputRefused otherwise."""
    nodes = [node.get(key) for key in KEYS]
    if nodes == [None, None]:
        return None
    vectors: list[NDArray[np.float64]] = [node[key].vector(WIDTH, LARGEST_TURN) for key in KEYS]
    turns = np.asarray(from_rotation_vector(np.reshape(vectors, (-1, 3))), dtype=np.float64)
    turns[_FIRST] = np.swapaxes(pose.rotations[_CARRIERS].astype(np.float64), 1, 2) @ turns[_FIRST]
    return Hands(turns.astype(np.float32))
