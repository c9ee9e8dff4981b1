"""Ties of a figure to its own body: the joints that bear their targets stay, or a hand would chase its own hip.

A solve sees targets as places in the world. A hand that reaches for a hip would push that hip away and follow it. So
the joint that bears such a target is asked to stay: at first a little, since all else that is asked may still move it,
and from the second round on firmly, where that has left it. Where the trunk lies on a leg, or a leg on the trunk, and
nothing else holds what it lies on, that comes to meet it half way: people lift a knee to the chest that bends to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.effectors.kinds import Position, Rotation
from solver.effectors.resolve import Context, carrying_joint, resolved
from solver.effectors.sources import Tie
from solver.ik.preserve_modes import limb_of
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, TRUNK, Role

AT_FIRST, LATER = 0.4, 0.1  # tolerances
DAMPED = 0.36  # likewise; with less, crossed arms do not meet, with more, they swing about where they should be
STRETCHED = 0.8  # likewise at first, of the turn of a straight limb's upper bone while what carries it is dragged
STRAIGHT, BENT = np.radians(15), np.radians(40)  # by which a limb is bent: below the first it is straight
DRAGGED = 1e-4  # metres by which what carries a limb is to go, at least

NOTHING_BEFORE: Mapping[int, Effector] = MappingProxyType({})
BEHIND = -0.5  # of a leg's outward normal ahead, in the frame of its joint
LOWER_LEGS = frozenset(role for leg in LEGS for role in (leg.hinge, leg.end, leg.tip))
ON_LEGS = tuple(role for leg in LEGS for role in leg.joints)
TRUNK_AND_HEAD = (*TRUNK, *HEAD_AND_NECK)
WAITING = (TURN, POINT)  # forms of what waits for a hand on a leg, in the order in which it is let go
STEP = 0.05  # metres that a drag goes at once; where the joint is further off, it may not get there


def stay_effectors(
    id: str, effectors: tuple[Effector, ...], context: Context, first: bool, bears: frozenset[str] = frozenset()
) -> tuple[Effector, ...]:
    """What is asked of a figure beside its own effectors: that joints which bear targets of its own ties stay.

    bears: names of joints that bear targets of others; if the figure has any ties, these stay as well, from the first
    round on, so that two people who hold each other, or more in a ring, do not chase each other. Joints that are to
    meet come half way. A joint in a limb that is tied has to move, as in crossed arms: it is only slowed, and what
    bears its limb stays. A joint whose place an effector asks for keeps only its turn; were it free in the first round,
    the body would swing about it from one solve to the next. What hangs from such a joint goes along with it: hips that
    were to stay in the world held back a pelvis that was dragged by five centimetres at once.
    """
    every = [e for e in effectors if e.is_active and isinstance(e.source, Tie)]
    if not every:
        return ()
    skeleton, world = context.figures[id]
    met = {e.id: name for e in every if (name := _comes_to_meet(id, e, effectors, context))}
    ties = [e for e in every if isinstance(e.source, Tie) and e.source.character == id and e.id not in met]
    asked = {(e.joint, e.form) for e in effectors if e.is_active}
    placed = _effectors_by_placed_joint(effectors, skeleton)
    moving = {j for e in every for j in limb_of(skeleton, skeleton.index(e.joint))}
    found: dict[str, tuple[Effector, ...]] = {}
    own = [carrying_joint(e.source, context) for e in ties if isinstance(e.source, Tie)]
    for name in (*own, *sorted(bears - {e.joint for e in every})):
        if name not in skeleton.names:
            continue
        joint = skeleton.index(name)
        if joint in moving:
            turn = replace(Rotation.on(skeleton, name, world), tolerance=DAMPED)
            found[name] = (turn,)
            while joint in moving:
                joint = skeleton.parents[joint]
        base = skeleton.names[joint]
        if joint >= 0:
            tolerance = AT_FIRST if first else LATER
            stays = (kind.on(skeleton, base, world) for kind in (Position, Rotation) if (base, kind.form) not in asked)
            goes = _motion_of_carrier(placed, skeleton.parents[joint], skeleton, world)
            turns = tolerance
            if first and np.linalg.norm(goes.shift) > DRAGGED:
                turns += _straightness(skeleton, world, joint) * (STRETCHED - tolerance)
            found[base] = tuple(
                replace(one.moved_by(goes), tolerance=turns if one.form == TURN else tolerance) for one in stays
            )
    for name in set(met.values()):
        found[name] = tuple(_coming_to(e, name, context) for e in every if met.get(e.id) == name)
    return tuple(effector for _, each in sorted(found.items()) for effector in each)


def meeting_half_way(id: str, effector: Effector, effectors: Sequence[Effector], context: Context) -> Effector:
    """A figure's resolved effector; half way between where its target and its own patch are, if what it lies on comes
    to meet it.

    effectors: all of the figure's.
    """
    if not _comes_to_meet(id, effector, effectors, context):
        return effector
    return effector.partway_from(effector.at_pose(*context.figures[id]), 0.5)


def _comes_to_meet(id: str, effector: Effector, effectors: Sequence[Effector], context: Context) -> str:
    """The joint that carries what a contact of the trunk on the own leg, or of a leg on the own trunk, lies on, if
    nothing else asks for a place of that leg or trunk; else "".
    """
    source, asks = effector.source, effector.is_active and isinstance(effector, Contact)
    if not (asks and isinstance(source, Tie) and source.character == id):
        return ""
    rig = rig_of(context.figures[id].skeleton)
    trunk, legs = _trunk_and_legs(rig)
    other = legs if effector.joint in trunk else trunk if effector.joint in legs else frozenset()
    if not other or (name := carrying_joint(source, context)) not in other:
        return ""
    parts = (TRUNK_AND_HEAD, *(leg.joints for leg in LEGS))
    part = next(names for roles in parts if name in (names := rig.names_of(roles)))
    held = (e for e in effectors if e.is_active and e.is_strict and e.form == POINT)
    return "" if any(e.joint in part for e in held) else name


@memoised_on_value
def _trunk_and_legs(rig: Rig) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(rig.names_of(TRUNK_AND_HEAD)), frozenset(rig.names_of(ON_LEGS))


def _coming_to(effector: Effector, joint: str, context: Context) -> Effector:
    """What brings the place that an effector lies on, carried by a joint, to where the effector is asked to be."""
    tie = effector.source
    assert isinstance(tie, Tie), "see `_comes_to_meet`"
    skeleton, world = context.figures[tie.character]
    j, there = skeleton.index(joint), resolved(effector, context).target
    offset = (there - world.positions[j]) @ world.rotations[j]
    return replace(Position(joint, effector.target, offset.astype(np.float32)), tolerance=LATER)


def takes_hold_of_own_leg(id: str, effectors: Sequence[Effector], before: Sequence[Effector], context: Context) -> bool:
    """Whether a hand of a figure comes to lie on its own leg, or on another place of that than before.

    before: the effectors of the solve that led to the figure as it is now.
    """
    held, (_, legs) = {e.id: e.source for e in before}, _trunk_and_legs(rig_of(context.figures[id].skeleton))
    return any(
        e.id not in held or held[e.id] != e.source
        for e, joint in _hands_on_own_skin(id, effectors, context)
        if joint in legs
    )


def waiting_for_hands(
    id: str, effectors: Sequence[Effector], context: Context, waiting: Sequence[int] = WAITING
) -> tuple[Effector, ...]:
    """What is asked of a figure whose hand takes hold of its own leg, as far as nothing else asks for it: that pelvis,
    feet and chest wait for the hand. Where nothing holds them they go away from it, and the place that it goes to with
    them, round after round.

    waiting: what does wait: the places of pelvis and feet, the turn of the chest.
    """
    skeleton, world = context.figures[id]
    rig = rig_of(skeleton)
    asked = {(e.joint, e.form) for e in effectors if e.is_active}
    places = rig.names_of((Role.PELVIS, *(leg.end for leg in LEGS)))
    chest = rig.names_of((Role.SPINE3,))
    stays: tuple[Effector, ...] = (
        *(Position.on(skeleton, name, world) for name in places if (name, POINT) not in asked),
        *(Rotation.on(skeleton, name, world) for name in chest if (name, TURN) not in asked),
    )
    return tuple(replace(each, tolerance=LATER) for each in stays if each.form in waiting)


def hands_on_own_legs(id: str, effectors: Sequence[Effector], context: Context) -> frozenset[str]:
    """Ids of a figure's contacts by which its hands lie on its own legs below the thighs, but not behind them, where
    arms do not get past the knees without the trunk.

    A palm there is to be turned a way for which wrists are stiff, and a trunk that gives way readily leans far off the
    knees that the hands are to hold.
    """
    rig, rotations = rig_of(context.figures[id].skeleton), context.figures[id].world.rotations
    return frozenset(
        e.id
        for e, joint in _hands_on_own_skin(id, effectors, context)
        if joint in rig.names and rig.role_of(joint) in LOWER_LEGS
        if (rotations[rig.index(joint)].T @ e.facing)[2] > BEHIND
    )


def _hands_on_own_skin(id: str, effectors: Sequence[Effector], context: Context) -> Iterator[tuple[Contact, str]]:
    """A figure's contacts by which its hands lie on itself, and the joints that carry the places where they do."""
    wrists = set(rig_of(context.figures[id].skeleton).names_of(arm.end for arm in ARMS))
    for e in effectors:
        if not (e.is_active and isinstance(e, Contact) and e.joint in wrists):
            continue
        if isinstance(e.source, Tie) and e.source.character == id:
            yield e, carrying_joint(e.source, context)


