"""Feet that stand flat or on their balls: as what is asked of them softly, and as what a solve leans to."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape, FootStand
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.leans import Lean, Strength, joints_asked
from solver.kinematics.curves import eased, eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import angle_between, geodesic_angle, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.level_feet import pitched
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS
from solver.values import changed

TURNS, STANDS = Strength(2e4, 200.0), Strength(3e4, 200.0)
LAID_TOLERANCE = 0.75  # of the turn of a foot on its back, of somebody kneeling: whoever gets up turns it
AT_EASE = radians(25)  # toes away from the shin, beyond a right angle, of a foot that hangs
HANGS_AT = radians(66), radians(92)  # from there to the turn asked: from the first on it hangs ever more, to the second
LIES, OPPOSITE = radians(1), (radians(120), radians(150))  # how far a sole is asked to be from facing what it lies on
BENT = np.radians(60)  # a knee bent further is one of somebody kneeling
SLOPES = radians(10), radians(25)  # of what a contact lays a sole on: from the first to the second it stands on it less
UP = np.array([0.0, 1.0, 0.0])
MOVED_M, TURNED = 0.03, np.radians(10)  # a foot this far from where the base pose has it has been taken elsewhere


@memoised(16, by_identity=True)  # called before the search, and with the same arguments after it
def with_feet_turned(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints, world: WorldJoints | None = None
) -> tuple[Effector, ...]:
    """The effectors, with soft turns of feet changed to how these are to stand where their ankles are asked to be.

    A foot that is asked to keep its turn, and rises, rolls. The effectors themselves if no foot has both. base: of the
    base pose. world: of the pose found so far, if any, whose shins say how far ankles can stretch.
    """
    made = list(effectors)
    for shape, stand, share in feet.each():
        own = [e for e in effectors if e.is_active and e.joint == skeleton.names[shape.ankle]]
        places = [e for e in own if isinstance(e, PointEffector) and e.holds_joint]
        turn = _soft_turn(own)
        if not places or turn is None or _is_posed(skeleton, effectors, shape):
            continue
        rolls = world is not None and shape.rolls(float(places[-1].target[1]))
        knee = world.positions[skeleton.parents[shape.ankle]] if world is not None and rolls else None
        made[effectors.index(turn)] = _turned_as_it_stands(skeleton, shape, stand, share, base, places[-1], turn, knee)
    return tuple(made)


def laid_softly(
    skeleton: Skeleton, effectors: Sequence[Effector], shape: FootShape, base: WorldJoints
) -> Effector | None:
    """The effector that softly turns a foot of somebody kneeling onto its back; None if there is none. base: of the
    base pose."""
    turn = _soft_turn([e for e in effectors if e.is_active and e.joint == skeleton.names[shape.ankle]])
    if turn is None or _is_posed(skeleton, effectors, shape):
        return None
    return turn if _is_laid(skeleton, shape, turn.target.astype(np.float64), base) else None


@memoised(32, by_identity=True)  # a drag of something else calls it with the same effectors in every solve
def _turned_as_it_stands(
    skeleton: Skeleton,
    shape: FootShape,
    stand: FootStand,
    share: float | None,
    base: WorldJoints,
    place: Effector,
    turn: Effector,
    knee: NDArray[np.float32] | None,
) -> Effector:
    """The effector `turn`, with the turn of a foot as it stands where `place` has its ankle; asked less firmly of a
    foot on its back, of somebody kneeling, the less so the further it has rolled off it. knee: (3,) metres."""
    at, turned = place.target.astype(np.float64), turn.target.astype(np.float64)
    most = stands_by_itself(shape, stand, base, at, turned) if share is None else share
    footing = shape.footing(at, turned, turned, stand, True, most, None if knee is None else at - knee)
    if footing is not None:
        return changed(turn, target=footing.foot.astype(np.float32))
    if not _is_laid(skeleton, shape, turned, base):
        return turn
    own = turn.tolerance  # firm again by and by: all at once, the foot would jump to where it is asked
    eased_by = max(LAID_TOLERANCE - own, 0.0) * (1.0 - shape.rolled_off(turned, base.rotations[shape.ankle]))
    return changed(turn, tolerance=own + eased_by)


@memoised(16, by_identity=True)  # called before the search, and with the same arguments after it
def with_soles_laid(skeleton: Skeleton, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The effectors, with soft turns of feet whose soles a contact lays on a surface brought round to face it, and left
    out where they are all but opposite; the effectors themselves if there are none.

    A contact leaves open where the toes point, and feet that were asked to be level point there still. Left level, they
    pulled against the wall, and were shown as missed.
    """
    laid = {e.joint: e for e in effectors if isinstance(e, Contact) and e.is_active and e.lies_flat}
    if not laid:
        return effectors
    made, rig = list(effectors), rig_of(skeleton)
    for ankle in rig.names_of([leg.end for leg in LEGS]):
        turn = _soft_turn([e for e in effectors if e.is_active and e.joint == ankle])
        if turn is not None and not turn.is_strict and ankle in laid:
            made[effectors.index(turn)] = _brought_round(turn, laid[ankle])
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else tuple(made)


