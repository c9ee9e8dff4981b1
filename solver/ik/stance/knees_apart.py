"""Who kneels, and is pulled so low over the knees that thighs would go through the floor, takes the knees apart.

With both ankles held, and both knees on the floor ahead of them, the pelvis is as far from each knee as a thigh is
long. Nearer to them there are only poses with the knees well apart, or both to one side, and a search would fall into
one of these, or from one into another, all at once. So knees are led outwards evenly, and meanwhile the place that a
solve looks for stays clear of them: by a few centimetres at most, and in the end not at all.

So it is for who has one knee down and the other thigh folded up to the trunk, and is pressed straight down. With that
thigh not folded, hips have room to turn, and nothing is changed.

Who sits on the heels, with knees that bend no further, goes no lower: pressed down, knees would be led far outwards for
a pelvis that stays where it is, until the trunk fell over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import FloorPoints
from solver.contact.weight_shift import LEAVES
from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.hips import downwards, folded_already, leg_lines, nearest_hip, whole_legs
from solver.ik.stance.leans import Lean, Strength, asked_at, strict_places
from solver.ik.stance.reach import turn_asked
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
LEVEL = np.array([1.0, 0.0, 1.0])
ANGLES = np.radians(np.linspace(0.0, 80.0, 161))  # by which a shin turns outwards about its ankle
EVENLY, FIRMLY = 0.07, 0.03  # metres that a thigh is too long, by which its knee is all the way apart; is led firmly
LED = Strength(3e3, 60.0)
NEAR_KNEE = 0.12  # metres from the knee's middle
TILT, TILTED = np.radians(35.0), 0.12  # of the pelvis from upright; metres that a thigh is too long, by which it is so
TILTS, KEPT = Strength(1e3, 1e3), Strength(40.0, 40.0)
STAYS = 0.05  # metres that an ankle may be asked to be higher or lower than in the base pose
ROUNDS = 8  # of moving the pelvis away from each knee in turn


class Kneeling(NamedTuple):
    """What is asked of somebody who kneels, and what knees lean to."""

    effectors: tuple[Effector, ...]
    leans: tuple[Lean, ...] = ()


class _Leg(NamedTuple):
    """A leg on its knee, in metres. knee: its joint. hip: (3,) from the pelvis. side: (3,) to there from between the
    hips. ankle: (3,) its place. shin: (3,) from there to the knee, as it lies on the floor. thigh: its length. nearest:
    of hip and ankle, with the knee bent."""

    knee: int
    hip: Array
    side: Array
    ankle: Array
    shin: Array
    thigh: float
    nearest: float


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def with_knees_apart(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, floor: FloorPoints
) -> Kneeling:
    """The effectors with the place of the pelvis no nearer to the knees than thighs are long, and knees led outwards;
    the effectors themselves if it is no nearer, or pinned, or if somebody does not kneel in the base pose, with ankles
    that are held there and knees that are not. On one knee, only as far as the other thigh is folded already and the
    pelvis is taken straight down.

    base: of the base pose.
    """
    placed = strict_places(skeleton, effectors)
    pulled = 0 in placed and not placed[0].pinned and kneels(skeleton, base, floor)
    legs = _kneeling(skeleton, effectors, base, floor, placed) if pulled else []
    if not legs:
        return Kneeling(effectors)
    pelvis, leans, led = placed[0], list[Lean](), list[tuple[_Leg, Array]]()
    place = pelvis.target.astype(np.float64)
    share = 1.0 if len(legs) == len(LEGS) else _pressed(skeleton, base, place)
    asked = place + share * (_on_heels(place, legs) - place)
    for leg in legs if share > 0.0 else ():
        lacking = leg.thigh - float(np.linalg.norm(asked + leg.hip - leg.ankle - leg.shin))
        if lacking > 0.0:
            knee = _outwards(leg, asked + leg.hip, min(lacking / EVENLY, 1.0))
            there = Position(skeleton.names[leg.knee], knee.astype(np.float32))
            leans.append(Lean(there, LED.times(share * eased(lacking / FIRMLY))))
            led.append((leg, knee))
    if not led and asked[1] <= pelvis.target[1]:
        return Kneeling(effectors)
    tilting = _tilting(skeleton, effectors, base, asked, led)
    leans += [Lean(turn, strength.times(share)) for turn, strength in tilting]
    clear = asked + share * (_clear(asked, led) - asked)
    return Kneeling(asked_at(effectors, pelvis, clear), tuple(leans))


def _kneeling(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    base: WorldJoints,
    floor: FloorPoints,
    placed: Mapping[int, PointEffector],
) -> list[_Leg]:
    """The legs that somebody kneels on; none if not both ankles are held, and both knees free."""
    places, legs = base.positions.astype(np.float64), list[_Leg]()
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    turn = turn_asked(skeleton, effectors)
    turn = base.rotations[0].astype(np.float64) if turn is None else turn
    lines = leg_lines(skeleton)

    def is_moved(ankle: int) -> bool:
        return bool(abs(placed[ankle].target[1] - places[ankle, 1]) > STAYS)

    if any(len(line) < 3 or line[1] in asked or line[2] not in placed or is_moved(line[2]) for line in lines):
        return []
    hips = skeleton.offsets[[line[0] for line in lines]] @ turn.T
    for (hip, knee, ankle), own in zip(lines, hips, strict=True):
        at, above = placed[ankle].target.astype(np.float64), _above_floor(floor, base, hip, knee)
        if above is None:
            continue
        shin = _laid(places[knee] - places[ankle], float(places[knee, 1] - above - at[1]))
        thigh = float(np.linalg.norm(skeleton.offsets[knee]))
        nearest = nearest_hip(skeleton, places, (hip, knee, ankle))
        legs.append(_Leg(knee, own, own - np.mean(hips, axis=0), at, shin, thigh, nearest))
    return legs


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def kneels(skeleton: Skeleton, base: WorldJoints, floor: FloorPoints) -> bool:
    """Whether somebody has a knee on the floor in the base pose."""
    legs = whole_legs(skeleton)
    return any(_above_floor(floor, base, hip, knee) is not None for hip, knee, _ in legs)


def _on_heels(place: Array, legs: Sequence[_Leg]) -> Array:
    """The place of a pelvis, raised until its hips are no nearer to the ankles than knees bend."""
    rise = 0.0
    for leg in legs:
        way = place + leg.hip - leg.ankle
        high = leg.nearest**2 - way[0] ** 2 - way[2] ** 2
        rise = max(rise, float(np.sqrt(high) - way[1])) if high > 0.0 else rise
    return np.asarray(place + [0.0, rise, 0.0])


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def _above_floor(floor: FloorPoints, base: WorldJoints, hip: int, knee: int) -> float | None:
    """Metres by which the skin of a knee is above the floor in the base pose; None if nobody kneels on it."""
    points, places = floor.near(base, LEAVES)
    own = np.isin(floor.carriers[points], [hip, knee])
    own &= np.linalg.norm(places - base.positions[knee], axis=1) < NEAR_KNEE
    return float(places[own, 1].min()) if own.any() else None


def _laid(shin: Array, rise: float) -> Array:
    """(3,) a shin that heads where it does, with its knee that much above its ankle."""
    length, along = float(np.linalg.norm(shin)), shin * LEVEL
    level = np.sqrt(max(length**2 - rise**2, 0.0))
    return np.asarray(along * (level / max(float(np.linalg.norm(along)), 1e-6)) + [0.0, rise, 0.0])


def _pressed(skeleton: Skeleton, base: WorldJoints, place: Array) -> float:
    """How much somebody on one knee is pressed down on a thigh that is folded already, 0..1. place: (3,) metres, where
    the pelvis is asked to be."""
    most = max(folded_already(base, line) for line in leg_lines(skeleton))
    return downwards(place - base.positions[0]) * most


def _outwards(leg: _Leg, hip: Array, share: float) -> Array:
    """(3,) where a knee is led to: a share of the way, along the floor, to where its thigh is not too long.

    hip: (3,) where that is asked to be.
    """
    out = 1.0 if leg.shin[2] * leg.side[0] - leg.shin[0] * leg.side[2] >= 0.0 else -1.0
    knees = leg.ankle + _turned(leg.shin, out * ANGLES)
    clear = np.linalg.norm(knees - hip, axis=1) >= leg.thigh
    needed = ANGLES[int(clear.argmax())] if clear.any() else ANGLES[-1]
    return np.asarray(leg.ankle + _turned(leg.shin, np.array([out * share * needed]))[0])


def _turned(way: Array, angles: Array) -> Array:
    """(N, 3) a way turned about the vertical."""
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.stack([cosine * way[0] + sine * way[2], np.full(len(angles), way[1]), cosine * way[2] - sine * way[0]], 1)


def _tilting(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    base: WorldJoints,
    asked: Array,
    led: Sequence[tuple[_Leg, Array]],
) -> list[Lean]:
    """The pelvis tilted ahead little by little as it is pulled ahead over the knees: else hips, which turn no further,
    tilt it within a few centimetres. Where the base pose tilts it as far, it is kept as it is turned while it is
    pressed down: else it rolls to one side and to the other. Nothing where its turn is asked."""
    way = asked - base.positions[0]
    if not led or any(e.is_active and e.form == TURN and skeleton.index(e.joint) == 0 for e in effectors):
        return []
    shin = np.mean([leg.shin for leg, _ in led], axis=0) * LEVEL
    size = float(np.linalg.norm(way) * np.linalg.norm(shin))
    ahead = max(float(way @ shin) / size, 0.0) if size > 0.0 else 0.0
    lacking = max(leg.thigh - float(np.linalg.norm(asked + leg.hip - leg.ankle - leg.shin)) for leg, _ in led)
    turn = base.rotations[0].astype(np.float64)
    most = TILT - float(np.arccos(np.clip(turn[1, 1], -1.0, 1.0)))
    tilt, name = most * min(lacking / TILTED, 1.0) * ahead, skeleton.names[0]
    kept = downwards(way) * eased(lacking / FIRMLY)
    if most <= 0.0 and kept > 0.0:
        return [Lean(Rotation(name, base.rotations[0]), KEPT.times(kept))]
    if tilt <= 0.0:
        return []
    tilted = (from_rotation_vector(turn[:, 0] * tilt) @ turn).astype(np.float32)
    return [Lean(Rotation(name, tilted), TILTS)]


def _clear(place: Array, led: Sequence[tuple[_Leg, Array]]) -> Array:
    """The place of a pelvis, moved away from knees until thighs are not too long."""
    for _ in range(ROUNDS):
        for leg, knee in led:
            way = place + leg.hip - knee
            far = float(np.linalg.norm(way))
            place = place + way * (leg.thigh / far - 1.0) if 0.0 < far < leg.thigh else place
    return place
