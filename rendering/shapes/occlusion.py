"""How much of the sky something hides from a grid on the floor: exact for convex solids, approximate for balls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rendering.scene.hull import Cut, Hull

Array = NDArray[np.float64]
Grid = NDArray[np.float32]  # (..., rows, columns), a value for each point of the grid
LEAST_M = 1e-3  # metres above the floor: what is lower hides nothing
FULL = 0.98  # the most of the sky that is hidden
BAND = 52  # rows at a time: larger arrays come from the system page by page, which takes a third longer
LEAST_HALF = 1e-3  # the least cosine of half the angle that an edge spans
# An angle over its sine, times the cosine of its half, as a polynomial of that cosine; wrong by less than 0.0012.
ANGLE = (1.56963479, -0.96180268, 0.5657238, -0.17417578)


def hidden_sky(x: Array, z: Array, hulls: Sequence[Hull], balls: Array | None = None) -> Grid:
    """(Z, X) 0..1 of the sky, weighted by the cosine to straight up, hidden from floor points at x (X,), z (Z,) metres.

    hulls: in metres. balls: (B, 4), middle and radius in metres.
    """
    solids = [hull.above(LEAST_M) for hull in hulls]
    return np.concatenate([_hidden(x, rows, solids, balls) for rows in np.array_split(z, -(-len(z) // BAND))])


def _hidden(x: Array, z: Array, solids: Sequence[Cut], balls: Array | None) -> Grid:
    open_sky = np.ones((len(z), len(x)), np.float32)
    for solid in solids:
        open_sky *= 1.0 - np.minimum(_behind(x, z, solid), FULL)
    if balls is not None and len(balls):
        open_sky *= np.prod(1.0 - _behind_balls(x, z, balls), axis=0)
    return np.asarray(1.0 - open_sky)


def _behind(x: Array, z: Array, solid: Cut) -> Grid:
    """By Lambert's formula for polygons, along the outline: edges between two faces that both show cancel out.

    On a grid, dot and cross products of the ways to two corners are a part of the column plus a part of the row.
    """
    corners, edges, sides, outwards, offsets = solid
    shows = (_sums(offsets[:, None] - outwards[:, :1] * x, -outwards[:, 2:] * z) < 0.0).astype(np.float32)
    outline = shows[sides[:, 0]] - shows[sides[:, 1]]
    used = outline.any(axis=(1, 2))
    outline, (one, other) = outline[used], edges[used].T
    across, along = corners[:, 0, None] - x, corners[:, 2, None] - z
    away = np.sqrt(_sums(across**2, along**2 + corners[:, 1, None] ** 2))
    near = 1.0 / (away[one] * away[other])
    a, b = corners[one], corners[other]
    half = _sums(0.5 * across[one] * across[other], 0.5 * (along[one] * along[other] + (a[:, 1] * b[:, 1])[:, None]))
    half *= near  # now half the cosine of the angle that the edge spans
    half += 0.5
    half = np.sqrt(np.maximum(half, LEAST_HALF**2, out=half), out=half)
    angle = np.full_like(half, ANGLE[-1])
    for factor in ANGLE[-2::-1]:
        angle *= half
        angle += np.float32(factor)
    angle /= half
    # Only the upward part of the cross product counts: the floor is level.
    (ax, _, az), (bx, _, bz) = a.T[..., None], b.T[..., None]
    up = _sums(az * bx - ax * bz + (bz - az) * x, (ax - bx) * z)
    up *= near
    up *= angle
    up *= outline
    return np.asarray(np.abs(up.sum(axis=0)) / np.float32(2.0 * np.pi))


def _behind_balls(x: Array, z: Array, balls: Array) -> Grid:
    """(B, Z, X) hidden by each ball."""
    radius, height = balls[:, 3, None], np.maximum(balls[:, 1, None], LEAST_M)
    far = _sums((balls[:, 0, None] - x) ** 2, (balls[:, 2, None] - z) ** 2 + height**2)
    np.maximum(far, (0.3 * radius**2).astype(np.float32)[..., None], out=far)
    far *= np.sqrt(far)
    share = ((height + 0.25 * radius) * radius**2).astype(np.float32)[..., None] / far
    return np.asarray(np.minimum(share, np.float32(FULL), out=share))


def _sums(of_columns: Array, of_rows: Array) -> Grid:
    """(N, Z, X) from (N, X) and (N, Z)."""
    return np.asarray(of_columns.astype(np.float32)[:, None] + of_rows.astype(np.float32)[:, :, None])
