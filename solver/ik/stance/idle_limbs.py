"""Limbs of which nothing is asked are not thrown about in a small step of a drag.

A search that begins anew, or that falls into another pose on its way, brings arms and legs from wherever it started:
hands go right round thighs that they hung in front of, while the rest of the body has hardly moved. There they stay
where they are shown. Where they cannot, as an arm that props itself on the floor and buckles, they are brought on to
where they go little by little, a step of the drag each time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.level_feet import level_turn
from solver.rig.movable import is_carried
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, LIMBS, Role

THROWN_M = 0.1  # metres that an end goes, as the joint that carries its limb sees it: more is a throw
NEARER = 0.5  # of that way is the most that it may still go
BROUGHT_M = 0.04  # metres of that way that an end is brought in one step
BROUGHT = Strength(100.0, 7.0)
HANGS = (0.75, 0.9)  # of an arm's length that the wrist is below the shoulder: by the second it hangs
HINGE = -3  # of a limb's joints
ON_FEET = 0.6  # of a leg's length that the hip of who stands on it is above the ankle, at least; on a chair it is half


@memoised(16, by_identity=True)  # several rules of a solve ask it of each arm in the same few poses
def faces_of(world: WorldJoints) -> NDArray[np.float64]:
    """(3, 3), the level turn that faces where somebody does, however the pelvis tips to front or side."""
    return facing_of(world.rotations[0])


def facing_of(pelvis: NDArray[np.floating]) -> NDArray[np.float64]:
    """Likewise, of a pelvis turned by (3, 3)."""
    x, _, z = pelvis[:, 0].tolist()
    return level_turn(-z, x)


def is_upright(rig: Rig, was: WorldJoints) -> bool:
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
    return is_upright(rig, was) and any(
        (leg[0] - leg[2])[1] > ON_FEET * np.linalg.norm(np.diff(leg, axis=0), axis=1).sum() for leg in legs
    )


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
    asked = joints_asked_of(skeleton, effectors)
    return [line for line in limbs_of(skeleton) if asked.isdisjoint(line)]


def idle_arms(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[list[int]]:
    """Of those limbs, the arms."""
    return [line for line in idle_limbs(skeleton, effectors) if line in arms_of(skeleton)]


def joints_asked_of(skeleton: Skeleton, effectors: Sequence[Effector]) -> set[int]:
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
    """The joints of each arm that the skeleton has, from the collar or shoulder to the hand."""
    rig = rig_of(skeleton)
    return tuple(list(joints_with(rig, arm.joints)) for arm in ARMS if not rig.lacking(arm.joints))


@memoised(16, by_identity=True)  # a base pose stays for many solves
def how_hung(skeleton: Skeleton, base: Pose, line: list[int]) -> float:
    """How much an arm hangs, 0..1. line: its joints, from the collar or shoulder to the hand."""
    shoulder, elbow, wrist = forward_kinematics(skeleton, base).positions[line[-4:-1]].astype(np.float64)
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
    return eased_between(float((shoulder - wrist)[1] / length), *HANGS)


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
