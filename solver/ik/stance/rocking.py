"""Seats that lie on something as the body above them is tilted: a seat is round, and people lean while they sit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik.stance.leaning import rolled_by
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

Array = NDArray[np.float64]
AS_POSED, UPRIGHT = np.radians([40.0, 80.0])  # nobody sits tilted further than the first; beyond the second, not at all


@memoised(16, by_identity=True)  # every solve of a drag calls it with the same pose
def as_tilted(effectors: tuple[Effector, ...], skeleton: Skeleton, base: Pose) -> tuple[Effector, ...]:
    """The effectors, contacts of patches that rock with the spot and the normal that lie below as the base pose is
    tilted, and as the pelvis rolls where head or chest are pulled; the same tuple if there are none.

    The base pose of somebody who is to sit down may lie: a body that is tilted so far is turned upright.
    """
    if not any(map(rocks, effectors)):
        return effectors
    world = forward_kinematics(skeleton, base)
    turn = world.rotations[0].astype(np.float64)

    def lying(contact: Contact) -> Contact:
        tilted = _tilted(contact, world.rotations[skeleton.index(contact.joint)].astype(np.float64))
        if skeleton.index(contact.joint) != 0 or not contact.is_active:
            return tilted
        sits = rotation_between(turn @ tilted.normal, -tilted.facing) @ turn
        return _rolled(tilted, rolled_by(tilted, skeleton, effectors, world, sits))

    return tuple(lying(e) if isinstance(e, Contact) and rocks(e) else e for e in effectors)


def rocks(effector: Effector) -> bool:
    """Whether it is a contact of a patch that may lie tilted."""
    row = PATCH_ROWS.get(effector.patch) if isinstance(effector, Contact) and effector.lies_flat else None
    return row is not None and row.rocks


def spot_as_posed(contact: Contact, turn: Array) -> Array:
    """(2, 3) the offset and the normal of a contact as it lies in a pose. turn: (3, 3) R_world_joint of its joint."""
    return np.stack([contact.offset.astype(np.float64), -(turn.T @ contact.facing)])


def _tilted(contact: Contact, turn: Array) -> Contact:
    """turn: (3, 3) R_world_joint of its joint in the base pose."""
    way, below = np.array(PATCH_ROWS[contact.patch].way), -(turn.T @ contact.facing)
    angle = float(np.arccos(np.clip(way @ below, -1.0, 1.0)))
    kept = min(angle, AS_POSED * max(0.0, (UPRIGHT - angle) / (UPRIGHT - AS_POSED)))
    aside = below - (way @ below) * way
    length = float(np.linalg.norm(aside))
    normal = np.cos(kept) * way + np.sin(kept) * aside / length if length > 1e-9 else way
    return replace(contact, offset=np.linalg.norm(contact.offset) * normal, normal=normal)


def _rolled(contact: Contact, angle: float) -> Contact:
    """The contact as it lies once the body above it has turned about its own left axis, ahead if positive."""
    if angle == 0.0:
        return contact
    back = from_rotation_vector(np.array([-angle, 0.0, 0.0]))
    turned = (back @ np.stack([contact.offset, contact.normal], axis=1)).astype(np.float32)
    return replace(contact, offset=turned[:, 0], normal=turned[:, 1])
