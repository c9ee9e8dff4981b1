"""How far predicted poses are from true ones. Plain numpy, batched over poses; metres in, millimetres where named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.rotations import geodesic_angle

Array = NDArray[np.float64]
Errors = dict[str, Array]

MILLIMETRES = 1000.0
RESAMPLINGS = 2000  # for a confidence interval
POSE_ERRORS = ("mpjpe_mm", "pa_mpjpe_mm", "ge_rad")


def procrustes_aligned(points: ArrayLike, targets: ArrayLike) -> Array:
    """(..., J, 3) points after the similarity (turn, scale, shift) that brings each set closest to its targets."""
    p, t = np.asarray(points, dtype=np.float64), np.asarray(targets, dtype=np.float64)
    goal = t.mean(axis=-2, keepdims=True)
    p, t = p - p.mean(axis=-2, keepdims=True), t - goal
    u, s, vt = np.linalg.svd(np.swapaxes(p, -1, -2) @ t)
    proper = np.ones(s.shape)
    proper[..., 2] = np.sign(np.linalg.det(u @ vt))  # a turn, never a reflection
    spread = np.maximum(np.square(p).sum(axis=(-2, -1)), 1e-12)
    scale = (s * proper).sum(axis=-1) / spread
    return scale[..., None, None] * (p @ (u * proper[..., None, :]) @ vt) + goal


def mpjpe_mm(positions: ArrayLike, truth: ArrayLike) -> Array:
    """(...) mean over the joints of the distance between predicted and true positions (..., J, 3)."""
    apart = np.asarray(positions, dtype=np.float64) - np.asarray(truth, dtype=np.float64)
    return np.asarray(MILLIMETRES * np.linalg.norm(apart, axis=-1).mean(axis=-1))


def pa_mpjpe_mm(positions: ArrayLike, truth: ArrayLike) -> Array:
    """(...) mean joint distance as in `mpjpe_mm`, after a similarity alignment of each pose."""
    return mpjpe_mm(procrustes_aligned(positions, truth), truth)


def ge_rad(local: ArrayLike, truth: ArrayLike) -> Array:
    """(...) mean over the joints, root included, of the angle between predicted and true rotations (..., J, 3, 3)."""
    return np.asarray(geodesic_angle(local, truth).mean(axis=-1))


def l2_root(positions: ArrayLike, truth: ArrayLike) -> Array:
    """(...) squared error of the root in m² (ProtoRes equation 22)."""
    return np.asarray(_squared(positions, truth)[..., 0])


def l2_joints(positions: ArrayLike, truth: ArrayLike) -> Array:
    """(...) squared error in m², mean over the joints (ProtoRes equation 23)."""
    return np.asarray(_squared(positions, truth).mean(axis=-1))


def pose_errors(positions: ArrayLike, local: ArrayLike, true_positions: ArrayLike, true_local: ArrayLike) -> Errors:
    """The three POSE_ERRORS of positions (..., J, 3) and local rotations (..., J, 3, 3), one number for each pose."""
    return {
        "mpjpe_mm": mpjpe_mm(positions, true_positions),
        "pa_mpjpe_mm": pa_mpjpe_mm(positions, true_positions),
        "ge_rad": ge_rad(local, true_local),
    }


def _squared(positions: ArrayLike, truth: ArrayLike) -> Array:
    apart = np.asarray(positions, dtype=np.float64) - np.asarray(truth, dtype=np.float64)
    return np.asarray(np.square(apart).sum(axis=-1))


def half_interval(values: ArrayLike, groups: Sequence[object]) -> float:
    """Half the width of the 95% confidence interval of the mean of values (T,), which are correlated within a group.

    Found by resampling whole groups, seeded; 0 if there is only one.
    """
    numbers = np.unique(np.asarray(groups), return_inverse=True)[1]
    counts = np.bincount(numbers).astype(np.float64)
    sums = np.bincount(numbers, weights=np.asarray(values, dtype=np.float64))
    drawn = np.random.default_rng(0).integers(len(counts), size=(RESAMPLINGS, len(counts)))
    low, high = np.percentile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (2.5, 97.5))
    return float(high - low) / 2
