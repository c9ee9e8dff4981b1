"""Compiled turns: the smallest one between two directions, and the one that fits many pairs of them best."""

from __future__ import annotations

from math import atan2, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.rotation_kernels import exponential

Array = NDArray[np.float64]


@kernel
def add_outer(weight: float, a: Array, b: Array, out: Array) -> None:
    """out += weight a bᵀ."""
    for i in range(3):
        for k in range(3):
            out[i, k] += weight * a[i] * b[k]


@kernel
def length(v: Array) -> float:
    """Length of (3,)."""
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def best_turn(evidence: Array, out: Array) -> None:
    """The rotation R with the largest tr(Rᵀ evidence), (3, 3): for evidence Σ w a bᵀ it turns the b onto the a best.

    A multiple of a rotation added to the evidence holds R near that rotation (Wahba's problem, by SVD).
    """
    u, _, vt = np.linalg.svd(evidence)
    if np.linalg.det(u) * np.linalg.det(vt) < 0.0:
        for i in range(3):
            u[i, 2] = -u[i, 2]
    for i in range(3):
        for k in range(3):
            out[i, k] = u[i, 0] * vt[0, k] + u[i, 1] * vt[1, k] + u[i, 2] * vt[2, k]


@kernel
def swing(a: Array, b: Array, out: Array) -> None:
    """The smallest rotation that turns direction a onto direction b, both (3,) of any length."""
    axis = np.empty(3)
    axis[0], axis[1], axis[2] = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    sine, cosine = length(axis), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if sine < 1e-12:  # along, or straight away, where no axis is better than another and it stays as it is
        axis[0] = axis[1] = axis[2] = 0.0
    else:
        angle = atan2(sine, cosine) / sine
        for i in range(3):
            axis[i] *= angle
    exponential(axis, out)