def _straightness(skeleton: Skeleton, world: WorldJoints, joint: int) -> float:
    """How straight the limb is whose upper bone a joint turns, 0..1; 0 if it is not a limb."""
    line = [joint]
    while len(line) < 3 and len(children := skeleton.children(line[-1])) == 1:
        line.append(children[0])
    if len(line) < 3:
        return 0.0
    upper, lower = np.diff(world.positions[line].astype(np.float64), axis=0)
    bend = np.arctan2(np.linalg.norm(np.cross(upper, lower)), upper @ lower)
    return float(np.clip((BENT - bend) / (BENT - STRAIGHT), 0.0, 1.0))


def with_carried_targets(
    id: str, effectors: tuple[Effector, ...], context: Context, before: Sequence[Effector] = ()
) -> tuple[Effector, ...]:
    """A figure's resolved effectors, its own ties where their targets go with a joint whose place is asked for: else a
    first round would reach for where they were, and another one would have to follow.

    before: the effectors of the solve that led to the figure as it is now. A joint that is out of reach goes no
    further than its target has moved since.
    """
    skeleton, world = context.figures[id]
    placed, was = (_effectors_by_placed_joint(each, skeleton) for each in (effectors, before))

    def there(effector: Effector) -> Effector:
        source = effector.source
        if not effector.is_active or not isinstance(source, Tie) or source.character != id:
            return effector
        name = carrying_joint(source, context)
        if name not in skeleton.names:
            return effector
        goes = _motion_of_carrier(placed, skeleton.index(name), skeleton, world, was)
        return effector.moved_by(goes) if np.abs(goes.shift).max() < STEP else effector

    return tuple(map(there, effectors))


def _effectors_by_placed_joint(effectors: Sequence[Effector], skeleton: Skeleton) -> dict[int, Effector]:
    """Effectors that ask strictly for a joint's place, by that joint's index."""
    return {skeleton.index(e.joint): e for e in effectors if e.is_active and e.form == POINT and e.is_strict}


def _motion_of_carrier(
    placed: Mapping[int, Effector],
    joint: int,
    skeleton: Skeleton,
    world: WorldJoints,
    was: Mapping[int, Effector] = NOTHING_BEFORE,
) -> RigidMotion:
    """The motion that brings what carries a joint to where it is asked to be; none where nothing is asked of it.

    was: what asked for places before, by joint. Where the target has moved by less since, it is the target's motion.
    """
    while joint >= 0:
        if joint in placed:
            asked = placed[joint]
            here = (asked.at_pose(skeleton, world), *([was[joint]] if joint in was else ()))
            ways = [asked.target - each.target for each in here]
            return RigidMotion.move(min(ways, key=lambda way: float(np.linalg.norm(way))))
        joint = skeleton.parents[joint]
    return RigidMotion.move(np.zeros(3))
