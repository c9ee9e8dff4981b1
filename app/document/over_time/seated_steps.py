"""Feet of somebody who sits at both of two keys on something that is moved or turned from one to the other.

In time enough they go along in small steps, one after the other. In haste, and in the air, both go round with the seat
at once: nobody falls over who sits. Far on they ride along a little above the floor, or the seat would run into them.
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Key
from app.document.over_time.body.body_ways import UP, Pivot, turn_of
from app.document.over_time.body.walks import times_of, walk
from app.document.over_time.swings import LEAST_M, Swing, swing_of
from solver.effectors.sources import PropSource
from solver.ik.stance.seated import seat_of
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

LEAST_TURN = np.radians(5.0)  # of a seat that feet go round with
STEP_M, LEAST_S = 0.3, 0.4  # metres that a foot goes in one step at most, and seconds that this takes at least
FAR = 3  # steps of each foot, from more of which on they ride along
LATER = 0.06  # of the time, that one foot goes after the other where both are up at once


def seated_steps(
    rig: Rig, both: tuple[Key, Key], worlds: tuple[WorldJoints, WorldJoints], far: Array, ways: Array,
    stands: NDArray[np.bool_], fps: float,
) -> list[Swing] | None:  # fmt: skip
    """How feet go along with a seat; None for who does not sit on one prop at both of two keys, or where that stays.

    far, ways: as of `swing_of`. stands: (2, 2) whether each foot stands at each key.
    """
    roots = np.array([world.positions[0] for world in worlds], np.float64)
    turn, gap = turn_of(np.array([world.rotations[0] for world in worlds], np.float64)), both[1].frame - both[0].frame
    if (np.linalg.norm(roots[1] - roots[0]) < LEAST_M and abs(turn) < LEAST_TURN) or not _sit_on_one(rig, both):
        return None
    pivot = _pivot(roots, turn) if abs(turn) > LEAST_TURN else None
    longest, first = float(far.max()) * (1.0 if pivot is None else pivot.longer), int(turn < 0.0)
    parts = ceil(longest / STEP_M)
    if parts > FAR:
        steps = [_whole(swing_of(rig, leg, both, far, ways, fps, walks=True), False, True) for leg in range(len(LEGS))]
        steps = [each._replace(end=each.last, rides=True, height=each.height * stands.any()) for each in steps]
    elif stands.all() and gap >= 2 * parts * LEAST_S * fps:
        landings = walk(first, parts, aside=True)
        times = times_of(landings, each_eased(np.linspace(0.0, 1.0, gap + 1)).astype(np.float64))
        steps = [
            swing_of(rig, one.leg, both, far, ways, fps, one.end - one.start, time, walks=True)
            for one, time in zip(landings, times, strict=True)
        ]
    else:
        alone = [swing_of(rig, leg, both, far, ways, fps, walks=True) for leg in range(len(LEGS))]
        steps = [_whole(each, each.leg != first, bool(stands[each.leg].all())) for each in alone]
    return [step._replace(pivot=pivot, flat=True) for step in steps if far[step.leg] > LEAST_M]


def _sit_on_one(rig: Rig, both: tuple[Key, Key]) -> bool:
    seats = [seat_of(rig, key.effectors) for key in both]
    on = [seat.source.prop for seat in seats if seat is not None and isinstance(seat.source, PropSource)]
    return len(on) == len(both) and on[0] == on[1]


def _whole(swing: Swing, later: bool, stands: bool) -> Swing:
    """A swing that takes all of the time between the keys, but for a moment of a foot that stands."""
    more = LATER * (swing.last - swing.first)
    start, end = (swing.first + more, swing.last) if later else (swing.first, swing.last - more)
    if stands:
        return swing._replace(start=start, end=end)
    return swing._replace(start=swing.first, end=swing.last, height=0.0)


def _pivot(roots: Array, turn: float) -> Pivot:
    """What a pelvis goes round from one place to another, (2, 3) metres, as it turns by radians to the left."""
    (start, end), turned = roots[:, [0, 2]], from_rotation_vector(turn * UP)[np.ix_([0, 2], [0, 2])]
    about = np.linalg.solve(np.eye(2) - turned, end - turned @ start)
    return Pivot(np.array([about[0], roots[0, 1], about[1]]), turn)
