"""What effectors cost in effector recovery: the hands, feet, head and pelvis that a person would choose come cheapest.

Recovery compares sets by the error that they leave; among sets that do nearly as well, the one that is easier to work
with should win. So an effector costs a share of the error that a set leaves: nothing on a limb's end, on the head and
on the pelvis, more on an elbow, most on a joint that people seldom pose; a turn costs more than a place, and a second
effector for the same end of a limb hardly counts as a new one. The counterpart of one that is taken is cheap if the
pose is the same on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log, radians

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector, TurnEffector
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, LEGS, Role

ENDS = frozenset(role for limb in (*ARMS, *LEGS) for role in (limb.end, limb.tip))
HINGES = frozenset(limb.hinge for limb in (*ARMS, *LEGS))
FREE_ROLES = ENDS | {Role.HEAD, Role.PELVIS}
HINGE_COST, CHEST_COST, OTHER_COST = 0.25, 0.3, 0.7
TURN_COST, AIM_COST, SAME_END_COST = 0.3, 0.1, 0.6
PAIR_GAIN = 0.35  # if both sides are exactly alike
TURN_ALLOWED = radians(4.0)  # that a recovered turn leaves
LOOSEST = 0.7  # tolerance of the place that is least sure
_SYMMETRIC_M = 0.12  # metres between a joint and the mirror image of its counterpart, at which a pair gains a third


def effector_costs(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> EffectorCosts:
    """What these effectors cost for a pose, see `EffectorCosts.cost_of`."""
    rig = rig_of(skeleton)
    return EffectorCosts(rig, symmetry_of(rig, pose), {id(e): _cost_alone(rig, e) for e in effectors})


class EffectorCosts:
    """What sets of known effectors cost, as a share of the error that they leave."""

    def __init__(self, rig: Rig, alike: float, own: dict[int, float]) -> None:
        self._rig, self._alike, self._own = rig, alike, own

    def cost_of(self, effector: Effector, taken: Sequence[Effector]) -> float:
        """The cost of one effector beside those that are taken."""
        cost = self._own[id(effector)]
        if any(self._same_end(effector, other) for other in taken):
            cost += SAME_END_COST
        if self._completes(effector, taken):
            cost -= PAIR_GAIN * self._alike
        return cost

    def _same_end(self, one: Effector, other: Effector) -> bool:
        a, b = (self._rig.role_of(e.joint) for e in (one, other))
        if one.joint == other.joint:
            return True
        return any({a, b} == {limb.end, limb.tip} for limb in (*ARMS, *LEGS))

    def _completes(self, effector: Effector, taken: Sequence[Effector]) -> bool:
        other = self._rig.mirrored_name(effector.joint)
        if other == effector.joint:
            return False
        return any(e.joint == other and e.kind == effector.kind for e in taken)


def symmetry_of(rig: Rig, pose: Pose) -> float:
    """0..1: how alike the two sides of a pose are, seen from its pelvis; 1 if they mirror each other."""
    world = forward_kinematics(rig, pose)
    root = rig.find(Role.PELVIS) or 0
    places = (world.positions - world.positions[root]) @ world.rotations[root]
    mirrored = places[list(rig.mirror_order)] * [-1.0, 1.0, 1.0]
    apart = float(np.linalg.norm(places - mirrored, axis=1).mean())
    return 1.0 / (1.0 + 2.0 * (apart / _SYMMETRIC_M) ** 2)


def with_tolerance(effector: Effector, unsure_m: Mapping[str, float] | None = None) -> Effector:
    """The effector with a tolerance: a few degrees for a turn; for a place how unsure it is, `unsure_m` by joint."""
    unsure = TURN_ALLOWED if isinstance(effector, TurnEffector | AimEffector) else (unsure_m or {}).get(effector.joint)
    if unsure is None:
        return effector
    spec = effector.spec
    tolerance = log(max(unsure / spec.met, 1.0)) / log(spec.loosest / spec.met)
    return replace(effector, tolerance=min(max(tolerance, effector.tolerance), LOOSEST), estimated=True)


def _cost_alone(rig: Rig, effector: Effector) -> float:
    role = rig.role_of(effector.joint)
    if role in FREE_ROLES:
        cost = 0.0
    elif role in HINGES:
        cost = HINGE_COST
    elif role in (Role.SPINE3, Role.NECK):
        cost = CHEST_COST
    else:
        cost = OTHER_COST
    if isinstance(effector, TurnEffector):
        cost += TURN_COST
    elif isinstance(effector, AimEffector):
        cost += AIM_COST
    return cost
