"""How much each effector counts in DragPoser's search: by its tolerance, and by what the user gives priority."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.ik.options import Options
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import ARMS, LEGS, Role
from solver.solvers.catalog import FEET, HANDS, HEAD, PELVIS

Array = NDArray[np.float64]

LEAST = 1e-3  # of an effector's pull
PRIORITIES = (
    (HANDS, tuple(limb.end for limb in ARMS)),
    (FEET, tuple(limb.end for limb in LEGS)),
    (HEAD, (Role.HEAD,)),
    (PELVIS, (Role.PELVIS,)),
)


def shares_of(skeleton: Skeleton, effectors: Sequence[Effector], options: Options) -> Array:
    """(E,) how much of its pull each effector has; fingers count as their wrist, toes as their ankle."""
    priorities = {joint: option.of(options) for option, roles in PRIORITIES for joint in map(skeleton.index, roles)}
    return np.array([
        max(_firm(effector) * _priority(skeleton, skeleton.index(effector.joint), priorities), LEAST)
        for effector in effectors
    ])  # fmt: skip


def _firm(effector: Effector) -> float:
    return (1.0 - effector.effective_tolerance) ** 2


def _priority(skeleton: Skeleton, joint: int, priorities: dict[int, float]) -> float:
    """The joint's priority, or that of the nearest joint above it that has one, except the root."""
    while joint > 0 and joint not in priorities:
        joint = skeleton.parents[joint]
        if joint == 0:
            return 1.0
    return priorities.get(joint, 1.0)
