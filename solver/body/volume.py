"""Skin at rest, changed so that knees, hips, elbows and shoulders keep their volume once a pose has bent it.

Plain skinning mixes the matrices of two bones, and between them draws skin towards the joint: across the axis of the
bend by a factor s, with s² = 1 - 2 ab (1 - cos θ) for the shares a and b of both bones and a bend by θ. Here the skin
at rest is pushed away from the joint by as much, so that plain skinning then puts it where the nearest rotation of the
mixed matrix would have. I less the rotation's symmetric part is (1 - cos θ) times “across the axis”, so that no axis
and no angle are taken, and nothing jumps: not at rest, nor where an axis turns over.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.catalog import DEFAULT_BODY
from solver.kinematics.pose import Pose
from solver.made_once import made_once
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS
from solver.values import FloatArray, frozen_array

FOLDED = 0.3  # the factor s is never taken to be less, as what is folded flat cannot be pushed out again
LEAST = 1e-3  # of the product of both bones' shares, below which skin is not between them
STILL = 1e-7  # 1 - cos θ of a joint that is not bent


class _Between(NamedTuple):
    """Skin between two bones. joint: its index. vertices: (V,) indices. shares: (V,) products of both bones' shares."""

    joint: int
    vertices: NDArray[np.intp]
    shares: FloatArray


def with_volume_kept(body: Body, shape: BodyShape, pose: Pose, rest: FloatArray) -> FloatArray:
    """(V, 3) metres, the T-pose skin `rest` for plain skinning into this pose; exact where only two bones pull.

    Official bodies come with correctives of their own kind, so theirs stays as it is.
    """
    if body.id != DEFAULT_BODY:
        return rest
    places, kept = body.rig(shape).rest_positions, None
    for joint, vertices, shares in _between(cast(Hashable, body)):
        turn = pose.rotations[joint].astype(np.float32)
        across = np.eye(3, dtype=np.float32) - 0.5 * (turn + turn.T)
        bend = 0.5 * float(np.trace(across))
        if bend < STILL:
            continue
        kept = np.array(rest) if kept is None else kept
        kept[vertices] += _push(shares, bend)[:, None] * ((rest[vertices] - places[joint]) @ across)
    return rest if kept is None else frozen_array(kept, kept.shape, "skin")


def _push(shares: FloatArray, bend: float) -> FloatArray:
    """(V,) by how much skin goes out, for a bend of 1 - cos θ, as a multiple of what `across` makes of its place."""
    drawn_in = np.sqrt(np.maximum(1.0 - 2.0 * shares * bend, 0.0) + np.float32(FOLDED**2))
    return 2.0 * shares / (drawn_in * (1.0 + drawn_in))


@made_once(4)
def _between(body: Body) -> tuple[_Between, ...]:
    rig, weights = body.rig(BodyShape()), body.weights
    sides = [(first, second) for limbs in (ARMS, LEGS) for first, second in (limbs, limbs[::-1])]
    found = []
    for limb, other in sides:
        for role, opposite in ((limb.root, other.root), (limb.hinge, other.hinge)):
            beyond = weights[:, _carried(rig, rig.index(role))].sum(axis=1)
            # the other leg pulls at the skin between both: it has a share of its own, so together they push but once
            before = 1.0 - beyond - weights[:, _carried(rig, rig.index(opposite))].sum(axis=1)
            shares = beyond * before
            vertices = np.flatnonzero(shares > LEAST)
            found.append(_Between(rig.index(role), vertices, shares[vertices]))
    return tuple(found)


def _carried(rig: Rig, joint: int) -> list[int]:
    """The joint and all that it carries."""
    found = {joint}
    for j, parent in enumerate(rig.parents):
        if parent in found:
            found.add(j)
    return sorted(found)
