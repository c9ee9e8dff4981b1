"""Where skin is to lie on something: what lies there may sink into what it lies on as far as flesh yields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.solid_body import SolidBody, carried_by, distances_between
from solver.effectors.effector import Effector
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, LIMBS, SPINE, Role

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Joints = frozenset[int]
Depths = tuple[tuple[int, float], ...]
NO_JOINTS: Joints = frozenset()
MM = 1e-3
SURELY = 1e-6  # metres by which what surrounds balls may be smaller than they are, by rounding
HINGES = tuple(limb.hinge for limb in LIMBS)
THIGHS, BELLY = tuple(leg.root for leg in LEGS), (Role.SPINE1, Role.SPINE2)
AROUND = 0.1  # metres from a point of skin within which flesh counts as bearing it, about a hand's size
BEGINS = 0.03  # likewise within which an arm begins at the trunk


class Parts(NamedTuple):
    """What these joints of a body carry. world: all its joints."""

    body: SolidBody
    world: WorldJoints
    joints: Joints


class Depth(NamedTuple):
    """Metres by which balls may be within what is touched.

    lies: of what lies there; beside: of the joints next to it, as of a forearm above a palm.
    """

    lies: float
    beside: float


FLAT = Depth(0.12, 0.02)  # if a flat patch is turned to what it is on, which keeps a hand out by itself
FIRM = Depth(0.005, 0.003)  # else, as far as flesh yields
SOFT = Depth(0.02, 0.008)  # if a contact would then be missed, because balls do not fold as skin does
FOLDED = 0.04  # metres that a thigh sinks into the belly of somebody who sits and leans over it
PRESSED = 0.08  # likewise into the whole trunk that is laid on it; in recorded motion it is up to 0.11
TOGETHER = 0.02  # metres between arms in the base pose up to which their hands are together,
PASSING = 0.04  # and by which these may then be within each other while nothing is asked of one of them
ARM_IN_ARM = 0.015  # the most for what is beside, within an arm of the same body: neither holds the other up


@dataclass(frozen=True)
class Touch:
    """Skin of a body on itself, on others or on things.

    joint: the one whose patch lies there, -1 if somebody else's lies on this body. skin: the joints whose balls touch;
    beside: those next to them. flat: whether a flat patch is turned to what it is on. firm: if not flat, whether they
    may be within it only as far as flesh yields. own: joints of the same body. others, things: parts of the people, and
    things, in `Obstacles.support_people` and `Obstacles.support_things`, by number. depths: of skin that nothing holds
    there, joints with the metres that each may be within it.
    """

    joint: int
    skin: Joints
    flat: bool = False
    beside: Joints = NO_JOINTS
    own: Joints = NO_JOINTS
    others: Joints = NO_JOINTS
    things: Joints = NO_JOINTS
    firm: bool = True
    depths: Depths = ()


def lying_joints(skeleton: Skeleton, joint: int) -> tuple[Joints, Joints]:
    """The joints that lie on something with the patch of a joint: the joint and its limb's rest; and the next ones."""
    skin, children = {joint}, skeleton.children(joint)
    while len(children) == 1:
        skin.update(children)
        children = skeleton.children(children[0])
    return frozenset(skin), frozenset({*skeleton.children(joint), skeleton.parents[joint]} - skin - {-1})


def keeps_out(skeleton: Skeleton, joint: int) -> bool:
    """Whether a patch of a joint turned flat keeps what lies there out of a thing by that alone, as a palm does.

    Forearms and shins do not: their hands and feet turn by themselves, and would sink in.
    """
    return joint not in _joints(skeleton, HINGES)


def belly_on_thighs(skeleton: Skeleton, depths: Depths | None = None) -> Touch:
    """The thighs of somebody who sits at the belly, which folds over them: else a trunk that leans would be turned
    aside by them. depths: how deep each may be within it, if not as deep as flesh folds."""
    thighs, belly = _joints(skeleton, THIGHS), _joints(skeleton, BELLY)
    return Touch(-1, thighs, own=belly, depths=depths or tuple((joint, FOLDED) for joint in sorted(thighs)))