@memoised(16, by_identity=True)  # a drag of something else calls it with the same two in every solve
def _brought_round(turn: Effector, laid: Contact) -> Effector:
    """The soft turn of a foot, brought round so that its sole faces what a contact lays it on; off if it is all but
    opposite, and itself if it faces that."""
    turned, facing = turn.target.astype(np.float64), -laid.facing.astype(np.float64)
    sole = turned @ laid.normal
    angle = angle_between(sole, facing)
    opposite = eased_between(angle, *OPPOSITE)
    if opposite >= 1.0:
        return changed(turn, enabled=False)
    if angle <= LIES:
        return turn
    round_to = (rotation_between(sole, facing) @ turned).astype(np.float32)
    return changed(turn, target=round_to, tolerance=turn.tolerance + opposite * (1.0 - turn.tolerance))


def hanging_turns(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints, world: WorldJoints
) -> dict[int, NDArray[np.float32]]:
    """How feet hang high above the floor whose soft turns are far from what is at ease below their shins in a pose: the
    ankle's joint, and its turn in its parent's frame, (3, 3). base: of the base pose, where feet stay as they are.

    New people's feet are asked to be level. Of a leg that is thrown back, or up in a handstand, that bends the ankle as
    far as it goes, and the toes point at the shin. The foot alone lets go: were its turn asked otherwise of the search,
    the knee would swing round the leg.
    """
    found = {}
    for shape, stand, _ in feet.each():
        own = [e for e in effectors if e.is_active and e.joint == skeleton.names[shape.ankle]]
        places = [e for e in own if isinstance(e, PointEffector) and e.holds_joint]
        turn = _soft_turn(own)
        if not places or turn is None or stand in ("flat", "ball") or _is_posed(skeleton, effectors, shape):
            continue
        shin, foot = (world.rotations[j].astype(np.float64) for j in (skeleton.parents[shape.ankle], shape.ankle))
        at, turned = places[-1].target.astype(np.float64), turn.target.astype(np.float64)
        share = shape.off_floor(float(at[1])) * eased(_taken_away(shape, base, at, turned))
        share *= eased_between(float(geodesic_angle(shin @ pitched(AT_EASE), turned)), *HANGS_AT)
        if share > 0.0:
            found[shape.ankle] = np.asarray(interpolate(shin.T @ foot, pitched(AT_EASE), share), np.float32)
    return found


def footing_leans(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    world: WorldJoints,
    feet: Feet,
    base: WorldJoints,
    leaving: float = 1.0,
) -> tuple[Lean, ...]:
    """What feet that stand on the floor in a pose lean to; they head where they are asked to. A foot that is all
    but off the floor hardly leans to its turn: places that are asked would be lost for that. effectors: as the user has
    them. base: of the base pose. leaving: how much feet lean that are partly off the floor, 0..1."""
    placed, turned = (joints_asked(skeleton, effectors, form) for form in (POINT, TURN))
    leans = list[Lean]()
    for shape, stand, share in feet.each():
        if _is_posed(skeleton, effectors, shape):
            continue
        ankle, ball = skeleton.names[shape.ankle], skeleton.names[shape.ball]
        soft = _soft_turn([e for e in effectors if e.is_active and e.joint == ankle])
        turn, toes = (world.rotations[j].astype(np.float64) for j in (shape.ankle, shape.ball))
        place, turn = world.positions[shape.ankle].astype(np.float64), soft.target.astype(np.float64) if soft else turn
        most = stands_by_itself(shape, stand, base, place, turn) if share is None else share
        shin = place - world.positions[skeleton.parents[shape.ankle]]
        footing = shape.footing(place, turn, toes, stand, shape.ankle in placed, most, shin)
        level = _level(effectors, ankle, shape)
        if footing is None or level <= 0.0:
            continue
        level *= 1.0 if footing.down >= 1.0 else leaving
        leans.append(Lean(Rotation(ankle, footing.foot.astype(np.float32)), TURNS.times(level * footing.down)))
        if shape.ball not in turned:
            leans.append(Lean(Rotation(ball, footing.toes.astype(np.float32)), TURNS.times(level)))
        if shape.ankle not in placed:
            leans.append(Lean(Position(ankle, footing.ankle.astype(np.float32)), STANDS.times(level)))
    return tuple(leans)


