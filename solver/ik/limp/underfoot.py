"""What each foot stands on where it is asked to be: the floor, or the flat top of a thing, on which it rolls alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape
from solver.contact.solids import Solid, SolidForm
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.level_feet import heading
from solver.values import FloatArray

Array = NDArray[np.float64]
LEVEL = 0.9998  # cosine of a degree: a top that is tilted further is a slope
STEEP = 0.7, 0.82  # cosines of 45 and 35 degrees: nobody stands by themselves on what is steeper than the first
EDGE_M = 0.06, 0.15  # metres inwards and outwards from an edge, at which a foot stands by itself altogether
BESIDE_M = 0.005  # metres beyond an edge, and below a top, where what is beside it is looked for
SUNK_M = 0.03, 0.01  # metres that a flat foot would be within a top: by the first it is beside the thing, not above it


class _Top(NamedTuple):
    """Where a foot may stand. height: metres, of the point below the ball. within: metres from its edges inwards.
    normal: (3,)."""

    height: float
    within: float
    normal: Array


def feet_on_things(
    feet: Feet, skeleton: Skeleton, effectors: Sequence[Effector], base: WorldJoints, things: Sequence[Solid]
) -> Feet:
    """The feet on what is below them where their ankles are asked to be, else where the base pose has them; on what a
    contact lays them on, if one does.

    base: of the base pose. A foot whose ball is at an edge stands on neither side of it, so that nothing jumps there.
    """
    if not things:
        return feet
    shapes = []
    for shape in feet.shapes:
        joints = skeleton.names[shape.ankle], skeleton.names[shape.ball]
        own = [e for e in effectors if e.is_active and e.joint in joints]
        laid = next((e for e in own if isinstance(e, Contact) and e.lies_flat), None)
        if laid is not None:
            shapes.append(_on(shape, laid.target.astype(np.float64), laid.facing.astype(np.float64)))
            continue
        of_ankle = [e for e in own if e.joint == joints[0]]
        place = next((e.target for e in of_ankle if isinstance(e, PointEffector) and e.holds_joint), None)
        turn = next((e.target for e in of_ankle if isinstance(e, TurnEffector)), None)
        shapes.append(_on_things(shape, base, place, turn, *things))
    return feet if tuple(shapes) == feet.shapes else replace(feet, shapes=tuple(shapes))


@memoised(64, by_identity=True)  # a drag of something else asks for the same in every solve
def _on_things(
    shape: FootShape, base: WorldJoints, place: FloatArray | None, turn: FloatArray | None, *things: Solid
) -> FootShape:
    """The foot on what is below it. place, turn: what is asked of its ankle; None for what the base pose has."""
    ankle = (base.positions[shape.ankle] if place is None else place).astype(np.float64)
    level = heading((base.rotations[shape.ankle] if turn is None else turn).astype(np.float64))
    ball = ankle + level @ shape.heel.balls[0]
    tops = [top for thing in things if (top := _top(thing, ball, things)) is not None and top.within > -EDGE_M[1]]
    left = 1.0
    for top in sorted(tops, key=lambda top: top.height, reverse=True):
        off = float((ankle - [ball[0], top.height, ball[2]]) @ top.normal)
        above = eased_between(off - float(shape.heights[0]), -SUNK_M[0], -SUNK_M[1])
        if above > 0.0 and top.within > 0.0:
            below = np.array([ball[0], top.height, ball[2]])
            return _on(shape, below, top.normal, left * above * eased(top.within / EDGE_M[0]))
        left *= 1.0 - above * eased(1.0 + top.within / EDGE_M[1])
    return shape if left >= 1.0 else shape.on_ground(0.0, left)


def _on(shape: FootShape, point: Array, normal: Array, bears: float = 1.0) -> FootShape:
    """The foot on a plane through (3,) metres; less and less by itself as that gets steep."""
    if normal[1] > LEVEL:
        return shape.on_ground(float(point[1]), bears)
    bears *= eased_between(float(normal[1]), *STEEP)
    return shape.on_slope(point, normal, bears) if bears > 0.0 else shape


def _top(thing: Solid, point: Array, things: Sequence[Solid]) -> _Top | None:
    """The flat top of a thing below or above a point (3,); None where it has none that people can stand on."""
    up = int(np.abs(thing.turn[1]).argmax())
    normal = thing.turn[:, up].astype(np.float64) * np.sign(thing.turn[1, up])
    round_aside = thing.form is SolidForm.CYLINDER and up != 1
    if thing.form in (SolidForm.BALL, SolidForm.GRID) or round_aside or normal[1] < STEEP[0]:
        return None
    half, own = thing.size.astype(np.float64) / 2.0, (point - thing.place) @ thing.turn
    over = float((point - thing.place) @ normal - half[up])
    if thing.form is SolidForm.CYLINDER:
        within = half[0] - float(np.hypot(own[0], own[2]))
    else:
        sides = [axis for axis in range(3) if axis != up]
        within = min(
            half[axis] - abs(own[axis])
            if not _goes_on(thing, point - (over + BESIDE_M) * normal, axis, own, half, things)
            else np.inf
            for axis in sides
        )
    return _Top(float(point[1]) - over / float(normal[1]), float(within), normal)


def _goes_on(thing: Solid, under: Array, axis: int, own: Array, half: Array, things: Sequence[Solid]) -> bool:
    """Whether another thing, as high or higher, begins at the edge that is nearest along an axis, as the next one of
    stairs does. under: (3,) metres, a point just below the top. own, half: (3,) metres in the thing's own frame."""
    left = half[axis] - abs(own[axis])
    if not -BESIDE_M < left < EDGE_M[0]:
        return False
    beyond = under + (left + BESIDE_M) * np.sign(own[axis]) * thing.turn[:, axis]
    return any(float(other.distances(beyond[None])[0]) < 0.0 for other in things if other is not thing)
