"""Arms and trunks of which nothing is asked are proposed as they were posed, and arms that hung hang on.

Of somebody of whom one hand is dragged, networks make the other arm mirror it, whatever that was doing: a salute or a
hand at a telephone is gone after some centimetres. So an idle arm is proposed as the base pose has it. Likewise both
arms of somebody upright who is dragged by the trunk or the head, which networks raise, and hold elsewhere with each
centimetre; and of somebody who kneels or crawls and is dragged by the head, however the trunk leans.

Whoever stands and is taken by a leg alone, as for a stride or a kick, swings both as the network proposes, which comes
in by and by as the foot goes out over the floor, as far as they hung: raised arms of dancers and fighters stay so. A
foot that is lifted straight up, or put on something, is not swung: networks hunch for it, and raise the hands ahead.
There trunk and arms stay as posed.

An arm that hung is proposed as hanging in the world, however the trunk leans to front or back: turned along with it,
the hand would point up behind whoever bends down. A trunk that hardly tips still takes it along, or the idle hand of
everybody would move with the first centimetres of the other one. Where the trunk bends over to its side it hangs on
likewise, or it would go through belly and thigh; to the other side it goes along, or it would go through the hip.

A head of which nothing is asked stays as it is posed: while a hand is dragged, and as somebody has sat down.

Recorded people look wherever they like while a hand is up, by 30 degrees to either side. So what a network proposes for
a head whose hand is dragged is a mean of little meaning, and the look that was posed is lost: a hand high above the
head turned it away by 25 degrees. Whoever stands keeps it instead, and faces where they did however the chest turns,
as far as necks do easily. Where the trunk bends over, the network says how far a head is raised.

A hand that the base pose has at the face, or in it, is brought out of it by a search. That turns the head by tens of
degrees in one body where in another the arm gives way, and the head comes back at once in the first step of a drag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import asin, atan2, cos, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.facing import FAR
from solver.effectors.form_ids import POINT
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import FACING
from solver.ik.stance.idle_limbs import (
    arms_of,
    faces_of,
    facing_of,
    how_hung,
    is_on_feet,
    is_upright,
    joints_asked_of,
)
from solver.ik.stance.leans import Lean, Strength, joints_asked, joints_with
from solver.ik.stance.seated import how_bent_in
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, interpolate, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.level_feet import pitched
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, Role

Array = NDArray[np.float64]
SWINGS = (0.0, 0.6)  # metres over the floor that a foot or a knee is from where it was: by the second, arms swing
LEANS = np.radians([4.0, 20.0])  # of the trunk to front or back: by the second, arms that hang lean to where they hang
HANGS_ON = np.radians([0.0, 20.0])  # likewise: up to the second, such arms still go along with the trunk in part
TURNED_IN = np.radians(8.0)  # that the trunk turns an arm inward: by then it hangs as it did
TURNED_OUT = np.radians([0.0, 30.0])  # that the trunk turns one outward: by the second it goes along
CLEARS = np.radians(4.0)  # further out than it hung: the hip below it goes out to its side
CLEAR_M = 0.3  # of a wrist above the floor, that a hand needs to hang: lower down it points ahead
AHEAD = np.radians(120.0)  # per share of the arm's length that is too long for that
BENDS = np.radians([20.0, 60.0])  # of the trunk to front or back: from the first the network's head begins to count
TURNS_BACK = np.radians(35.0)  # that a head turns against its chest to face where it did, at most
RIGHTS = 0.65  # of a chest's tilt to a side that a head makes up for, as recorded ones do,
RIGHTED = np.radians(18.0)  # at most
PUSHED = np.radians(15.0)  # that neck or head turns from how it is posed: more is a push
TURNS = (Role.NECK, Role.HEAD)
LEVEL = 0.9  # of the upward normal of what a foot stands on
HANGING = Strength(10.0, 1.0)
TRUNK = (Role.SPINE1, Role.SPINE2, Role.SPINE3)
SHOULDERS = tuple(role for arm in ARMS for role in arm.joints[:-3])
BELOW_SHOULDER = slice(-3, None)  # of an arm's joints


class _PosedArm(NamedTuple):
    """An arm in the base pose. side: 1 for the left one, -1 for the right one. way: (3,) metres in the world from the
    shoulder to the wrist. outward: radians by which it points away from the body."""

    side: float
    way: Array
    outward: float


def with_idle_arms_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> Pose:
    """The proposal with arms of which nothing is asked as the base pose has them, or hanging as they did there.

    Both, of somebody upright, while a place of the trunk or the head is asked; for the head at least as much as
    somebody is down on bent legs in the base pose. Where no such place is asked, both arms and the trunk of somebody
    who stands: the less, the further over the floor a foot or a knee is asked to be from where the base pose has it.
    """
    kept = arms_kept(skeleton, effectors, base, proposal)
    if not any(share > 0.0 for _, share in kept):
        return proposal
    rotations = np.array(proposal.rotations)
    for line, share in kept:
        rotations[line] = interpolate(rotations[line], base.rotations[line], share)
    share = _trunk_kept(skeleton, effectors, base)
    if share > 0.0:
        _keep_trunk(skeleton, base, rotations, share)
    held = Pose(proposal.root_position, rotations)
    if _moves_legs_alone(skeleton, effectors) or not is_on_feet(skeleton, base):
        return held
    return _with_arms_hanging(skeleton, kept, base, held)


@memoised(16, by_identity=True)  # several rules of a solve ask it of the same proposal
def arms_kept(
    skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose
) -> tuple[tuple[list[int], float], ...]:
    """The joints of each arm that `with_idle_arms_as_posed` keeps, and the share of it as the base pose has it."""
    rig, arms, asked = rig_of(skeleton), arms_of(skeleton), joints_asked_of(skeleton, effectors)
    idle = [line for line in arms if asked.isdisjoint(line[BELOW_SHOULDER])]
    if proposal is base or not idle:
        return ()
    was = forward_kinematics(skeleton, base)
    bent = how_bent_in(skeleton, base) if _places_head(skeleton, rig, effectors) else 0.0
    swung, stands = 0.0, is_on_feet(skeleton, base)
    if len(idle) == len(arms) and not (is_upright(rig, was) and _places_trunk(skeleton, rig, effectors)):
        swings = stands or _moves_legs_alone(skeleton, effectors)
        swung = _swung_by(skeleton, effectors, was) if swings else 1.0
    hung = (how_hung(skeleton, base, line) if stands else 1.0 for line in idle)
    return tuple((line, max(1.0 - swung * much, bent)) for line, much in zip(idle, hung, strict=True))


def joints_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> frozenset[int]:
    """Joints of idle arms that a proposal has just as the base pose has them."""
    kept = arms_kept(skeleton, effectors, base, proposal)
    return frozenset(
        joint
        for line, share in kept
        if share >= 1.0 and np.allclose(proposal.rotations[line], base.rotations[line], atol=1e-5)
        for joint in line
    )


def _trunk_kept(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> float:
    """How much of the trunk, neck and head is as the base pose has it, of somebody who stands and of whom legs alone
    are asked, but neither a knee on something nor a foot on a wall."""
    if not _moves_legs_alone(skeleton, effectors):
        return 0.0
    if any(e.is_active and isinstance(e, Contact) and not _stood_on(skeleton, e) for e in effectors):
        return 0.0
    return 1.0 - _swung_by(skeleton, effectors, forward_kinematics(skeleton, base))


def _moves_legs_alone(skeleton: Skeleton, effectors: Sequence[Effector]) -> bool:
    """Whether nothing is asked but of legs."""
    return joints_asked_of(skeleton, effectors) <= _joints_of_legs(skeleton)


@memoised_on_value
def _joints_of_legs(skeleton: Skeleton) -> frozenset[int]:
    return frozenset(j for leg in LEGS for j in joints_with(rig_of(skeleton), leg.joints))


@memoised_on_value
def _joints_of_arms(skeleton: Skeleton) -> frozenset[int]:
    return frozenset(j for arm in ARMS for j in joints_with(rig_of(skeleton), arm.joints))


def _keep_trunk(skeleton: Skeleton, base: Pose, rotations: NDArray[np.float32], share: float) -> None:
    """Turn trunk, neck and head to the base pose's, facing where they face, legs as they are in the world."""
    rig, pelvis = rig_of(skeleton), rotations[0].astype(np.float64)
    spine = list(joints_with(rig, (*TRUNK, *HEAD_AND_NECK)))
    rotations[spine] = interpolate(rotations[spine], base.rotations[spine], share)
    upright = facing_of(pelvis) @ facing_of(base.rotations[0]).T @ base.rotations[0]
    rotations[0] = interpolate(pelvis, upright, share)
    hips = [joints_with(rig, leg.joints)[0] for leg in LEGS if not rig.lacking(leg.joints)]
    rotations[hips] = rotations[0].T @ pelvis @ rotations[hips]


