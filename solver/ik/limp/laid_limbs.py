"""How limbs of somebody who lies are turned before their weight brings them down.

Weight alone would leave an arm below the trunk, the nose in the floor and one leg standing on the other. What lies on
the floor beside the trunk already stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.ik.limp.beneath import heights_beneath
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, Limb, Role

if TYPE_CHECKING:
    from solver.contact.solids import Solid

Array = NDArray[np.float64]
FACES, ON_SIDE = (0.5, 0.9), (0.5, 0.85)  # sines: by how much front or side faces down as somebody begins to, and does
BESIDE = 0.3  # of the arm's length: an arm with its elbow at least as far in front of its shoulder is beside the trunk
RAISED = 0.1  # of the limb's length above the floor: an end below is down
LOOKS_ASIDE = np.radians(25.0)  # a head turned by more lies on the cheek already
ASIDE = np.radians(35.0)  # by which neck and head turn each


class Bent(NamedTuple):
    """Where a limb's bones point, in the axes of the joint that the limb hangs on: x to the limb's own side."""

    upper: tuple[float, float, float]
    lower: tuple[float, float, float]


ARM_BELOW, ARM_ABOVE = Bent((0.1, -0.35, 1.0), (-0.2, 0.9, 0.6)), Bent((0.0, -0.6, 0.8), (-0.5, -0.1, 0.85))
LEG_BELOW, LEG_ABOVE = Bent((0.0, -0.95, 0.3), (0.0, -0.95, -0.3)), Bent((0.0, -0.7, 0.7), (0.0, -0.9, -0.45))
INSTEP = (0.1, -1.0, 0.35)  # of a foot that lies on its back: where its toes point, in the shin's axes


def laid(skeleton: Skeleton, pose: Pose, free: Collection[Limb], free_head: bool, things: Sequence[Solid] = ()) -> Pose:
    """The pose with free limbs turned to where they have room to come down; none of them is moved by weight yet.

    things: what it may lie on beside the floor.
    """
    rig, world = rig_of(skeleton), forward_kinematics(skeleton, pose)
    turns = np.array(pose.rotations, np.float64)
    chest, pelvis = (world.rotations[rig.index(role)] for role in (Role.SPINE3, Role.PELVIS))
    for limb in free:
        is_arm = limb in ARMS
        side = 1.0 if limb.side == "left" else -1.0
        down = -side * float((chest if is_arm else pelvis)[1, 0])  # 1 where the limb's side faces down
        share = eased_between(abs(down), *ON_SIDE)
        if share > 0.0 and not _is_down(skeleton, rig, limb, world, down > 0.0, things):
            arms, legs = (ARM_BELOW, LEG_BELOW) if down > 0.0 else (ARM_ABOVE, LEG_ABOVE)
            _bend(skeleton, rig, limb, world, turns, arms if is_arm else legs, share)
    faces_down = eased_between(-float(chest[1, 2]), *FACES)
    if free_head:
        _look_aside(rig, turns, faces_down)
    for leg in (limb for limb in free if limb in LEGS):
        _stretch_foot(skeleton, rig, leg, turns, eased_between(-float(pelvis[1, 2]), *FACES))
    return Pose(pose.root_position, turns.astype(np.float32))


def _is_down(
    skeleton: Skeleton, rig: Rig, limb: Limb, world: WorldJoints, below: bool, things: Sequence[Solid]
) -> bool:
    """Whether a limb lies on the floor or on a thing, and not below the trunk."""
    root, hinge, end = (rig.index(role) for role in limb.line)
    length = float(np.linalg.norm(skeleton.offsets[[hinge, end]], axis=1).sum())
    places = world.positions.astype(np.float64)
    if limb in ARMS and below:
        chest = world.rotations[rig.index(Role.SPINE3)]
        return bool((places[hinge] - places[root]) @ chest[:, 2] > BESIDE * length)
    above = places[end, 1] - heights_beneath(things, places[[end]])[0]
    return bool(above < RAISED * length + 0.05)


def _bend(skeleton: Skeleton, rig: Rig, limb: Limb, world: WorldJoints, turns: Array, bent: Bent, share: float) -> None:
    """Turn a limb's two upper joints a share of the way to where its bones point as `bent` says."""
    side = np.array([1.0 if limb.side == "left" else -1.0, 1.0, 1.0])
    hangs = rig.index(Role.SPINE3 if limb in ARMS else Role.PELVIS)
    root, hinge, end = (rig.index(role) for role in limb.line)
    above = world.rotations[hangs].T @ world.rotations[skeleton.parents[root]]  # the collar, in the chest's axes
    upper = _pointed(above @ turns[root], skeleton.offsets[hinge], side * bent.upper)
    lower = _pointed(upper @ turns[hinge], skeleton.offsets[end], side * bent.lower)
    turns[root] = interpolate(turns[root], above.T @ upper, share)
    turns[hinge] = interpolate(turns[hinge], upper.T @ lower, share)


def _pointed(turn: Array, bone: ArrayLike, way: ArrayLike) -> Array:
    """A turn (3, 3) with as little more that the bone (3,) of its frame points that way (3,)."""
    return rotation_between(turn @ np.asarray(bone, np.float64), way) @ turn


def _look_aside(rig: Rig, turns: Array, share: float) -> None:
    """Turn neck and head to the side that the head is turned to already, else to the right."""
    joints = [rig.index(role) for role in HEAD_AND_NECK]
    ahead = turns[joints[0]] @ turns[joints[1]] @ [0.0, 0.0, 1.0]
    aside = float(np.arctan2(ahead[0], ahead[2]))
    if share > 0.0 and abs(aside) < LOOKS_ASIDE:
        turn = from_rotation_vector([0.0, share * (ASIDE if aside > 1e-3 else -ASIDE), 0.0])
        for j in joints:
            turns[j] = turn @ turns[j]


def _stretch_foot(skeleton: Skeleton, rig: Rig, leg: Limb, turns: Array, share: float) -> None:
    if share > 0.0:
        ankle, toes = rig.index(leg.end), rig.index(leg.tip)
        side = np.array([1.0 if leg.side == "left" else -1.0, 1.0, 1.0])
        turns[ankle] = interpolate(turns[ankle], _pointed(turns[ankle], skeleton.offsets[toes], side * INSTEP), share)
