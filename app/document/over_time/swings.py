"""One step of a foot: when it swings, how far it goes, how high it is lifted, and how it rolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from app.document.over_time.body.body_ways import UP, Pivot, turn_of
from app.document.over_time.body.turned_walks import TurningFeet
from app.document.over_time.rolls import Roll
from solver.kinematics.rotations import from_rotation_vector, round_with, to_rotation_vector
from solver.rig.level_feet import heading, pitched
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

LEAST_M = 0.05  # metres over the floor that a foot goes at least to step
STRIDE = 1.5  # lengths of the leg that one foot goes at most
LIFT, MOST_LIFT_M, OVER = 0.25, 0.12, 0.35  # of that way it is lifted; metres at most; and of what it goes up or down
WALKS_M = 0.055  # metres that it is lifted at most by those who walk
LEAST_LIFTED_M = 0.1  # metres of that way that count at least, of those who turn on the spot
STEP_S = 0.8  # seconds that a step takes at most
# Of the time, of a foot's step beside one that is up at a key, and beside one that kicks; seconds at least.
BESIDE, QUICK, SOON_S = 0.45, 0.3, 0.2


class Swing(NamedTuple):
    """One step. joints: those of the foot, of which `ankle` is one. start, end: frames between which the foot swings.
    first, last: the frames of the keys. height: metres that it is lifted. leg: its index in `LEGS`. part: how much it
    is of the foot's way. turn: and of its turn. body: radians that the body turns from key to key, to the left.
    pivot: what the foot goes round; None if it goes straight. roll: how it
    rolls; None if it stays flat. levels: (2,) metres of the ground that it stands on before and after it; None if the
    ground is even. upright, along: of a step's time, in which a foot goes up or down to other ground, and along the
    floor: up first, or down last. path: (F, 3) metres that it has gone at each frame from the first key to the second,
    of who jumps, in place of all that. flat: whether it does not roll in any case. rides: whether it goes as it would
    without steps, and is only lifted."""

    joints: frozenset[str]
    ankle: str
    start: float
    end: float
    first: int
    last: int
    height: float
    leg: int
    part: float = 1.0
    turn: float = 1.0
    body: float = 0.0
    pivot: Pivot | TurningFeet | None = None
    roll: Roll | None = None
    levels: tuple[float, float] | None = None
    upright: float = 1.0
    along: float = 1.0
    path: Array | None = None
    flat: bool = False
    rides: bool = False

    def shares(self, frames: Frames | Array) -> Array:
        """(N,) how much of the step is done at some frames, 0..1."""
        return np.clip((frames - self.start) / (self.end - self.start), 0.0, 1.0)

    @property
    def rise(self) -> float:
        """Metres that the ground goes up from before the step to after it."""
        return 0.0 if self.levels is None else self.levels[1] - self.levels[0]

    def place(self, start: Array, end: Array, frames: Frames) -> Array:
        """(N, 3) metres of a point of a foot with a path, from `start` to `end`, at some frames."""
        assert self.path is not None
        ends, shares = np.arange(self.first, self.last + 1), eased(self.shares(frames))
        moved = np.stack([np.interp(frames, ends, part) for part in self.path.T], axis=1)
        return np.asarray(start + moved + np.multiply.outer(shares, end - start - self.path[-1]))

    def gone(self, frames: Frames | Array) -> Array:
        """(N,) how much of its way along the floor is done at some frames, 0..1: late if it goes up, and soon if it
        goes down, so that it comes by edges."""
        share = self.shares(frames)
        if self.rise > 0.0:
            return eased(np.maximum(1.0 - (1.0 - share) / self.along, 0.0))
        return eased(np.minimum(share / self.along, 1.0) if self.rise < 0.0 else share)


def swing_of(
    rig: Rig,
    leg: int,
    keys: tuple[Key, Key],
    far: Array,
    ways: Array,
    fps: float,
    part: float = 1.0,
    time: tuple[float, float] = (0.0, 1.0),
    walks: bool = False,
) -> Swing:
    """A step of one foot. far, ways: (2,) and (2, 3) metres that feet go from key to key. part: how much of that this
    one does. time: its beginning and end, as shares of the time between the keys; it takes `STEP_S` at most. walks:
    whether it is one of more than two."""
    first, last = (key.frame for key in keys)
    middle, half = sum(time) / 2, min(STEP_S * fps, (time[1] - time[0]) * (last - first)) / 2
    at = first + middle * (last - first)
    most_m = WALKS_M if walks else MOST_LIFT_M
    height = min(LIFT * max(part * float(far[leg]), LEAST_LIFTED_M), most_m) + OVER * part * abs(float(ways[leg, 1]))
    joints = frozenset(rig.names_of((LEGS[leg].end, LEGS[leg].tip)))
    body = turn_of(np.stack([key.pose.rotations[0] for key in keys]))
    return Swing(joints, rig.name(LEGS[leg].end), at - half, at + half, first, last, height, leg, part, part, body)


def step_beside_lifted(
    rig: Rig, leg: int, keys: tuple[Key, Key], far: Array, ways: Array, fps: float, late: bool, quick: bool
) -> list[Swing]:
    """The step of a foot that stands at both keys, while the other one is up at one of them: before that is lifted, or
    late, as it comes down. None where it stays, or has no time. far, ways: as of `swing_of`. quick: whether the other
    one kicks, which takes its time."""
    gap = keys[1].frame - keys[0].frame
    share = max(QUICK, min(SOON_S * fps / gap, BESIDE)) if quick else BESIDE
    if share * gap < SOON_S * fps or not LEAST_M < far[leg] <= STRIDE * rig.leg_length:
        return []
    return [swing_of(rig, leg, keys, far, ways, fps, time=(1.0 - share, 1.0) if late else (0.0, share))]


def time_taken(steps: Sequence[Swing]) -> float:
    """The share of the time between two keys that steps beside one of them take, 0..1."""
    ends = [((each.end - each.first), (each.last - each.start)) for each in steps]
    return max((min(end) / (each.last - each.first) for each, end in zip(steps, ends, strict=True)), default=0.0)


def pitches_of(swings: Sequence[Swing], frames: Frames | Array) -> Array:
    """(N,) radians that the toes of a foot are down at some frames."""
    return sum((swing.roll.pitches(frames) for swing in swings if swing.roll is not None), np.zeros(len(frames)))


def pitched_by(pitches: Array) -> Array:
    """(N, 3, 3) turns of a foot by which its toes go down, by (N,) radians."""
    return np.array([pitched(pitch) for pitch in pitches.tolist()])


def moved_by_roll(swings: Sequence[Swing], joint: str, turned: Array, frames: Frames | Array) -> Array:
    """(N, 3) metres that a foot's joint is moved as the foot rolls, with that much of its turn done, (N,) 0..1."""
    roll = swings[0].roll
    if roll is None:
        return np.zeros((len(frames), 3))
    pitches = pitches_of(swings, frames)
    headings = np.array([heading(turn) for turn in turns_on(swings[0].body, roll.turns, turned)])
    moved = roll.ankle(pitches) if joint == swings[0].ankle else roll.ball(pitches)
    return np.asarray((headings @ moved[..., None])[..., 0])


