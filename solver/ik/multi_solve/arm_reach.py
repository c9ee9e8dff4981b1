"""How far the shoulders go along with hands that are drawn away: evenly, from where the arms are nearly stretched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

Array = NDArray[np.float64]
BENT, STRETCHED = 0.9, 0.985  # of an arm's length: from the first on the shoulder follows, so that the second is never
ROOM = 0.01  # reached; of the length, how far an arm that is stretched further in the first pose still gives
ID = "shoulders"


class _Reach(NamedTuple):
    """An arm that holds something. shoulder: (3,) metres, in the first pose. way: (3,) metres from there to where the
    wrist has to be. bent: metres from shoulder to wrist up to which the shoulder stays. length: metres, the arm's."""

    shoulder: Array
    way: Array
    bent: float
    length: float


def shoulders_drawn(
    skeleton: Skeleton, first: Pose, then: Mapping[str, Contact], now: Sequence[Contact]
) -> Position | None:
    """Where the middle of the shoulders is to go along with the arms' contacts, as an effector on the trunk.

    It depends on nothing but where things are, and begins at nothing. first: the pose before anything moved. then: the
    contacts as they were asked in it, by id. now: as they are asked now. None where the arms reach by themselves, and
    where the rig has no such joints.
    """
    rig = rig_of(skeleton)
    if rig.lacking((Role.SPINE3, *(role for arm in ARMS for role in arm.line))):
        return None
    world, spine = forward_kinematics(skeleton, first), rig.joint(Role.SPINE3)
    reaches = []
    for contact in now:
        arm = next((arm for arm in ARMS if _is_below(skeleton, contact.joint, rig.joint(arm.root))), None)
        if arm is None or contact.id not in then:
            continue
        shoulder, wrist = (world.positions[rig.joint(role)].astype(np.float64) for role in (arm.root, arm.end))
        length, stretch = rig.limb_length(arm), float(np.linalg.norm(wrist - shoulder))
        way = _carried(wrist, then[contact.id], contact) - shoulder
        reaches.append(_Reach(shoulder, way, max(BENT * length, stretch), length))
    by = (_drawn(reaches) + _drawn(reaches[::-1])) / 2  # two hands count alike
    if not by.any():
        return None
    middle = np.mean([reach.shoulder for reach in reaches], axis=0)
    offset = world.rotations[spine].T @ (middle - world.positions[spine])
    made = Position(rig.names[spine], (middle + by).astype(np.float32), offset.astype(np.float32))
    return replace(made, id=ID)


def _drawn(reaches: Sequence[_Reach]) -> Array:
    """(3,) metres that shoulders go along with one arm after another: none at first, then more and more of the way."""
    by = np.zeros(3)
    for _, way, bent, length in reaches:
        left = way - by
        far = float(np.linalg.norm(left))
        if far > bent:
            room = max(STRETCHED * length - bent, ROOM * length)
            stretch = bent + room * (1.0 - np.exp((bent - far) / room))
            by = by + (far - stretch) / far * left
    return by


def _carried(wrist: Array, then: Contact, now: Contact) -> Array:
    """(3,) metres, where a wrist is once its hand has gone along with what it lies on, turned as that is."""
    turn = rotation_between(then.facing, now.facing) if then.lies_flat and now.lies_flat else np.eye(3)
    return now.target + turn @ (wrist - then.target)


def _is_below(skeleton: Skeleton, joint: str, root: int) -> bool:
    j = skeleton.index(joint)
    while j > root:
        j = skeleton.parents[j]
    return j == root
