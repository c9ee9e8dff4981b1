"""How far two poses of one skeleton are from each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton


def apart(skeleton: Skeleton, one: Pose, other: Pose) -> NDArray[np.floating]:
    """(J,) metres between the places of each joint in two poses."""
    return places_apart(*(forward_kinematics(skeleton, pose).positions for pose in (one, other)))


def places_apart(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.floating]:
    """(J,) metres between each of J places and its counterpart. one, other: (J, 3) metres."""
    return np.asarray(np.linalg.norm(one - other, axis=1))


def far_apart(one: Pose, other: Pose) -> float:
    """The largest difference between numbers of two poses: metres of the root's place, or parts of a rotation."""
    return parts_apart(one.root_position, one.rotations, other)


def parts_apart(root: NDArray[np.floating], rotations: NDArray[np.floating], other: Pose) -> float:
    """As `far_apart`, of one pose by its parts. root: (3,) metres. rotations: (J, 3, 3)."""
    shift, turns = root - other.root_position, rotations - other.rotations
    return float(max(np.abs(shift).max(), np.abs(turns).max()))


def largest_turn(a: Pose, b: Pose) -> float:
    """Radians by which the joint that turns most turns from one pose to the other."""
    return float(geodesic_angle(a.rotations, b.rotations).max())
