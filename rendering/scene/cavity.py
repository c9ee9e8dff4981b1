"""The cavity of a surface: where it is hollow and where a ridge, for shading that brings out its forms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FINE, BROAD = 2, 14  # rounds of smoothing: a fold, and a muscle
TIGHT = 70.0  # curvature of a fold that counts as deep, one over metres
BROAD_M = 0.024  # metres off the smoothed surface that count as deep


def cavity(
    vertices: NDArray[np.floating], faces: NDArray[np.integer], normals: NDArray[np.floating]
) -> NDArray[np.float32]:
    """(V, 2) in [-1, 1], of folds and of broad forms: above 0 in a hollow, below on a ridge, 0 where it is flat.

    vertices: (V, 3) metres. faces: (F, 3). normals: (V, 3), unit. Measured by how far each vertex lies below the
    surface of its neighbours, smoothed a little and a lot.
    """
    count = len(vertices)
    # Indices of the size that numpy wants, and one axis after the other: three times as fast as rows of (V, 3).
    start = np.asarray(faces, np.intp).ravel()
    end = np.roll(faces, -1, axis=1).astype(np.intp).ravel()  # of a closed surface that is every edge, once each way
    points = np.ascontiguousarray(np.asarray(vertices, np.float64).T)
    edges = ((points.take(end, axis=1) - points.take(start, axis=1)) ** 2).sum(axis=0)
    neighbours = np.maximum(np.bincount(start, minlength=count), 1)
    area = np.maximum(np.bincount(start, edges, count) / neighbours, 1e-8)  # an edge's length, squared
    found = []
    for round_ in range(1, BROAD + 1):
        mean = np.stack([np.bincount(start, axis.take(end), count) for axis in points]) / neighbours
        points = np.where(neighbours > 1, mean, points)
        if round_ in (FINE, BROAD):
            deep = ((points.T - vertices) * normals).sum(axis=1)
            found.append(np.clip(deep / (area * TIGHT if round_ == FINE else BROAD_M), -1.0, 1.0))
    return np.stack(found, axis=1).astype(np.float32)
