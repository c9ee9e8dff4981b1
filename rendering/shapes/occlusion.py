"""How much of the sky something hides from points on the floor: exact for convex solids, approximate for balls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST_M = 1e-3  # metres above the floor: anything lower counts as at this height
FULL = 0.98  # the most of the sky that is hidden


def hidden_sky(points: Array, hulls: tuple[Array, ...], balls: Array | None) -> Array:
    """(N,) 0..1 of the sky, weighted by the cosine to straight up, hidden from (N, 3) points on the floor.

    hulls: convex solids, each as faces (Q, 4, 3) metres, counter-clockwise from outside. balls: (B, 4), middle and
    radius in metres.
    """
    open_sky = np.ones(len(points))
    for faces in hulls:
        open_sky *= 1.0 - np.clip(_behind_faces(points, faces), 0.0, FULL)
    if balls is not None and len(balls):
        way = np.maximum(balls[None, :, :3] - points[:, None], [-np.inf, LEAST_M, -np.inf])
        radius = balls[None, :, 3]
        far = np.maximum(np.einsum("nbi,nbi->nb", way, way), 0.3 * radius**2)
        share = (way[..., 1] + 0.25 * radius) * radius**2 / far**1.5
        open_sky *= np.prod(1.0 - np.clip(share, 0.0, FULL), axis=1)
    return 1.0 - open_sky


def _behind_faces(points: Array, faces: Array) -> Array:
    """(N,) by Lambert's formula for polygons, over the faces turned towards each point."""
    faces = np.maximum(faces, [-np.inf, LEAST_M, -np.inf])
    outwards = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    outwards += np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 0])
    way = faces[None] - points[:, None, None]
    turned_here = np.einsum("nqi,qi->nq", way[:, :, 0], outwards) < 0.0
    unit = way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-12)
    following = np.roll(unit, -1, axis=2)
    # Only the upward part of the cross product counts: the floor is level.
    up = unit[..., 2] * following[..., 0] - unit[..., 0] * following[..., 2]
    cosine = np.einsum("nqki,nqki->nqk", unit, following)
    sine = np.sqrt(np.maximum(1.0 - cosine**2, 1e-12))
    part = (np.arccos(np.clip(cosine, -1.0, 1.0)) / sine * up).sum(axis=2) / (2.0 * np.pi)
    return np.asarray(np.where(turned_here, np.abs(part), 0.0).sum(axis=1))