def _level(effectors: Sequence[Effector], ankle: str, shape: FootShape) -> float:
    """How much a foot may stand on its ground, 0..1: not at all while a contact lays its sole on something steeper."""
    laid = [e for e in effectors if isinstance(e, Contact) and e.joint == ankle and e.is_active and e.lies_flat]
    up = UP if shape.slope is None else shape.slope.tilt[:, 1]
    return 1.0 - eased_between(max((slope_of(e, up) for e in laid), default=0.0), *SLOPES)


def slope_of(contact: Contact, up: NDArray[np.float64] = UP) -> float:
    """Radians by which what a contact lies on is tilted from the level, or from what faces `up`; pi on a ceiling."""
    return angle_between(contact.facing.astype(np.float64), up)


def stands_by_itself(
    shape: FootShape, stand: FootStand, base: WorldJoints, place: NDArray[np.float64], turn: NDArray[np.float64]
) -> float:
    """How much a foot stands of its own accord, 0..1: fully if it stands that way in the base pose, if it was taken
    elsewhere from there, or if that was chosen by hand.

    place, turn: where its ankle is to be, (3,) metres and (3, 3). A pose that somebody made stays as it is.
    """
    if stand != "auto":
        return 1.0
    there = _in_base(shape, base)
    if there >= 1.0:
        return there
    return max(there, eased(_taken_away(shape, base, place, turn)))


def _taken_away(shape: FootShape, base: WorldJoints, place: NDArray[np.float64], turn: NDArray[np.float64]) -> float:
    """How far a foot is asked away from where the base pose has it, 1 or more for one that was taken elsewhere."""
    before, was = base.positions[shape.ankle], base.rotations[shape.ankle]
    return max(float(np.linalg.norm(place - before)) / MOVED_M, float(geodesic_angle(was, turn)) / TURNED)


def _is_laid(skeleton: Skeleton, shape: FootShape, turn: NDArray[np.float64], base: WorldJoints) -> bool:
    """Whether a foot with that turn lies on its back below a knee that is bent in the base pose."""
    if not shape.is_laid(turn):
        return False
    knee = skeleton.parents[shape.ankle]
    thigh, shin = (
        base.positions[b] - base.positions[a] for a, b in ((skeleton.parents[knee], knee), (knee, shape.ankle))
    )
    return float(thigh @ shin) < np.cos(BENT) * float(np.linalg.norm(thigh) * np.linalg.norm(shin))


@memoised(64, by_identity=True)  # every solve of a drag calls it with the same pose
def _in_base(shape: FootShape, base: WorldJoints) -> float:
    ankle, ball = shape.ankle, shape.ball
    places, turns = base.positions.astype(np.float64), base.rotations.astype(np.float64)
    return shape.standing(places[ankle], turns[ankle], turns[ball])


def _is_posed(skeleton: Skeleton, effectors: Sequence[Effector], shape: FootShape) -> bool:
    """Whether only the user turns the foot: its turn is asked strictly, or its ball is given a place."""
    ankle, ball = skeleton.names[shape.ankle], skeleton.names[shape.ball]
    return any(
        (e.joint == ball and e.form == POINT) or (e.joint == ankle and e.form == TURN and e.is_strict)
        for e in effectors
        if e.is_active
    )


def _soft_turn(effectors: Sequence[Effector]) -> Effector | None:
    return next((e for e in effectors if e.form == TURN), None)
