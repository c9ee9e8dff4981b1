"""Skins that contacts touch: a body's skin of one shape, and the point of it that is nearest to a place."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.hands import Hands, skin_with
from solver.body.kept_volume import with_volume_kept_at
from solver.effectors.skin import Skin, vertex_normals
from solver.kinematics.fk import WorldJoints
from solver.memoise import memoised
from solver.values import FloatArray, frozen_array

Array = NDArray[np.float64]
NEAR = 8  # vertices whose triangles are looked at


class SkinPoint(NamedTuple):
    """A point of a skin. triangle: its number. shares: (3,) of its corners. place: (3,) metres, where it is."""

    triangle: int
    shares: FloatArray
    place: Array


def skin(body: Body, shape: BodyShape, hands: Hands | None = None) -> Skin:
    """The skin of a body of that shape, the fingers as `hands` have them; the same object for equal ones."""
    fingers = None if hands is None else hands.rotations.tobytes()
    return _skin(body, shape.betas.tobytes(), shape.gender, fingers)


@memoised(16)
def _skin(body: Body, betas: bytes, gender: str, fingers: bytes | None) -> Skin:
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    hands = None if fingers is None else Hands(np.frombuffer(fingers, np.float32).reshape(-1, 3, 3))
    vertices, skeleton = skin_with(body, shape, hands), body.skeleton(shape)
    return Skin(
        vertices, vertex_normals(vertices, body.faces), body.faces, body.weights, skeleton.rest_positions,
        lambda world: with_volume_kept_at(body, skeleton, world, vertices),
    )  # fmt: skip


def nearest_point(skin: Skin, world: WorldJoints, place: NDArray[np.floating], but: Collection[int] = ()) -> SkinPoint:
    """The point of a posed skin that is nearest to a place, (3,) metres.

    but: indices of joints whose skin does not count.
    """
    posed = posed_skin(skin, world)
    away = np.linalg.norm(posed - place, axis=1)
    counts = skin.weights[:, sorted(but)].sum(axis=1) < 0.5
    away[~counts] = np.inf
    near = np.argsort(away)[:NEAR]
    triangles = np.flatnonzero(np.isin(skin.faces, near).any(axis=1) & counts[skin.faces].all(axis=1))
    shares = np.array([_shares(posed[skin.faces[t]], np.asarray(place, np.float64)) for t in triangles])
    places = np.einsum("tk,tka->ta", shares, posed[skin.faces[triangles]])
    best = int(np.linalg.norm(places - place, axis=1).argmin())
    return SkinPoint(int(triangles[best]), frozen_array(shares[best], (3,), "shares"), places[best])


def posed_skin(skin: Skin, world: WorldJoints) -> Array:
    """(V, 3) metres, the skin's vertices in the world."""
    matrices = np.concatenate(
        [world.rotations, (world.positions - np.einsum("jab,jb->ja", world.rotations, skin.joints))[:, :, None]], axis=2
    )
    blended = (skin.weights @ matrices.reshape(len(matrices), 12)).reshape(-1, 3, 4)
    return np.asarray(np.einsum("vab,vb->va", blended[:, :, :3], skin.at_rest(world)) + blended[:, :, 3], np.float64)


def _shares(corners: Array, place: Array) -> Array:
    """(3,) shares of a triangle's corners (3, 3) for its point that is nearest to a place."""
    a, b, c = corners
    ab, ac, ap = b - a, c - a, place - a
    d1, d2, d3, d4, d5 = ab @ ab, ab @ ac, ac @ ac, ap @ ab, ap @ ac
    whole = d1 * d3 - d2 * d2
    if whole > 1e-18:
        v, w = (d3 * d4 - d2 * d5) / whole, (d1 * d5 - d2 * d4) / whole
        if v >= 0.0 and w >= 0.0 and v + w <= 1.0:
            return np.array([1.0 - v - w, v, w])
    best, found = np.inf, np.zeros(3)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        edge = corners[j] - corners[i]
        t = float(np.clip((place - corners[i]) @ edge / max(float(edge @ edge), 1e-18), 0.0, 1.0))
        shares = np.zeros(3)
        shares[i], shares[j] = 1.0 - t, t
        away = float(np.linalg.norm(shares @ corners - place))
        if away < best:
            best, found = away, shares
    return found
