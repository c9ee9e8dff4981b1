"""Who cannot get to where they are to sit as their feet stand too far away, and where they could stand before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.model.prop import Prop
from app.document.posing.dependents import TRUNK
from app.document.posing.findings import Finding
from app.document.posing.placing import turned
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import PropSource, Tie
from solver.ik.problem import Cause, Reason, Residual
from solver.rig.rig import rig_of
from solver.rig.roles import FEET

Array = NDArray[np.floating]
Ways = NDArray[np.float64]
TOO_FAR_M = 0.05  # nearer than that, somebody is as good as there
STRAIGHT = 0.97  # of legs from a seat to the floor; round its edge if it is so high that knees do not rise above it
HIGH = 0.7  # of legs
WITH_A_FRONT = ("chair", "stairs")  # +Z
FARTHEST_M, STEP_M = 2.5, 0.05  # how far before a seat and how finely places to stand are tried
LOWER_M, HEIGHT_M = 0.25, 0.01  # how far below a seat one stands, and how finely heights are looked at
WIDTH_M = 0.01  # likewise for widths
ABOVE_M = 0.1  # over a seat, what would be in the way of the thighs
BEHIND_M = 0.05  # ahead of the place, where that begins: a backrest right behind it is not in the way
NEAREST_M = 0.3  # before a seat, where places to stand begin


class Before(NamedTuple):
    """Where somebody may stand before a place to sit. turned: the person, as they then face. near: ways, (W, 3) metres,
    to where legs reach back, also from a lower step, the shortest first. farther: those to farther away, on the floor.
    edge: metres from the place to where the seat ends there."""

    turned: Character
    near: Ways
    farther: Ways
    edge: float


def held_back_by_feet(person: Character, finding: Finding) -> tuple[str, tuple[str, ...]]:
    """The contact, by id, of a seat or a back that does not get to its prop or person as the feet stay where they are,
    and the effectors at the feet; "" and none where it gets there, or where a foot is pinned or on something, as
    somebody wants it there."""
    if not person.stands_freely:
        return "", ()
    feet = rig_of(skeleton_of(person)).names_of(FEET)
    known = zip(person.effectors, finding.residuals, finding.reasons, strict=False)
    contact = next((each[0].id for each in known if _is_held_back(feet, *each)), "")
    at_feet = [e for e in person.effectors if e.is_active and e.joint in feet]
    if not contact or not at_feet or any(e.pinned or e.source is not None for e in at_feet):
        return "", ()
    return contact, tuple(e.id for e in at_feet)


def ways_before(person: Character, place: ArrayLike, prop: Prop) -> Iterator[Before]:
    """How somebody may come to stand before a place of a prop, (3,) metres, with nothing of the prop between: as its
    front faces if it has one, else to any side of it, turned as little as possible first."""
    at, leg = np.asarray(place, np.float64), rig_of(skeleton_of(person)).leg_length
    steps = np.arange(NEAREST_M, FARTHEST_M, STEP_M)
    yaw = _yaw(person.base_pose.rotations[0])
    angles = [_yaw(prop.turn) - yaw] if prop.kind in WITH_A_FRONT else np.radians([0.0, 90.0, -90.0, 180.0])
    for angle in angles:
        ahead = np.array([np.sin(yaw + angle), 0.0, np.cos(yaw + angle)])
        line = at + [0.0, ABOVE_M, 0.0] + np.arange(BEHIND_M, leg, STEP_M)[:, None] * ahead
        if any((solid.distances(line) < STEP_M / 2).any() for solid in prop.solids()):
            continue
        there = turned(person, float(angle))
        ways = (at - there.base_pose.root_position) * [1.0, 0.0, 1.0] + steps[:, None] * ahead
        under = np.array([_top_below(prop, at + step * ahead) for step in steps])
        edge, drop = _edge_ahead(prop, at, ahead), at[1] - under
        along = np.where(drop > HIGH * leg, np.minimum(edge, steps), 0.0)
        near = along + np.hypot(steps - along, drop) < STRAIGHT * leg
        raised = ways + under[:, None] * [0.0, 1.0, 0.0]
        yield Before(
            there,
            np.asarray(raised, np.float64)[near & (under < at[1] - LOWER_M)],
            np.asarray(ways, np.float64)[~near & (under == 0.0)],
            edge,
        )


def _edge_ahead(prop: Prop, point: Array, ahead: Array) -> float:
    """Metres along `ahead`, (3,), level, from a point on a prop to where what bears it ends."""
    away = np.arange(0.0, FARTHEST_M, WIDTH_M)
    line = point - [0.0, WIDTH_M, 0.0] + away[:, None] * ahead
    inside = np.any([solid.distances(line) <= 0.0 for solid in prop.solids()] or [away < 0.0], axis=0)
    return 0.0 if inside.all() else float(away[np.argmin(inside)])


def _top_below(prop: Prop, point: Array) -> float:
    """Metres above the floor of what there is of a prop below a point, (3,); 0 where there is only floor."""
    heights = np.arange(0.0, float(point[1]), HEIGHT_M)
    column = np.column_stack([np.full_like(heights, point[0]), heights, np.full_like(heights, point[2])])
    inside = np.any([solid.distances(column) <= 0.0 for solid in prop.solids()] or [heights < 0.0], axis=0)
    return float(heights[inside].max()) + HEIGHT_M if inside.any() else 0.0


def _yaw(turn: NDArray[np.floating]) -> float:
    """Radians from +Z to +X, where the Z axis of a rotation, (3, 3), points over the floor."""
    return float(np.arctan2(turn[0, 2], turn[2, 2]))


def _is_held_back(feet: Collection[str], effector: Effector, residual: Residual, reason: Reason | None) -> bool:
    """Whether a part of the trunk stays away from what it was put on because of the feet."""
    if not (
        isinstance(effector, Contact) and effector.patch in TRUNK and isinstance(effector.source, Tie | PropSource)
    ):
        return False
    if residual.state != "unreachable" or residual.value < TOO_FAR_M or reason is None:
        return False
    by_feet = reason.cause is Cause.EFFECTOR and reason.joint in feet
    return by_feet or reason.cause is Cause.OUT_OF_REACH
