"""Limbs of which nothing is asked, and a trunk that lies, come down by their weight until the floor bears them.

Weight is a pull of the same force straight down at each joint, whatever its height; the exact stage meets it with the
floor, joint limits, the body's own skin and, lightly, the pose that it begins with. It is asked again from where joints
have come to be, so that nothing is pulled sideways, until nothing comes down further.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from solver.effectors.kinds import Position, Rotation
from solver.ik.exact import refine
from solver.ik.limp.beneath import heights_beneath
from solver.ik.limp.laid_limbs import laid
from solver.ik.memory import state_at
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.stance.leans import Lean, Strength, joints_with
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.kinematics.rotations import rotation_between
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LIMBS, TRUNK, Limb, Role

Array = NDArray[np.float64]
ROUNDS, STILL_M = 8, 2e-3  # of coming down; the joint that moves most moves less in the last one
TRUNK_WEIGHT, HEAD_WEIGHT = 60.0, 35.0  # forces, as leans have them
ARM_WEIGHT, LEG_WEIGHT = (10.0, 10.0, 4.0), (20.0, 20.0, 6.0)  # of hinge, end and tip
STIFF = 10.0  # of a weight, per metre: it is the same force unless a joint is nearly on the floor
KEEPS_TURN = Strength(3e3, 300.0)  # of a trunk that lies on its side, and would roll onto the back
RUBS = Strength(1200.0, 120.0)  # of a trunk on a thing that bears all of it, and by which its place is kept
BORNE = 0.21  # of the stature: joints of a trunk that lies on a thing are no higher above it
LEVEL = np.array([1.0, 0.0, 1.0])


class TrunkRest(Enum):
    """What becomes of the trunk: it stays as it is, all of it comes down, or all but the pelvis does."""

    STAYS = "stays"
    LIES = "lies"
    SLUMPS = "slumps"


HELD = {TrunkRest.STAYS: TRUNK, TrunkRest.LIES: (), TrunkRest.SLUMPS: (Role.PELVIS,)}  # joints that stay as they are


def limp(problem: IKProblem, free: Collection[Limb], free_head: bool, trunk: TrunkRest) -> Pose:
    """The base pose of a problem come to rest. What effectors ask stays met where it can be.

    free: limbs of which nothing is asked; the others keep their shape. free_head: likewise of neck and head.
    """
    if (adapter := adapter_for(problem)) is not None:
        return adapter.rig_pose(limp(adapter.solver_problem, free, free_head, trunk))
    skeleton, start = problem.skeleton, problem.base_pose
    things = problem.obstacles.all_things if problem.obstacles is not None else ()
    lies = trunk is TrunkRest.LIES
    begun = laid(skeleton, start, free, free_head, things) if lies else start
    shaped = _shaped(problem, free, free_head, trunk)
    stays = _borne(problem, begun) if lies else {}
    pose = begun
    for _ in range(ROUNDS):
        leans = tuple(_leans(problem, forward_kinematics(skeleton, pose), free, free_head, trunk, stays))
        about = replace(begun, root_position=pose.root_position)
        asked = replace(shaped, leans=leans)
        found = refine(asked, about, state_at(pose))
        if not found.iterations and asked.obstacles is not None:
            # Skin is so deep in skin that no first step leads out: the body may pass through itself for once.
            found = refine(replace(asked, obstacles=asked.obstacles.leaving_out(True, False)), about, state_at(pose))
        before, pose = pose, found.pose
        if apart(skeleton, before, pose).max() < STILL_M:
            break
    turns, kept = np.array(pose.rotations), np.flatnonzero(shaped.preserve_orientation)
    turns[kept] = start.rotations[kept]
    return replace(pose, rotations=turns)


def _borne(problem: IKProblem, pose: Pose) -> dict[int, Array]:
    """Where pelvis and chest are, (3,) metres by joint, if things bear both: they then slide off little by little only,
    however heavy what hangs over an edge is."""
    rig = rig_of(problem.skeleton)
    things = problem.obstacles.all_things if problem.obstacles is not None else ()
    joints = joints_with(rig, (Role.PELVIS, Role.SPINE3))
    places = forward_kinematics(problem.skeleton, pose).positions[list(joints)].astype(np.float64)
    beneath = heights_beneath(things, places)
    low = BORNE * float(np.ptp(rig.rest_positions[:, 1]))
    borne = (beneath > 0.0) & (places[:, 1] - beneath < low)
    return dict(zip(joints, places, strict=True)) if borne.all() else {}


def _shaped(problem: IKProblem, free: Collection[Limb], free_head: bool, trunk: TrunkRest) -> IKProblem:
    """The problem that keeps the shape of limbs that are not free, and do not go where an effector asks."""
    rig = rig_of(problem.skeleton)
    asked = {problem.skeleton.index(e.joint) for e in problem.effectors if e.is_active}
    kept = [joints_with(rig, limb.joints) for limb in LIMBS if limb not in free]
    kept += [] if free_head else [joints_with(rig, HEAD_AND_NECK)]
    mask = np.zeros(len(problem.skeleton), np.float32)
    for joints in kept:
        mask[list(joints)] = 0.0 if asked.intersection(joints) else 1.0
    held = frozenset(rig.names_of(HELD[trunk]))
    return replace(problem, preserve_orientation=mask, preserve_position=np.zeros_like(mask), frozen=held, stance=None)


def _leans(
    problem: IKProblem, world: WorldJoints, free: Collection[Limb], free_head: bool, trunk: TrunkRest,
    stays: dict[int, Array],
) -> Iterator[Lean]:  # fmt: skip
    """The weights of what comes down, and how a trunk on its side keeps its turn."""
    skeleton, rig = problem.skeleton, rig_of(problem.skeleton)
    weights = dict[Role, float]()
    if trunk is TrunkRest.LIES:
        weights[Role.PELVIS] = TRUNK_WEIGHT
    if trunk is not TrunkRest.STAYS:
        weights[Role.SPINE3] = TRUNK_WEIGHT
    if free_head:
        weights[Role.HEAD] = HEAD_WEIGHT
    for limb in free:
        weights |= zip((limb.hinge, limb.end, limb.tip), ARM_WEIGHT if limb in ARMS else LEG_WEIGHT, strict=True)
    for role, weight in weights.items():
        for j in joints_with(rig, (role,)):
            if j in stays:
                under = stays[j] * LEVEL + [0.0, float(world.positions[j, 1]) - weight / RUBS.weight, 0.0]
                yield Lean(Position(skeleton.names[j], under.astype(np.float32)), RUBS)
                continue
            below = world.positions[j] * LEVEL
            yield Lean(Position(skeleton.names[j], below.astype(np.float32)), Strength(STIFF * weight, weight))
    if trunk is TrunkRest.LIES:
        for j in joints_with(rig, (Role.PELVIS, Role.SPINE3)):
            yield Lean(Rotation(skeleton.names[j], _level(world.rotations[j])), KEEPS_TURN)


def _level(turn: NDArray[np.floating]) -> NDArray[np.float32]:
    """A turn (3, 3) of a trunk with its own up axis level: about how it comes to lie on the floor."""
    up = turn[:, 1].astype(np.float64)
    return (rotation_between(up, up * LEVEL) @ turn).astype(np.float32)
