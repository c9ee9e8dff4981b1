"""How feet stand on the floor: flat, rolled onto the ball, or free; by where the ankle is, or as chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, radians
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import FloorPoints
from solver.contact.heel_roll import HeelRoll, heel_roll
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import geodesic_angle, interpolate, rotation_between
from solver.memoise import memoised
from solver.rig.level_feet import heading, pitched, toes_down
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
UP = np.array([0.0, 1.0, 0.0])
FootStand = Literal["auto", "flat", "ball", "free"]

STEEPEST = radians(70)  # of a foot on its ball: toes bend no further
RAISED = radians(40)  # the least for a foot that is to be on its ball, while nothing holds its ankle
PITCHES = np.linspace(0.0, STEEPEST, 15)
TOUCHES_M = 0.003  # metres above the lowest skin of a foot that rolls, at which skin counts as on the floor
LIFTS = 0.12  # metres that the ankle rises beyond where the ball can stay down, until the foot is free
HANGS = 0.06, 0.18  # likewise, from where a foot begins to hang until it hangs, high above the floor
HEELED = radians(10), radians(25)  # toes up: above the first it stands on its heel, above the second it is free
LAID = radians(70), radians(95)  # toes down: above the first its back comes to lie on the floor
ROLLS_OFF = radians(140)  # toes down: from here a foot that rolls off its back is held more firmly by and by
ON_EDGE = 0.5, 0.8  # sine of how far it is tilted to a side
STRETCHED = radians(40)  # toes away from the shin, beyond a right angle: an ankle stretches no further
OTHERWISE = radians(1), radians(4)  # off how it would stand: above the first it is posed otherwise, then altogether


class Footing(NamedTuple):
    """How one foot is to stand. ankle: its place, (3,) metres. foot, toes: their turns, (3, 3) R_world_joint. down:
    how much it is on the floor, 0 to 1, whatever of that counts."""

    ankle: Array
    foot: Array
    toes: Array
    down: float


class Slope(NamedTuple):
    """point: (3,) metres, on it. tilt: (3, 3), the turn from the level to it. level: the foot on level ground there."""

    point: Array
    tilt: Array
    level: FootShape


@dataclass(frozen=True, eq=False)
class FootShape:
    """One foot of a body; one for each body, shape and hands, compared as such. ankle, ball: joint indices. heights:
    metres of the ankle above the floor, at each of `PITCHES`, while the toes are flat on it. ways: metres that the
    ankle has gone ahead there, if no skin slides. heel: how it rolls the other way, with its toes up.
    bends: whether it has toes that bend; one without rolls over their ends, and heights and ways are of that.
    bears: how much the ground below lets it stand by itself, 0..1: less at an edge. slope: what it stands on, where
    that is not level; heights are then of its point."""

    ankle: int
    ball: int
    heights: Array
    ways: Array
    heel: HeelRoll
    bends: bool = True
    bears: float = 1.0
    slope: Slope | None = None

    def on_ground(self, height: float, bears: float = 1.0) -> FootShape:
        """This foot on ground `height` metres above the floor; always the same object for the same height."""
        return self if height == 0.0 and bears >= 1.0 else _on_ground(self, height, bears)

    def on_slope(self, point: Array, normal: Array, bears: float = 1.0) -> FootShape:
        """This foot on a plane through `point`, (3,) metres, with the normal (3,) upwards, where it stands as it does
        on the floor; always the same object for the same plane."""
        return _on_slope(self, tuple(point.tolist()), tuple(normal.tolist()), bears)

    def footing(
        self,
        place: Array,
        turn: Array,
        toes: Array,
        stand: FootStand,
        is_held: bool,
        most: float = 1.0,
        shin: Array | None = None,
    ) -> Footing | None:
        """How the foot is to stand, given where it is; None if it is free.

        place: (3,) metres, of the ankle. turn, toes: (3, 3) R_world_joint of ankle and ball. is_held: its ankle has
        been given a place, which stays. most: the share of the way to standing, as in `Feet.shares`. shin: (3,) the
        way from knee to ankle. A foot that comes off the floor by itself changes little by little from how it would
        stand to how it is. Toes that a held ankle cannot stretch to the floor hang above it: else the leg, and what
        sits above it, would turn to bring them there. For the same reason an ankle that is not held comes down.
        """
        if self.slope is not None:
            point, tilt, flat = self.slope
            back = tilt.T
            lower = None if shin is None else back @ shin
            place, turn, toes = point + back @ (place - point), back @ turn, back @ toes
            found = flat.footing(place, turn, toes, stand, is_held, most, lower)
            if found is None:
                return None
            there = point + tilt @ (found.ankle - point)
            return Footing(there, tilt @ found.foot, tilt @ found.toes, found.down)
        level, pitch = heading(turn), self._pitch(float(place[1]))
        down = self._share(float(place[1]), turn) if stand == "auto" else 1.0
        share = most * down
        if stand == "free" or share <= 0.0:
            return None
        if stand == "flat":
            pitch = 0.0
        elif stand == "ball" and not is_held:
            pitch = max(pitch, RAISED)
        if stand == "auto" and shin is not None:
            furthest = STRETCHED if is_held else max(STRETCHED, stretch(turn, shin))
            pitch = max(pitch - max(stretch(level @ pitched(pitch), shin) - furthest, 0.0), 0.0)
        stood = np.array([place[0], self._height(pitch), place[2]])
        rolled = level @ pitched(pitch)
        foot = _between(turn, rolled, share)
        toes = _between(toes, level, share) if self.bends else foot
        return Footing(place + share * (stood - place), foot, toes, down)

    def standing(self, place: Array, turn: Array, toes: Array) -> float:
        """How nearly a foot is posed as it would stand by itself where it is, 0..1: 1 if it is free there.

        One that was posed otherwise, as in a lunge that somebody made, is left so until it is taken elsewhere.
        """
        footing = self.footing(place, turn, toes, "auto", True)
        if footing is None:
            return 1.0
        off = max(float(geodesic_angle(turn, footing.foot)), float(geodesic_angle(toes, footing.toes)))
        return 1.0 - eased_between(off, *OTHERWISE)

    def rolls(self, height: float) -> bool:
        """Whether its heel is off the floor while the toes are flat on it, with the ankle at that height in metres."""
        return height > float(self.heights[0])

    def off_floor(self, height: float) -> float:
        """How far a foot is off the floor with its ankle at that height in metres, 0..1.

        It begins before the foot is free: meanwhile the toes of a leg that is thrown back would come up to the shin.
        """
        return 1.0 - _falling(height - self._height(STEEPEST), *HANGS)

    def is_laid(self, turn: Array) -> bool:
        """Whether a foot with the turn (3, 3) lies on its back, as of somebody kneeling."""
        return toes_down(turn) > LAID[1]

    def rolled_off(self, turn: Array, lay: Array) -> float:
        """How far a foot that lay on its back has rolled off it, 0..1: 1 as it no longer lies so.

        turn, lay: (3, 3) R_world_joint of the ankle, now and as the foot lay.
        """
        least, most = LAID[1], min(ROLLS_OFF, toes_down(lay))
        return _falling(toes_down(turn), least, most) if most > least else 0.0

    def rolled_over(self, turn: Array, share: float, height: float) -> tuple[Array, float]:
        """The turn (3, 3) of a foot that lay on its back, once that much of it, 0..1, has rolled over its toes to where
        it stands, and metres of its ankle above the floor.

        turn: (3, 3) R_world_joint of the ankle as the foot lay. height: metres of the ankle then.
        """
        laid = toes_down(turn)
        level, pitch = heading(turn @ pitched(-laid)), laid * (1.0 - share)
        askew = pitched(laid).T @ level.T @ turn
        foot = level @ pitched(pitch) @ _between(np.eye(3), askew, 1.0 - share)
        return foot, max(self._height(pitch), height) if pitch <= STEEPEST else self.raised_over(turn, share, height)

    def raised_over(self, turn: Array, share: float, height: float) -> float:
        """Metres of the ankle above the floor with that much of the foot rolled over, or at its highest before that.

        turn, share, height: as in `rolled_over`.
        """
        laid = toes_down(turn)
        least = cos(laid - STEEPEST)
        over = (cos(max(laid * (1.0 - share) - STEEPEST, 0.0)) - least) / (1.0 - least)  # as high as the foot is steep
        return height + max(self._height(STEEPEST) - height, 0.0) * over

    def on_ball(self, pitches: Array) -> tuple[Array, Array]:
        """(N,) each: metres of the ankle above the floor, and metres that it has gone ahead, with the sole sloping down
        to toes on the floor by pitches (N,) radians."""
        return np.interp(pitches, PITCHES, self.heights), np.interp(pitches, PITCHES, self.ways)

    def _pitch(self, height: float) -> float:
        """Radians by which the sole slopes down to toes on the floor when the ankle is at that height."""
        return float(np.interp(height, self.heights, PITCHES))

    def _height(self, pitch: float) -> float:
        return float(np.interp(pitch, PITCHES, self.heights))

    def _share(self, height: float, turn: Array) -> float:
        """How much a foot stands on the floor of its own accord."""
        down = toes_down(turn)
        return min(
            self.bears,
            _falling(height - self._height(STEEPEST), 0.0, LIFTS),
            _falling(-down, *HEELED),
            _falling(down, *LAID),
            _falling(abs(turn[1, 0]), *ON_EDGE),
        )


@dataclass(frozen=True)
class Feet:
    """How somebody's feet stand. stands: for each foot of `shapes`, how. shares: for each, how much of that counts,
    0..1; None if the base pose decides."""

    shapes: tuple[FootShape, ...]
    stands: tuple[FootStand, ...]
    shares: tuple[float, ...] | None = None

    def each(self) -> Iterator[tuple[FootShape, FootStand, float | None]]:
        """For each foot its shape, how it stands, and how much of that counts."""
        return zip(self.shapes, self.stands, self.shares or (None,) * len(self.shapes), strict=True)


@memoised(16, by_identity=True)
def foot_shapes(points: FloorPoints, rig: Rig) -> tuple[FootShape, ...]:
    """The feet of a body that has ankles and balls, the left one first; the same object for the same points."""
    legs = [leg for leg in LEGS if not rig.lacking([leg.end, leg.tip])]
    return tuple(_shape(points, rig, rig.joint(leg.end), rig.joint(leg.tip)) for leg in legs)


@memoised(64)  # every solve of a drag asks for the same
def _on_ground(shape: FootShape, height: float, bears: float) -> FootShape:
    heel = replace(shape.heel, heights=shape.heel.heights + height)
    return replace(shape, heights=shape.heights + height, heel=heel, bears=bears)


@memoised(64)  # likewise
def _on_slope(shape: FootShape, point: tuple[float, ...], normal: tuple[float, ...], bears: float) -> FootShape:
    level, tilt = shape.on_ground(point[1], bears), rotation_between(UP, np.array(normal))
    return replace(level, slope=Slope(np.array(point), np.asarray(tilt, np.float64), level))


def _shape(points: FloorPoints, rig: Rig, ankle: int, ball: int) -> FootShape:
    places = rig.rest_positions.astype(np.float64)
    turns = np.tile(np.eye(3), (len(rig), 1, 1))
    on_foot = np.isin(points.carriers, [ankle, ball])
    skins, bends = [], ball not in rig.merged_joints
    for pitch in PITCHES:
        turns[ankle if bends else [ankle, ball]] = pitched(float(pitch))
        places[ball] = places[ankle] + turns[ankle] @ rig.offsets[ball]
        skins.append(points.places(WorldJoints(places, turns))[on_foot] - places[ankle])
    heights = [-float(skin[:, 1].min()) for skin in skins]
    heel = heel_roll(points, rig, ankle, ball)
    return FootShape(ankle, ball, np.maximum.accumulate(heights), _ways(skins), heel, bends)


def _ways(skins: Sequence[Array]) -> Array:
    """(K,) metres that an ankle has gone ahead, if skin on the floor does not slide. skins: (N, 3) metres each, from
    the ankle, as the foot rolls on."""
    ways = [0.0]
    for before, after in pairwise(skins):
        middle = (before[:, 1] + after[:, 1]) / 2
        touches = middle < middle.min() + TOUCHES_M
        ways.append(ways[-1] + float((before[touches, 2] - after[touches, 2]).mean()))
    return np.array(ways)


def stretch(foot: Array, shin: Array) -> float:
    """Radians by which a foot's toes point away from its shin, 0 where they are at a right angle to it.

    foot: (3, 3) R_world_joint of the ankle. shin: (3,) the way from knee to ankle.
    """
    return atan2(float(foot[:, 2] @ shin), -float(foot[:, 1] @ shin))


def _between(start: Array, end: Array, share: float) -> Array:
    return end if share >= 1.0 else np.asarray(interpolate(start, end, share), np.float64)


def _falling(value: float, whole: float, none: float) -> float:
    return min(max((none - value) / (none - whole), 0.0), 1.0)
