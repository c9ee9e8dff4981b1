"""Who gets up, pulled away further than the legs reach, goes as far as they do, and the pelvis hardly turns for more.

Legs that are all but straight leave a pelvis one way to get nearer: by turning, far and all of a sudden, with trunk and
arms. So the place that a solve looks for is on the near side of that; what is asked stays, and is shown as missed.
Where legs are to point elsewhere, the pelvis has to turn, and nothing is changed. Likewise the chest or the head of who
stands, beyond the pelvis by as much as the trunk is long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import TURN
from solver.effectors.forms import PointEffector
from solver.ik.stance.leans import asked_at, joints_with, strict_places
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, SPINE

Array = NDArray[np.float64]
TURNS_FOR = 0.015  # metres that a pelvis gains at most by turning
HARDLY_TURNS_FOR = 0.001  # likewise, of who leans on the hands
ELSEWHERE = np.cos(np.radians(60.0))  # of the angle between where legs point and where the base pose has them
STRETCHED = 1.03  # times trunk and arm, from a held hand: further up, a trunk that lay turns over it with jumps
ROUNDS, NEAR = 30, 1e-4  # of looking for the nearest place within reach of both legs; metres


class _Ball(NamedTuple):
    """Where the pelvis may be, in metres. centre: (3,)."""

    centre: Array
    radius: float


@memoised(16, by_identity=True)  # called before a solve and after it with the same arguments
def within_reach(
    skeleton: Skeleton,
    effectors: tuple[Effector, ...],
    base: WorldJoints,
    turns_for: float = TURNS_FOR,
) -> tuple[Effector, ...]:
    """The effectors with the place of the pelvis no further away than legs reach whose feet or knees are held; the
    effectors themselves if it is within reach or pinned, or if legs are to point elsewhere than in the base pose.

    base: of the base pose. turns_for: metres that the pelvis may be asked to gain by turning, at most.
    """
    placed = strict_places(skeleton, effectors)
    if 0 not in placed or placed[0].pinned or _points_elsewhere(base, placed):
        return effectors
    pelvis = placed[0]
    asked, balls = pelvis.target.astype(np.float64), _reached(skeleton, effectors, base, placed)
    if all(np.linalg.norm(asked - ball.centre) <= ball.radius for ball in balls):
        return effectors
    return _asked_near(effectors, pelvis, _nearest(asked, balls), turns_for)


@memoised(16, by_identity=True)
def trunk_within_reach(skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints) -> tuple[Effector, ...]:
    """The effectors of somebody who stands, with the highest joint asked for of spine, neck and head no further away
    than a stretched trunk reaches from where the legs let the pelvis be; the effectors themselves if it is within
    reach or pinned, or if the pelvis is asked for a place or a turn. base: of the base pose."""
    placed, line = strict_places(skeleton, effectors), joints_with(rig_of(skeleton), (*SPINE, *HEAD_AND_NECK))
    top = max((n for n, joint in enumerate(line) if joint in placed), default=None)
    if top is None or 0 in placed or placed[line[top]].pinned or turn_asked(skeleton, effectors) is not None:
        return effectors
    pulled, balls = placed[line[top]], _reached(skeleton, effectors, base, placed)
    asked, way = pulled.target.astype(np.float64), base.positions[line[top]] - base.positions[0]
    if all(np.linalg.norm(asked - way - ball.centre) <= ball.radius for ball in balls):
        return effectors
    stretched = float(np.linalg.norm(skeleton.offsets[list(line[: top + 1])], axis=1).sum())
    pelvis, length = _nearest(asked, balls), max(stretched, float(np.linalg.norm(way)))
    far = float(np.linalg.norm(asked - pelvis))
    if far <= length:
        return effectors
    return _asked_near(effectors, pulled, pelvis + length / far * (asked - pelvis), TURNS_FOR)


def _asked_near(
    effectors: tuple[Effector, ...], pulled: PointEffector, near: Array, gains: float
) -> tuple[Effector, ...]:
    """The effectors with one asked for near a place within reach, and by so many metres beyond it at most."""
    asked = pulled.target.astype(np.float64)
    off = float(np.linalg.norm(asked - near))
    if off < NEAR:
        return effectors
    share = gains * (1.0 - np.exp(-off / gains)) / off
    return asked_at(effectors, pulled, near + share * (asked - near))


@memoised(16, by_identity=True)
def within_held_hand(skeleton: Skeleton, effectors: tuple[Effector, ...], base: WorldJoints) -> tuple[Effector, ...]:
    """The effectors with the pelvis no further away from hands that are held than the trunk, bent as in the
    base pose, and a stretched arm reach; the effectors themselves if it is within reach or pinned."""
    placed, rig = strict_places(skeleton, effectors), rig_of(skeleton)
    if 0 not in placed or placed[0].pinned:
        return effectors
    balls = list[_Ball]()
    for arm in ARMS:
        line = joints_with(rig, arm.line)
        if len(line) < len(arm.line) or line[-1] not in placed:
            continue
        length = float(np.linalg.norm(skeleton.offsets[list(line[1:])], axis=1).sum())
        trunk = float(np.linalg.norm(base.positions[line[0]] - base.positions[0]))
        was = float(np.linalg.norm(base.positions[line[-1]] - base.positions[0]))
        balls.append(_Ball(placed[line[-1]].target.astype(np.float64), max(was, STRETCHED * (trunk + length))))
    near = _nearest(placed[0].target.astype(np.float64), balls)
    return _asked_near(effectors, placed[0], near, TURNS_FOR)


def _reached(
    skeleton: Skeleton, effectors: Sequence[Effector], base: WorldJoints, placed: Mapping[int, PointEffector]
) -> list[_Ball]:
    """Balls in which the pelvis is, for each knee and ankle that is held. The pelvis is turned as it is asked to be, or
    else as in the base pose."""
    rig, turn = rig_of(skeleton), turn_asked(skeleton, effectors)
    if turn is None:
        turn = base.rotations[0].astype(np.float64)
    balls = list[_Ball]()
    for leg in LEGS:
        line, length = joints_with(rig, leg.line), 0.0
        for j in line[1:] if len(line) == len(leg.line) else ():
            length += float(np.linalg.norm(skeleton.offsets[j]))
            if j in placed:
                balls.append(_Ball(placed[j].target - turn @ skeleton.offsets[line[0]], length))
    return balls


def _points_elsewhere(base: WorldJoints, placed: Mapping[int, PointEffector]) -> bool:
    """Whether the joints held are to be seen from the pelvis in another direction than in the base pose."""
    held = [j for j in placed if j != 0]
    if not held:
        return False
    was = base.positions[held].mean(axis=0) - base.positions[0]
    now = np.mean([placed[j].target for j in held], axis=0) - placed[0].target
    return bool(was @ now < ELSEWHERE * np.linalg.norm(was) * np.linalg.norm(now))


def turn_asked(skeleton: Skeleton, effectors: Sequence[Effector]) -> Array | None:
    """(3, 3) how the pelvis is strictly asked to be turned."""
    for e in effectors:
        if e.form == TURN and e.is_active and e.is_strict and skeleton.index(e.joint) == 0:
            return e.target.astype(np.float64)
    return None


def pelvis_to_place(skeleton: Skeleton, effectors: tuple[Effector, ...]) -> PointEffector | None:
    """What strictly asks where the pelvis is to be, if it may be looked for elsewhere: it is not pinned, nor is the
    pelvis asked to turn."""
    pelvis = strict_places(skeleton, effectors).get(0)
    return None if pelvis is None or pelvis.pinned or turn_asked(skeleton, effectors) is not None else pelvis


def _nearest(place: Array, balls: Sequence[_Ball]) -> Array:
    """The place within all balls that is nearest to one, by Dykstra's projections."""
    near, left = place, [np.zeros(3) for _ in balls]
    for _ in range(ROUNDS):
        before = near
        for n, (centre, radius) in enumerate(balls):
            way = near + left[n] - centre
            far = float(np.linalg.norm(way))
            there = centre + way * min(1.0, radius / far) if far > 0.0 else centre
            left[n], near = near + left[n] - there, there
        if float(np.linalg.norm(near - before)) < NEAR:
            break
    return near
