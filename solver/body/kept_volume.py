"""Skin at rest, changed so that knees, hips, elbows and shoulders keep their volume once a pose has bent it.

Plain skinning mixes the matrices of two bones, and between them draws skin towards the joint: across the axis of the
bend by a factor s, with s² = 1 - 2 ab (1 - cos θ) for the shares a and b of both bones and a bend by θ. Here the skin
at rest is pushed away from the joint by as much, so that plain skinning then puts it where the nearest rotation of the
mixed matrix would have. I less the rotation's symmetric part is (1 - cos θ) times “across the axis”, so no axis and no
angle need to be computed, and nothing jumps: neither at rest nor where an axis turns over.

On the outside of a bend skin is stretched flat over the bone, so part of the push is enough there. And skin that plain
skinning holds above the floor is not pushed below it: flesh gives way, and a body that rests on the floor with plain
skin rests on it with kept volume too.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.catalog import DEFAULT_BODY, origin_of
from solver.body.hands import Hands, skin_with
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS
from solver.values import FloatArray, read_only

FOLDED = 0.3  # the factor s is never taken to be less, as skin folded flat cannot be pushed out again
LEAST = 1e-3  # of the product of both bones' shares, below which skin does not count as between them
STILL = 1e-6  # 1 - cos θ of a joint that is not bent
OUTSIDE = {  # of the push, what is left on the outside of a bend
    **{arm.root: 0.4 for arm in ARMS},
    **{leg.root: 0.6 for leg in LEGS},
    **{arm.hinge: 0.7 for arm in ARMS},
    **{leg.hinge: 0.5 for leg in LEGS},
}
SOFT = 0.25  # of sin θ/2: a joint that hardly bends hardly has an outside
GIVES = 0.001  # metres below the floor that skin may be pushed, as much as contact points yield
HOW = np.array([FOLDED, STILL, SOFT, GIVES], np.float32)
TINY = np.float32(1e-6)  # metres
ROOT, BORNE = 0, 0.5  # the pelvis, and the share from which a vertex belongs to its skin
UP = np.array([0.0, 1.0, 0.0], np.float32)


class _Between(NamedTuple):
    """N entries of skin between two bones, by joint. joints, parents, children: (K,) the joints, and those at the
    bones' other ends. parts: which entries are each joint's. vertices: (N,) indices. before, beyond: (N,) both bones'
    shares. outside: (N,) of the push, what is left on the outside of a bend. once: (U,) ascending, each vertex once.
    rows: (N,) which of them an entry is. weights: (U, J), of those. sits: (U,) whether hips push it. seat: indices of
    the skin that a person sits on, among others that are not as low. compact: all this as compiled code takes it."""

    joints: NDArray[np.intp]
    parents: NDArray[np.intp]
    children: NDArray[np.intp]
    parts: tuple[slice, ...]
    vertices: NDArray[np.intp]
    before: FloatArray
    beyond: FloatArray
    outside: FloatArray
    once: NDArray[np.intp]
    rows: NDArray[np.intp]
    weights: FloatArray
    sits: NDArray[np.bool_]
    seat: NDArray[np.intp]
    compact: tuple[NDArray[Any], ...]


def with_volume_kept(body: Body, shape: BodyShape, pose: Pose, rest: FloatArray) -> FloatArray:
    """(V, 3) metres, the T-pose skin `rest` for plain skinning into this pose; `rest` itself if nothing is bent.

    Official bodies come with correctives of their own kind, so their skin stays as it is.
    """
    skeleton = body.skeleton(shape)
    return with_volume_kept_at(body, skeleton, forward_kinematics(skeleton, pose), rest)


def with_volume_kept_at(body: Body, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray:
    """As `with_volume_kept`, for the body's joints as they are in the world."""
    return rest if origin_of(body.id) != DEFAULT_BODY else _with_volume_kept_at(body, skeleton, world, rest)


def skin_for(body: Body, shape: BodyShape, hands: Hands | None, pose: Pose) -> FloatArray:
    """(V, 3) metres, the T-pose skin by which people are drawn and exported in a pose: fingers turned, volume kept."""
    return with_volume_kept(body, shape, pose, skin_with(body, shape, hands))


def load_compiled() -> None:
    """From now on do it by compiled code, eleven times as fast; numba takes too long to load for a first picture."""
    from solver.body import volume_kernels  # noqa: F401


