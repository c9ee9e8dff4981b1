"""Two bones with a hinge between them, as arms are, brought to where their end should be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.pose import Poses
from solver.kinematics.rotations import from_rotation_vector, rotation_between
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.float64]
THERE_M = 1e-5  # metres from its goal at which an end is there
STRAIGHTEST = 0.98  # of its whole length; a limb that is straighter already stays as long
HINGE_COUNTS = 0.2  # how much the hinge's own axis counts beside the bones' plane, which straight bones do not have


def brought_to(skeleton: Skeleton, poses: Poses, joints: tuple[int, int, int], goals: NDArray[np.floating]) -> Poses:
    """The poses with the end of a limb at its goals, as far as its hinge lets it, and its plane turned along by the
    shortest way: so the hinge keeps the side that it is on.

    joints: its root, hinge and end. goals: (N, 3) metres. A limb that is there stays as it is to the bit.
    """
    places, turns = forward_kinematics_batch(skeleton.parents, skeleton.offsets, *poses)
    root, hinge, end = (places[:, j].astype(np.float64) for j in joints)
    off = np.linalg.norm(goals - end, axis=1) > THERE_M
    if not off.any():
        return poses
    over, upper, lower = (turns[:, j].astype(np.float64) for j in (skeleton.parents[joints[0]], *joints[:2]))
    limits = joint_limits((skeleton.names[joints[1]],))
    bent = _bent(root, hinge, end, np.linalg.norm(end - root, axis=1))
    wanted = _bent(root, hinge, end, np.linalg.norm(goals - root, axis=1))
    wanted = np.clip(wanted, np.minimum(bent, 2 * np.arccos(STRAIGHTEST)), np.maximum(bent, limits.high[0, BEND]))
    axis = _across(upper @ limits.frames[0][:, BEND], hinge - root, end - hinge)
    bend = from_rotation_vector((wanted - bent)[:, None] * axis)
    bent_end = hinge + np.einsum("nij,nj->ni", bend, end - hinge)
    swing = np.stack([rotation_between(a, b) for a, b in zip(bent_end - root, goals - root, strict=True)])
    rotations = poses.rotations.copy()
    rotations[off, joints[0]] = (np.swapaxes(over, 1, 2) @ swing @ upper)[off]
    rotations[off, joints[1]] = (np.swapaxes(upper, 1, 2) @ bend @ lower)[off]
    return poses._replace(rotations=rotations)


def _bent(root: Array, hinge: Array, end: Array, apart: Array) -> Array:
    """(N,) radians by which two bones are bent whose ends are so many metres apart."""
    first, second = np.linalg.norm(hinge - root, axis=1), np.linalg.norm(end - hinge, axis=1)
    cosine = (apart**2 - first**2 - second**2) / (2 * first * second)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def _across(axis: Array, first: Array, second: Array) -> Array:
    """(N, 3) unit, about which the second bone is bent from the first. axis: the hinge's own."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    across = np.cross(first, second) / lengths[:, None]
    ahead = np.sign(np.sum(across * axis, axis=1, keepdims=True))
    way = ahead * across + HINGE_COUNTS * axis
    return np.asarray(way / np.linalg.norm(way, axis=1, keepdims=True))
