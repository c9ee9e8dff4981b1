"""A hand of a body of one shape at rest, from which it is found how it holds things between fingertips."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.finger_chain import Array
from solver.body.finger_skin import FingerSkin, finger_skins
from solver.body.fingers import Hinges, hinges_of
from solver.kinematics.pose import rest_pose
from solver.rig.roles import ARMS


class RestingHand(NamedTuple):
    """wrist: (3,) metres. skins: of each finger, thumb first."""

    shape: BodyShape
    hinges: Hinges
    wrist: Array
    skins: tuple[FingerSkin, ...]


def resting_hand(body: Body, betas: bytes, gender: str, side: int) -> RestingHand:
    """The hand of a side, 0 left, 1 right. betas: as bytes, as in a memory. PoserError for a body without fingers."""
    shape, hinges = BodyShape(np.frombuffer(betas, np.float32), gender), hinges_of(body)
    rig = body.rig(shape)
    wrist = rig.rest_positions[rig.joint(ARMS[side].end)].astype(np.float64)
    return RestingHand(shape, hinges, wrist, finger_skins(body, shape, rest_pose(rig), side))