def _with_arms_hanging(skeleton: Skeleton, kept: Sequence[tuple[list[int], float]], base: Pose, proposal: Pose) -> Pose:
    """The proposal with idle arms of somebody who stood hanging as they did. kept: of each such arm, its joints and the
    share of it that is as it was posed."""
    now, rotations = forward_kinematics(skeleton, proposal), np.array(proposal.rotations)
    tips = eased_between(_tipped(skeleton, base, now), *HANGS_ON)
    for line, share in kept:
        aside = _turned_aside(skeleton, base, now, line)
        part = share * how_hung(skeleton, base, line) * max(tips, aside[0])
        if part > 0.0:
            shoulder, parent = line[-4], skeleton.parents[line[-4]]
            turned = interpolate(now.rotations[shoulder], _hangs(skeleton, base, now, line, aside), part)
            rotations[shoulder] = now.rotations[parent].T @ turned
    return Pose(proposal.root_position, rotations)


def _hangs(skeleton: Skeleton, base: Pose, now: WorldJoints, line: list[int], aside: tuple[float, float]) -> Array:
    """(3, 3), how the shoulder of an arm that hung is turned in the world for it to hang from where it is now. aside:
    what `_turned_aside` gives."""
    was, faces, shoulder = forward_kinematics(skeleton, base), faces_of(now), line[-4]
    turned_in, out = aside
    side, hung, _ = _posed_arm(skeleton, base, line)
    out = turned_in * CLEARS if turned_in > 0.0 else out
    room = float(now.positions[shoulder][1] - CLEAR_M) / max(float(-hung[1]), 1e-3)
    ahead = min(max(AHEAD * (1.0 - room), 0.0), pi / 2)
    turn = pitched(-ahead) @ _rolled(side * out) if ahead > 0.0 else _rolled(side * out)
    return faces @ turn @ faces_of(was).T @ was.rotations[shoulder].astype(np.float64)


