"""How bodies go as their feet walk: in a bend if people turn on the way, and a little lower while the feet are apart.

Who turns on the way goes on as they head, ahead or back, so the way is a circle's. Sideways, and where the turn says
nothing of the way, it stays straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.effectors.kinds import Position, Rotation
from solver.kinematics.curves import curve_through, eased_between
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, round_with, to_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

UP = np.array([0.0, 1.0, 0.0])
LEAST_TURN, MOST_TURN = np.radians([3.0, 150.0])  # by which people turn at least and at most who go in a bend
AHEAD = np.radians([55.0, 30.0])  # off the way in its middle: heading so far, they go straight; so far, in a bend
WALKS_TURNED, ABOUT_TURNED, JUMPS_TURNED = 0.6, 0.5, 0.1  # tolerances of how hips are turned


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
    turn = turn_of(turns)
    off = abs(_off(ends, turns))
    bends = turn * eased_between(min(off, np.pi - off), *AHEAD)
    if abs(bends) < LEAST_TURN or abs(turn) > MOST_TURN:
        return None
    (start, end), turned = ends[:, [0, 2]], from_rotation_vector(bends * UP)[np.ix_([0, 2], [0, 2])]
    about = np.linalg.solve(np.eye(2) - turned, end - turned @ start)
    return Pivot(np.array([about[0], ends[0, 1], about[1]]), bends)


def with_hips_held(
    effectors: Sequence[Effector], rig: Rig, base: Pose, turn_tolerance: float = 0.6
) -> tuple[Effector, ...]:
    """The effectors with the pelvis held where the base pose has it and turned as there, unless they ask for either."""
    pelvis = rig.names[0]
    own = [e for e in effectors if e.is_active and e.joint == pelvis]
    made = list(effectors)
    if not any(isinstance(e, PointEffector) for e in own):
        made.append(Position(pelvis, base.root_position, tolerance=0.1, id="hips"))
    if not any(isinstance(e, TurnEffector) for e in own):
        made.append(Rotation(pelvis, base.rotations[0], tolerance=turn_tolerance, id="hips' turn"))
    return tuple(made)


def with_body_turned(pose: Pose, turned: Array) -> Pose:
    """The pose turned as a whole about the pelvis, by a rotation vector (3,) in the world."""
    if not turned.any():
        return pose
    rotations = np.array(pose.rotations, np.float32)
    rotations[0] = from_rotation_vector(turned) @ rotations[0]
    return replace(pose, rotations=rotations)


def with_hips_turned(rig: Rig, pose: Pose, turned: Array) -> Pose:
    """The pose with hips turned by a rotation vector (3,) in the world, and the trunk above them as it is."""
    if not turned.any():
        return pose
    rotations = np.array(pose.rotations, np.float64)
    rotations[0] = from_rotation_vector(turned) @ rotations[0]
    legs = {rig.joint(leg.root) for leg in LEGS}
    for joint, parent in enumerate(rig.parents):
        if parent == 0 and joint not in legs:
            rotations[joint] = rotations[0].T @ pose.rotations[0] @ rotations[joint]
    return replace(pose, rotations=rotations.astype(np.float32))


def turn_of(turns: Array) -> float:
    """Radians that somebody turns to the left; by half a turn to the side that the joints' own way goes to. turns: (2,
    3, 3) R_world_pelvis at both keys."""
    before, after = turns.astype(np.float64)
    first, last = (np.arctan2(turn[0, 2], turn[2, 2]) for turn in (before, after))
    turn = (last - first + np.pi) % (2.0 * np.pi) - np.pi
    return float(round_with(turn * UP, before @ to_rotation_vector(before.T @ after))[1])


def feet_turned(before: NDArray[np.floating], after: NDArray[np.floating], body: float) -> float:
    """Radians that the foot that turns more turns about the vertical, to the left if positive. before, after: (2, 3, 3)
    R_world_joint of both. body: radians that the body turns, likewise."""
    turns = after.astype(np.float64) @ np.swapaxes(before, -1, -2)
    angles = round_with(np.multiply.outer(np.arctan2(turns[:, 0, 2], turns[:, 2, 2]), UP), body * UP)[:, 1]
    return float(angles[np.abs(angles).argmax()])


def way_off(ends: Array, turn: Array) -> float:
    """Radians between the way, (2, 3) metres of the pelvis, and how somebody heads who is turned by (3, 3)."""
    way = ends[1] - ends[0]
    off = np.arctan2(way[0], way[2]) - np.arctan2(turn[0, 2], turn[2, 2])
    return float((off + np.pi) % (2.0 * np.pi) - np.pi)


def _off(ends: Array, turns: Array) -> float:
    """Radians between the way and how somebody heads half way, to the left if positive."""
    off = way_off(ends, turns[0]) - turn_of(turns) / 2.0
    return float((off + np.pi) % (2.0 * np.pi) - np.pi)


class BodyWay(NamedTuple):
    """How a body leaves the straight way between two keys. first, last: their frames. ends: (2, 3) metres of the pelvis
    there. gone: (F,) how much of the way it has gone at each frame from the first to the last. pivot: what it goes
    round, if anything. lower: (K,) frames, and (K,) metres by which the hips are lower there; None if nowhere. sways:
    (K,) frames, and (K, 3) metres by which they are over the foot that stands; None if they are not. tilts: each (K,)
    frames, and (K, 3) rotation vectors in the world by which they are turned. turned, besides, yaws: (F,), (F, 3) and
    (F,) of who turns or sits down at one end of the way: how much of the turn is done, and the metres and radians that
    the body is moved and turned besides what the keys say. leans, arms: (K,) frames, and (K, 3) rotation vectors by
    which the whole body is turned, and (K,) radians that hanging arms are ahead, of who jumps."""

    first: int
    last: int
    ends: Array
    gone: Array
    pivot: Pivot | None
    lower: tuple[Array, Array] | None = None
    sways: tuple[Array, Array] | None = None
    tilts: tuple[tuple[Array, Array], ...] = ()
    turned: Array | None = None
    besides: Array | None = None
    yaws: Array | None = None
    leans: tuple[Array, Array] | None = None
    arms: tuple[Array, Array] | None = None

    @property
    def hips_turned(self) -> float:
        """The tolerance of how the hips are turned: less where people turn about on the way, and least as they jump."""
        walks = WALKS_TURNED if self.turned is None else ABOUT_TURNED
        return walks if self.leans is None else JUMPS_TURNED

    def sets_out(self, way: Array) -> Array:
        """A way (3,) as it begins: turned as the body's own way is there."""
        return way if self.pivot is None else np.asarray(from_rotation_vector(-self.pivot.turn / 2.0 * UP) @ way)

    def done(self, frames: Frames | Array) -> Array:
        """(N,) how much of the way is gone at some frames, 0..1."""
        return self._at(self.gone, frames)

    def turns_done(self, frames: Frames | Array) -> Array:
        """(N,) how much of its turn is done at some frames, 0..1."""
        return self._at(self.gone if self.turned is None else self.turned, frames)

    def turned_at(self, frames: Frames) -> Array:
        """(N, 3) rotation vectors by which the whole body is turned besides, at some frames."""
        made = np.zeros((len(frames), 3))
        if self.yaws is not None:
            made += np.multiply.outer(self._at(self.yaws, frames), UP)
        if self.leans is not None:
            made += curve_through(*self.leans, frames)
        return np.where(((frames > self.first) & (frames < self.last))[:, None], made, 0.0)

    def arms_at(self, frames: Frames) -> Array:
        """(N,) radians that hanging arms are ahead, at some frames."""
        inside = (frames > self.first) & (frames < self.last)
        return np.where(inside, 0.0 if self.arms is None else curve_through(*self.arms, frames), 0.0)

    def _at(self, values: Array, frames: Frames | Array) -> Array:
        return np.interp(frames, np.arange(self.first, self.last + 1), values)

    def aside(self, frames: Frames) -> Array:
        """(N, 3) metres off the straight way at some frames."""
        made = np.zeros((len(frames), 3))
        if self.lower is not None:
            made -= np.multiply.outer(curve_through(*self.lower, frames), UP)
        if self.sways is not None:
            made += curve_through(*self.sways, frames)
        if self.besides is not None:
            made += np.stack([self._at(part, frames) for part in self.besides.T], axis=1)
        if self.pivot is not None:
            start, end = self.ends
            share = self.done(frames)
            made += self.pivot.way(start, end, share) - (start + share[:, None] * (end - start))
        return np.asarray(np.where(((frames > self.first) & (frames < self.last))[:, None], made, 0.0))

    def tilted(self, frames: Frames) -> Array:
        """(N, 3) rotation vectors by which the hips are turned at some frames."""
        turned = sum((curve_through(*tilt, frames) for tilt in self.tilts), np.zeros((len(frames), 3)))
        return np.asarray(np.where(((frames > self.first) & (frames < self.last))[:, None], turned, 0.0))

    def share_of(self, way: Array) -> float:
        """How much of that somebody's point takes part in, 0..1, that goes by `way` (3,) metres from key to key."""
        far = float(np.linalg.norm(self.ends[1] - self.ends[0]))
        return min(float(np.linalg.norm(way)) / max(far, 1e-6), 1.0)
