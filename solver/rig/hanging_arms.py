"""Arms that hang beside the flanks of their body, not in them: turned outward as far as a broad body needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, TRUNK, Limb

Array = NDArray[np.float64]
CELL = 0.025  # metres, of the squares in which flank and arm are compared, seen from the side
ARMPIT = 0.3  # of the way from shoulder to wrist within which skin of arm and trunk belongs together
CLEAR = -0.005  # metres between arm and flank: cells take the skin in them for its most outward
MOST = 0.5  # radians
BESIDE = (*TRUNK, *(role for arm in ARMS for role in arm.joints), *(leg.root for leg in LEGS))


def with_arms_clear(rig: Rig, pose: Pose, skin: Array, carrier: NDArray[np.integer]) -> Pose:
    """A pose that faces +Z with its arms hanging, these turned outward until they are beside the flanks; the very same
    pose where they are.

    skin: (N, 3) metres, of arms, trunk and thighs in that pose. carrier: (N,) the joint that carries each most.
    """
    world, turns = forward_kinematics(rig, pose), pose.rotations.copy()
    limbs = [[rig.index(name) for name in rig.names_of(arm.joints)] for arm in ARMS]
    flank = skin[~np.isin(carrier, np.concatenate(limbs))]
    for arm, joints in zip(ARMS, limbs, strict=True):
        if rig.lacking(arm.joints):
            continue
        shoulder, wrist = (world.positions[rig.index(role)].astype(np.float64) for role in (arm.root, arm.end))
        own = skin[np.isin(carrier, joints)]
        angle = _outward(own - shoulder, flank - shoulder, arm, float(shoulder[1] - wrist[1]))
        if angle > 0.0:
            j = rig.index(arm.root)
            out = from_rotation_vector(np.array([0.0, 0.0, angle * _side(arm)]))
            above = world.rotations[rig.parents[j]].astype(np.float64)
            turns[j] = above.T @ out @ above @ turns[j]
    return pose if np.array_equal(turns, pose.rotations) else Pose(pose.root_position, turns)


def _outward(arm_skin: Array, flank: Array, arm: Limb, length: float) -> float:
    """Radians by which an arm has to turn about its shoulder, aside. arm_skin, flank: (N, 3) metres from there. length:
    metres that the wrist is below the shoulder."""
    inner, outer = (each[each[:, 1] < -ARMPIT * length] * [_side(arm), 1.0, 1.0] for each in (arm_skin, flank))
    if not len(inner) or not len(outer):
        return 0.0
    low = np.minimum(inner[:, 1:].min(axis=0), outer[:, 1:].min(axis=0))
    cells = [np.floor((each[:, 1:] - low) / CELL).astype(np.int64) for each in (inner, outer)]
    size = 1 + np.maximum(cells[0].max(axis=0), cells[1].max(axis=0))
    begins, ends = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(begins, tuple(cells[0].T), inner[:, 0])
    np.maximum.at(ends, tuple(cells[1].T), outer[:, 0])
    within = ends - begins + CLEAR
    row, _ = np.nonzero(within > 0.0)
    if not len(row):
        return 0.0
    below = np.maximum(-(low[0] + (row + 0.5) * CELL), ARMPIT * length)
    return float(np.clip((within[within > 0.0] / below).max(), 0.0, MOST))


def _side(arm: Limb) -> float:
    """1 for the left arm, which turns to +X, -1 for the right one."""
    return 1.0 if arm is ARMS[0] else -1.0
