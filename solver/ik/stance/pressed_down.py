"""Who is on the floor, and is pressed down by the pelvis, comes down evenly, and no lower than the seat.

A seat that lies on the floor can go no lower but by rolling, which threw the legs about. Hands that somebody leans on
are asked for nothing: as the shoulders came down, the floor pushed them along, until they slipped away below the chest
and the arms swung all the way round. And knees that are stretched bend backwards as well as ahead, until they can no
further, while the pelvis turns in their place. Bent ahead above feet that stay, they go as far as ankles fold; beyond
that, feet, knees and pelvis turned to one side or the other at once. So the pelvis is looked for no lower than the seat
can go, and than ankles fold, hands lean to where they are on the floor, and knees to where they bend ahead, below a
pelvis that stays turned as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_points import FloorPoints
from solver.contact.weight_shift import LEAVES, weight_borne
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.hips import downwards
from solver.ik.stance.leans import Lean, Strength, asked_at, joints_with, strict_places
from solver.ik.stance.reach import pelvis_to_place, turn_asked
from solver.ik.stance.seated import moves_pelvis_alone
from solver.ik.stance.stretched_legs import StretchedLeg, stretched_legs
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
PLANTED = LED = Strength(3e3, 60.0)
KEPT = Strength(3e2, 3e2)  # the turn of a pelvis whose knees are led ahead
HELD_UP = 0.1  # how much of that counts where knees are not led
EVENLY, FIRMLY = 0.04, 0.01  # metres that a leg is shorter, by which its knee is all the way ahead; is led firmly
BENT = 0.06, 0.14  # likewise: from the first on its knee is let go of by and by, which then bends by itself
LOWER = 0.03  # metres that the pelvis is pressed down, by which hands are held firmly


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def no_lower_than_seat(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, floor: FloorPoints
) -> tuple[Effector, ...]:
    """The effectors of somebody whose seat is on the floor with the pelvis no lower than that can go; the
    effectors themselves if it is not asked to be, or if it is pinned, or asked to turn. base: of the base pose."""
    pelvis = pelvis_to_place(skeleton, effectors)
    if pelvis is None:
        return effectors
    lowest = float(base.positions[0, 1]) - _below_seat(skeleton, base, floor)
    if pelvis.target[1] >= lowest:
        return effectors
    target = pelvis.target.copy()
    target[1] = lowest
    return asked_at(effectors, pelvis, target)


def leans_on_hands(skeleton: Skeleton, base: WorldJoints, floor: FloorPoints) -> bool:
    """Whether a hand is on the floor in the base pose, of which base are the joints."""
    return bool(_borne(skeleton, base, floor))


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def no_lower_than_ankles(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, floor: FloorPoints
) -> tuple[Effector, ...]:
    """The effectors of somebody who leans on the hands, on stretched legs, with the pelvis no lower than ankles fold;
    the effectors themselves if it is not asked to be, or if it is pinned, or asked to turn. base: of the base pose."""
    placed = strict_places(skeleton, effectors)
    pelvis = placed.get(0)
    if pelvis is None or pelvis.pinned or pelvis.target[1] >= base.positions[0, 1]:
        return effectors
    legs = stretched_legs(skeleton, base)
    if not legs or not _borne(skeleton, base, floor) or turn_asked(skeleton, effectors) is not None:
        return effectors
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    was, turn = base.positions[0].astype(np.float64), base.rotations[0].astype(np.float64)
    way = pelvis.target - was
    shares = [
        leg.share_of_way(was + turn @ skeleton.offsets[leg.hip], way, placed[leg.ankle].target)
        for leg in _held(legs, asked, placed)
    ]
    share = min(shares, default=1.0)
    if share >= 1.0:
        return effectors
    return asked_at(effectors, pelvis, was + share * way)


@memoised(16, by_identity=True)
def pressed_leans(
    skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, floor: FloorPoints
) -> tuple[Lean, ...]:
    """Leans of hands and knees of somebody who leans on the hands, and whose pelvis is pressed down, and of a pelvis on
    stretched legs to how it is turned; none for others.

    base: of the base pose.
    """
    placed = strict_places(skeleton, effectors)
    hands = _borne(skeleton, base, floor) if 0 in placed else {}
    lower = float(base.positions[0, 1] - placed[0].target[1]) if hands else 0.0
    stretched = bool(hands) and keeps_turn(skeleton, effectors, base, floor)
    if not hands or (lower <= 0.0 and not stretched):
        return ()
    asked = frozenset(skeleton.index(e.joint) for e in effectors if e.is_active)
    turn = turn_asked(skeleton, effectors)
    turn = base.rotations[0].astype(np.float64) if turn is None else turn
    straight = downwards(placed[0].target - base.positions[0])  # aside hands go along, also where that is a hair lower
    planted = _planted(skeleton, base, hands, asked, eased(lower / LOWER) * straight**2)
    return (*planted, *_bent_ahead(skeleton, base, asked, placed, turn, HELD_UP if stretched else 0.0))


@memoised(16, by_identity=True)
def keeps_turn(skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints, floor: FloorPoints) -> bool:
    """Whether somebody leans on the hands, on stretched legs, of whom nothing but the pelvis and the legs is asked.

    Above such legs a pelvis that is taken further than they reach gains millimetres by turning by tens of degrees, and
    with a mouse that wobbles the hands go there and back with it. base: of the base pose.
    """
    if not _borne(skeleton, base, floor):  # as of nearly all who stand
        return False
    placed = strict_places(skeleton, effectors)
    if 0 not in placed or not moves_pelvis_alone(skeleton, effectors) or turn_asked(skeleton, effectors) is not None:
        return False
    legs = stretched_legs(skeleton, base)
    return bool(legs) and all(leg.ankle in placed for leg in legs)


def _planted(
    skeleton: Skeleton, base: WorldJoints, borne: Mapping[int, float], asked: frozenset[int], share: float
) -> Iterator[Lean]:
    """Leans of hands that are on the floor in the base pose, and of whose arms nothing is asked, to where they are.

    borne: how much each bears, by the wrist.
    """
    for arm in ARMS if share > 0.0 else ():
        line = joints_with(rig_of(skeleton), arm.line)
        if len(line) == len(arm.line) and line[2] in borne and asked.isdisjoint(line):
            place = Position(skeleton.names[line[2]], base.positions[line[2]])
            yield Lean(place, PLANTED.times(share * borne[line[2]]))


def _bent_ahead(
    skeleton: Skeleton,
    base: WorldJoints,
    asked: frozenset[int],
    placed: Mapping[int, PointEffector],
    turn: Array,
    kept: float,
) -> Iterator[Lean]:
    """Leans of knees of legs that are stretched in the base pose, with their ankles held, to where they bend ahead, and
    of the pelvis to how it is turned: else it would turn, and legs stay straight, until hips turn no further.

    asked: joints of which anything is. turn: (3, 3) how the pelvis is to be turned. kept: how firmly that is, 0..1, at
    least.
    """
    firmest = kept
    for leg in _held(stretched_legs(skeleton, base), asked, placed):
        at = placed[0].target + turn @ skeleton.offsets[leg.hip]
        bent, lengths = leg.bent(at[None], placed[leg.ankle].target)
        shorter, (least, most) = leg.length - float(lengths[0]), BENT
        share = eased(shorter / FIRMLY)
        firmest, share = max(firmest, share), share * (1.0 - eased_between(shorter, least, most))
        if share > 0.0:
            place = leg.at + (bent[0] - leg.at) * min(shorter / EVENLY, 1.0)
            yield Lean(Position(skeleton.names[leg.knee], place.astype(np.float32)), LED.times(share))
    if firmest > 0.0:
        yield Lean(Rotation(skeleton.names[0], turn.astype(np.float32)), KEPT.times(firmest))


def _held(legs: Sequence[StretchedLeg], asked: Set[int], placed: Mapping[int, PointEffector]) -> list[StretchedLeg]:
    """The legs whose ankles are held and whose knees are free. asked: joints of which anything is."""
    return [leg for leg in legs if leg.knee not in asked and leg.ankle in placed]


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def _below_seat(skeleton: Skeleton, base: WorldJoints, floor: FloorPoints) -> float:
    """Metres of air below the seat in the base pose."""
    points, places = floor.near(base, LEAVES)
    flesh = joints_with(rig_of(skeleton), (Role.PELVIS, *(leg.root for leg in LEGS)))
    own = places[np.isin(floor.carriers[points], flesh), 1]
    return max(float(own.min()), 0.0) if len(own) else LEAVES


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def _borne(skeleton: Skeleton, base: WorldJoints, floor: FloorPoints) -> Mapping[int, float]:
    """The wrists whose hands are on the floor, and how much they bear, 0..1."""
    points, places = floor.near(base, LEAVES)
    carriers, weights = floor.carriers[points], weight_borne(places[:, 1])
    hands = dict[int, float]()
    for arm in ARMS:
        own = joints_with(rig_of(skeleton), (arm.end, arm.tip, *arm.fingers))
        most = float(weights[np.isin(carriers, own)].max(initial=0.0))
        if most > 0.0:
            hands[own[0]] = most
    return hands
