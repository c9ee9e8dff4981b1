"""Where a ray meets a figure's skin, and which joint carries it there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Figure
from rendering.shapes.posed_skin import posed_skin, skin_of

Array = NDArray[np.float64]
FLESH = 0.5  # metres around the joints within which all skin lies


@dataclass(frozen=True, eq=False)
class SkinHit:
    """A place on a figure. depth: metres along the ray. place: (3,) metres. joint: index of the one it moves with."""

    depth: float
    place: Array
    joint: int


def hit_skin(origin: Array, direction: Array, figure: Figure, but: frozenset[int] = frozenset()) -> SkinHit | None:
    """The first place where the ray meets the skin from outside. direction: (3,) unit. None if it misses.

    but: indices of joints whose skin the ray passes through.
    """
    if figure.mesh is None:
        return None
    if figure.mesh.carried is None and not _comes_near(origin, direction, np.asarray(figure.joints)):
        return None
    skin = skin_of(figure.mesh)
    # Seen along the ray, it passes through the triangles that contain the origin.
    x, y, ahead = _along(direction) @ (posed_skin(figure) - origin.astype(np.float32)).T
    near = _around_zero(x[skin.corners]) & _around_zero(y[skin.corners])
    corners = skin.corners[:, near]
    shares = _shares(x[corners].astype(np.float64), y[corners].astype(np.float64))
    depth = (shares * ahead[corners]).sum(axis=0)
    met = np.flatnonzero((shares >= 0.0).all(axis=0) & (depth > 0.0))
    if but:
        borne = skin.weights[:, sorted(figure.mesh.bones_of(but))].sum(axis=1)[corners]
        met = met[(shares * borne).sum(axis=0)[met] < 0.5]
    if not len(met):
        return None
    first = met[np.argmin(depth[met])]
    carried = shares[:, first] @ skin.weights[corners[:, first]]
    if figure.mesh.carried is not None:
        carried = carried @ figure.mesh.carried
    return SkinHit(float(depth[first]), origin + depth[first] * direction, int(np.argmax(carried)))


def _along(direction: Array) -> NDArray[np.float32]:
    """(3, 3) rows: two directions across the ray and its own."""
    side = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(direction, side), direction]).astype(np.float32)


def _around_zero(values: NDArray[np.float32]) -> NDArray[np.bool_]:
    return (values.min(axis=0) <= 0.0) & (values.max(axis=0) >= 0.0)


def _shares(x: Array, y: Array) -> Array:
    """(3, F) barycentric coordinates of the origin in triangles (3, F); negative ones where it is outside."""
    parts = np.roll(x, -1, axis=0) * np.roll(y, -2, axis=0) - np.roll(x, -2, axis=0) * np.roll(y, -1, axis=0)
    whole = parts.sum(axis=0)
    return np.where(whole < 0.0, parts, -1.0) / np.where(whole < 0.0, whole, 1.0)


def _comes_near(origin: Array, direction: Array, joints: Array) -> bool:
    centre = (joints.min(axis=0) + joints.max(axis=0)) / 2
    radius = float(np.linalg.norm(joints - centre, axis=1).max()) + FLESH
    away = centre - origin
    return float(away @ away - (away @ direction) ** 2) <= radius**2
