"""How feet are turned: with their soles level, heading where they do, and by how far their toes are down."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]


def with_level_feet(skeleton: Skeleton, pose: Pose) -> Pose:
    """The pose with ankles and toes of our own kind of skeleton turned so that the soles are level."""
    rig, rotations = rig_of(skeleton), np.array(pose.rotations)
    world = forward_kinematics(skeleton, pose).rotations
    for leg in LEGS:
        if rig.lacking([leg.hinge, leg.end, leg.tip]):
            continue
        knee, ankle, ball = map(rig.joint, (leg.hinge, leg.end, leg.tip))
        rotations[ankle] = world[knee].T @ heading(world[ankle].astype(np.float64))
        rotations[ball] = np.eye(3)
    return Pose(pose.root_position, rotations)


def heading(turn: Array) -> Array:
    """(3, 3), the level turn that heads where a foot with this turn does, whether its toes point ahead or down."""
    x, _, z = (turn[:, 2] + turn[:, 1]).tolist()
    return level_turn(x, z)


def level_turn(x: float, z: float) -> Array:
    """(3, 3), the level turn that heads along (x, z) on the floor, however far that is."""
    length = hypot(x, z)
    x, z = (x / length, z / length) if length > 1e-6 else (0.0, 1.0)
    return np.array([[z, 0.0, x], [0.0, 1.0, 0.0], [-x, 0.0, z]])


def toes_down(turn: Array) -> float:
    """Radians by which a foot's toes are down, turned by (3, 3); beyond a right angle if the sole faces up."""
    return atan2(-turn[1, 2], turn[1, 1])


def pitched(angle: float) -> Array:
    """(3, 3) a foot's turn by which its toes go down; angle: radians."""
    return np.array([[1.0, 0.0, 0.0], [0.0, cos(angle), -sin(angle)], [0.0, sin(angle), cos(angle)]])
