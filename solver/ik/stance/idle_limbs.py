"""Limbs of which nothing is asked: arms are proposed as they were posed, and no search throws limbs in a small step.

Of somebody of whom one hand is dragged, networks make the other arm mirror it, whatever that was doing: a salute or a
hand at a telephone is gone after some centimetres. So an idle arm is proposed as the base pose has it, and the less so,
the further the trunk leans over, as arms then swing for balance. Likewise both arms of somebody upright who is dragged
by the head or the pelvis, which networks raise, and hold elsewhere with each centimetre; of who kneels or crawls and is
dragged by the head, however the trunk leans. Whoever stands and is taken by a leg alone, as for a stride or a kick,
swings both as the network proposes, which comes in by and by: the first centimetres of a foot or a knee leave them.

A search that begins anew, or that falls into another pose on its way, brings arms and legs from wherever it started:
hands go right round thighs that they hung in front of, while the rest of the body has hardly moved. There they stay
where they are shown. Where they cannot, as an arm that props itself on the floor and buckles, they are brought on to
where they go little by little, a step of the drag each time.

An arm that hung is proposed as hanging on where the trunk bends over to its side, as when the other hand reaches high:
turned along with the trunk it would go through belly and thigh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.ik.stance.seated import how_bent_in
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, rotation_between
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.level_feet import heading
from solver.rig.movable import is_carried
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, LIMBS, Role

THROWN_M = 0.1  # metres that an end goes, as the joint that carries its limb sees it: more is a throw
NEARER = 0.5  # of that way is the most that it may still go
BROUGHT_M = 0.04  # metres of that way that an end is brought in one step
BROUGHT = Strength(100.0, 7.0)
LEANS = np.radians([20.0, 60.0])  # of the trunk from how it was posed: from the first an arm that hung begins to swing
HANGS = (0.75, 0.9)  # of an arm's length that the wrist is below the shoulder: by the second it hangs
SWINGS = 0.0, 0.6  # metres that a foot or a knee is from where it was: by the second, arms swing as a network proposes
TURNED_IN = np.radians(8.0)  # that the trunk turns an arm inward: by then it hangs as it did
CLEAR_M = 0.3, 0.45  # that a wrist would hang above the floor: up to the first, its hand might be in it
HANGING = Strength(10.0, 1.0)
CLEARS = np.radians(4.0)  # further out than it hung: the hip below it goes out to its side
HINGE = -3  # of a limb's joints
ON_FEET = 0.6  # of a leg's length that the hip of who stands on it is above the ankle, at least; on a chair it is half


class _HangsOn(NamedTuple):
    """An arm that hung, from shoulder to wrist, as somebody faces. hung: (3,) metres, as posed. along: (3,) metres, as
    it goes along with the trunk. part: how much of the turn between them is taken back, 0..1. side: 1 for the left arm,
    -1 for the right one."""

    hung: NDArray[np.float64]
    along: NDArray[np.float64]
    part: float
    side: float


def with_idle_arms_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> Pose:
    """The proposal with arms of which nothing is asked as the base pose has them; one that hung there the less, the
    further the trunk leans over. Both, while the head or the pelvis is asked to be somewhere, of who is upright; for
    the head no less than somebody is down on bent legs in the base pose. If neither is, both of who stands, the less,
    the further a foot or a knee is asked to be from where the base pose has it."""
    kept = arms_kept(skeleton, effectors, base, proposal)
    if not kept:
        return proposal
    rotations = np.array(proposal.rotations)
    for line, share in kept:
        rotations[line] = interpolate(rotations[line], base.rotations[line], share)
    hanging = _kept_hanging(skeleton, effectors, base, proposal)
    return _with_arms_hanging_on(skeleton, hanging, base, Pose(proposal.root_position, rotations))


@memoised(16, by_identity=True)  # several rules of a solve ask it of the same proposal
def arms_kept(
    skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose
) -> tuple[tuple[list[int], float], ...]:
    """The joints of each arm that `with_idle_arms_as_posed` keeps, and the share of it as the base pose has it."""
    rig, arms, asked = rig_of(skeleton), arms_of(skeleton), _asked(skeleton, effectors)
    idle = [line for line in arms if asked.isdisjoint(line)]
    if proposal is base or not idle:
        return ()
    was = forward_kinematics(skeleton, base)
    bent = how_bent_in(skeleton, base) if _places_head(skeleton, rig, effectors) else 0.0
    most = 1.0
    if len(idle) == len(arms) and not (_is_upright(rig, was) and _places_trunk(skeleton, rig, effectors)):
        most = 1.0 - eased_between(_gone(skeleton, effectors, was), *SWINGS) if is_on_feet(skeleton, base) else 0.0
    if most <= 0.0:
        return tuple((line, bent) for line in idle)
    swings = eased_between(_leaned(rig, was, forward_kinematics(skeleton, proposal)), *LEANS)
    return tuple((line, max(most * (1.0 - swings * _hung(skeleton, base, line)), bent)) for line in idle)


def joints_as_posed(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose) -> frozenset[int]:
    """Joints of idle arms that a proposal has just as the base pose has them."""
    kept = arms_kept(skeleton, effectors, base, proposal)
    return frozenset(
        joint
        for line, share in kept
        if share >= 1.0 and np.allclose(proposal.rotations[line], base.rotations[line], atol=1e-5)
        for joint in line
    )


def _with_arms_hanging_on(
    skeleton: Skeleton, kept: Sequence[tuple[list[int], float]], base: Pose, proposal: Pose
) -> Pose:
    """The proposal with idle arms of who stood hanging on where its trunk bends over to their side. kept: of each such
    arm, its joints and the share of it that is as it was posed."""
    now, rotations = forward_kinematics(skeleton, proposal), None
    for line, share in kept:
        turned = _hung_on(skeleton, base, now, line, share)
        if turned is not None:
            rotations = np.array(proposal.rotations) if rotations is None else rotations
            rotations[line[-4]] = turned
    return proposal if rotations is None else Pose(proposal.root_position, rotations)


def _hung_on(
    skeleton: Skeleton, base: Pose, now: WorldJoints, line: list[int], share: float
) -> NDArray[np.float32] | None:
    """The shoulder's turn in its parent's frame, (3, 3), with which an arm hangs as it did, seen from the front, and a
    little further out; None where the trunk has not turned it inward. share: how much of that turn is taken back."""
    shoulder = line[-4]
    parent = skeleton.parents[shoulder]
    hangs = _hangs_on(skeleton, base, now, line, share)
    if hangs is None:
        return None
    faces, turned = faces_of(now), rotation_between(hangs.along, hangs.hung)
    out = from_rotation_vector(np.array([0.0, 0.0, hangs.side * hangs.part * CLEARS]))
    turn = faces @ out @ interpolate(np.eye(3), turned, hangs.part) @ faces.T
    return (now.rotations[parent].T @ turn @ now.rotations[shoulder]).astype(np.float32)


def _hangs_on(skeleton: Skeleton, base: Pose, now: WorldJoints, line: list[int], share: float) -> _HangsOn | None:
    """How an arm hangs on; None for one that does not."""
    hanging, shoulder = _hung(skeleton, base, line), line[-4]
    if hanging <= 0.0:
        return None
    parent, faces = skeleton.parents[shoulder], faces_of(now)
    below, hung, side = _hung_as_posed(skeleton, base, line)
    was = forward_kinematics(skeleton, base).rotations[parent].T
    along = faces.T @ now.rotations[parent] @ was @ below
    turned_in = _outward(hung, side) - _outward(along, side)
    clear = eased_between(float(now.positions[shoulder][1] + hung[1]), *CLEAR_M)
    part = share * hanging * clear * eased_between(turned_in, 0.0, TURNED_IN)
    return _HangsOn(hung, along, part, side) if part > 0.0 else None


def hanging_arm_leans(
    skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose, held: Callable[[], Pose]
) -> tuple[Lean, ...]:
    """Of each idle arm that is proposed as hanging on, to how its shoulder is turned in the world there: what is asked
    may bend the trunk further than it was proposed.

    held: the proposal as it is held to the pose shown.
    """
    kept = _kept_hanging(skeleton, effectors, base, proposal)
    hanging = [(line, share) for line, share in kept if _hung(skeleton, base, line) > 0.0]
    if not hanging:
        return ()
    leans, now = list[Lean](), forward_kinematics(skeleton, held())
    for line, share in hanging:
        hangs = _hangs_on(skeleton, base, now, line, share)
        if hangs is not None:
            turn = Rotation(skeleton.names[line[-4]], now.rotations[line[-4]].astype(np.float32))
            leans.append(Lean(turn, HANGING.times(hangs.part)))
    return tuple(leans)


def _kept_hanging(
    skeleton: Skeleton, effectors: Sequence[Effector], base: Pose, proposal: Pose
) -> tuple[tuple[list[int], float], ...]:
    """`arms_kept` of somebody who stood; none while a leg alone is dragged, as the trunk then sways to and fro."""
    kept, rig = arms_kept(skeleton, effectors, base, proposal), rig_of(skeleton)
    if len(kept) == len(arms_of(skeleton)) and not _places_trunk(skeleton, rig, effectors):
        return ()
    return kept if kept and is_on_feet(skeleton, base) else ()


def faces_of(world: WorldJoints) -> NDArray[np.float64]:
    """(3, 3), the level turn that faces where somebody does, however the pelvis tips to front or side."""
    x, _, z = world.rotations[0][:, 0].astype(np.float64)
    return heading(np.array([[x, 0.0, -z], [0.0, 0.0, 0.0], [z, 0.0, x]]))


def _outward(way: NDArray[np.float64], side: float) -> float:
    """Radians by which an arm points away from the body, seen from the front. way: (3,), as somebody faces. side: 1 for
    the left arm, -1 for the right one."""
    return float(np.arctan2(side * way[0], -way[1]))


@memoised(16, by_identity=True)  # likewise
def _hung_as_posed(
    skeleton: Skeleton, base: Pose, line: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """(3,) metres from the shoulder to the wrist, in the world and as somebody faces; 1 for the left arm, -1 for the
    right one."""
    was, shoulder, wrist = forward_kinematics(skeleton, base), line[-4], line[-2]
    faced = faces_of(was)
    below = (was.positions[wrist] - was.positions[shoulder]).astype(np.float64)
    side = float(np.sign((faced.T @ (was.positions[shoulder] - was.positions[0]))[0]))
    return below, faced.T @ below, side


@memoised(16, by_identity=True)  # a base pose stays for many solves
def _hung(skeleton: Skeleton, base: Pose, line: list[int]) -> float:
    """How much an arm hangs, 0..1. line: its joints, from the collar or shoulder to the hand."""
    shoulder, elbow, wrist = forward_kinematics(skeleton, base).positions[line[-4:-1]].astype(np.float64)
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
    return eased_between(float((shoulder - wrist)[1] / length), *HANGS)


def _places_head(skeleton: Skeleton, rig: Rig, effectors: Sequence[Effector]) -> bool:
    """Whether somebody with both legs is asked where the head is to be."""
    head = () if rig.lacking([role for leg in LEGS for role in leg.line]) else joints_with(rig, (Role.HEAD,))
    return any(e.is_active and e.form == POINT and skeleton.index(e.joint) in head for e in effectors)


def _places_trunk(skeleton: Skeleton, rig: Rig, effectors: Sequence[Effector]) -> bool:
    """Whether it is asked where the head or the pelvis is to be."""
    ends = joints_with(rig, (Role.HEAD, Role.PELVIS))
    return any(e.is_active and e.form == POINT and skeleton.index(e.joint) in ends for e in effectors)


def _gone(skeleton: Skeleton, effectors: Sequence[Effector], was: WorldJoints) -> float:
    """Metres by which the place asked for that is furthest from where somebody was is away from there."""
    asked = [e for e in effectors if isinstance(e, PointEffector) and e.is_active]
    return max((float(np.linalg.norm(e.target - e.held_at(skeleton, was))) for e in asked), default=0.0)


def _is_upright(rig: Rig, was: WorldJoints) -> bool:
    """Whether somebody has the neck above the pelvis: others may lean on their hands. So is a rig without one."""
    ends = joints_with(rig, (Role.PELVIS, Role.NECK))
    return len(ends) < 2 or bool(was.positions[ends[1], 1] > was.positions[ends[0], 1])


@memoised(16, by_identity=True)
def is_on_feet(skeleton: Skeleton, base: Pose) -> bool:
    """Whether somebody has the neck above the pelvis, and a hip so far above its ankle as nobody has who kneels or
    sits."""
    rig, was = rig_of(skeleton), forward_kinematics(skeleton, base)
    lines = [joints_with(rig, leg.line) for leg in LEGS if not rig.lacking(leg.line)]
    legs = [was.positions[list(line)].astype(np.float64) for line in lines]
    return _is_upright(rig, was) and any(
        (leg[0] - leg[2])[1] > ON_FEET * np.linalg.norm(np.diff(leg, axis=0), axis=1).sum() for leg in legs
    )


def _leaned(rig: Rig, was: WorldJoints, now: WorldJoints) -> float:
    """Radians between two ways from the pelvis to the neck, wherever they face; 0 for a rig without one."""
    ends = joints_with(rig, (Role.PELVIS, Role.NECK))
    if len(ends) < 2:
        return 0.0
    ways = [heading(each.rotations[0]).T @ (each.positions[ends[1]] - each.positions[ends[0]]) for each in (was, now)]
    cosine = ways[0] @ ways[1] / np.sqrt((ways[0] @ ways[0]) * (ways[1] @ ways[1]))
    return float(np.arccos(min(max(cosine, -1.0), 1.0)))


def with_idle_limbs_as_shown(
    skeleton: Skeleton, effectors: Sequence[Effector], found: Pose, shown: Pose
) -> Pose | None:
    """What was found with idle limbs as they are shown, for a search to start at; None if it throws none of them.

    shown: the pose before what is asked moved a little.
    """
    limbs = idle_limbs(skeleton, effectors)
    if _farthest(skeleton, limbs, shown, found) <= THROWN_M:
        return None
    rotations = np.array(found.rotations)
    for line in limbs:
        rotations[line] = shown.rotations[line]
    return Pose(found.root_position, rotations)


def idle_arm_leans(skeleton: Skeleton, effectors: Sequence[Effector], found: Pose, shown: Pose) -> tuple[Lean, ...]:
    """Leans of the last two joints of each idle arm that is thrown to a place a little of the way from where they are
    shown to where they are found, as the joint that carries the arm sees them. Idle legs are not brought along: whoever
    is lifted off the floor would have them lag behind, and leap later."""
    now, was = forward_kinematics(skeleton, found), forward_kinematics(skeleton, shown)
    leans = list[Lean]()
    for line in idle_arms(skeleton, effectors):
        carrier, ends = skeleton.parents[line[0]], line[-2:]
        if np.linalg.norm(now.positions[carrier] - was.positions[carrier]) > THROWN_M:
            continue  # all of the body is elsewhere
        seen = (was.positions[ends] - was.positions[carrier]) @ was.rotations[carrier]
        stayed = now.positions[carrier] + seen @ now.rotations[carrier].T
        for end, place, way in zip(ends, stayed, now.positions[ends] - stayed, strict=True):
            if (far := float(np.linalg.norm(way))) > BROUGHT_M:
                target = (place + BROUGHT_M / far * way).astype(np.float32)
                leans.append(Lean(Position(skeleton.names[end], target), BROUGHT))
    return tuple(leans)


def keeps_idle_limbs_nearer(
    skeleton: Skeleton, effectors: Sequence[Effector], one: Pose, other: Pose, shown: Pose
) -> bool:
    """Whether a pose has idle limbs much nearer to where they are shown than another one."""
    limbs = idle_limbs(skeleton, effectors)
    return _farthest(skeleton, limbs, shown, one) < NEARER * _farthest(skeleton, limbs, shown, other)


def idle_limbs(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[list[int]]:
    """The joints of each limb of which nothing is asked, from its girdle or root to its end."""
    asked = _asked(skeleton, effectors)
    return [line for line in limbs_of(skeleton) if asked.isdisjoint(line)]


def idle_arms(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[list[int]]:
    """Of those limbs, the arms."""
    return [line for line in idle_limbs(skeleton, effectors) if line in arms_of(skeleton)]


def _asked(skeleton: Skeleton, effectors: Sequence[Effector]) -> set[int]:
    """The joints of which something is asked; of a carried one, as a finger's, the joint that brings it there."""
    asked = {e.joint: skeleton.index(e.joint) for e in effectors if e.is_active}
    return {skeleton.parents[j] if is_carried(name) else j for name, j in asked.items()}