def _compiled() -> Any:
    return getattr(sys.modules.get("solver.body.volume_kernels"), "push_skin", None)


@memoised(8, by_identity=True)
def _with_volume_kept_at(body: Body, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray:
    between = _between(cast(Hashable, body))
    if (push_skin := _compiled()) is not None:
        kept, *joints = (np.array(each, np.float32, order="C") for each in (rest, *world, skeleton.rest_positions))
        if not push_skin(*between.compact, *joints, _reaches(body, skeleton, rest), HOW, kept):
            return rest
        read_only(kept)
        return kept
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
    read_only(kept)
    return kept


@memoised(8, by_identity=True)
def _reaches(body: Body, skeleton: Skeleton, rest: FloatArray) -> FloatArray:
    """(J,) metres at rest from each joint to the farthest skin between bones that it carries, -1 without any."""
    between, reaches = _between(cast(Hashable, body)), np.full(len(skeleton), -1.0, np.float32)
    row, carriers = np.nonzero(between.weights)
    away = rest[between.once[row]] - skeleton.rest_positions[carriers]
    np.maximum.at(reaches, carriers, np.linalg.norm(away, axis=1))
    return reaches


def _above(
    between: _Between, skeleton: Skeleton, world: WorldJoints, plain: FloatArray, push: FloatArray, up: FloatArray,
    level: float,
) -> FloatArray:  # fmt: skip
    """(U,) the share of its push (U, 3) that keeps skin above a plane if plain skinning has it there.

    plain: (U, 3) metres at rest. up: (3,) the plane's normal in the world. level: metres along that, where it is.
    """
    rows = up @ world.rotations  # (J, 3): what joints' frames make of places and pushes along the normal
    at = world.positions @ up - (rows * skeleton.rest_positions).sum(axis=1)
    blended = between.weights @ rows
    room = np.maximum(_products(blended, plain) + between.weights @ at - np.float32(level), 0.0)
    sinks = -_products(blended, push)
    return np.where(sinks > room, room / np.maximum(sinks, TINY), np.float32(1.0))


def _push(between: _Between, skeleton: Skeleton, world: WorldJoints, rest: FloatArray) -> FloatArray | None:
    """(U, 3) metres at rest, by which skin is pushed without a floor; None if no joint is bent."""
    turns = np.swapaxes(world.rotations[between.parents], 1, 2) @ world.rotations[between.joints]
    across = np.eye(3, dtype=np.float32) - 0.5 * (turns + np.swapaxes(turns, 1, 2))
    bent = 0.5 * np.trace(across, axis1=1, axis2=2)
    bent[bent < STILL] = 0.0
    if not bent.any():
        return None
    ways, places = _ways(turns, skeleton.offsets[between.children]), skeleton.rest_positions[between.joints]
    away = rest[between.vertices]
    seen, bends = np.zeros((len(away), ways.shape[2]), np.float32), np.zeros(len(away), np.float32)
    for k, part in enumerate(between.parts):
        if bent[k] == 0.0:
            away[part] = 0.0
            continue
        away[part] = (away[part] - places[k]) @ (across[k] / bent[k])
        seen[part], bends[part] = away[part] @ ways[k], bent[k]
    shares = between.before * between.beyond
    squared = np.maximum(1.0 - 2.0 * shares * bends, 0.0)
    drawn_in = np.sqrt(squared + np.float32(FOLDED**2))
    by = 2.0 * shares * bends / (drawn_in * (1.0 + drawn_in))
    by *= 1.0 - (1.0 - between.outside) * _outer(between, away, seen, np.sqrt(squared))
    push = [np.bincount(between.rows, away[:, i] * by, len(between.once)) for i in range(3)]
    return np.stack(push, axis=1).astype(np.float32)


def _ways(turns: FloatArray, far: FloatArray) -> FloatArray:
    """(K, 3, 5) directions at rest: the outside of a bend as seen from the near and from the far bone, both again
    without their part along the bone, and the bone's. turns: (K, 3, 3). far: (K, 3) metres, those bones at rest."""
    bones = (far / np.linalg.norm(far, axis=1, keepdims=True))[:, None]
    outwards = 0.5 * (bones - bones @ np.swapaxes(turns, 1, 2))  # zero at rest, and where a joint only twists
    outwards /= np.linalg.norm(outwards, axis=2, keepdims=True) + np.float32(SOFT)
    both = np.concatenate([outwards, outwards @ turns], axis=1)
    aside = both - (both @ np.swapaxes(bones, 1, 2)) * bones
    return np.swapaxes(np.concatenate([both, aside, bones], axis=1), 1, 2)


def _products(a: FloatArray, b: FloatArray) -> FloatArray:
    """(N,) the products of rows (N, 3); einsum takes a third of the time of a sum over so short an axis."""
    return np.asarray(np.einsum("na,na->n", a, b))


def _outer(between: _Between, away: FloatArray, seen: FloatArray, drawn_in: FloatArray) -> FloatArray:
    """(N,) from 0 to 1, how far skin is on the outside of its bend, as seen from the joint or from its own bone.

    away: (N, 3) metres from the axis of the bend, at rest. seen: (N, 5), their products with `_ways`. drawn_in: (N,)
    the factor by which plain skinning draws them in.
    """
    before, beyond = between.before, between.beyond
    squared = _products(away, away)
    aside = np.maximum(squared - seen[:, 4] ** 2, 0.0)
    from_joint = (before * seen[:, 0] + beyond * seen[:, 1]) / (np.sqrt(squared) * drawn_in + TINY)
    from_bone = (before * seen[:, 2] + beyond * seen[:, 3]) / (np.sqrt(aside) * drawn_in + TINY)
    return each_eased(0.5 + 0.5 * np.maximum(from_joint, from_bone)).astype(np.float32)


@memoised(4)
def _between(body: Body) -> _Between:
    rig, weights = body.rig(mean_shape(body)), body.weights
    joints, ends, chosen, before, beyond, outside = [], [], [], [], [], []
    for limb, other in [(first, second) for limbs in (ARMS, LEGS) for first, second in (limbs, limbs[::-1])]:
        for role, opposite, end in ((limb.root, other.root, limb.hinge), (limb.hinge, other.hinge, limb.end)):
            far = weights[:, _carried(rig, rig.index(role))].sum(axis=1)
            # the other leg pulls at the skin between both: each has a share, so that together they push only once
            near = 1.0 - far - weights[:, _carried(rig, rig.index(opposite))].sum(axis=1)
            some = np.flatnonzero(far * near > LEAST)
            joints.append(rig.index(role))
            ends.append(rig.index(end))
            chosen.append(some)
            before.append(near[some])
            beyond.append(far[some])
            outside.append(np.full(len(some), OUTSIDE[role]))
    stops = np.cumsum([len(some) for some in chosen]).tolist()
    parts = tuple(map(slice, [0, *stops[:-1]], stops))
    once, rows = np.unique(np.concatenate(chosen), return_inverse=True)
    hips = [joints.index(rig.index(leg.root)) for leg in LEGS]
    behind = body.vertices(mean_shape(body))[:, 2] < rig.rest_positions[ROOT, 2]
    single = lambda arrays: np.concatenate(arrays).astype(np.float32)  # noqa: E731
    found = _Between(
        np.array(joints), np.array([rig.parents[joint] for joint in joints]), np.array(ends), parts,
        np.concatenate(chosen), single(before), single(beyond), single(outside), once, rows,
        weights[once].astype(np.float32), np.isin(once, np.concatenate([chosen[k] for k in hips])),
        np.flatnonzero(behind & (weights[:, ROOT] > BORNE)), (),
    )  # fmt: skip
    return found._replace(compact=_compact(found))


def _compact(between: _Between) -> tuple[NDArray[Any], ...]:
    """In the order and of the kinds that `push_skin` takes."""
    begin, end = zip(*((part.start, part.stop) for part in between.parts), strict=True)
    bones = np.stack([between.joints, between.parents, between.children, begin, end], axis=1).astype(np.int64)
    shares = np.stack([between.before, between.beyond, between.outside])
    row, carriers = np.nonzero(between.weights)
    first = np.searchsorted(row, np.arange(len(between.once) + 1))
    vertices, rows, *skinned = (
        each.astype(np.uint32) for each in (between.vertices, between.rows, between.once, first, carriers)
    )
    carried = between.weights[row, carriers]
    return bones, vertices, rows, shares, *skinned, carried, between.sits, between.seat


def _carried(rig: Rig, joint: int) -> list[int]:
    """The joint and all that it carries."""
    found = {joint}
    for j, parent in enumerate(rig.parents):
        if parent in found:
            found.add(j)
    return sorted(found)
