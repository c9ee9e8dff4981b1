"""Unity's world and ours: there left-handed, x right, y up, z forward; here right-handed, and left is +X.

Both stand upright and face +Z, so one is the other's mirror image across x = 0. A person's left stays its left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.rotations import from_quaternion_xyzw, to_quaternion_xyzw
from solver.values import FloatArray, read_only

_PLACE = np.array([-1.0, 1.0, 1.0])
_TURN_XYZW = np.array([1.0, -1.0, -1.0, 1.0])  # mirrored, an axis keeps its x, and the turn is the other way round


class Frames(NamedTuple):
    """In our world. positions: (..., 3) metres. rotations: (..., 3, 3). Read-only."""

    positions: FloatArray
    rotations: FloatArray


class UnityFrames(NamedTuple):
    """In Unity's world. positions: (..., 3) metres. quaternions_xyzw: (..., 4), of length 1, w >= 0."""

    positions: NDArray[np.float64]
    quaternions_xyzw: NDArray[np.float64]


def from_unity(positions: ArrayLike, quaternions_xyzw: ArrayLike) -> Frames:
    """Unity's places (..., 3) and quaternions x, y, z, w (..., 4) of any length but zero, in our world.

    The same holds for places and turns relative to a parent.
    """
    turned = from_quaternion_xyzw(np.asarray(quaternions_xyzw, np.float64) * _TURN_XYZW)
    frames = Frames((np.asarray(positions, np.float64) * _PLACE).astype(np.float32), turned.astype(np.float32))
    read_only(*frames)
    return frames


def to_unity(positions: ArrayLike, rotations: ArrayLike) -> UnityFrames:
    """Our places (..., 3) and rotations (..., 3, 3) as Unity has them: the inverse of `from_unity`."""
    places = np.asarray(positions, np.float64) * _PLACE
    return UnityFrames(places, to_quaternion_xyzw(rotations) * _TURN_XYZW)