def parts_done(swings: Sequence[Swing], frames: Frames) -> Array:
    """(N,) how much of a foot's way its steps have done at some frames, 0..1."""
    return np.asarray(sum(swing.part * swing.gone(frames) for swing in swings))


def levels_done(swings: Sequence[Swing], frames: Frames | Array) -> Array:
    """(N,) metres that the ground below a foot has gone up in its steps at some frames: soon on the way up, and late on
    the way down, so that it comes over edges."""
    made = np.zeros(len(frames))
    for swing in swings:
        share = swing.shares(frames) if swing.rise > 0.0 else 1.0 - swing.shares(frames)
        made += swing.rise * (swing.rise <= 0.0) + abs(swing.rise) * eased(np.minimum(share / swing.upright, 1.0))
    return made


def turns_done(swings: Sequence[Swing], frames: Frames | Array) -> Array:
    """(N,) how much of a foot's turn its steps have done at some frames, 0..1."""
    return np.asarray(sum(swing.turn * eased(swing.shares(frames)) for swing in swings))


def place_on(pivot: Pivot | TurningFeet | None, start: Array, end: Array, share: Array, turned: Array) -> Array:
    """(N, 3) where a point from `start` to `end` is when shares (N,) of its way and of its turn are done."""
    if isinstance(pivot, TurningFeet):
        return pivot.way(start, end, share, turned)
    return start + share[:, None] * (end - start) if pivot is None else pivot.way(start, end, share)


def share_along(start: Array, end: Array, way: Array) -> Array:
    """(N,) how far points of a way (N, 3) are from `start` to `end`, 0..1 where they are between."""
    line = end - start
    return np.asarray((way - start) @ line / max(float(line @ line), 1e-12))


def turns_on(body: float, turns: Array, turned: Array) -> Array:
    """(N, 3, 3) how something is turned on the way between two turns, (2, 3, 3), with that much done, (N,); to the
    side that the body turns to, also by half a turn. body: as of `Swing`."""
    start, end = turns
    way = round_with(to_rotation_vector(end @ start.T), body * UP)
    return np.asarray(from_rotation_vector(np.multiply.outer(turned, way)) @ start)


def height_shares(share: Array) -> Array:
    """(N,) how much of its height a foot is lifted with shares (N,) of a step done, at rest at both ends."""
    return (4.0 * share * (1.0 - share)) ** 2


def eased(share: Array) -> Array:
    """From 0 to 1, at rest at both ends."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