def _rolled(angle: float) -> Array:
    """(3, 3) the turn about the way that somebody faces. angle: radians."""
    return np.array([[cos(angle), -sin(angle), 0.0], [sin(angle), cos(angle), 0.0], [0.0, 0.0, 1.0]])


def _turned_aside(skeleton: Skeleton, base: Pose, now: WorldJoints, line: list[int]) -> tuple[float, float]:
    """How far the trunk turns an arm inward, 0..1, of what lets it hang as it did; and radians that it turns it out."""
    was, parent = forward_kinematics(skeleton, base), skeleton.parents[line[-4]]
    side, hung, then = _posed_arm(skeleton, base, line)
    turned = faces_of(now).T @ now.rotations[parent] @ was.rotations[parent].T
    outward = _outward(turned @ hung, side)
    upright = max(float((turned @ faces_of(was))[1, 1]), 0.0)  # bent over there is no hip below the arm
    return eased_between(then - outward, 0.0, TURNED_IN), upright * max(outward - then, 0.0)


def hanging_arm_leans(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    base: Pose,
    proposal: Pose,
    held: Callable[[], Pose],
    shown: Pose | None = None,
) -> tuple[Lean, ...]:
    """Of each idle arm that is proposed as hanging on, to where it points in the world there: what is asked may bend
    the trunk further than it was proposed. Of both that hang in a base pose which is itself proposed, to where they
    point there. No leans while legs alone are asked: arms in its way would keep a body from leaning for one.

    held: the proposal as it is held to the pose shown. shown: that pose; None where there is none.
    """
    if not is_on_feet(skeleton, base) or _moves_legs_alone(skeleton, effectors):
        return ()
    if proposal == base:  # one that is reused may be as the base pose is without being it
        return _leans_as_posed(skeleton, effectors, held(), shown)
    kept = arms_kept(skeleton, effectors, base, proposal)
    shares = [(line, share * how_hung(skeleton, base, line)) for line, share in kept]
    if not any(share > 0.0 for _, share in shares):
        return ()
    leans, said, now = list[Lean](), forward_kinematics(skeleton, proposal), None
    tips = eased_between(_tipped(skeleton, base, said), *LEANS)
    for line, share in shares:
        firm = share * max(_turned_aside(skeleton, base, said, line)[0], tips)
        if firm > 0.0:
            now = forward_kinematics(skeleton, held()) if now is None else now
            leans.append(Lean(_pointing(skeleton, now, line), HANGING.times(firm)))
    return tuple(leans)


