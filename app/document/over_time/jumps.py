"""Jumps from where somebody stands at one key to where they stand at the next, where a walk would take too long.

They crouch, push off from the balls of both feet, fly as gravity has them, land on the balls and give way at the knees.
In the air feet go with the hips, from how they left the ground to how they come down, lifted over what is below. Who
comes to face another way turns in the air, and flies the higher for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.between import Frames
from app.document.model.clip import Key
from app.document.over_time.body.arcs_of_hips import AHEAD, BEHIND, Arc, arc_of
from app.document.over_time.body.body_ways import UP, BodyWay, turn_of
from app.document.over_time.climbs import CLEARS_M, Soles, Worlds, soles_at
from app.document.over_time.ground import Ground
from app.document.over_time.rolls import Roll, Times, may_roll
from app.document.over_time.swings import Swing, eased, height_shares, moved_by_roll, swing_of, turns_done
from solver.contact.feet import Feet
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import heading
from solver.rig.rig import Rig
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

FARTHEST_M, HIGHEST_M = 1.3, 0.55  # metres along the floor, and up or down, of a jump at most
UNLIKE_M = 0.25  # metres that one foot's way is another at most, apart from how the body turns
TURNS, TURNS_M = (0.35, 0.25), 0.03  # of the flight, before and after it, in which hips turn; metres higher, for half
DOWN, LANDS = np.radians(50.0), np.radians(24.0)  # that toes are down as feet leave, and as they land, on the balls
RISES, LIES_S = 1.2, 0.13  # of the push, in which heels come up; seconds in which they come down
STRETCHED, BENT = 0.94, 0.86  # of a leg's length, between hip and ankle, as feet leave and as they land
LOWER = 0.5  # of how far they go up, that hips are lower as feet land
SLOWS = np.array([0.6, 0.35, 0.6])  # of the hips' speed, that feet lose before they land and do not have as they leave
HIGHER_M = (0.0, 0.06, 0.12)  # metres that hips fly up besides, where feet would have to come too near to them
TUCKS, MOST_TUCK_M = 0.5, 0.35  # of how high hips fly, and metres at most, that feet come nearer to them in the air
LEANS, LEANS_MORE, MOST_LEAN = 0.12, 1.2, np.radians(35.0)  # radians ahead in crouches; more per metre that hips sink
BACK_M = 0.2  # metres that hips go back for a lean of a radian, over the feet
ARMS = np.radians([-14.0, 36.0])  # that arms are ahead in the crouch, and in the middle of the air


def jump(
    rig: Rig,
    keys: Sequence[Key],
    ends: tuple[Key, Key],
    worlds: Worlds,
    way: BodyWay,
    feet: Feet | None,
    ground: Ground | None,
    fps: float,
) -> tuple[list[Swing], BodyWay | None]:
    """The flights of both feet between two of `keys`, and how the body goes; none where they cannot jump there. way:
    how it goes without steps."""
    ankles = [rig.joint(leg.end) for leg in LEGS]
    places, turns = (
        np.array([getattr(world, name) for world in worlds], np.float64) for name in ("positions", "rotations")
    )
    ways, turn = places[1, ankles] - places[0, ankles], turn_of(turns[:, 0])
    below = places[:, ankles] - places[:, :1]
    if np.linalg.norm(below[1] - _round(below[0], np.full(len(LEGS), turn)), axis=1).max() > UNLIKE_M:
        return [], None
    rolls = [_roll(feet, leg, turns[:, ankle]) for leg, ankle in enumerate(ankles)]
    soles = soles_at(rig, worlds, ground or Ground(()), None)
    for higher in TURNS_M * abs(turn) / np.pi + np.array(HIGHER_M):
        hips = _hips(rig, places, turns, way, rolls, fps, float(higher))
        if hips is None:
            break
        flights = _flights(rig, ends, ways, hips, rolls, soles, places[:, ankles])
        if flights is not None:
            return flights, _body(keys, hips)
    return [], None


def _flights(
    rig: Rig, ends: tuple[Key, Key], ways: Array, hips: _Hips, rolls: Sequence[Roll | None], soles: Soles, ankles: Array
) -> list[Swing] | None:
    """The flights of both feet; None where one would have to come too near to the hips. ways: (2, 3) metres that they
    go. ankles: (2 keys, 2, 3) metres."""
    made, times = list[Swing](), hips.times()
    for leg, roll in enumerate([roll and roll.at(times) for roll in rolls]):
        swing = swing_of(rig, leg, ends, np.zeros(2), ways, hips.fps)
        levels = (float(soles.levels[0, leg]), float(soles.levels[1, leg]))
        swing = swing._replace(start=times.leaves, end=times.lands, height=0.0, levels=levels, roll=roll)
        path = _path(swing, soles, hips, ankles[:, leg])
        if path is None:
            return None
        made.append(swing._replace(path=path))
    return made


def _body(keys: Sequence[Key], hips: _Hips) -> BodyWay:
    """How the body goes between two of `keys`."""
    way = hips.way
    frames = np.arange(way.first, way.last + 1)
    at, done = [key.frame for key in keys], hips.turns_done(frames)
    straight = curve_through(at, np.stack([key.pose.root_position for key in keys]), frames)
    facing = rotation_curve_through(at, np.stack([key.pose.rotations[:1] for key in keys]), frames)[:, 0]
    yaws = np.array([np.arctan2(*heading(each)[[0, 2], 2]) for each in facing])
    axes = _round(np.cross(UP, hips.facing), hips.turn * hips.turns_done(hips.leans[0]))
    return way._replace(
        gone=hips.gone(frames),
        pivot=None,
        turned=done,
        yaws=(yaws[0] + done * hips.turn - yaws + np.pi) % (2.0 * np.pi) - np.pi,
        lower=(np.array([way.first, way.last]), np.zeros(2)),
        besides=hips.roots(frames) - straight,
        leans=(hips.leans[0], hips.leans[1][:, None] * axes),
        arms=(np.array([way.first, *hips.leans[0][[1, 3, 5]]]), np.array([0.0, *ARMS, 0.0])),
    )


class _Hips(NamedTuple):
    """arc: theirs. way: that of the body without it. along, facing: (3,) level directions that they go, and face at
    first. turn: radians that they turn to the left. leans: (K,) frames, and (K,) radians that the trunk leans ahead
    there."""

    arc: Arc
    way: BodyWay
    fps: float
    along: Array
    facing: Array
    turn: float
    leans: tuple[Array, Array]

    def roots(self, frames: Array | Frames) -> Array:
        """(N, 3) metres of the pelvis at some frames."""
        up, on = self.arc.at((frames - self.way.first) / self.fps).T
        moved = np.multiply.outer(up, UP) + np.multiply.outer(on, self.along)
        back = _round(self.facing, self.turn * self.turns_done(frames))
        return np.asarray(self.way.ends[0] + moved - BACK_M * curve_through(*self.leans, frames)[:, None] * back)

    def turns_done(self, frames: Array | Frames) -> Array:
        """(N,) how much of their turn is done at some frames, 0..1: in the air, but for its beginning and end."""
        leaves, lands = self.arc.leaves, self.arc.lands
        first, last = leaves - TURNS[0] * (lands - leaves), lands + TURNS[1] * (lands - leaves)
        return eased((((frames - self.way.first) / self.fps - first) / (last - first)).clip(0.0, 1.0))

    def gone(self, frames: Frames) -> Array:
        """(N,) how much of the way along the floor is done at some frames, 0..1."""
        on = self.arc.at((frames - self.way.first) / self.fps)[:, 1]
        return np.asarray(on / max(float(on[-1]), 1e-6))

    def times(self) -> Times:
        """When feet roll, in frames."""
        arc, (first, last) = self.arc, self.way[:2]
        rises = arc.leaves - RISES * (arc.leaves - arc.crouches)
        found = (first + self.fps * at for at in (rises, arc.leaves, arc.lands, arc.lands + LIES_S))
        return Times(*(min(frame, float(last)) for frame in found))


def _hips(
    rig: Rig, places: Array, turns: Array, way: BodyWay, rolls: Sequence[Roll | None], fps: float, higher: float
) -> _Hips | None:
    """How the hips go; None where that is no jump. places, turns: (2, J, 3) and (2, J, 3, 3) of both keys."""
    body, leg = way.ends[1] - way.ends[0], rig.leg_length
    far, rise = float(np.hypot(body[0], body[2])), float(body[1])
    if far > FARTHEST_M or abs(rise) > HIGHEST_M:
        return None
    along = body * [1.0, 0.0, 1.0] / max(far, 1e-6)
    ahead, behind = (along * min(part * far, most * leg) for part, most in (AHEAD, BEHIND))
    off = _height(rig, places[0], ahead, [_rolled(roll, 0, DOWN) for roll in rolls], STRETCHED)
    on = _height(rig, places[1], -behind, [_rolled(roll, 1, LANDS) for roll in rolls], BENT)
    arc = arc_of(far, rise, off, on - LOWER * max(rise, 0.0), ((way.last - way.first) / fps, 1.0 / fps), leg, higher)
    if arc is None:
        return None
    low, deep = -arc.heights[1, 1], rise - arc.heights[1, 4]
    crouched, landed = (min(LEANS + LEANS_MORE * max(each, 0.0), MOST_LEAN) for each in (low, deep))
    at = np.array([0.0, arc.crouches, arc.leaves, (arc.leaves + arc.lands) / 2.0, arc.deepest, arc.heights[0, 5]])
    leans = np.array([0.0, crouched, LEANS, 0.5 * (LEANS + LEANS_MORE * max(rise, 0.0)), landed, 0.0])
    facing, turn = heading(turns[0, 0])[:, 2], turn_of(turns[:, 0])
    return _Hips(arc, way, fps, along, facing, turn, (way.first + fps * at, leans))


def _round(ways: Array, angles: Array) -> Array:
    """(N, 3) ways, (3,) or (N, 3), turned to the left by (N,) radians."""
    return np.asarray((from_rotation_vector(np.multiply.outer(angles, UP)) @ ways[..., None])[..., 0])


def _roll(feet: Feet | None, leg: int, turns: Array) -> Roll | None:
    """How a foot rolls, at times to be said; None if it stays flat. turns: (2, 3, 3) R_world_ankle at both keys."""
    if feet is None or not may_roll(feet, leg, turns):
        return None
    return Roll(feet.shapes[leg], 0.0, 0.0, 0.0, 0.0, DOWN, -LANDS, turns)


def _rolled(roll: Roll | None, key: int, pitch: float) -> Array:
    """(3,) metres that an ankle goes as the foot rolls onto its ball, heading as at a key."""
    return np.zeros(3) if roll is None else heading(roll.turns[key]) @ roll.ankle(np.array([pitch]))[0]


def _height(rig: Rig, places: Array, moved: Array, rolled: Sequence[Array], stretched: float) -> float:
    """Metres that hips moved along the floor are higher than at a key, on legs of so much of their length. places: (J,
    3) metres at the key. rolled: (3,) metres that each ankle is moved."""
    heights = []
    for leg, up in zip(LEGS, rolled, strict=True):
        hip, ankle = places[rig.joint(leg.root)], places[rig.joint(leg.end)] + up
        beside, length = (hip + moved - ankle)[[0, 2]], stretched * rig.limb_length(leg)
        heights.append(float(ankle[1] + np.sqrt(max(length**2 - beside @ beside, (length / 2.0) ** 2)) - hip[1]))
    return min(heights)


def _path(swing: Swing, soles: Soles, hips: _Hips, ankles: Array) -> Array | None:
    """(F, 3) metres that a foot has gone at each frame, its rolling apart; None where it would have to be lifted too
    high. ankles: (2, 3) metres of its ankle at both keys."""
    frames = np.arange(swing.first, swing.last + 1)
    inside = frames[(frames > swing.start) & (frames < swing.end)]
    path = np.where((frames <= swing.start)[:, None], 0.0, ankles[1] - ankles[0])
    ends = np.array([swing.start, swing.end])
    below = ankles + _by_roll(swing, ends) - hips.roots(ends)  # from the hips, as the foot leaves and lands
    share, shape = swing.shares(inside), swing.end - swing.start
    there = eased(share)[:, None]
    speeds = SLOWS * (hips.roots(ends + [0.0, 1e-3]) - hips.roots(ends - [1e-3, 0.0])) / 1e-3 * shape
    slower = np.multiply.outer(share**4 * (1.0 - share), speeds[1])
    slower -= np.multiply.outer(share * (1.0 - share) ** 4, speeds[0])
    last = _round(below[1:], np.array([-hips.turn]))  # as at first, but for the turn
    flat = hips.roots(inside) + _round((1.0 - there) * below[0] + there * last, hips.turn * there[:, 0])
    flat += slower - _by_roll(swing, inside)
    way = (ankles[1] - ankles[0]) * [1.0, 0.0, 1.0]
    gone = ((flat - ankles[0]) @ way / max(float(way @ way), 1e-9)).clip(0.0, 1.0)
    under, level = soles.below(swing.leg, gone).max(axis=1), soles.levels[0, swing.leg] + flat[:, 1] - ankles[0, 1]
    lacks = np.where(under > level + 1e-3, CLEARS_M + (under - level) / np.maximum(height_shares(share), 0.1), 0.0)
    lift = max(TUCKS * hips.arc.flies, float(lacks.max()))
    if lift > MOST_TUCK_M:
        return None
    path[(frames > swing.start) & (frames < swing.end)] = (
        flat - ankles[0] + np.multiply.outer(lift * height_shares(share), UP)
    )
    return path


def _by_roll(swing: Swing, frames: Array | Frames) -> Array:
    """(N, 3) metres that the ankle is moved by rolling at some frames."""
    return moved_by_roll([swing], swing.ankle, turns_done([swing], frames), frames)
