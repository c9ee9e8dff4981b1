"""Compiled 3x3 algebra: exponential and logarithm of rotations and the logarithm's derivative. float64, in place."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

Array = NDArray[np.float64]


@kernel
def copy(source: Array, target: Array) -> None:
    """target = source, both (N, M)."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = source[i, k]


@kernel
def multiply(a: Array, b: Array, out: Array) -> None:
    """out = a b."""
    for i in range(3):
        for k in range(3):
            out[i, k] = a[i, 0] * b[0, k] + a[i, 1] * b[1, k] + a[i, 2] * b[2, k]


@kernel
def multiply_transposed(a: Array, b: Array, out: Array) -> None:
    """out = aᵀ b."""
    for i in range(3):
        for k in range(3):
            out[i, k] = a[0, i] * b[0, k] + a[1, i] * b[1, k] + a[2, i] * b[2, k]


@kernel
def exponential(v: Array, out: Array) -> None:
    """Rotation vector (3,) -> rotation matrix."""
    x, y, z = v[0], v[1], v[2]
    square = x * x + y * y + z * z
    if square < 1e-12:
        a, b = 1.0 - square / 6.0, 0.5 - square / 24.0
    else:
        angle = sqrt(square)
        a, b = sin(angle) / angle, (1.0 - cos(angle)) / square
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y
    out[1, 0], out[1, 1], out[1, 2] = b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x
    out[2, 0], out[2, 1], out[2, 2] = b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y)


@kernel
def quaternion(m: Array, q: Array) -> None:
    """Rotation matrix -> unit quaternion q = (w, x, y, z) with w >= 0."""
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    if trace > 0.0:
        s = 2.0 * sqrt(1.0 + trace)
        q[0], q[1], q[2], q[3] = 0.25 * s, (m[2, 1] - m[1, 2]) / s, (m[0, 2] - m[2, 0]) / s, (m[1, 0] - m[0, 1]) / s
    elif m[0, 0] >= m[1, 1] and m[0, 0] >= m[2, 2]:
        s = 2.0 * sqrt(max(1.0 + m[0, 0] - m[1, 1] - m[2, 2], 1e-30))
        q[0], q[1], q[2], q[3] = (m[2, 1] - m[1, 2]) / s, 0.25 * s, (m[0, 1] + m[1, 0]) / s, (m[0, 2] + m[2, 0]) / s
    elif m[1, 1] >= m[2, 2]:
        s = 2.0 * sqrt(max(1.0 + m[1, 1] - m[0, 0] - m[2, 2], 1e-30))
        q[0], q[1], q[2], q[3] = (m[0, 2] - m[2, 0]) / s, (m[0, 1] + m[1, 0]) / s, 0.25 * s, (m[1, 2] + m[2, 1]) / s
    else:
        s = 2.0 * sqrt(max(1.0 + m[2, 2] - m[0, 0] - m[1, 1], 1e-30))
        q[0], q[1], q[2], q[3] = (m[1, 0] - m[0, 1]) / s, (m[0, 2] + m[2, 0]) / s, (m[1, 2] + m[2, 1]) / s, 0.25 * s
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if q[0] < 0.0:
        norm = -norm
    for i in range(4):
        q[i] /= norm


@kernel
def logarithm(m: Array, q: Array, out: Array) -> float:
    """Rotation matrix -> rotation vector in out; returns the angle in [0, pi]. q: (4,) work space."""
    quaternion(m, q)
    half_sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    angle = 2.0 * atan2(half_sine, q[0])
    scale = 2.0 if half_sine < 1e-9 else angle / half_sine
    for i in range(3):
        out[i] = scale * q[i + 1]
    return angle


@kernel
def logarithm_derivative(v: Array, out: Array) -> None:
    """out maps d to the change of log(R) when R = exp(v) becomes R exp(d), to first order."""
    x, y, z = v[0], v[1], v[2]
    square = x * x + y * y + z * z
    if square < 1e-8:
        c = 1.0 / 12.0 + square / 720.0
    else:
        angle = sqrt(square)
        c = 1.0 / square - 0.5 * cos(0.5 * angle) / (sin(0.5 * angle) * angle)
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - c * (y * y + z * z), c * x * y - 0.5 * z, c * x * z + 0.5 * y
    out[1, 0], out[1, 1], out[1, 2] = c * x * y + 0.5 * z, 1.0 - c * (x * x + z * z), c * y * z - 0.5 * x
    out[2, 0], out[2, 1], out[2, 2] = c * x * z - 0.5 * y, c * y * z + 0.5 * x, 1.0 - c * (x * x + y * y)


@kernel
def orthonormalise(m: Array) -> None:
    """Make a matrix that is almost a rotation one, in place (columns by Gram–Schmidt)."""
    norm = sqrt(m[0, 0] ** 2 + m[1, 0] ** 2 + m[2, 0] ** 2)
    for i in range(3):
        m[i, 0] /= norm
    along = m[0, 0] * m[0, 1] + m[1, 0] * m[1, 1] + m[2, 0] * m[2, 1]
    for i in range(3):
        m[i, 1] -= along * m[i, 0]
    norm = sqrt(m[0, 1] ** 2 + m[1, 1] ** 2 + m[2, 1] ** 2)
    for i in range(3):
        m[i, 1] /= norm
    m[0, 2] = m[1, 0] * m[2, 1] - m[2, 0] * m[1, 1]
    m[1, 2] = m[2, 0] * m[0, 1] - m[0, 0] * m[2, 1]
    m[2, 2] = m[0, 0] * m[1, 1] - m[1, 0] * m[0, 1]


@kernel
def cholesky3(a: Array) -> None:
    """Lower Cholesky factor of a symmetric positive 3x3 matrix, in place (the upper part is not touched)."""
    a[0, 0] = sqrt(a[0, 0])
    a[1, 0] /= a[0, 0]
    a[2, 0] /= a[0, 0]
    a[1, 1] = sqrt(a[1, 1] - a[1, 0] * a[1, 0])
    a[2, 1] = (a[2, 1] - a[2, 0] * a[1, 0]) / a[1, 1]
    a[2, 2] = sqrt(a[2, 2] - a[2, 0] * a[2, 0] - a[2, 1] * a[2, 1])
