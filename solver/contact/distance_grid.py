"""Distances to a closed surface on a grid, made once: what makes a mesh solid.

The surface lies within a cube of one metre about the origin; how it is stretched is given when the grid is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, map_coordinates
from scipy.spatial import cKDTree

from solver.contact.solid_kernels import GRID_EDGE, GRID_NODES

Array = NDArray[np.float64]
Faces = NDArray[np.integer]
CELL = (1.0 + 2.0 * GRID_EDGE) / (GRID_NODES - 1)
BAND = 2.0  # cells from the surface within which distances are exact; beyond, they are taken from a near node's
SPACING = 0.4 * CELL  # between samples, by which the nearest triangle is found
MOST_SPLITS = 400  # of a triangle's side
ASIDE = (0.00217, 0.00351)  # of a cell: so that a line up through the nodes meets no edge
LINES = 1 << 21  # lines through triangles that are looked at at once


@dataclass(frozen=True, eq=False)
class DistanceGrid:
    """values: (N, N, N) float32 distances at the nodes along x, y, z, negative inside, N = GRID_NODES, from
    -0.5 - GRID_EDGE to 0.5 + GRID_EDGE. Compared by identity."""

    values: NDArray[np.float32]

    @cached_property
    def _slopes(self) -> tuple[Array, ...]:
        return tuple(np.asarray(np.gradient(self.values.astype(np.float64), CELL, axis=axis)) for axis in range(3))

    def distances(self, points: Array, size: Array) -> Array:
        """(N,) metres from points (N, 3) in the solid's own frame to its surface, stretched to size (3,) metres."""
        share = points / size
        within = np.clip(share, -0.5 - GRID_EDGE, 0.5 + GRID_EDGE)
        at = ((within + 0.5 + GRID_EDGE) / CELL).T
        slope = np.stack([map_coordinates(one, at, order=1, mode="nearest") for one in self._slopes], axis=1)
        stretched = np.linalg.norm(slope / size, axis=1)
        scale = np.where(stretched > 1e-9, np.linalg.norm(slope, axis=1) / np.maximum(stretched, 1e-9), size.min())
        value = map_coordinates(self.values, at, order=1, mode="nearest").astype(np.float64)
        return np.asarray(value * scale + np.linalg.norm((share - within) * size, axis=1), np.float64)


def distance_grid(vertices: NDArray[np.floating], faces: Faces) -> DistanceGrid:
    """The grid of a closed surface, vertices (V, 3) within ±0.5, faces (F, 3). It takes about a second.

    Inside is where the surface goes around a place, whichever way its triangles face.
    """
    corners = np.asarray(vertices, np.float64)[faces]
    nodes = np.asarray(-0.5 - GRID_EDGE + CELL * np.arange(GRID_NODES), np.float64)
    away = _away(corners, nodes)
    near, nearest = distance_transform_edt(~np.isfinite(away), return_indices=True)
    away = away[tuple(nearest)] + near * CELL
    return DistanceGrid(np.ascontiguousarray(np.where(_inside(corners, nodes), -away, away), np.float32))


def _away(corners: Array, nodes: Array) -> Array:
    """(N, N, N) from the nodes to the surface; infinite further off than BAND."""
    samples, owners = _samples(corners)
    tree = cKDTree(samples)
    x, y, z = np.meshgrid(nodes, nodes, nodes, indexing="ij")
    places = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    rough = np.full((GRID_NODES,) * 3, True)
    cells = np.clip(((samples - nodes[0]) / CELL).round().astype(np.int64), 0, GRID_NODES - 1)
    rough[tuple(cells.T)] = False
    looked_at = np.flatnonzero(distance_transform_edt(rough).ravel() <= BAND + 1.0)
    found, which = tree.query(places[looked_at], distance_upper_bound=BAND * CELL)
    near = np.isfinite(found)
    away = np.full(len(places), np.inf)
    away[looked_at[near]] = to_triangles(places[looked_at[near]], corners[owners[which[near]]])
    return away.reshape(rough.shape)


