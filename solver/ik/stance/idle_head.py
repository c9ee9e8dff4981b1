"""A head of which nothing is asked stays as it is posed: while a hand is dragged, and as somebody has sat down.

Recorded people look wherever they like while a hand is up, by 30 degrees to either side. So what a network proposes for
a head whose hand is dragged is a mean of little meaning, and the look that was posed is lost: a hand high above the
head turned it away by 25 degrees. Whoever stands keeps it instead, and faces where they did however the chest turns,
as far as necks do easily. Where the trunk bends over, the network says how far a head is raised.

A hand that the base pose has at the face, or in it, is brought out of it by a search. That turns the head by tens of
degrees in one body where in another the arm gives way, and the head comes back at once in the first step of a drag.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.ik.stance.idle_limbs import faces_of, is_on_feet
from solver.ik.stance.leans import joints_asked, joints_with
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, interpolate, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, Role

Array = NDArray[np.float64]
BENDS = np.radians([20.0, 60.0])  # of the trunk to front or back: from the first the network's head begins to count
TURNS_BACK = np.radians(35.0)  # that a head turns against its chest to face where it did, at most
RIGHTS = 0.65  # of a chest's tilt to a side that a head makes up for, as recorded ones do,
RIGHTED = np.radians(18.0)  # at most
PUSHED = np.radians(15.0)  # that neck or head turns from how it is posed: more is a push
TURNS = (Role.NECK, Role.HEAD)


def with_idle_head_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> Pose:
    """The proposal with neck and head as the base pose has them, facing where they did, of somebody who stands and is
    dragged by a hand; the less, the further the trunk bends over. As it is if anything is asked of neck or head."""
    rig = rig_of(skeleton)
    if proposal is base or rig.lacking((Role.SPINE3, *HEAD_AND_NECK)):
        return proposal
    neck, head = joints_with(rig, HEAD_AND_NECK)
    hands = {j for arm in ARMS for j in joints_with(rig, arm.joints)}
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    if not asked.isdisjoint((neck, head)) or joints_asked(skeleton, effectors, POINT).isdisjoint(hands):
        return proposal
    if not is_on_feet(skeleton, base):
        return proposal
    was, now = forward_kinematics(skeleton, base), forward_kinematics(skeleton, proposal)
    share = 1.0 - eased_between(_bent(rig, was, now), *BENDS)
    if share <= 0.0:
        return proposal
    back, rotations = _facing_on(rig, was, now), np.array(proposal.rotations)
    turned = from_rotation_vector(0.5 * back) @ base.rotations[neck]
    raised = turned.T @ from_rotation_vector(back) @ base.rotations[neck] @ base.rotations[head]
    for joint, kept in ((neck, turned), (head, raised)):
        rotations[joint] = interpolate(rotations[joint], kept, share)
    return Pose(proposal.root_position, rotations)


def _bent(rig: Rig, was: WorldJoints, now: WorldJoints) -> float:
    """Radians by which the trunk, from pelvis to neck, is bent over to the front or back, away from how it was."""
    pelvis, neck = rig.joint(Role.PELVIS), rig.joint(Role.NECK)
    ways = [faces_of(each).T @ (each.positions[neck] - each.positions[pelvis]) for each in (was, now)]
    first, then = (np.arctan2(way[2], way[1]) for way in ways)
    return float(abs((then - first + np.pi) % (2.0 * np.pi) - np.pi))


def _facing_on(rig: Rig, was: WorldJoints, now: WorldJoints) -> Array:
    """(3,) rotation vector in the chest's frame of `now`, by which a head that goes along with the chest faces about
    where it did, seen from the pelvis, and tilts less to a side."""
    chest = rig.joint(Role.SPINE3)
    first, then = (faces_of(each).T @ each.rotations[chest].astype(np.float64) for each in (was, now))
    _, yaw, roll = to_rotation_vector(then @ first.T)
    back = [0.0, TURNS_BACK * np.tanh(yaw / TURNS_BACK), RIGHTED * np.tanh(RIGHTS * roll / RIGHTED)]
    return then.T @ -np.array(back)


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
