"""Paths of joints over a whole motion: where some of them are in each frame, and how fast they move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import WorldJoints, forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton

CHUNK = 4096  # frames whose joints are held in memory at once


def joint_paths(skeleton: Skeleton, motion: Motion, joints: Sequence[int]) -> WorldJoints:
    """Some joints of a motion's F frames, float64: positions (F, len(joints), 3), rotations (F, len(joints), 3, 3)."""
    some = list(joints)
    places, turns = np.empty((len(motion), len(some), 3)), np.empty((len(motion), len(some), 3, 3))
    for start in range(0, len(motion), CHUNK):
        part = slice(start, start + CHUNK)
        world = forward_kinematics_batch(
            skeleton.parents, skeleton.offsets, motion.root_positions[part], motion.rotations[part]
        )
        places[part], turns[part] = world.positions[:, some], world.rotations[:, some]
    return WorldJoints(places, turns)


def velocities(places: NDArray[np.floating], fps: float) -> NDArray[np.float64]:
    """(F, ..., 3) metres in at least two frames -> metres per second, between the frames before and after each."""
    return np.asarray(np.gradient(places.astype(np.float64), 1.0 / fps, axis=0))
