"""Skin at rest, changed so that knees, hips, elbows and shoulders keep their volume once a pose has bent it.

Plain skinning mixes the matrices of two bones, and between them draws skin towards the joint: across the axis of the
bend by a factor s, with s² = 1 - 2 ab (1 - cos θ) for the shares a and b of both bones and a bend by θ. Here the skin
at rest is pushed away from the joint by as much, so that plain skinning then puts it where the nearest rotation of the
mixed matrix would have. I less the rotation's symmetric part is (1 - cos θ) times “across the axis”, so that no axis
and no angle are taken, and nothing jumps: not at rest, nor where an axis turns over.

On the outside of a bend skin is stretched flat over the bone, so a part of the push does there. And what plain skinning
holds above the floor is not pushed below it: flesh gives way, and who rests on the floor by the one rests by the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.body.hands import Hands, skin_with
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.made_once import made_once
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS
from solver.values import FloatArray, frozen_array

FOLDED = 0.3  # the factor s is never taken to be less, as what is folded flat cannot be pushed out again
LEAST = 1e-3  # of the product of both bones' shares, below which skin is not between them
STILL = 1e-7  # 1 - cos θ of a joint that is not bent
OUTSIDE = {  # of the push, what is left on the outside of a bend
    **{arm.root: 0.4 for arm in ARMS},
    **{leg.root: 0.6 for leg in LEGS},
    **{arm.hinge: 0.7 for arm in ARMS},
    **{leg.hinge: 0.5 for leg in LEGS},
}
SOFT = 0.25  # of sin θ/2: a joint that hardly bends has hardly an outside
GIVES = 0.001  # metres below the floor that skin is pushed at most, as much as contact points yield
TINY = np.float32(1e-6)  # metres
ROOT, BORNE = 0, 0.5  # the pelvis, and from which share on a vertex is of its skin
UP = np.array([0.0, 1.0, 0.0], np.float32)


class _Joint(NamedTuple):
    """A joint with skin between its two bones. parent, child: joints at the bones' other ends. part: of what may be
    pushed, the skin between them. outside: of the push, what is left on the outside of a bend."""

    joint: int
    parent: int
    child: int
    part: slice
    outside: float


class _Between(NamedTuple):
    """N times skin between two bones, by joints. vertices: (N,) indices. before, beyond: (N,) both bones' shares.
    once: (U,) ascending, each vertex once, and rows: (N,) which of them it is. weights: (U, J), of those. sits: (U,)
    whether hips push it. seat: indices of skin that somebody sits on, among others that are not as low."""

    joints: tuple[_Joint, ...]
    vertices: NDArray[np.intp]
    before: FloatArray
    beyond: FloatArray
    once: NDArray[np.intp]
    rows: NDArray[np.intp]
    weights: FloatArray
    sits: NDArray[np.bool_]
    seat: NDArray[np.intp]


def with_volume_kept(body: Body, shape: BodyShape, pose: Pose, rest: FloatArray) -> FloatArray:
    """(V, 3) metres, the T-pose skin `rest` for plain skinning into this pose; `rest` itself where nothing is bent.

    Official bodies come with correctives of their own kind, so theirs stays as it is.
    """
    skeleton = body.skeleton(shape)
    return kept_in(body, skeleton, forward_kinematics(skeleton, pose), rest)


def kept_in(body: Body, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray:
    """As `with_volume_kept`, for the body's joints as they are in the world."""
    return rest if body.id != DEFAULT_BODY else _kept_in(body, skeleton, world, rest)


def skin_for(body: Body, shape: BodyShape, hands: Hands | None, pose: Pose) -> FloatArray:
    """(V, 3) metres, the T-pose skin by which people are drawn and exported in a pose: fingers turned, volume kept."""
    return with_volume_kept(body, shape, pose, skin_with(body, shape, hands))