def trunk_over_thighs(skeleton: Skeleton) -> Touch:
    """The thighs of somebody whose trunk is held on their leg, or a leg on the trunk: flesh gives way all along them.

    Else nobody would get the chest to a knee.
    """
    thighs, trunk = (_joints(skeleton, roles) for roles in (THIGHS, SPINE))
    return Touch(-1, thighs, own=trunk, depths=tuple((joint, PRESSED) for joint in sorted(thighs)))


def lies_over_thighs(skeleton: Skeleton, joint: int, on: Joints) -> bool:
    """Whether a patch of a joint that lies on the same body presses trunk and thighs together. on: the joints whose
    flesh bears it."""
    trunk, legs = _joints(skeleton, SPINE), _joints(skeleton, (role for leg in LEGS for role in (leg.root, leg.hinge)))
    return (joint in trunk and bool(on & legs)) or (joint in legs and bool(on & trunk))


def arms_passing(skeleton: Skeleton, effectors: Iterable[Effector], gap: float) -> list[Touch]:
    """Hands that are together in the base pose: an arm of which nothing is asked and the other one pass each other.

    A hand that is dragged away through the other one would else take it along, as the balls of hands hook into each
    other, until that one slips off and goes all the way home at once. gap: metres between the arms in the base pose,
    negative inside; those that are clasped there stay so while nothing is asked of either, or would come together in
    the first step of a drag.
    """
    if gap > TOGETHER:
        return []
    rig, asked = rig_of(skeleton), {skeleton.index(e.joint) for e in effectors if e.is_active}
    arms = [_joints(skeleton, arm.joints[1:]) for arm in ARMS if not rig.lacking(arm.joints)]
    return [
        Touch(-1, idle, own=other, depths=tuple((joint, PASSING) for joint in sorted(idle)))
        for idle, other in permutations(arms, 2)
        if asked.isdisjoint(idle) and (gap < 0.0 or not asked.isdisjoint(other))
    ]


def arms_gap(body: SolidBody, skeleton: Skeleton, world: WorldJoints) -> float:
    """Metres between the forearms and hands in a pose, negative inside; infinite where a side lacks them. world: its
    joints."""
    sides = [np.isin(body.joints, sorted(_joints(skeleton, arm.joints[2:]))) for arm in ARMS]
    one, other = (carried_by(world, body.joints[side], body.balls[side]) for side in sides)
    gaps = distances_between(one[:, :3], other[:, :3]) - one[:, None, 3] - other[:, 3]
    return float(gaps.min(initial=np.inf))


def are_within(one: Parts, other: Parts, depth: float) -> bool:
    """Whether parts of two bodies are deeper within each other than `depth`, metres."""
    mine, theirs = (np.array([j for j in each.body.filled if j in each.joints], np.int64) for each in (one, other))
    around = (carried_by(each.world, js, each.body.around[js]) for each, js in ((one, mine), (other, theirs)))
    near = _overlaps(*around) > depth - SURELY
    mine, theirs = mine[near.any(axis=1)], theirs[near.any(axis=0)]
    if not len(mine):
        return False
    return bool(_overlaps(_balls_of(one, mine), _balls_of(other, theirs)).max(initial=0.0) > depth)


def _balls_of(parts: Parts, joints: Indices) -> Array:
    """(K, 4) the balls that some joints carry, in the world."""
    which = np.zeros(parts.body.yields.shape[1], bool)
    which[joints] = True
    own = which[parts.body.joints]
    return carried_by(parts.world, parts.body.joints[own], parts.body.balls[own])


def _overlaps(balls: Array, others: Array) -> Array:
    """(K, L) metres that balls (K, 4) are within others (L, 4)."""
    return np.asarray(balls[:, None, 3] + others[:, 3] - distances_between(balls[:, :3], others[:, :3]), np.float64)


