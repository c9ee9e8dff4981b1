"""Fewer triangles over the vertices of any surface, at once: for characters from files, in motion on a software
renderer. Rougher than rendering.scene.coarse, which takes seconds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.scene.mesh_data import same_places, smooth_normals

Numbers = NDArray[np.intp]
ROOM = 1.7  # times a triangle's share of the surface: how large a cell is, in which skin of several bones may lie
BITS = 11  # of a cell's number along an axis, and of its bone and side
SHADES = 16  # of a colour's parts, which count as different


def clustered_faces(
    vertices: NDArray[np.floating],
    faces: NDArray[np.integer],
    weights: NDArray[np.floating],
    colors: NDArray[np.floating] | None,
    goal: int,
) -> NDArray[np.int32]:
    """(F', 3), about `goal` triangles of the same vertices (V, 3): in each cell of a grid, those that hang together, go
    with the same bone and face the same way become one. weights: (V, J). colors: (V, 3), kept apart where both of a
    seam's are there."""
    first, place = same_places(vertices)
    points, joined = np.asarray(vertices, np.float64)[first], place[np.asarray(faces)]
    normals = smooth_normals(points, joined)
    side = np.abs(normals).argmax(axis=1)
    side = 2 * side + (np.take_along_axis(normals, side[:, None], axis=1)[:, 0] < 0)
    a, b, c = (points[joined[:, i]] for i in range(3))
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2
    low = points.min(axis=0)
    size = max(float(np.sqrt(ROOM * area / goal)), float((points.max(axis=0) - low).max()) / (2**BITS - 1), 1e-9)
    x, y, z = ((points - low) / size).astype(np.int64).T
    kind = np.asarray(weights)[first].argmax(axis=1) * 6 + side
    cell = x | y << BITS | z << 2 * BITS | kind << 3 * BITS
    cell, parts = np.unique(cell, return_inverse=True)[1].ravel(), _parts(len(points), joined)
    _, group = np.unique(cell * np.int64(len(points)) + parts, return_inverse=True)
    middle = _nearest_to_mean(points, group.ravel())[joined]  # the place that stands for each corner's
    chosen = _vertex_at(middle, np.asarray(faces), first, place, colors)
    kept = (middle != np.roll(middle, 1, axis=1)).all(axis=1)
    return np.ascontiguousarray(chosen[kept], dtype=np.int32)


def _parts(count: int, faces: Numbers) -> Numbers:
    """(P,) for each place the least one that hangs together with it."""
    label = np.arange(count)
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).T
    while True:
        before, least = label, label.copy()
        np.minimum.at(least, ends[0], label[ends[1]])
        np.minimum.at(least, ends[1], label[ends[0]])
        label = least[least]
        if np.array_equal(label, before):
            return label


def _nearest_to_mean(points: NDArray[np.float64], group: Numbers) -> Numbers:
    """(P,) for each place the one of its group that is nearest to the group's middle."""
    many = np.bincount(group)
    mean = np.stack([np.bincount(group, points[:, i]) for i in range(3)], axis=1) / many[:, None]
    order = np.lexsort((((points - mean[group]) ** 2).sum(axis=1), group))
    best = order[np.concatenate([[0], np.cumsum(many)[:-1]])]
    return np.asarray(best[group])


def _vertex_at(
    middle: Numbers, faces: NDArray[np.integer], first: Numbers, place: Numbers, colors: NDArray[np.floating] | None
) -> Numbers:
    """(F, 3): for each corner a vertex at its new place, of the corner's own colour if there is one."""
    chosen = first[middle]
    if colors is None:
        return chosen
    shade = np.round(np.asarray(colors) * (SHADES - 1)).astype(np.int64) @ (1, SHADES, SHADES**2)
    key = place * np.int64(SHADES**3) + shade
    known, there = np.unique(key, return_index=True)
    wanted = middle * np.int64(SHADES**3) + shade[faces]
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, there[at], chosen)
