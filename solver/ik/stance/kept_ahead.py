"""Shins that something keeps ahead: the edge of a seat in front of which somebody gets up.

A leg stretched from a foot ahead of the seat to a pelvis above it would pass through the seat's edge. So its knee
stays bent over the edge, and the hip gets no further than a thigh's length from there. To go further all the same, the
pelvis would have to turn with the trunk, by tens of degrees for a centimetre.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.contact.solids import Solid, SolidForm
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value

if TYPE_CHECKING:
    from solver.contact.obstacles import Obstacles
    from solver.contact.solid_body import SolidBody

Array = NDArray[np.float64]
BENT = 0.1  # of the leg's length that a knee is beside it in the base pose: less says little of where it points
STEP = np.radians(3.0)
ANGLES = STEP * np.arange(1, 21)  # by which a shin is taken ahead
HALVINGS = 8  # of the last step
SURELY = 1e-4  # metres that a shin is off things at least to be clear of them without a closer look


def knee_kept_ahead(
    skeleton: Skeleton, base: WorldJoints, obstacles: Obstacles, line: tuple[int, ...], hip: Array, ankle: Array
) -> Array | None:
    """(3,) where the knee comes to be that things keep ahead of the leg between two places; None if nothing does.

    base: of the base pose, where flesh may be within things already. line: the joints of hip, knee and ankle. hip,
    ankle: (3,) metres, where these are to be.
    """
    if not obstacles.all_things or _knee_is_free(skeleton, obstacles, line, hip, ankle):
        return None
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

    def knee(angle: float) -> Array:
        return np.asarray(ankle + shin * (np.cos(angle) * way / length + np.sin(angle) * ahead))

    def gap(angle: float) -> float:
        there = knee(angle)
        turn = rotation_between(was[1] - was[2], there - ankle) @ own
        return obstacles.gap_to_things(line[1], there, turn)

    at_first = gap(first)
    if at_first >= 0.0:  # clear, however deep the base pose has it
        return None
    least = min(obstacles.gap_to_things(line[1], was[1], own), 0.0)
    if at_first >= least:
        return None

    def clear(angle: float) -> bool:
        return gap(angle) >= least

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


def _knee_is_free(skeleton: Skeleton, obstacles: Obstacles, line: tuple[int, ...], hip: Array, ankle: Array) -> bool:
    """Whether the shin is surely off all things wherever around the line from ankle to hip the knee is; on plain
    numbers, since nearly all calls end here."""
    thigh, shin, thick = _leg_sizes(skeleton, obstacles.body, *line[1:])
    foot, way = ankle.tolist(), (hip - ankle).tolist()
    length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
    if length < 1e-6:
        return True  # the leg is folded upon itself: which way it goes, nothing says
    cosine = max(-1.0, min(1.0, (shin * shin + length * length - thigh * thigh) / (2.0 * shin * length)))
    along, aside = shin * cosine / length, shin * sqrt(1.0 - cosine * cosine)
    middle = [from_ + along * by for from_, by in zip(foot, way, strict=True)]
    return all(_is_off(thing, foot, middle, way, length, aside, thick) for thing in obstacles.all_things)


def _is_off(
    thing: Solid, foot: list[float], middle: list[float], way: list[float], length: float, aside: float, thick: float
) -> bool:
    """Whether a thing's box surely ends, along one of its edges, before all lines from a place to a circle, each as
    thick as that. foot: (3,) metres, that place. middle, aside: of the circle, square to a way (3,) of that length."""
    if thing.form is SolidForm.GRID:
        return False  # whose distances are rough further off
    place, edges = _box_of(thing)
    for half, x, y, z in edges:
        share = (x * way[0] + y * way[1] + z * way[2]) / length
        wide = aside * sqrt(max(0.0, 1.0 - share * share))
        low = x * (foot[0] - place[0]) + y * (foot[1] - place[1]) + z * (foot[2] - place[2])
        turn = x * (middle[0] - place[0]) + y * (middle[1] - place[1]) + z * (middle[2] - place[2])
        if min(low, turn - wide) - thick > half + SURELY or max(low, turn + wide) + thick < -half - SURELY:
            return True
    return False


@memoised_on_value
def _box_of(thing: Solid) -> tuple[list[float], list[list[float]]]:
    """A thing's middle, metres; and half its size along each of its edges, with where that points."""
    half, turn = thing.size.astype(np.float64) / 2.0, thing.turn.astype(np.float64)
    if thing.form is SolidForm.BALL:
        half[1:] = half[0]
    elif thing.form is SolidForm.CYLINDER:
        half[2] = half[0]
    return thing.place.astype(np.float64).tolist(), np.column_stack([half, turn.T]).tolist()


@memoised(16, by_identity=True)
def _leg_sizes(skeleton: Skeleton, body: SolidBody, knee: int, ankle: int) -> tuple[float, float, float]:
    """Metres from hip to knee, from there to the ankle, and that flesh is off the line between these two at most."""
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in (knee, ankle))
    own = body.balls[body.leading & (body.joints == knee)]
    end = skeleton.offsets[ankle].astype(np.float64)
    share = np.clip(own[:, :3] @ end / max(float(end @ end), 1e-12), 0.0, 1.0)
    off = np.linalg.norm(own[:, :3] - share[:, None] * end, axis=1) + own[:, 3]
    return thigh, shin, float(off.max(initial=-inf))
