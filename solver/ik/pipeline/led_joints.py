"""Joints that are led: trunk, elbows, knees and idle hands and feet go little by little to where a step throws them.

A body has no pose near the one shown any more where a hand slips off an edge, or a squeezed arm or a bent back snaps
over. Then all of it goes there over some steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.kinds import Position
from solver.ik.stance.idle_limbs import HINGE, arms_of, idle_arms, idle_limbs, limbs_of
from solver.ik.stance.leans import Lean, Strength, joints_asked, joints_with
from solver.ik.stance.seated import seat_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, SPINE, Role

LED = Strength(1e3, 30.0)
GOES_M = 0.01  # metres that a joint which is led goes in a step, beside as far as what is dragged
THROWN = 1.3  # times as far: less is left as it is
GOES_BY_ITSELF_M = THROWN * GOES_M  # that any joint may go, however little is asked


def led_joints(
    skeleton: Skeleton,
    effectors: Sequence[Effector],
    found: Pose,
    shown: Pose,
    moved_m: float,
    rests: bool = True,
    slides: bool = False,
    free: frozenset[int] = frozenset(),
) -> tuple[Lean, ...]:
    """Leans of head, spine, hinges of limbs and idle limbs to a part of their ways, if one of them goes further than a
    step in which what is asked moved by `moved_m` metres explains; none if none does.

    shown: the pose before it moved. rests: whether somebody sits, kneels or lies, whose idle arms may rest on
    something; those of somebody who stands go along with the shoulders. slides: whether a leg's patch is taken along a
    slope: idle arms, which follow how a network sees the foot turned, are led then as well, and so are the hips and the
    toes, which swing round. free: joints that are not led.
    """
    goes = GOES_M + moved_m
    was, now = (forward_kinematics(skeleton, pose).positions.astype(np.float64) for pose in (shown, found))
    ways = np.linalg.norm(now - was, axis=1)
    along = set[int]() if rests or slides else {j for line in idle_arms(skeleton, effectors) for j in line[HINGE:]}
    balls = _balls(skeleton) if slides else _balls(skeleton) - _hanging(skeleton, effectors) if rests else set[int]()
    swung = balls.union(_swung(skeleton) if slides else ())
    asked = joints_asked(skeleton, effectors, POINT)
    if not slides and seat_of(skeleton, effectors) is not None:  # feet of whoever sits on something stand still
        hands = {line[-1] for line in arms_of(skeleton) if not asked.isdisjoint(line)}
        swung = {j for j in swung | hands if ways[j] > THROWN * goes}
    led = sorted((_led(skeleton, effectors) | swung) - along - asked - free)
    farthest = float(ways[led].max(initial=0.0))
    if farthest <= THROWN * goes:
        return ()
    goes *= farthest / max(farthest, float(ways[sorted(along)].max(initial=0.0)))
    places = was + np.minimum(1.0, goes / np.maximum(ways, goes))[:, None] * (now - was)
    return tuple(Lean(Position(skeleton.names[j], places[j].astype(np.float32)), LED) for j in led)


def _swung(skeleton: Skeleton) -> set[int]:
    """Pelvis and hips."""
    rig = rig_of(skeleton)
    return {0, *(joints_with(rig, leg.joints)[0] for leg in LEGS if not rig.lacking(leg.joints))}


def _led(skeleton: Skeleton, effectors: Sequence[Effector]) -> set[int]:
    """Head, spine, shoulders, elbows, knees, and what is beyond the elbows of idle arms, and of idle legs the knees and
    beyond; nothing of those while the pelvis is asked to be somewhere, for they may be on their way to stand, or to
    hang."""
    hanging = _hanging(skeleton, effectors)
    idle = [line for line in idle_limbs(skeleton, effectors) if hanging.isdisjoint(line)]
    joints = {line[HINGE] for line in limbs_of(skeleton)}.union(joints_with(rig_of(skeleton), [Role.HEAD, *SPINE]))
    shoulders = {line[HINGE - 1] for line in arms_of(skeleton)}
    return joints.union(shoulders, *(line[HINGE:] for line in idle)) - hanging


def _hanging(skeleton: Skeleton, effectors: Sequence[Effector]) -> set[int]:
    """Joints of idle legs while the pelvis is asked to be somewhere, which may be on their way to stand, or to hang."""
    if 0 not in joints_asked(skeleton, effectors, POINT):
        return set()
    arms = idle_arms(skeleton, effectors)
    return {j for line in idle_limbs(skeleton, effectors) if line not in arms for j in line}


def _balls(skeleton: Skeleton) -> set[int]:
    """The balls of both feet, or what a leg has in their place."""
    rig = rig_of(skeleton)
    return {joints_with(rig, leg.joints)[-1] for leg in LEGS if not rig.lacking(leg.joints)}
