"""Which feet stand at a key: flat or on the ball, on the floor, on other ground, or where a contact holds them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from app.document.over_time.ground import Ground, is_low
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import TurnEffector
from solver.effectors.sources import PropSource, Tie
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.fk import WorldJoints
from solver.rig.level_feet import toes_down
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Limb

Array = NDArray[np.float64]

LEVEL = 0.85  # how far the sole of a foot that stands faces down at least, as a cosine
RAISED, ASIDE = np.radians(70.0), 0.42  # that a heel is up at most over the ball; how far such a foot leans, as a sine
STAYS_M = 0.02  # metres over the floor that the ball of a foot goes at most that turns about it


def stands_at(rig: Rig, leg: Limb, key: Key, world: WorldJoints, ground: Ground | None) -> bool:
    """Whether a foot stands at a key, by its pose."""
    turn, ball = world.rotations[rig.joint(leg.end)], rig.joint(leg.tip)
    on_ball = 0.0 < toes_down(turn) < RAISED and abs(turn[1, 0]) < ASIDE
    if turn[1, 1] < LEVEL and not on_ball:
        return False
    if held := _contacts(rig, leg, key):
        return not any(isinstance(contact.source, Tie) for contact in held)
    return is_low(world.positions[ball], ground)


def rides(rig: Rig, leg: Limb, one: Key, other: Key) -> bool:
    """Whether both keys hold a foot at one place of a prop: as that moves, the foot goes along and stays on it."""
    before, after = ([contact.source for contact in _contacts(rig, leg, key)] for key in (one, other))
    return any(isinstance(source, PropSource) and source in after for source in before)


def farness(rig: Rig, before: WorldJoints, after: WorldJoints) -> Array:
    """(2,) metres over the floor that feet go: their ankles, or their balls where those stay, about which they turn."""
    far = []
    for leg in LEGS:
        joints = [rig.joint(leg.end), rig.joint(leg.tip)]
        ankle, ball = np.linalg.norm((after.positions - before.positions)[joints][:, [0, 2]].astype(np.float64), axis=1)
        far.append(min(ball, ankle) if ball < STAYS_M else ankle)
    return np.array(far)


class BallTurn(NamedTuple):
    """A foot that stands at both of two keys and turns about its ball meanwhile, or comes up or down on it. ankle: its
    name. first, last: the frames of the keys. balls: (2, 3) metres, and turns: (2, 3, 3) R_world_ankle at both. ball:
    (3,) metres, in the ankle's frame."""

    ankle: str
    first: int
    last: int
    balls: Array
    turns: Array
    ball: Array

    def turned(self, frames: Frames) -> Array:
        """(N, 3, 3) R_world_ankle at some frames."""
        return rotation_curve_through((self.first, self.last), self.turns, frames)

    def aside(self, frames: Frames) -> Array:
        """(N, 3) metres that the ankle is off its curve from key to key at some frames."""
        ankles = self.balls - self.turns @ self.ball
        ends = (self.first, self.last)
        way = curve_through(ends, self.balls, frames) - self.turned(frames) @ self.ball
        return np.asarray(way - curve_through(ends, ankles, frames))


def ball_turns(
    rig: Rig,
    both: tuple[Key, Key],
    worlds: tuple[WorldJoints, WorldJoints],
    ground: Ground | None,
    steps: Container[str],
) -> Iterator[BallTurn]:
    """Those of feet that stand at both of two keys with the ball in one place. steps: ankles of feet that step."""
    far = farness(rig, *worlds)
    for number, leg in enumerate(LEGS):
        ankle, ball = rig.joint(leg.end), rig.joint(leg.tip)
        stays = far[number] < STAYS_M and rig.names[ankle] not in steps
        if stays and all(stands_at(rig, leg, *at, ground) for at in zip(both, worlds, strict=True)):
            balls, turns = (
                np.stack(each).astype(np.float64)
                for each in ([w.positions[ball] for w in worlds], [w.rotations[ankle] for w in worlds])
            )
            yield BallTurn(
                rig.names[ankle], both[0].frame, both[1].frame, balls, turns, rig.offsets[ball].astype(float)
            )


def firmly_turned(effectors: Sequence[Effector], turns: Sequence[BallTurn], frame: int) -> tuple[Effector, ...]:
    """The effectors of a frame that ask strictly for how feet are turned that turn about their balls: else they would
    stand by how high they are."""
    own = {turn.ankle for turn in turns if turn.first < frame < turn.last}
    return tuple(
        replace(each, tolerance=0.0) if each.joint in own and isinstance(each, TurnEffector) else each
        for each in effectors
    )


def _contacts(rig: Rig, leg: Limb, key: Key) -> list[Contact]:
    """Those that hold a foot at a key."""
    foot = rig.joint(leg.end), rig.joint(leg.tip)
    return [e for e in key.effectors if isinstance(e, Contact) and e.is_active and rig.index(e.joint) in foot]
