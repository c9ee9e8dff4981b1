"""A knee that is dragged of somebody who sits, with its foot held, goes no further than thigh and shin let it.

With the hip on the seat and the ankle in its place, a knee can only go round the line between the two. To take it
elsewhere, the pelvis would have to turn on the seat, by 5° for each centimetre and with trunk and arms, until the body
fell over into another pose. So the place that a solve looks for is at most a little off that circle; what is asked
stays, and is shown as missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.ik.stance.leans import joints_with, strict_places
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
MET_M, GIVES_M = 0.003, 0.007  # metres off the circle that are met, and that are looked for beyond, at most
SHORT = 1e-6  # metres or their squares: a line that says nothing of a direction


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def within_leg(
    skeleton: Skeleton, effectors: tuple[Effector, ...], seat: Contact, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors of somebody who sits, with knees whose ankles are held no further off than thighs and shins are
    long; the effectors themselves if they are no further, or pinned, or if more is asked than the seat and of legs.

    base: of the base pose.
    """
    rig = rig_of(skeleton)
    if rig.lacking([role for leg in LEGS for role in leg.line]) or _asks_more(skeleton, effectors, seat):
        return effectors
    placed = strict_places(skeleton, effectors)
    nearer = dict[int, Effector]()
    for leg in LEGS:
        hip, knee, ankle = joints_with(rig, [leg.root, leg.hinge, leg.end])
        if knee not in placed or ankle not in placed or placed[knee].pinned:
            continue
        asked = placed[knee].target.astype(np.float64)
        ends = _hip_on(seat, base, hip), placed[ankle].target.astype(np.float64)
        line = base.positions[[hip, knee, ankle]].astype(np.float64)
        thigh, shin = np.linalg.norm(np.diff(line, axis=0), axis=1).tolist()
        off = asked - _on_circle(asked, ends, thigh, shin)
        far = float(np.linalg.norm(off))
        if far > MET_M:
            kept = MET_M + GIVES_M * (1.0 - np.exp((MET_M - far) / GIVES_M))
            there = asked - (1.0 - kept / far) * off
            nearer[id(placed[knee])] = replace(placed[knee], target=there.astype(np.float32))
    return tuple(nearer.get(id(e), e) for e in effectors) if nearer else effectors


def _asks_more(skeleton: Skeleton, effectors: Sequence[Effector], seat: Contact) -> bool:
    """Whether anything strict turns or moves the pelvis on its seat but its legs."""
    rig = rig_of(skeleton)
    legs = {j for leg in LEGS for j in joints_with(rig, leg.joints)}
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active and e.is_strict and e is not seat}
    return not asked <= legs


def _hip_on(seat: Contact, base: WorldJoints, hip: int) -> Array:
    """(3,) metres, where a hip is on the seat, with the heading of the base pose."""
    was = base.rotations[0].astype(np.float64)
    turn = rotation_between(was @ seat.normal, -seat.facing) @ was
    way = was.T @ (base.positions[hip] - base.positions[0])
    return np.asarray(seat.target + turn @ (way - seat.offset), np.float64)


def _on_circle(asked: Array, ends: tuple[Array, Array], thigh: float, shin: float) -> Array:
    """(3,) metres, the place nearest to the one asked for that a knee can have between a hip and an ankle; the place
    itself where that is not known. ends: (3,) each, metres. thigh, shin: metres."""
    hip, ankle = ends
    way = ankle - hip
    length = float(np.linalg.norm(way))
    if length < SHORT:
        return asked
    axis = way / length
    apart = float(np.clip(length, abs(thigh - shin), thigh + shin))
    along = (apart**2 + thigh**2 - shin**2) / (2.0 * apart)
    radius = float(np.sqrt(max(thigh**2 - along**2, 0.0)))
    aside = asked - hip - ((asked - hip) @ axis) * axis
    size = float(np.linalg.norm(aside))
    return asked if size < SHORT else np.asarray(hip + along * axis + radius / size * aside, np.float64)