def _samples(corners: Array) -> tuple[Array, NDArray[np.int64]]:
    """Points (S, 3) over triangles (F, 3, 3) no further apart than SPACING, and each one's triangle (S,)."""
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    splits = np.clip(np.ceil(longest / SPACING).astype(np.int64), 1, MOST_SPLITS)
    points, owners = [], []
    for count in np.unique(splits).tolist():
        own = np.flatnonzero(splits == count)
        i, j = np.meshgrid(np.arange(count + 1), np.arange(count + 1), indexing="ij")
        i, j = i[i + j <= count], j[i + j <= count]
        weights = np.stack([i, j, count - i - j], axis=1) / count
        points.append(np.einsum("wc,fci->fwi", weights, corners[own]).reshape(-1, 3))
        owners.append(np.repeat(own, len(weights)))
    return np.concatenate(points), np.concatenate(owners)


def to_triangles(places: Array, corners: Array) -> Array:
    """(N,) metres from each place (N, 3) to its own triangle (N, 3, 3)."""
    a, b, c = (corners[:, i] for i in range(3))
    across = np.cross(b - a, c - a)
    length = np.maximum(np.linalg.norm(across, axis=1), 1e-30)
    over = np.ones(len(places), bool)
    nearest = np.full(len(places), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        side = end - start
        share = ((places - start) * side).sum(axis=1) / np.maximum((side * side).sum(axis=1), 1e-30)
        foot = start + np.clip(share, 0.0, 1.0)[:, None] * side
        nearest = np.minimum(nearest, np.linalg.norm(places - foot, axis=1))
        over &= (np.cross(side, places - start) * across).sum(axis=1) >= 0.0
    height = np.abs(((places - a) * across).sum(axis=1)) / length
    return np.asarray(np.where(over & (length > 1e-30), height, nearest), np.float64)


def _inside(corners: Array, nodes: Array) -> NDArray[np.bool_]:
    """(N, N, N) whether the surface goes around each node, by where lines up through the nodes cross it.

    What lies in two parts of it is inside. If the crossings of a line do not add up, because the triangles do not all
    face one way, whether their number is odd decides.
    """
    lines = nodes[:, None] + CELL * np.array(ASIDE)
    flat = corners[:, :, [0, 2]]
    first = [np.searchsorted(lines[:, k], flat[:, :, k].min(axis=1)) for k in range(2)]
    count = [np.searchsorted(lines[:, k], flat[:, :, k].max(axis=1)) - first[k] for k in range(2)]
    total = count[0] * count[1]
    turns, crossings = (np.zeros((GRID_NODES + 1, GRID_NODES, GRID_NODES), np.int32) for _ in range(2))
    begin, sums = 0, np.cumsum(total)
    while begin < len(corners):
        end = max(int(np.searchsorted(sums, (sums[begin - 1] if begin else 0) + LINES)), begin + 1)
        own = np.repeat(np.arange(begin, end), total[begin:end])
        nth = np.arange(len(own)) - np.repeat(sums[begin:end] - total[begin:end], total[begin:end])
        nth += sums[begin - 1] if begin else 0
        i, k = first[0][own] + nth // np.maximum(count[1][own], 1), first[1][own] + nth % np.maximum(count[1][own], 1)
        _cross(corners[own], lines[i, 0], lines[k, 1], i, k, nodes, turns, crossings)
        begin = end
    around, passed = np.cumsum(turns, axis=0), np.cumsum(crossings, axis=0)
    found = np.where(around[-1] == 0, around[:-1] != 0, (passed[:-1] % 2 == 1) & (passed[-1] % 2 == 0))
    return np.asarray(found.transpose(1, 0, 2), bool)


def _cross(
    corners: Array, x: Array, z: Array, i: NDArray[np.int64], k: NDArray[np.int64], nodes: Array,
    turns: NDArray[np.int32], crossings: NDArray[np.int32],
) -> None:  # fmt: skip
    """Count where lines along y at x, z (L,) cross their triangles (L, 3, 3), at the next node up: (N + 1, N, N)."""
    relative = corners[:, :, [0, 2]] - np.stack([x, z], axis=1)[:, None]
    areas = np.stack([_cross_2d(relative[:, (c + 1) % 3], relative[:, (c + 2) % 3]) for c in range(3)], axis=1)
    total = areas.sum(axis=1)
    meets = ((areas > 0.0).all(axis=1) | (areas < 0.0).all(axis=1)) & (np.abs(total) > 1e-30)
    height = (areas[meets] * corners[meets, :, 1]).sum(axis=1) / total[meets]
    at = (np.searchsorted(nodes, height), i[meets], k[meets])
    np.add.at(turns, at, np.sign(total[meets]).astype(np.int32))
    np.add.at(crossings, at, 1)


def _cross_2d(a: Array, b: Array) -> Array:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], np.float64)