@made_once(8, by_identity=True)
def _kept_in(body: Body, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray:
    between = _between(cast(Hashable, body))
    push = _push(between, skeleton, world, rest)
    if push is None:
        return rest
    plain, seat = rest[between.once], float(rest[between.seat, 1].min()) - skeleton.rest_positions[ROOT, 1]
    upright, place = world.rotations[ROOT][:, 1], world.positions[ROOT]
    above = _above(between, skeleton, world, plain, push, upright, float(place @ upright) + seat)
    push *= np.where(between.sits, above, np.float32(1.0))[:, None]
    push *= _above(between, skeleton, world, plain, push, UP, -GIVES)[:, None]
    kept = np.array(rest)
    kept[between.once] += push
    return frozen_array(kept, kept.shape, "skin")


def _above(
    between: _Between, skeleton: Skeleton, world: WorldJoints, plain: FloatArray, push: FloatArray, up: FloatArray,
    level: float,
) -> FloatArray:  # fmt: skip
    """(U,) the share of its push (U, 3) by which skin that plain skinning has above a plane does not go below it.

    plain: (U, 3) metres at rest. up: (3,) the plane's normal in the world. level: metres along that, where it is.
    """
    rows = up @ world.rotations  # (J, 3): what joints' frames make of places and pushes along the normal
    at = world.positions @ up - (rows * skeleton.rest_positions).sum(axis=1)
    blended = between.weights @ rows
    room = np.maximum((blended * plain).sum(axis=1) + between.weights @ at - np.float32(level), 0.0)
    sinks = -(blended * push).sum(axis=1)
    return np.where(sinks > room, room / np.maximum(sinks, TINY), np.float32(1.0))


def _push(between: _Between, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray | None:
    """(U, 3) metres at rest, where skin goes without a floor; None where no joint is bent."""
    count = len(between.vertices)
    away, seen = rest[between.vertices], np.zeros((count, 5), np.float32)
    bends, outside = np.zeros(count, np.float32), np.ones(count, np.float32)
    for joint, parent, child, part, spared in between.joints:
        turn = world.rotations[parent].T @ world.rotations[joint]
        across = np.eye(3, dtype=np.float32) - 0.5 * (turn + turn.T)
        bend = 0.5 * float(np.trace(across))
        if bend < STILL:
            away[part] = 0.0
            continue
        away[part] = (away[part] - skeleton.rest_positions[joint]) @ (across / np.float32(bend))
        seen[part] = away[part] @ _ways(turn, skeleton.offsets[child])
        bends[part], outside[part] = bend, spared
    if not bends.any():
        return None
    shares = between.before * between.beyond
    squared = np.maximum(1.0 - 2.0 * shares * bends, 0.0)
    drawn_in = np.sqrt(squared + np.float32(FOLDED**2))
    by = 2.0 * shares * bends / (drawn_in * (1.0 + drawn_in))
    by *= 1.0 - (1.0 - outside) * _outer(between, away, seen, np.sqrt(squared))
    away *= by[:, None]
    push = [np.bincount(between.rows, away[:, i], len(between.once)) for i in range(3)]
    return np.stack(push, axis=1).astype(np.float32)


def _ways(turn: FloatArray, far: FloatArray) -> FloatArray:
    """(3, 5) directions at rest: the outside of a bend as the near and as the far bone see it, both without what is
    along the bone, and the bone's. far: (3,) metres, that bone at rest."""
    bone = far / np.linalg.norm(far)
    outwards = 0.5 * (bone - turn @ bone)  # nothing at rest, and where a joint only twists
    outwards /= np.linalg.norm(outwards) + np.float32(SOFT)
    both = np.stack([outwards, outwards @ turn], axis=1)
    return np.concatenate([both, both - np.outer(bone, bone @ both), bone[:, None]], axis=1)


def _outer(between: _Between, away: FloatArray, seen: FloatArray, drawn_in: FloatArray) -> FloatArray:
    """(N,) from 0 to 1, how much skin is on the outside of its bend: as seen from the joint, or from its own bone.

    away: (N, 3) metres from the axis of the bend, at rest. seen: (N, 5), their products with `_ways`. drawn_in: (N,)
    how much nearer plain skinning has them.
    """
    before, beyond = between.before, between.beyond
    squared = (away * away).sum(axis=1)
    aside = np.maximum(squared - seen[:, 4] ** 2, 0.0)
    from_joint = (before * seen[:, 0] + beyond * seen[:, 1]) / (np.sqrt(squared) * drawn_in + TINY)
    from_bone = (before * seen[:, 2] + beyond * seen[:, 3]) / (np.sqrt(aside) * drawn_in + TINY)
    outer = np.clip(0.5 + 0.5 * np.maximum(from_joint, from_bone), 0.0, 1.0)
    return np.asarray(outer * outer * (3.0 - 2.0 * outer), np.float32)


@made_once(4)
def _between(body: Body) -> _Between:
    rig, weights = body.rig(BodyShape()), body.weights
    joints: list[_Joint] = []
    chosen, shares, start = [], [], 0
    for limb, other in [(first, second) for limbs in (ARMS, LEGS) for first, second in (limbs, limbs[::-1])]:
        for role, opposite, end in ((limb.root, other.root, limb.hinge), (limb.hinge, other.hinge, limb.end)):
            beyond = weights[:, _carried(rig, rig.index(role))].sum(axis=1)
            # the other leg pulls at the skin between both: it has a share of its own, so together they push but once
            before = 1.0 - beyond - weights[:, _carried(rig, rig.index(opposite))].sum(axis=1)
            some = np.flatnonzero(beyond * before > LEAST)
            joint, part = rig.index(role), slice(start, start := start + len(some))
            joints.append(_Joint(joint, rig.parents[joint], rig.index(end), part, OUTSIDE[role]))
            chosen.append(some)
            shares.append(np.stack([before[some], beyond[some]]).astype(np.float32))
    vertices, (before, beyond) = np.concatenate(chosen), np.concatenate(shares, axis=1)
    once, rows = np.unique(vertices, return_inverse=True)
    hips = [rig.index(leg.root) for leg in LEGS]
    sits = np.isin(once, np.concatenate([vertices[each.part] for each in joints if each.joint in hips]))
    behind = body.vertices(BodyShape())[:, 2] < rig.rest_positions[ROOT, 2]
    seat = np.flatnonzero(behind & (weights[:, ROOT] > BORNE))
    return _Between(tuple(joints), vertices, before, beyond, once, rows, weights[once].astype(np.float32), sits, seat)


def _carried(rig: Rig, joint: int) -> list[int]:
    """The joint and all that it carries."""
    found = {joint}
    for j, parent in enumerate(rig.parents):
        if parent in found:
            found.add(j)
    return sorted(found)