def _leans_as_posed(
    skeleton: Skeleton, effectors: Sequence[Effector], posed: Pose, shown: Pose | None
) -> tuple[Lean, ...]:
    """Of both arms, if nothing is asked of either and they hang in a pose, to where they point there; the less, the
    further the trunk turns one outward in the pose shown. One pressed onto something at its shoulder would be pushed
    into that."""
    asked, was = joints_asked_of(skeleton, effectors), forward_kinematics(skeleton, posed)
    idle = [line for line in arms_of(skeleton) if asked.isdisjoint(line)]
    shares = [(line, share) for line in idle if (share := how_hung(skeleton, posed, line)) > 0.0]
    if len(shares) < len(arms_of(skeleton)):
        return ()
    now = was if shown is None else forward_kinematics(skeleton, shown)
    outward = (eased_between(_turned_aside(skeleton, posed, now, line)[1], *TURNED_OUT) for line, _ in shares)
    firm = [(line, share * (1.0 - out)) for (line, share), out in zip(shares, outward, strict=True) if out < 1.0]
    return tuple(Lean(_pointing(skeleton, was, line), HANGING.times(share)) for line, share in firm)


def _pointing(skeleton: Skeleton, now: WorldJoints, line: list[int]) -> Effector:
    """What asks an arm to point in the world where it does."""
    shoulder, wrist = line[-4], line[-2]
    way = (now.positions[wrist] - now.positions[shoulder]).astype(np.float64)
    way /= np.linalg.norm(way)
    target = now.positions[shoulder] + FAR * way
    return FACING(skeleton.names[shoulder], target.astype(np.float32), now.rotations[shoulder].T @ way)


def _tipped(skeleton: Skeleton, base: Pose, now: WorldJoints) -> float:
    """Radians that the chest tips to front or back, away from how it was."""
    chest = joints_with(rig_of(skeleton), (Role.PELVIS, *TRUNK))
    was = forward_kinematics(skeleton, base)
    first, then = (faces_of(each).T @ each.rotations[chest[-1]].astype(np.float64) for each in (was, now))
    up = (then @ first.T)[:, 1]
    return abs(atan2(up[2], up[1]))


@memoised(16, by_identity=True)  # a base pose stays for many solves
def _posed_arm(skeleton: Skeleton, base: Pose, line: list[int]) -> _PosedArm:
    was = forward_kinematics(skeleton, base)
    ahead = faces_of(was).T
    side = float(np.sign((ahead @ (was.positions[line[-4]] - was.positions[0]))[0]))
    hung = (was.positions[line[-2]] - was.positions[line[-4]]).astype(np.float64)
    return _PosedArm(side, hung, _outward(ahead @ hung, side))


def _outward(way: Array, side: float) -> float:
    """Radians by which an arm points away from the body. way: (3,), as somebody faces. side: 1 for the left arm, -1 for
    the right one."""
    x, y, z = way.tolist()
    return asin(min(max(side * x / sqrt(x * x + y * y + z * z), -1.0), 1.0))


def _places_head(skeleton: Skeleton, rig: Rig, effectors: Sequence[Effector]) -> bool:
    """Whether somebody with both legs is asked where the head is to be."""
    head = () if rig.lacking([role for leg in LEGS for role in leg.line]) else joints_with(rig, (Role.HEAD,))
    return any(e.is_active and e.form == POINT and skeleton.index(e.joint) in head for e in effectors)


def _places_trunk(skeleton: Skeleton, rig: Rig, effectors: Sequence[Effector]) -> bool:
    """Whether it is asked where the head or a part of the trunk is to be, shoulders among them."""
    trunk = joints_with(rig, (Role.PELVIS, *TRUNK, *HEAD_AND_NECK, *SHOULDERS))
    return any(e.is_active and e.form == POINT and skeleton.index(e.joint) in trunk for e in effectors)


