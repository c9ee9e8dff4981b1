"""Shins that something keeps ahead: the edge of a seat in front of which somebody gets up.

A leg stretched from a foot ahead of the seat to a pelvis above it would pass through the seat's edge. So its knee
stays bent over the edge, and the hip gets no further than a thigh's length from there. To go further all the same, the
pelvis would have to turn with the trunk, by tens of degrees for a centimetre.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles

Array = NDArray[np.float64]
BENT = 0.1  # of the leg's length that a knee is beside it in the base pose: less says little of where it points
STEP = np.radians(3.0)
ANGLES = STEP * np.arange(1, 21)  # by which a shin is taken ahead
HALVINGS = 8  # of the last step


def knee_kept_ahead(
    skeleton: Skeleton, base: WorldJoints, obstacles: Obstacles, line: tuple[int, ...], hip: Array, ankle: Array
) -> Array | None:
    """(3,) where the knee comes to be that things keep ahead of the leg between two places; None if nothing does.

    base: of the base pose, where flesh may be within things already. line: the joints of hip, knee and ankle. hip,
    ankle: (3,) metres, where these are to be.
    """
    was = base.positions[list(line)].astype(np.float64)
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in line[1:])
    way = hip - ankle
    length = float(np.linalg.norm(way))
    ahead = _beside(was[1] - was[2], was[0] - was[2])
    if np.linalg.norm(ahead) < BENT * (thigh + shin):
        ahead = base.rotations[line[0]].astype(np.float64)[:, 2]
    ahead = _beside(ahead, way)
    if length < 1e-6 or np.linalg.norm(ahead) < 1e-6:
        return None
    ahead /= np.linalg.norm(ahead)
    own = base.rotations[line[1]].astype(np.float64)
    first = np.arccos(np.clip((shin**2 + length**2 - thigh**2) / (2.0 * shin * length), -1.0, 1.0))
    least = min(obstacles.gap_to_things(line[1], was[1], own), 0.0)

    def knee(angle: float) -> Array:
        return np.asarray(ankle + shin * (np.cos(angle) * way / length + np.sin(angle) * ahead))

    def clear(angle: float) -> bool:
        there = knee(angle)
        turn = rotation_between(was[1] - was[2], there - ankle) @ own
        return obstacles.gap_to_things(line[1], there, turn) >= least

    if clear(first):
        return None
    clears = next((angle for angle in first + ANGLES if clear(angle)), None)
    if clears is None:
        return None
    within, free = clears - STEP, clears
    for _ in range(HALVINGS):
        half = 0.5 * (within + free)
        within, free = (within, half) if clear(half) else (half, free)
    return knee(free)


def _beside(place: Array, line: Array) -> Array:
    """The part of a place, (3,), that is square to a line, (3,)."""
    return np.asarray(place - line * (place @ line) / max(float(line @ line), 1e-12))
