"""One step of a foot: when it swings, how far it goes, how high it is lifted, and how it rolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.over_time.body_ways import Pivot
from app.document.over_time.rolls import Roll
from solver.rig.level_feet import pitched

Array = NDArray[np.float64]


class Swing(NamedTuple):
    """One step. joints: those of the foot, of which `ankle` is one. start, end: frames between which the foot swings.
    first, last: the frames of the keys. height: metres that it is lifted. leg: its index in `LEGS`. part: how much it
    is of the foot's way. pivot: what the foot goes round; None if it goes straight. roll: how it rolls; None if it
    stays flat."""

    joints: frozenset[str]
    ankle: str
    start: float
    end: float
    first: int
    last: int
    height: float
    leg: int
    part: float = 1.0
    pivot: Pivot | None = None
    roll: Roll | None = None

    def shares(self, frames: Frames) -> Array:
        """(N,) how much of the step is done at some frames, 0..1."""
        return np.clip((frames - self.start) / (self.end - self.start), 0.0, 1.0)


def pitches_of(swings: Sequence[Swing], frames: Frames) -> Array:
    """(N,) radians that the toes of a foot are down at some frames."""
    return sum((swing.roll.pitches(frames) for swing in swings if swing.roll is not None), np.zeros(len(frames)))


def pitched_by(pitches: Array) -> Array:
    """(N, 3, 3) turns of a foot by which its toes go down, by (N,) radians."""
    return np.array([pitched(pitch) for pitch in pitches.tolist()])


def moved_by_roll(swings: Sequence[Swing], joint: str, done: Array, frames: Frames) -> Array:
    """(N, 3) metres that a foot's joint is moved as the foot rolls, with that much of its way done, (N,) 0..1."""
    roll = swings[0].roll
    if roll is None:
        return np.zeros((len(frames), 3))
    pitches = pitches_of(swings, frames)
    moved = roll.ankle(pitches) if joint == swings[0].ankle else roll.ball(pitches)
    return np.asarray((roll.headings(done) @ moved[..., None])[..., 0])


def parts_done(swings: Sequence[Swing], frames: Frames) -> Array:
    """(N,) how much of a foot's way its steps have done at some frames, 0..1."""
    return np.asarray(sum(swing.part * _eased(swing.shares(frames)) for swing in swings))


def height_shares(share: Array) -> Array:
    """(N,) how much of its height a foot is lifted with shares (N,) of a step done, at rest at both ends."""
    return (4.0 * share * (1.0 - share)) ** 2


def _eased(share: Array) -> Array:
    """From 0 to 1, at rest at both ends."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
