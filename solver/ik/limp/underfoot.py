"""What each foot stands on where it is asked to be: the floor, or the level top of a thing, on which it rolls alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape
from solver.contact.solids import Solid, SolidForm
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.rig.level_feet import heading

Array = NDArray[np.float64]
LEVEL = 0.9962  # cosine of 5 degrees: a top that is tilted further is a slope
EDGE_M = 0.03  # metres from an edge, to both sides of it, at which a foot begins to stand by itself
SUNK_M = 0.03, 0.01  # metres that a flat foot would be within a top: by the first it is beside the thing, not above it


def feet_on_things(
    feet: Feet, skeleton: Skeleton, effectors: Sequence[Effector], base: WorldJoints, things: Sequence[Solid]
) -> Feet:
    """The feet on what is below them where their ankles are asked to be, else where the base pose has them.

    base: of the base pose. A foot whose ball is at an edge stands on neither side of it, so that nothing jumps there.
    """
    if not things:
        return feet
    shapes = []
    for shape in feet.shapes:
        own = [e for e in effectors if e.is_active and e.joint == skeleton.names[shape.ankle]]
        place = next((e.target for e in own if isinstance(e, PointEffector) and e.holds_joint), None)
        turn = next((e.target for e in own if isinstance(e, TurnEffector)), base.rotations[shape.ankle])
        ankle = np.asarray(base.positions[shape.ankle] if place is None else place, np.float64)
        shapes.append(_on_things(shape, ankle, heading(np.asarray(turn, np.float64)), things))
    return feet if tuple(shapes) == feet.shapes else replace(feet, shapes=tuple(shapes))


def _on_things(shape: FootShape, ankle: Array, level: Array, things: Sequence[Solid]) -> FootShape:
    ball = ankle + level @ shape.heel.balls[0]
    tops = [(top, float(within)) for thing in things for top, within in [_level_top(thing, ball)] if within > -EDGE_M]
    left = 1.0
    for top, within in sorted(tops, reverse=True):
        above = eased_between(float(ankle[1] - shape.heights[0]) - top, -SUNK_M[0], -SUNK_M[1])
        if above > 0.0 and within > 0.0:
            return shape.on_ground(top, left * above * eased(within / EDGE_M))
        left *= 1.0 - above * eased(1.0 + within / EDGE_M)
    return shape if left >= 1.0 else shape.on_ground(0.0, left)


def _level_top(thing: Solid, point: Array) -> tuple[float, float]:
    """Metres of the level top of a thing, and how far within its edges it is below or above a point (3,); infinitely
    far outside where no top is level."""
    up = int(np.abs(thing.turn[1]).argmax())
    round_aside = thing.form is SolidForm.CYLINDER and up != 1
    if thing.form in (SolidForm.BALL, SolidForm.GRID) or round_aside or abs(float(thing.turn[1, up])) < LEVEL:
        return 0.0, -np.inf
    half = thing.size.astype(np.float64) / 2.0
    aside = np.abs((point - thing.place) @ thing.turn)
    if thing.form is SolidForm.CYLINDER:
        within = half[0] - np.hypot(aside[0], aside[2])
    else:
        within = min(half[axis] - aside[axis] for axis in range(3) if axis != up)
    return float(thing.place[1] + half[up]), float(within)