def folded_as_shown(body: SolidBody, skeleton: Skeleton, world: WorldJoints) -> Depths:
    """How deep the thighs are within the belly in a pose; without those that are no deeper than they may be anyway.

    Who gets up would be pushed off the thighs all at once. world: the joints of that pose.
    """
    found, belly = list[tuple[int, float]](), _belly(body, skeleton)
    parts, above = body.joints[belly], carried_by(world, body.joints[belly], body.balls[belly])
    for thigh in sorted(_joints(skeleton, THIGHS)):
        own = slice(body.begin[thigh], body.begin[thigh + 1])
        balls, yields = carried_by(world, body.joints[own], body.balls[own]), body.yields[own, parts]
        depths = _overlaps(balls, above)
        deepest = float(depths[(yields >= 0.0) & (depths > yields + MM)].max(initial=0.0))
        if deepest > 0.0:
            found.append((thigh, min(deepest // MM * MM, FOLDED)))
    return tuple(found)


@memoised(8, by_identity=True)
def _belly(body: SolidBody, skeleton: Skeleton) -> NDArray[np.bool_]:
    """(B,): which of the body's balls are of the belly."""
    return np.isin(body.joints, sorted(_joints(skeleton, BELLY)))


def _joints(skeleton: Skeleton, roles: Iterable[Role]) -> Joints:
    rig = rig_of(skeleton)
    return frozenset(map(rig.index, rig.names_of(roles)))


def bearing_joints(body: SolidBody, place: NDArray[np.floating]) -> Joints:
    """The joints whose flesh is around a point of the skin; for a point on the trunk no arm, as an arm may come over
    what lies there, but for one that begins there, as beside the top of a shoulder. place: (3,) metres, where it is in
    the rest pose."""
    away = np.linalg.norm(body.balls[:, :3] + body.rest[body.joints] - place, axis=1) - body.balls[:, 3]
    around = frozenset(body.joints[away < AROUND].tolist())
    if int(body.joints[away.argmin()]) not in body.trunk:
        return around
    return around - (body.arms - frozenset(body.joints[away < BEGINS].tolist()))


def allow_depths(yields: Array, body: SolidBody, touches: Iterable[Touch], others: int, things: int) -> None:
    """Raise yields (P, H) of what touches. others, things: the first columns of `Obstacles.support_people` and
    `Obstacles.support_things`."""
    joints = body.yields.shape[1]
    for touch in touches:
        depths = _depths(body, touch)
        world = [others + other for other in touch.others] + [things + thing for thing in touch.things]
        _raise(yields, np.flatnonzero(depths), world, depths)
        for own in (touch.own - body.arms, touch.own & body.arms):
            if not own:
                continue
            if own <= body.arms:
                depths = np.where(np.isin(body.joints, sorted(touch.beside)), np.minimum(depths, ARM_IN_ARM), depths)
            _raise(yields, np.flatnonzero(depths), sorted(own), depths)
            # Of two parts of a body only one counts as entering the other.
            of_joint = np.zeros(joints)
            np.maximum.at(of_joint, body.joints, depths)
            bears = np.flatnonzero(np.isin(body.joints, sorted(own)))
            for j in np.flatnonzero(of_joint).tolist():
                _raise(yields, bears, [j], np.full(len(depths), of_joint[j]))


def _depths(body: SolidBody, touch: Touch) -> Array:
    """(P,) metres by which each ball may be within what is touched; 0 for those that do not lie there."""
    if touch.depths:
        of_joint = np.zeros(body.yields.shape[1])
        for joint, depth_m in touch.depths:
            of_joint[joint] = depth_m
        return of_joint[body.joints]
    depth = FLAT if touch.flat else FIRM if touch.firm else SOFT
    depths = np.where(np.isin(body.joints, sorted(touch.beside)), depth.beside, 0.0)
    depths[np.isin(body.joints, sorted(touch.skin))] = depth.lies
    return depths


def _raise(yields: Array, balls: Indices, within: list[int], depths: Array) -> None:
    block = np.ix_(balls, np.array(within, np.int64))
    before = yields[block]
    yields[block] = np.where(before < 0.0, before, np.maximum(before, depths[balls, None]))
