"""How a foot rolls on its heel over the floor as its toes are turned up: where that takes the ankle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import FloorPoints
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints
from solver.rig.level_feet import heading, pitched, toes_down
from solver.rig.rig import Rig

Array = NDArray[np.float64]

PITCHES_UP = np.linspace(0.0, radians(60), 31)  # of the toes; ankles turn no further
BACK, AHEAD = 2.0, 1.0  # of the way that a heel rolls, how far at most the ankle goes back and ahead for the ball
AT_ONCE, FARTHEST = 0.005, 0.06  # metres that it may go as soon as the toes of a foot on the floor rise, and at most
HOVERS_M = 0.004, 0.012  # metres above the floor: between them a heel ever less counts as on it
FLAT_M = 0.01  # metres that a ball may be lower than with the sole level, of a foot that still lies flat
POSED = radians(45), radians(65)  # toes up or down: beyond, the foot does not stand on its sole or its heel
ON_EDGE = 0.5, 0.8  # sine of how far it is tilted to a side


class Rolled(NamedTuple):
    """A foot on its heel. ankle: its place, (3,) metres. foot: its turn, (3, 3) R_world_joint."""

    ankle: Array
    foot: Array


@dataclass(frozen=True, eq=False)
class HeelRoll:
    """One foot on its heel, at each of `PITCHES_UP`. heights: metres of the ankle above the floor. ways: metres that
    the ankle has gone ahead as the heel rolled without sliding. balls: (K, 3) metres, from the ankle to the ball with
    the foot facing ahead."""

    heights: Array
    ways: Array
    balls: Array

    def rolled(self, ankle: Array, ball: Array, turn: Array) -> Rolled | None:
        """The foot on its heel with its ball where it is asked to be; None if its heel is above the floor without.

        ankle, ball: (3,) metres, where they are asked to be, of which the ankle's gives way. turn: (3, 3), how the foot
        is asked to be turned. Between a heel that slips below its ankle and one that rolls, and a little beyond, the
        ball says where along the floor the ankle is; a little at once, as a mouse keeps to no arc.
        """
        share, own = _standing(turn), float(ankle[1])
        heights = np.maximum(self.heights, own)
        pitch = float(np.interp(ball[1], heights + self.balls[:, 1], PITCHES_UP))
        if share <= 0.0 or pitch <= 0.0:
            return None
        touched = float(np.interp(own - HOVERS_M[0], self.heights, PITCHES_UP))
        rolls = max(self._at(touched, self.ways) - self._at(pitch, self.ways), 0.0)
        near = AT_ONCE * (1.0 - eased_between(own - float(self.heights[0]), *HOVERS_M))
        if near + rolls <= 0.0:
            return None
        level, to_ball = heading(turn), ball - ankle
        reaches = level @ [self._at(pitch, self.balls[:, k]) for k in range(3)]
        far = hypot(to_ball[0], to_ball[2])
        if far < 1e-6:
            return None
        yaw = atan2(to_ball[0], to_ball[2]) - atan2(reaches[0], reaches[2])
        back, ahead = (min(near + each * rolls, FARTHEST) for each in (BACK, AHEAD))
        goes = min(max(far - hypot(reaches[0], reaches[2]), -back), ahead) / far
        rises = self._at(pitch, heights) - own
        by = np.array([goes * to_ball[0], rises, goes * to_ball[2]])
        return Rolled(ankle + share * by, _about_vertical(yaw) @ level @ pitched(-pitch))

    def stands(self, ankle: Array, ball: Array, turn: Array) -> bool:
        """Whether a foot asked to be so stands on its sole or its heel, its toes level or up; as in `rolled`."""
        is_low = float(ankle[1]) <= float(self.heights[-1]) + FLAT_M
        return is_low and float(ball[1] - ankle[1]) >= float(self.balls[0, 1]) - FLAT_M and _standing(turn) > 0.0

    def at(self, pitches: Array) -> tuple[Array, Array]:
        """(N,) each: metres of the ankle above the floor, and metres that it has gone ahead, with the toes up by
        pitches (N,) radians."""
        return np.interp(pitches, PITCHES_UP, self.heights), np.interp(pitches, PITCHES_UP, self.ways)

    def height_of_ball(self, ankle: float) -> float:
        """Metres of the ball above the floor with the toes level, for an ankle so many metres above it."""
        return max(float(self.heights[0]), ankle) + float(self.balls[0, 1])

    @staticmethod
    def _at(pitch: float, values: Array) -> float:
        return float(np.interp(pitch, PITCHES_UP, values))


def heel_roll(points: FloorPoints, rig: Rig, ankle: int, ball: int) -> HeelRoll:
    """The foot with these joints, by the skin of its body."""
    on_foot = np.isin(points.carriers, [ankle, ball])
    places = rig.rest_positions.astype(np.float64)
    turns = np.tile(np.eye(3), (len(rig), 1, 1))
    skins, balls = [], []
    for pitch in PITCHES_UP:
        turns[[ankle, ball]] = pitched(float(-pitch))
        balls.append(turns[ankle] @ rig.offsets[ball])
        places[ball] = places[ankle] + balls[-1]
        skins.append(points.places(WorldJoints(places, turns))[on_foot] - places[ankle])
    ways = [0.0]
    for before, after in pairwise(skins):
        touches = int((before[:, 1] + after[:, 1]).argmin())
        ways.append(ways[-1] + float(before[touches, 2] - after[touches, 2]))
    heights = np.maximum.accumulate([-float(skin[:, 1].min()) for skin in skins])
    return HeelRoll(heights, np.array(ways), np.array(balls))


def _standing(turn: Array) -> float:
    """How much a foot with that turn is one that stands on its sole or its heel, 0..1."""
    (whole, none), (level, edge) = POSED, ON_EDGE
    pitch = (none - abs(toes_down(turn))) / (none - whole)
    tilt = (edge - abs(float(turn[1, 0]))) / (edge - level)
    return min(max(min(pitch, tilt), 0.0), 1.0)


def _about_vertical(angle: float) -> Array:
    return np.array([[cos(angle), 0.0, sin(angle)], [0.0, 1.0, 0.0], [-sin(angle), 0.0, cos(angle)]])
