"""A look that is soft at its extremes: eyes first if it has a tolerance, then neck and head, the trunk hardly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import acos, atan2, cos, exp, hypot, pi, radians, sin
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.body.eyes import gaze
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM, TURN
from solver.effectors.kinds import Rotation
from solver.ik.stance.leans import Lean, Strength, joints_asked, joints_with
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray

SIDE, UP, DOWN = radians(95), radians(65), radians(70)  # how far off the chest's front people look, with their heads
EASES = 0.75  # the share of that up to which a look is followed all the way
BEHIND = radians(150)  # off the front; beyond it the head comes back, as neither side is clearly nearer
NEAREST = 0.2  # metres from the head's joint: what is nearer is looked at as if it were there
EYES = radians(30)  # how far eyes can turn in place of the head and still look natural
FIRST = radians(15)  # how far eyes turn before the head does, if a look's tolerance allows that
ALONE = radians(40)  # off the front; up to here the trunk does nothing
AFTER = 0.3  # radians that the trunk turns for each radian that the look goes further
TRUNK, UPRIGHT = Strength(60.0, 12.0), Strength(20.0, 8.0)

Array = NDArray[np.float64]
E = TypeVar("E", bound=Effector)


def is_soft_look(effector: Effector, head: str) -> bool:
    """Whether it is a look of the head that gives way at its extremes: a pin does not."""
    return effector.is_active and effector.form == AIM and effector.joint == head and not effector.pinned


def without_looks(skeleton: Skeleton, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The effectors with soft looks switched off; themselves if there are none."""
    heads = rig_of(skeleton).names_of([Role.HEAD])
    if not any(is_soft_look(e, head) for e in effectors for head in heads):
        return effectors
    return tuple(replace(e, enabled=False) if is_soft_look(e, heads[0]) else e for e in effectors)


def eyes_take_over(skeleton: Skeleton, world: WorldJoints, effector: Effector) -> bool:
    """Whether an aim is a look of the head and the eyes do what the head leaves of it: as far as they are drawn to
    turn, or as still looks natural."""
    heads = joints_with(rig_of(skeleton), [Role.HEAD])
    if not heads or effector.joint != skeleton.names[heads[0]]:
        return False
    if effector.residual(skeleton, world) <= EYES:
        return True
    away = effector.target.astype(np.float64) - world.positions[heads[0]]
    away = world.rotations[heads[0]].astype(np.float64).T @ (away / np.linalg.norm(away))
    return float(np.linalg.norm(gaze(away) - away)) < effector.spec.met


def eased_looks(skeleton: Skeleton, effectors: tuple[Effector, ...], world: WorldJoints) -> tuple[Effector, ...]:
    """The effectors with soft looks that go no further than people's heads do. world: of the pose without looks."""
    rig = rig_of(skeleton)
    heads, chests = joints_with(rig, [Role.HEAD]), joints_with(rig, [Role.SPINE3])
    if not heads or not chests:
        return effectors
    name, place, chest = skeleton.names[heads[0]], world.positions[heads[0]], world.rotations[chests[0]]
    return tuple(_eased(e, place, chest) if is_soft_look(e, name) else e for e in effectors)


def look_leans(
    skeleton: Skeleton, eased: Sequence[Effector], world: WorldJoints, after: bool = True
) -> tuple[Lean, ...]:
    """Leans to a chest turned as without the look, and a little after one that goes far to a side or down, never back;
    and to a head that looks without tilting.

    eased: as `eased_looks` has them. after: whether the chest turns after looks at all.
    """
    rig, turned, leans = rig_of(skeleton), joints_asked(skeleton, eased, TURN), list[Lean]()
    heads, chests = joints_with(rig, [Role.HEAD]), joints_with(rig, [Role.SPINE3])
    if not heads or not chests:
        return ()
    (head,), (chest,) = heads, chests
    frame = world.rotations[chest].astype(np.float64)
    for look in [e for e in eased if is_soft_look(e, skeleton.names[head])][:1]:
        away = frame.T @ (look.target - world.positions[head])
        if chest not in turned:
            leans.append(Lean(Rotation(skeleton.names[chest], _turn(frame @ _after(away) if after else frame)), TRUNK))
        share = min(1.0, _angle(away) / ALONE)
        if head not in turned and share > 0.0 and hypot(away[0], away[2]) > 1e-6:
            leans.append(Lean(Rotation(skeleton.names[head], _turn(frame @ _level(away))), UPRIGHT.times(share)))
    return tuple(leans)


def _turn(turn: Array) -> FloatArray:
    return nearest_rotation(turn).astype(np.float32)


def _angle(away: Array) -> float:
    """Radians off the front, of a direction (3,) in the chest's frame."""
    return atan2(hypot(away[0], away[1]), away[2])


def _level(away: Array) -> Array:
    """(3, 3), a turn that looks along a direction (3,), without tilting to a side."""
    ahead = away / np.linalg.norm(away)
    side = np.array([ahead[2], 0.0, -ahead[0]]) / hypot(ahead[0], ahead[2])
    return np.stack([side, np.cross(ahead, side), ahead], axis=1)


def _after(away: Array) -> Array:
    """(3, 3) how far the chest turns after a look in its frame, (3,): about its upright and to the front alone."""
    side, up, _ = away.tolist()
    share = AFTER * max(_angle(away) - ALONE, 0.0) / max(hypot(side, up), 1e-9)
    return from_rotation_vector(np.array([share * max(-up, 0.0), share * side, 0.0])).astype(np.float64)


def head_angle(angle: float, most: float) -> float:
    """How far off the front, in radians, the head looks for a target at an angle 0..π, if `most` is all it can."""
    easy = EASES * most
    if angle <= easy:
        return angle
    room = most - easy
    near = easy + room * (1.0 - exp(-(angle - easy) / room))
    return near * min(1.0, (pi - angle) / (pi - BEHIND))


def eye_angle(angle: float, most: float) -> float:
    """The radians of a turn of the head that eyes do instead: nearly all of a small one, never more than `most`."""
    return most * (1.0 - exp(-angle / most))


def _eased(effector: E, place: NDArray[np.floating], chest: NDArray[np.floating]) -> E:
    away = effector.target.astype(np.float64) - place
    distance = float(np.linalg.norm(away))
    if distance < 1e-6:
        return effector
    side, up, ahead = (chest.T @ (away / distance)).tolist()
    across = hypot(side, up)
    angle = acos(min(max(ahead, -1.0), 1.0)) if across > 1e-9 or ahead < 0.0 else 0.0
    around = atan2(up, side)
    most = 1.0 / hypot(cos(around) / SIDE, sin(around) / (UP if up > 0.0 else DOWN))
    new = head_angle(angle, most)
    if effector.tolerance > 0.0:
        new -= eye_angle(new, min(FIRST, effector.spec.allowed_error(effector.tolerance)))
    if new == angle and distance >= NEAREST:
        return effector
    toward = chest @ np.array([sin(new) * cos(around), sin(new) * sin(around), cos(new)])
    return replace(effector, target=(place + max(distance, NEAREST) * toward).astype(np.float32))
