"""People who sit lean from the hips where head or chest are pulled: the pelvis rolls on the seat.

A seat that is held just as the base pose has it leaves only the back to bend. Then the chest turns by twice as much as
the head goes round, and hands and elbows swing with it. So the pelvis turns as far as the line from it to what is
pulled. And as a pelvis on its seat stays in its place, what is pulled is looked for no further from it than the trunk
is long: beyond that, the seat would be lost, and found again with the body in another pose.

A back that is to be shorter bows, which alone takes its upper end ahead. So the pelvis rolls less far ahead, or back,
as people slump: else the head would be past where it is pulled down to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.forms import PointEffector
from solver.ik.stance.leans import asked_at, joints_with, strict_places
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]
PULLED = (Role.HEAD, Role.NECK, Role.SPINE3, Role.SPINE2)  # the first of these that is asked for a place counts
BACK, AHEAD = np.radians([20.0, 35.0])  # as far as the pelvis rolls from how it sat,
TILTED = np.radians(40.0)  # and as far from upright
BOWS = 0.75  # of what a back turns that bows evenly: the pelvis makes up for so much
STRAIGHT = 0.95  # of a back's length between its ends, from which on it does not bow
HALF_BENDS = np.linspace(np.pi, 0.0, 65)  # radians, of an arc from its middle to its end;
CHORDS = np.sinc(HALF_BENDS / np.pi)  # and how far its ends are apart then, in lengths of the arc
LONGER, GIVES = 1.0, 0.01  # of the trunk in a line, as long as it gets; metres that are looked for beyond


def rolled_by(
    contact: Contact, skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, turn: Array
) -> float:
    """Radians that the pelvis of somebody who sits by a contact rolls about its left axis, ahead if positive.

    base: of the base pose. turn: (3, 3) R_world_joint of the pelvis on its seat before it rolls.
    """
    pulled = _pulled(skeleton, effectors)
    if pulled is None:
        return 0.0
    joint, effector = pulled
    _, up, ahead = base.rotations[0].astype(np.float64).T @ (base.positions[joint] - base.positions[0])
    _, high, far = turn.T @ (effector.target - _sat_at(contact))
    angle = float(np.arctan2(up * far - ahead * high, up * high + ahead * far))
    chords = np.hypot([up, high], [ahead, far]) / _trunk_length(skeleton, joint)
    was, bows = np.interp(np.minimum(chords, STRAIGHT), CHORDS, HALF_BENDS)
    angle -= BOWS * max(0.0, float(bows - was))
    tilt = float(np.arctan2(-turn[1, 2], turn[1, 1]))  # ahead, wherever the body faces
    most = min(AHEAD, TILTED - tilt) if angle > 0.0 else min(BACK, TILTED + tilt)
    return most * float(np.tanh(angle / most)) if most > 0.0 else 0.0


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def within_trunk(
    skeleton: Skeleton, effectors: tuple[Effector, ...], seat: Contact, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors of somebody who sits, with head or chest no further from the pelvis than the trunk is long; the
    effectors themselves if they are no further, or pinned. base: of the base pose."""
    pulled = _pulled(skeleton, effectors)
    if pulled is None or pulled[1].pinned:
        return effectors
    joint, effector = pulled
    pelvis, was = _sat_at(seat), float(np.linalg.norm(base.positions[joint] - base.positions[0]))
    way = effector.target - pelvis
    most, length = max(LONGER * _trunk_length(skeleton, joint), was), float(np.linalg.norm(way))
    if length <= most:
        return effectors
    there = most + GIVES * (1.0 - np.exp((most - length) / GIVES))
    return asked_at(effectors, effector, pelvis + way * (there / length))


def _pulled(skeleton: Skeleton, effectors: tuple[Effector, ...]) -> tuple[int, PointEffector] | None:
    """The highest joint of the trunk that is asked for a place, and what asks; None if the pelvis itself is asked for a
    place or a turn."""
    placed = strict_places(skeleton, effectors)
    if 0 in placed or any(e.is_active and e.form == TURN and skeleton.index(e.joint) == 0 for e in effectors):
        return None
    return next(((j, placed[j]) for j in joints_with(rig_of(skeleton), PULLED) if j in placed), None)


def _sat_at(contact: Contact) -> Array:
    """(3,) metres, where the pelvis is above the round seat of a contact, however it is tilted."""
    return contact.target + float(np.linalg.norm(contact.offset)) * contact.facing.astype(np.float64)


def _trunk_length(skeleton: Skeleton, joint: int) -> float:
    """Metres from the pelvis to a joint above it, with all between in a line."""
    length = 0.0
    while joint != 0:
        length += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return length
