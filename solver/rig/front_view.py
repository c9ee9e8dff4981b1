"""A foreign skeleton seen from the front, upright, whatever axes its program uses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.rig.foreign_skeleton import Array, ForeignSkeleton
from solver.rig.joint_map_check import swapped_sides, wrong_sides
from solver.rig.roles import ARMS, LEGS, LIMBS


def front_view(skeleton: ForeignSkeleton, joints: Mapping[str, int]) -> Array:
    """(J, 2) in the skeleton's unit: to the body's left, which is at the right of somebody who looks at it, and up.

    joints: our joint name -> index, as far as known; where they do not tell, +Y or the longer +Z is up.
    """
    places = np.asarray(skeleton.shown, np.float64)
    left, up = np.array([1.0, 0.0, 0.0]), _longer_up(places)
    if all(limb.root in joints for limb in LIMBS):
        if wrong_sides(skeleton, joints):
            joints = swapped_sides(joints)
        hips, shoulders = ([places[joints[limb.root]] for limb in pair] for pair in (LEGS, ARMS))
        across = hips[0] - hips[1] + shoulders[0] - shoulders[1]
        rising = sum(shoulders) - sum(hips)
        if np.linalg.norm(np.cross(across, rising)) > 1e-9:
            left, up = across, rising
    up = up / np.linalg.norm(up)
    left = left - up * (left @ up)
    return np.stack([places @ (left / np.linalg.norm(left)), places @ up], axis=-1)


def _longer_up(places: Array) -> Array:
    extent = np.ptp(places, axis=0)
    return np.array([0.0, 0.0, 1.0] if extent[2] > 1.2 * extent[1] else [0.0, 1.0, 0.0])
