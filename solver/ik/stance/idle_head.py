"""A head of which nothing is asked stays as it is posed, where a hand has pushed it aside as somebody sat down.

A hand that the base pose has at the face, or in it, is brought out of it by a search. That turns the head by tens of
degrees in one body where in another the arm gives way, and the head comes back at once in the first step of a drag.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.effectors.effector import Effector
from solver.ik.stance.leans import joints_with
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role

PUSHED = np.radians(15.0)  # that neck or head turns from how it is posed: more is a push
TURNS = (Role.NECK, Role.HEAD)


def with_head_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, found: Pose) -> Pose | None:
    """What was found with neck and head turned as in the base pose, for a search to start at; None if they are hardly
    turned from there, or if anything is asked of them."""
    joints = list(joints_with(rig_of(skeleton), TURNS))
    if {skeleton.index(e.joint) for e in effectors if e.is_active}.intersection(joints):
        return None
    if head_turned(skeleton, base, found) <= PUSHED:
        return None
    rotations = np.array(found.rotations)
    rotations[joints] = base.rotations[joints]
    return Pose(found.root_position, rotations)


def head_turned(skeleton: Skeleton, base: Pose, found: Pose) -> float:
    """Radians by which neck or head, whichever more, is turned from the base pose as the trunk sees it."""
    joints = list(joints_with(rig_of(skeleton), TURNS))
    return float(geodesic_angle(base.rotations[joints], found.rotations[joints]).max(initial=0.0))
