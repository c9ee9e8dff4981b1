"""The figure of a character: its body, its skeleton, and where its joints are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.character import Character
from solver.body.body import Body
from solver.body.catalog import load_body
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.rig import rig_of
from solver.rig.roles import Role

ADULT = 0.125  # of the stature: what an adult has above the head's joint, which margins around joints cover


@memoised_on_value
def body_of(character: Character) -> Body:
    """The character's body model, loaded at first use."""
    return load_body(character.body)


@memoised_on_value
def skeleton_of(character: Character) -> Skeleton:
    """The character's skeleton in its present shape."""
    return body_of(character).skeleton(character.shape)


def joints_of(character: Character) -> WorldJoints:
    """Where the character's joints are now: positions (J, 3) metres, rotations (J, 3, 3) R_world_joint."""
    return forward_kinematics(skeleton_of(character), character.pose)


def whole_points(character: Character) -> NDArray[np.floating]:
    """(N, 3) metres, the joints, and, if the head is larger than an adult's, a point as far above its joint as it is
    larger."""
    joints, body = joints_of(character), body_of(character)
    head = skeleton_of(character).index(rig_of(skeleton_of(character)).name(Role.HEAD))
    heights = body.vertices(character.shape)[:, 1]
    above = float(heights.max()) - float(body.rig(character.shape).rest_positions[head][1])
    more = above - ADULT * float(np.ptp(heights))
    if more <= 0:
        return joints.positions
    crown = joints.positions[head] + joints.rotations[head] @ np.array([0.0, more, 0.0])
    return np.concatenate([joints.positions, crown[None].astype(joints.positions.dtype)])


def with_margin(points: NDArray[np.floating], margin: float) -> NDArray[np.floating]:
    """(2N, 3) metres: corners of cubes around (N, 3) points, `margin` metres from them."""
    return np.concatenate([points + margin * np.array(s) for s in ((1, 1, 1), (-1, -1, -1))])
