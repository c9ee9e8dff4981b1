"""*Only this limb*: the problem when one limb is to move and all the rest to stay."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.ik.preserve_modes import limb_of
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig, rig_of
from solver.rig.roles import ARMS, BODY_PARTS, FEET, HEAD_AND_NECK, LEGS, SPINE, Role

CHEST = SPINE[1:]
FOREARMS = tuple(role for arm in ARMS for role in (arm.hinge, arm.end, arm.tip))
BENDS_LAST = 0.5  # how firmly these keep their turns: arms then bend first, and hands get there all the same
CLEARLY_OFF = 0.01  # metres; for less, trunks would turn far while a hand is led over the other arm


@dataclass(frozen=True)
class LimbHold:
    """What stays while one limb moves.

    limb: its name, as in “left arm”. base: the pose that all else keeps. frozen: joints that stay exactly where they
    are. carried: joints that go along with the limb, in their shape. gives_way: whether the rest follows as far as the
    limb alone does not reach. asked: what was asked of the limb in the base pose. wider: what stays as far as the limb
    alone does not reach, None for nothing. meets: the joint that comes to meet a limb that did not reach it; "" for
    none. last: what keeps its turn in the base pose, as firmly as `bends_last` says. together: whether the arms of all
    who are tied to its owner are to do it alone, if they can.
    """

    limb: str
    base: Pose
    frozen: frozenset[str]
    carried: frozenset[str] = frozenset()
    gives_way: bool = False
    asked: tuple[Effector, ...] = ()
    wider: LimbHold | None = None
    meets: str = ""
    if_off: float = 0.0
    last: frozenset[str] = frozenset()
    bends_last: float = BENDS_LAST
    together: bool = False

    def of(self, base: Pose) -> LimbHold:
        """This limb hold with another base pose, for itself and for the wider hold that may help it."""
        return replace(self, base=base, wider=self.wider and self.wider.of(base))

    def applied_to(self, problem: IKProblem) -> IKProblem:
        """The problem with everything but the limb kept as in the base pose, at full strength.

        An arm that is carried along bends where an effector asks its hand to stay.
        """
        place, shape = np.zeros((2, len(problem.skeleton)), np.float32)
        for name in self.frozen | self.carried:
            j = problem.skeleton.index(name)
            place[j], shape[j] = float(name in self.frozen), 1.0
        for name in self.last:
            shape[problem.skeleton.index(name)] = self.bends_last
        for effector in problem.effectors:
            if effector.is_active and effector.form == POINT and effector.joint in self.carried:
                shape[limb_of(problem.skeleton, problem.skeleton.index(effector.joint))] = 0.0
        return replace(
            problem, base_pose=self.base, preserve_position=place, preserve_orientation=shape, frozen=self.frozen
        )


def only_limb(skeleton: Skeleton, joint: str, pose: Pose) -> LimbHold:
    """What stays of `pose` while the limb of a joint moves. UnknownName for a joint that is not there.

    An arm, a leg, or head and neck move alone. The spine moves and carries arms and head along, over a pelvis and legs
    that stay. The pelvis moves with the trunk on it, and the legs bend over feet that stay.
    """
    rig = rig_of(skeleton)
    j, role = rig.index(joint), None
    while j >= 0 and (role := _smpl_role(rig.roles[j])) is None:
        j = rig.parents[j]
    every = frozenset(rig.names)
    if role is None or role is Role.PELVIS:
        feet = frozenset(rig.names_of(FEET))
        legs = rig.names_of(r for leg in LEGS for r in leg.joints)
        root = frozenset((rig.names[0], *rig.names_of((Role.PELVIS,))))
        return LimbHold(Role.PELVIS.words, pose, feet, every - feet - root - frozenset(legs))
    if role in SPINE:
        moving, name = frozenset(rig.names_of(SPINE)), "torso"
    else:
        name = next(part for part, roles in BODY_PARTS.items() if role in roles)
        moving = frozenset(rig.names_of(BODY_PARTS[name]))
    return _hold(rig, name, pose, moving)


def only_arms(skeleton: Skeleton, pose: Pose, joints: Collection[str] = ()) -> LimbHold:
    """What stays of `pose` while arms move, collars included: those that the joints are on, else both."""
    rig = rig_of(skeleton)
    arms = [frozenset(rig.names_of(arm.joints)) for arm in ARMS]
    moved = [arm for arm in arms if any(rig.index(j) in _with_below(rig, arm) for j in joints)]
    return _hold(rig, "arms", pose, frozenset[str]().union(*(moved or arms)))


def only_joints(skeleton: Skeleton, joints: Collection[str], name: str, pose: Pose) -> LimbHold:
    """What stays of `pose` while these joints alone move. name: what they are called together."""
    return _hold(rig_of(skeleton), name, pose, frozenset(joints))


def arm_before_body(skeleton: Skeleton, pose: Pose, joints: Collection[str], touched: str) -> LimbHold:
    """What stays of `pose` while the arms that the joints are on touch the own body: all else; as far as they do not
    reach, what helps them.

    touched: the joint that carries what they touch. The other arm, or the head, comes to meet them; for a forearm that
    stays out of reach, or where both arms hold each other, the spine bends too, after both arms. For legs, pelvis and
    belly the spine bends after the arm, then as it likes, and then legs and pelvis move over feet that stay. The chest
    goes wherever shoulders go.
    """
    rig = rig_of(skeleton)
    arms = only_arms(skeleton, pose, joints)
    moving = frozenset(rig.names) - arms.frozen - arms.carried
    if touched in rig.names_of(CHEST):
        return arms
    spine = frozenset(rig.names_of(SPINE))
    trunk = spine | moving
    for part in (HEAD_AND_NECK, *(arm.joints for arm in ARMS)):
        if touched in (own := frozenset(rig.names_of(part))):
            bends = touched in rig.names_of(FOREARMS) or own <= moving
            bent = replace(_hold(rig, "torso", pose, trunk | own), meets=touched, if_off=CLEARLY_OFF, last=spine)
            meeting = replace(_hold(rig, arms.limb, pose, moving | own), meets=touched, wider=bent if bends else None)
            return replace(arms, wider=meeting)
    lower = frozenset(rig.names[:1]) | frozenset(rig.names_of((Role.PELVIS, *(r for leg in LEGS for r in leg.joints))))
    feet = frozenset(rig.names_of(FEET))
    body = LimbHold("body", pose, feet, frozenset(rig.names) - lower - trunk)
    torso = replace(_hold(rig, "torso", pose, trunk), wider=body)
    return replace(arms, wider=replace(torso, last=spine, wider=torso))


def _hold(rig: Rig, name: str, pose: Pose, moving: frozenset[str]) -> LimbHold:
    carried = frozenset(rig.names[i] for i in _with_below(rig, moving)) - moving
    return LimbHold(name, pose, frozenset(rig.names) - moving - carried, carried)


def _smpl_role(role: Role | None) -> Role | None:
    return role if any(role in roles for roles in BODY_PARTS.values()) else None


def _with_below(rig: Rig, names: frozenset[str]) -> set[int]:
    found = {rig.index(each) for each in names}
    for j, parent in enumerate(rig.parents):
        if parent in found:
            found.add(j)
    return found
