"""A wearer who stands upright: the height of the eyes, and which way the wearer faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.trackers.sample import Reading
from solver.trackers.stances import stances

Array = NDArray[np.float64]

EYES = 1.055  # a headset's height divided by the head joint's: it sits in front of the eyes
FLAT = 0.02  # m²: if trackers, seen from above, are spread by less, they tell no heading


def eye_height(skeleton: Skeleton) -> float:
    """Metres from the floor to the eyes of the standing body."""
    joint = rig_of(skeleton).joint(Role.HEAD)
    places = stances(skeleton)[0].world.positions
    return EYES * float(places[joint, 1])


def position_of(reading: Reading) -> Array:
    """(3,) metres, the place of a tracker that says where it is."""
    return np.asarray(reading.position, np.float64)


def yaw_rotation(angle: float) -> Array:
    """(3, 3), the turn about the vertical by so many radians, to the left."""
    return np.asarray(from_rotation_vector([0.0, angle, 0.0]), np.float64)


def yaw_of(reading: Reading | None) -> float | None:
    """Radians about the vertical by which a tracker that looks ahead is turned from +Z; None if it does not say."""
    if reading is None or reading.rotation is None:
        return None
    ahead = np.asarray(reading.rotation, np.float64)[:, 2]
    return float(np.arctan2(ahead[0], ahead[2])) if np.hypot(ahead[0], ahead[2]) > 0.5 else None
