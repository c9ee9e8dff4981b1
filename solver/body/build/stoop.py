"""The stoop of age: the back bent in the T-pose itself, so that it belongs to the body and not to its pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.build.source import People
from solver.body.build.tpose import posed_people
from solver.body.whole_rig import SMPLX_JOINTS
from solver.kinematics.rotations import from_rotation_vector


class Stoop(NamedTuple):
    """Degrees by which what each joint carries is bent forward in the world; arms and head stay level."""

    spine1: float = 2.0
    spine2: float = 7.0
    spine3: float = 15.0
    neck: float = 22.0
    head: float = 5.0


def stooped(people: People, weights: NDArray[np.float64], stoop: Stoop) -> People:
    """The people with their backs bent. weights: (V, 55)."""
    world = np.broadcast_to(np.eye(3), (len(SMPLX_JOINTS), 3, 3)).copy()
    for name, degrees in stoop._asdict().items():
        world[SMPLX_JOINTS.index(name)] = from_rotation_vector(np.array([np.radians(degrees), 0.0, 0.0]))
    for side in ("left", "right"):
        world[SMPLX_JOINTS.index(f"{side}_collar")] = from_rotation_vector(
            np.array([np.radians(stoop.spine3), 0.0, 0.0])
        )
    for name in ("jaw", "left_eye_smplhf", "right_eye_smplhf"):
        world[SMPLX_JOINTS.index(name)] = world[SMPLX_JOINTS.index("head")]
    posed = [posed_people(skin, joints, weights, world) for skin, joints in zip(*people, strict=True)]
    return People(np.stack([skin for skin, _ in posed]), np.stack([joints for _, joints in posed]))