@memoised_on_value
def limbs_of(skeleton: Skeleton) -> tuple[list[int], ...]:
    """The joints of each limb that the skeleton has."""
    rig = rig_of(skeleton)
    return tuple(list(joints_with(rig, limb.joints)) for limb in LIMBS if not rig.lacking(limb.joints))


@memoised_on_value
def arms_of(skeleton: Skeleton) -> tuple[list[int], ...]:
    """Likewise of each arm."""
    rig = rig_of(skeleton)
    return tuple(list(joints_with(rig, arm.joints)) for arm in ARMS if not rig.lacking(arm.joints))


def _farthest(skeleton: Skeleton, limbs: list[list[int]], one: Pose, other: Pose) -> float:
    """Metres between the two places of the end that is furthest apart, as the joint that carries its limb sees it."""
    ends = [line[-1] for line in limbs]
    carriers = [skeleton.parents[line[0]] for line in limbs]
    seen: list[NDArray[np.float64]] = []
    for pose in (one, other):
        world = forward_kinematics(skeleton, pose)
        ways = (world.positions[ends] - world.positions[carriers]).astype(np.float64)
        seen.append(np.einsum("ni,nij->nj", ways, world.rotations[carriers]))
    return float(np.linalg.norm(seen[1] - seen[0], axis=1).max(initial=0.0))
