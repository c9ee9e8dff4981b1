"""How bodies go as their feet walk: in a bend if people turn on the way, and a little lower while the feet are apart.

Who turns on the way goes on as they head, ahead or back, so the way is a circle's. Sideways, and where the turn says
nothing of the way, it stays straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.kinematics.curves import curve_through, eased_between
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import Rig

Array = NDArray[np.float64]

UP = np.array([0.0, 1.0, 0.0])
LEAST_TURN, MOST_TURN = np.radians([3.0, 150.0])  # by which people turn at least and at most who go in a bend
AHEAD = np.radians([55.0, 30.0])  # off the way in its middle: heading so far, they go straight; so far, in a bend
APART, PASSING = 0.9, 0.4  # of what legs that do not stretch would lower the hips by: feet apart, and side by side


class Pivot(NamedTuple):
    """What somebody goes round. about: (3,) metres. turn: radians, to the left if positive."""

    about: Array
    turn: float

    def way(self, start: Array, end: Array, share: Array) -> Array:
        """(N, 3) where a point from `start` to `end` is when shares (N,) 0..1 of the turn are done."""
        angles = np.multiply.outer(np.append(share, 1.0), self.turn * UP)
        round_ = self.about + from_rotation_vector(angles) @ (start - self.about)
        return np.asarray(round_[:-1] + share[:, None] * (end - round_[-1]))

    @property
    def longer(self) -> float:
        """How many times as long as the straight way its own one is."""
        return float(self.turn / 2.0 / np.sin(self.turn / 2.0))


def bend(ends: Array, turns: Array) -> Pivot | None:
    """What the way of a body bends round; None if it is straight. ends: (2, 3) metres of the pelvis. turns: (2, 3, 3)
    R_world_pelvis at both."""
    turn = _turn(turns)
    off = abs(_off(ends, turns))
    bends = turn * eased_between(min(off, np.pi - off), *AHEAD)
    if abs(bends) < LEAST_TURN or abs(turn) > MOST_TURN:
        return None
    (start, end), turned = ends[:, [0, 2]], from_rotation_vector(bends * UP)[np.ix_([0, 2], [0, 2])]
    about = np.linalg.solve(np.eye(2) - turned, end - turned @ start)
    return Pivot(np.array([about[0], ends[0, 1], about[1]]), bends)


def is_ahead(ends: Array, turns: Array) -> bool:
    """Whether a body goes ahead rather than sideways or back; as in `bend`."""
    return abs(_off(ends, turns)) < AHEAD[0]


def dips(landings: Sequence[float], apart: Sequence[float], first: int, last: int, leg: float) -> tuple[Array, Array]:
    """(K,) frames, and (K,) metres by which the hips are lower there, of somebody who walks between two keys.

    landings: frames at which feet come down. apart: metres that these are apart then. leg: metres.
    """
    times, lower = [float(first), *landings[:-1], float(last)], [0.0]
    lower += [leg - float(np.sqrt(leg**2 - (min(each, leg) / 2.0) ** 2)) for each in apart[:-1]]
    lower.append(0.0)
    passing = [(one + other) / 2.0 for one, other in pairwise(times[1:-1])]
    middles = [min(one, other) for one, other in pairwise(lower[1:-1])]
    frames = np.array([*times, *passing])
    values = np.array([*(APART * each for each in lower), *(PASSING * each for each in middles)])
    order = np.argsort(frames)
    return frames[order], values[order]


def with_hips_held(effectors: Sequence[Effector], rig: Rig, base: Pose) -> tuple[Effector, ...]:
    """The effectors with the pelvis held where the base pose has it, unless they ask for its place."""
    pelvis = rig.names[0]
    if any(e.is_active and e.joint == pelvis and isinstance(e, PointEffector) for e in effectors):
        return tuple(effectors)
    return (*effectors, Position(pelvis, base.root_position, tolerance=0.1, id="hips"))


def _turn(turns: Array) -> float:
    """Radians that somebody turns to the left."""
    first, last = (np.arctan2(turn[0, 2], turn[2, 2]) for turn in turns)
    return float((last - first + np.pi) % (2.0 * np.pi) - np.pi)


def _off(ends: Array, turns: Array) -> float:
    """Radians between the way and how somebody heads half way, to the left if positive."""
    way = ends[1] - ends[0]
    off = np.arctan2(way[0], way[2]) - np.arctan2(turns[0, 0, 2], turns[0, 2, 2]) - _turn(turns) / 2.0
    return float((off + np.pi) % (2.0 * np.pi) - np.pi)


class BodyWay(NamedTuple):
    """How a body leaves the straight way between two keys. first, last: their frames. ends: (2, 3) metres of the pelvis
    there. gone: (F,) how much of the way it has gone at each frame from the first to the last. pivot: what it goes
    round, if anything. is_ahead: whether it goes ahead rather than sideways or back. lower: (K,) frames, and (K,)
    metres by which it is lower there; None if it is nowhere."""

    first: int
    last: int
    ends: Array
    gone: Array
    pivot: Pivot | None
    is_ahead: bool
    lower: tuple[Array, Array] | None = None

    def sets_out(self, way: Array) -> Array:
        """A way (3,) as it begins: turned as the body's own way is there."""
        return way if self.pivot is None else np.asarray(from_rotation_vector(-self.pivot.turn / 2.0 * UP) @ way)

    def aside(self, frames: Frames) -> Array:
        """(N, 3) metres off the straight way at some frames."""
        made = np.zeros((len(frames), 3))
        if self.lower is not None:
            made -= np.multiply.outer(curve_through(*self.lower, frames), UP)
        if self.pivot is not None:
            start, end = self.ends
            share = np.interp(frames, np.arange(self.first, self.last + 1), self.gone)
            made += self.pivot.way(start, end, share) - (start + share[:, None] * (end - start))
        return np.asarray(np.where(((frames > self.first) & (frames < self.last))[:, None], made, 0.0))

    def share_of(self, way: Array) -> float:
        """How much of that somebody's point takes part in, 0..1, that goes by `way` (3,) metres from key to key."""
        far = float(np.linalg.norm(self.ends[1] - self.ends[0]))
        return min(float(np.linalg.norm(way)) / max(far, 1e-6), 1.0)