def _swung_by(skeleton: Skeleton, effectors: Sequence[Effector], was: WorldJoints) -> float:
    """How much limbs swing, 0..1, by the place asked for that is furthest from where somebody was: over the floor, but
    that of a knee, or of a foot on a wall, all the way. A foot that is put on something to stand on is not swung."""
    farthest = 0.0
    for e in effectors:
        if isinstance(e, PointEffector) and e.is_active and not _stood_on(skeleton, e):
            way = e.target - e.held_at(skeleton, was)
            level = not isinstance(e, Contact)
            farthest = max(farthest, float(np.hypot(way[0], way[2]) if level else np.linalg.norm(way)))
    return eased_between(farthest, *SWINGS)


def _stood_on(skeleton: Skeleton, effector: Effector) -> bool:
    """Whether it puts a foot on something level enough to stand on."""
    feet = {j for leg in LEGS for j in joints_with(rig_of(skeleton), (leg.end, leg.tip))}
    return isinstance(effector, Contact) and bool(effector.facing[1] > LEVEL) and skeleton.index(effector.joint) in feet


def with_idle_head_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> Pose:
    """The proposal with neck and head as the base pose has them, facing where they did, of somebody who stands and is
    dragged by a hand; the less, the further the trunk bends over. As it is if anything is asked of neck or head."""
    rig = rig_of(skeleton)
    if proposal is base or rig.lacking((Role.SPINE3, *HEAD_AND_NECK)):
        return proposal
    neck, head = joints_with(rig, HEAD_AND_NECK)
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    arms = _joints_of_arms(skeleton)
    if not asked.isdisjoint((neck, head)) or joints_asked(skeleton, effectors, POINT).isdisjoint(arms):
        return proposal
    if not is_on_feet(skeleton, base):
        return proposal
    was, now = forward_kinematics(skeleton, base), forward_kinematics(skeleton, proposal)
    share = 1.0 - eased_between(_bent(rig, was, now), *BENDS)
    if share <= 0.0:
        return proposal
    back, rotations = _facing_on(rig, was, now), np.array(proposal.rotations)
    turned = from_rotation_vector(0.5 * back) @ base.rotations[neck]
    raised = turned.T @ from_rotation_vector(back) @ base.rotations[neck] @ base.rotations[head]
    for joint, kept in ((neck, turned), (head, raised)):
        rotations[joint] = interpolate(rotations[joint], kept, share)
    return Pose(proposal.root_position, rotations)


def _bent(rig: Rig, was: WorldJoints, now: WorldJoints) -> float:
    """Radians by which the trunk, from pelvis to neck, is bent over to the front or back, away from how it was."""
    pelvis, neck = rig.joint(Role.PELVIS), rig.joint(Role.NECK)
    ways = [faces_of(each).T @ (each.positions[neck] - each.positions[pelvis]) for each in (was, now)]
    first, then = (atan2(way[2], way[1]) for way in ways)
    return abs((then - first + pi) % (2.0 * pi) - pi)


def _facing_on(rig: Rig, was: WorldJoints, now: WorldJoints) -> Array:
    """(3,) rotation vector in the chest's frame of `now`, by which a head that goes along with the chest faces about
    where it did, seen from the pelvis, and tilts less to a side."""
    chest = rig.joint(Role.SPINE3)
    first, then = (faces_of(each).T @ each.rotations[chest].astype(np.float64) for each in (was, now))
    _, yaw, roll = to_rotation_vector(then @ first.T)
    back = [0.0, TURNS_BACK * np.tanh(yaw / TURNS_BACK), RIGHTED * np.tanh(RIGHTS * roll / RIGHTED)]
    return then.T @ -np.array(back)


def with_head_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, found: Pose) -> Pose | None:
    """What was found with neck and head turned as in the base pose, for a search to start at; None if they are hardly
    turned from there, or if anything is asked of them."""
    joints = list(joints_with(rig_of(skeleton), TURNS))
    if {skeleton.index(e.joint) for e in effectors if e.is_active}.intersection(joints):
        return None
    if head_turned(skeleton, base, found) <= PUSHED:
        return None
    rotations = np.array(found.rotations)
    rotations[joints] = base.rotations[joints]
    return Pose(found.root_position, rotations)


def head_turned(skeleton: Skeleton, base: Pose, found: Pose) -> float:
    """Radians by which neck or head, whichever more, is turned from the base pose as the trunk sees it."""
    joints = list(joints_with(rig_of(skeleton), TURNS))
    return float(geodesic_angle(base.rotations[joints], found.rotations[joints]).max(initial=0.0))
