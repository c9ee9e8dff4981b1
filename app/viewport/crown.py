"""Where people end above their joints: what a camera must take in to show the whole of a large head."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.posing.solving import body_of, joints_of, skeleton_of
from solver.rig.rig import rig_of
from solver.rig.roles import Role

ADULT = 0.125  # of the stature is what an adult has above the joint of the head: margins around joints cover that


def whole_points(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres, the joints, and where the head is larger than an adult's, a point as much above it as that is."""
    joints, body = joints_of(character), body_of(character)
    head = skeleton_of(character).index(rig_of(skeleton_of(character)).name(Role.HEAD))
    heights = body.vertices(character.shape)[:, 1]
    above = float(heights.max()) - float(body.rig(character.shape).rest_positions[head][1])
    more = above - ADULT * float(np.ptp(heights))
    if more <= 0:
        return joints.positions
    crown = joints.positions[head] + joints.rotations[head] @ np.array([0.0, more, 0.0])
    return np.concatenate([joints.positions, crown[None].astype(joints.positions.dtype)])
