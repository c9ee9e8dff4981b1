"""A mesh with fewer triangles over the same vertices, for pictures in motion on a software renderer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHARE = 0.25
ROUNDS, TRIES = 60, 3
LONG_EDGE = 0.06  # how far off the surface, in metres, a metre of edge counts
SUIT, WEIGHTS = 0.03, 0.012  # likewise for a whole step of suit or of joint weight
UPRIGHT = 0.3  # cosine between a triangle before and after, below which it would fold over


def coarse_faces(
    vertices: NDArray[np.floating],
    faces: NDArray[np.integer],
    weights: NDArray[np.floating],
    suit: NDArray[np.floating],
    share: float = SHARE,
) -> NDArray[np.integer]:
    """(F', 3) indices of the same vertices, F' about `share` of F: vertices are merged into a neighbour.

    By Garland and Heckbert's quadrics: a vertex goes where it is least far from its triangles' planes. The border of
    the suit and the joints' creases count like distance. Each round merges the vertices that are cheapest among their
    neighbours.
    """
    points = np.asarray(vertices, dtype=np.float64)
    faces = np.asarray(faces, dtype=np.int64)
    mixtures = np.random.default_rng(0).normal(scale=0.5, size=(weights.shape[1], 4))  # enough to tell joints apart
    suit = np.asarray(suit, dtype=np.float64)
    at_border = np.zeros(len(points))  # how much the suit changes around a vertex
    np.maximum.at(at_border, faces, np.ptp(suit[faces], axis=1)[:, None])
    looks = np.column_stack([SUIT * suit, SUIT * at_border, WEIGHTS * (np.asarray(weights) @ mixtures)])
    goal = round(len(faces) * share)
    normals = _normals(points, faces)
    quadrics, areas = _quadrics(points, faces, normals)
    for _ in range(ROUNDS):
        if len(faces) <= goal:
            break
        merged = _merge(points, faces, quadrics, areas, looks, (len(faces) - goal) // 2 + 1)
        if merged is None:
            break
        gone, into = merged
        np.add.at(quadrics, into, quadrics[gone])
        np.add.at(areas, into, areas[gone])
        moved = np.arange(len(points))
        moved[gone] = into
        faces = moved[faces]
        faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    return faces


def _normals(points: NDArray, faces: NDArray) -> NDArray[np.float64]:
    """(F, 3) of twice each triangle's area."""
    a, b, c = (points[faces[:, i]] for i in range(3))
    return np.cross(b - a, c - a)


def _quadrics(points: NDArray, faces: NDArray, normals: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each vertex (V, 4, 4), by area, of its triangles' planes; and (V,) that area."""
    area = np.linalg.norm(normals, axis=1)
    unit = normals / np.maximum(area, 1e-20)[:, None]
    planes = np.column_stack([unit, -(unit * points[faces[:, 0]]).sum(axis=1)])
    each = area[:, None, None] * planes[:, :, None] * planes[:, None, :]
    quadrics, areas = np.zeros((len(points), 4, 4)), np.full(len(points), 1e-12)
    for corner in faces.T:
        np.add.at(quadrics, corner, each)
        np.add.at(areas, corner, area)
    return quadrics, areas


def _merge(
    points: NDArray, faces: NDArray, quadrics: NDArray, areas: NDArray, looks: NDArray, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Up to `most` vertices, no two of them neighbours, and where each goes; None if there are none."""
    count = len(points)
    a, b = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    keys, times = np.unique(np.minimum(a, b) * count + np.maximum(a, b), return_counts=True)
    low, high = np.divmod(keys, count)
    on_border = np.zeros(count, dtype=bool)
    on_border[low[times != 2]] = on_border[high[times != 2]] = True
    gone, into = np.concatenate([low, high]), np.concatenate([high, low])
    there = np.column_stack([points[into], np.ones(len(into))])
    far = np.einsum("ni,nij,nj->n", there, quadrics[gone], there) / areas[gone]
    far += ((LONG_EDGE * (points[gone] - points[into])) ** 2).sum(axis=1) + ((looks[gone] - looks[into]) ** 2).sum(
        axis=1
    )
    far[on_border[gone]] = np.inf
    cost, target = np.full(count, np.inf), np.arange(count)
    for _ in range(TRIES):
        order = np.lexsort((far, gone))
        cheapest = order[np.unique(gone[order], return_index=True)[1]]  # the cheapest way of each vertex
        cost[gone[cheapest]], target[gone[cheapest]] = far[cheapest], into[cheapest]
        folding = np.zeros(count, dtype=bool)
        folding[_folding(points, faces, target)] = True
        far[cheapest[folding[gone[cheapest]]]] = np.inf
        cost[folding] = np.inf
    rank = np.empty(len(points), dtype=np.int64)
    rank[np.argsort(cost, kind="stable")] = np.arange(len(points))
    lowest = np.full(len(points), len(points))
    np.minimum.at(lowest, gone, rank[into])
    chosen = np.flatnonzero((rank < lowest) & np.isfinite(cost))
    chosen = chosen[np.argsort(rank[chosen])][: min(most, max(1, len(chosen) * 3 // 4))]
    return (chosen, target[chosen]) if len(chosen) else None


def _folding(points: NDArray, faces: NDArray, target: NDArray) -> NDArray[np.int64]:
    """Vertices with a triangle that would turn over if they went to their targets."""
    before = _normals(points, faces)
    found = []
    for i in range(3):
        after = faces.copy()
        after[:, i] = target[faces[:, i]]
        stays = (after != np.roll(after, 1, axis=1)).all(axis=1)
        turned = _normals(points, after)
        bound = UPRIGHT * np.linalg.norm(before, axis=1) * np.linalg.norm(turned, axis=1)
        found.append(faces[stays & ((before * turned).sum(axis=1) < bound), i])
    return np.concatenate(found)
