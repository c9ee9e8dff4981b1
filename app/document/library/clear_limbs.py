"""Limbs brought out of skin that they are in, by as little as does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from app.document.library.least_turns import Asked, Turning
from solver.body.body import Body, mean_shape
from solver.contact.intersections import Met, Skinned, meetings
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import Limb

Array = NDArray[np.float64]
SHALLOW_M, BETTER_M = 0.01, 0.003  # metres that limbs may be in skin; by which a pose has to be better to be taken
ROUNDS, FIRM_M = 5, 0.004  # metres that they may be deep for less turning
TOGETHER_M, BESIDE_M = 0.12, 0.08  # metres between wrists of hands that stay together; beside them, where they do


def clear_of(
    person: Skinned,
    limbs: Sequence[Limb],
    others: Sequence[Skinned] = (),
    lying: Callable[[WorldJoints], Sequence[tuple[int, Array]]] = lambda _world: (),
    slides: float = 0.015,
) -> Pose:
    """The pose of somebody whose limbs are brought out of their own skin and that of others, as far as the limbs alone
    can get out; the pose itself where none is deep in any.

    lying: by where joints are, points, (3,) metres, that stay near where they are, each with the joint that carries it.
    slides: metres that they may be off so that joints turn less.
    """
    skeleton = person.body.skeleton(person.shape)
    roles = [role for limb in limbs for role in (limb.girdle, *limb.line) if role is not None]
    body, tied = Turning(skeleton, person.pose, roles, {}), _together(skeleton, person.pose, limbs)
    there = lying(forward_kinematics(skeleton, person.pose))
    best, least = person.pose, np.inf
    for _ in range(ROUNDS):
        met = meetings(replace(person, pose=body.pose), limbs, others)
        asked = list(_asked(person.body, met, limbs))
        deepest = max((each.gap for each in asked), default=0.0)
        if deepest < least - BETTER_M:
            best, least = body.pose, deepest
        if deepest < SHALLOW_M:
            break
        now = lying(forward_kinematics(skeleton, body.pose))
        rows = [*asked, *tied(body.pose), *_staying(there, now, slides)]
        body = body._replace(turned=None).nearer(rows)  # what is out of skin is not drawn back into it
    return best


def _staying(there: Sequence[tuple[int, Array]], now: Sequence[tuple[int, Array]], firm: float) -> Iterator[Asked]:
    for (joint, was), (_, at) in zip(there, now, strict=True):
        for gap, way in zip(was - at, np.eye(3), strict=True):
            yield Asked(joint, at, way, float(gap), firm)


def _together(skeleton: Skeleton, pose: Pose, limbs: Sequence[Limb]) -> Callable[[Pose], Iterator[Asked]]:
    """What keeps ends of two limbs together that are so in a pose, as they lie, by the pose they are in now."""
    rig, was = rig_of(skeleton), forward_kinematics(skeleton, pose)
    ends = [rig.joint(limb.end) for limb in limbs if not rig.lacking([limb.end])]
    apart = {
        pair: (was.positions[pair[0]] - was.positions[pair[1]]).astype(np.float64) for pair in combinations(ends, 2)
    }
    pairs = [pair for pair, way in apart.items() if np.linalg.norm(way) < TOGETHER_M]

    def asked(now: Pose) -> Iterator[Asked]:
        world = forward_kinematics(skeleton, now)
        for pair, beside in product(pairs, BESIDE_M * np.eye(3)):
            (one, at), (other, seen) = (
                (end, (world.positions[end] + world.rotations[end] @ was.rotations[end].T @ beside).astype(np.float64))
                for end in pair
            )
            for gap, way in zip(apart[pair] - (at - seen), np.eye(3), strict=True):
                yield Asked(one, at, way, float(gap), FIRM_M, (other, seen))

    return asked


def _asked(body: Body, met: Met, limbs: Sequence[Limb]) -> Iterator[Asked]:
    """The deepest point of each part of the limbs in each part of skin, and the way out."""
    joints, limb_of = _carriers(body, tuple(limbs))
    for meeting in met.meetings:
        inner, outer = (
            limb_of[which] if who == 0 else np.full(len(which), -1)
            for who, which in ((meeting.of, meeting.inner), (meeting.owner, meeting.outer))
        )
        ways, depths = met.normals[meeting.owner][meeting.outer], meeting.depths
        depths = np.where((inner >= 0) & (outer >= 0), depths / 2.0, depths)  # each of two arms goes half the way
        depths = np.where((inner >= 0) & (inner == outer), 0.0, depths)
        for limb, which, place, sign in (
            (inner, meeting.inner, met.skins[meeting.of], 1.0),
            (outer, meeting.outer, met.skins[meeting.owner], -1.0),
        ):
            mine = np.flatnonzero(limb >= 0)
            for joint in np.unique(joints[which[mine]]).tolist():
                one = mine[joints[which[mine]] == joint]
                most = one[depths[one].argmax()]
                if depths[most] > 0.0:
                    at, way = place[which[most]], sign * ways[most]
                    yield Asked(joint, at, way, float(depths[most]), FIRM_M)


@memoised(8)
def _carriers(body: Body, limbs: tuple[Limb, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(V,) the joint that carries each vertex most, ends of limbs as one, and the number of its limb, -1 for none."""
    rig = rig_of(body.skeleton(mean_shape(body)))
    joints = np.asarray(body.weights.argmax(axis=1), np.int64)
    limb_of = np.full(len(joints), -1)
    for number, limb in enumerate(limbs):
        if not rig.lacking([*limb.line, limb.tip]):
            joints[joints == rig.joint(limb.tip)] = rig.joint(limb.end)
            limb_of[np.isin(joints, [rig.joint(role) for role in limb.line])] = number
    return joints, limb_of
