"""Smoothing a skin by the means of its vertices' neighbours."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from solver.body.variants.rest import Array

IN, OUT = (
    0.5,
    -0.52,
)  # of the way to the neighbours' mean, in turn: small details go, nothing shrinks (Taubin 1995)


FLATTENINGS = 400
NIPPLES, NAVEL = ((8457, 0.045), (1784, 0.045)), (4117, 0.030)  # vertices of the skin, and metres about them

Edges = tuple[NDArray[np.integer], NDArray[np.integer]]
"""Both ends (E,) of every edge, each edge in both directions."""


def edges_of(faces: NDArray[np.integer]) -> Edges:
    """The edges of triangles (F, 3)."""
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    both = np.concatenate([ends, ends[:, ::-1]])
    return both[:, 0], both[:, 1]


def smoothed(points: Array, edges: Edges, share: Array, times: int) -> Array:
    """(V, 3) without small details where share (V,) is 1, unchanged where it is 0; limbs keep their girth."""
    for _ in range(times):
        points = relaxed(relaxed(points, edges, IN * share, 1), edges, OUT * share, 1)
    return points


def flattened(points: Array, edges: Edges, adult: Array, details: Iterable[tuple[int, float]]) -> Array:
    """(V, 3) with the skin around some vertices as flat as its surroundings allow. adult: (V, 3), the skin of the
    embedded adult of that gender, on which distances are measured."""
    near = [np.linalg.norm(adult - adult[vertex], axis=1) < metres for vertex, metres in details]
    return relaxed(points, edges, np.any(near, axis=0).astype(np.float64), FLATTENINGS)


def relaxed(points: Array, edges: Edges, share: Array, times: int) -> Array:
    """(V, 3): each point moved its share (V,) of the way to the mean of its neighbours, this many times over."""
    here, there = edges
    asked = np.flatnonzero(share)
    number = np.full(len(points), -1)
    number[asked] = np.arange(len(asked))
    kept = number[here] >= 0
    here, there = number[here[kept]], there[kept]
    count = np.maximum(np.bincount(here, minlength=len(asked)), 1)[:, None]
    soft, part = np.array(points, np.float64), np.asarray(share, np.float64)[asked, None]
    for _ in range(times):
        sums = [np.bincount(here, soft[there, axis], len(asked)) for axis in range(3)]
        soft[asked] += part * (np.stack(sums, axis=1) / count - soft[asked])
    return soft
