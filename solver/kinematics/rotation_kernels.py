"""Compiled rotations: matrices, quaternions (w, x, y, z), exponential and logarithm. float64, in place."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel, kernel_in_place, kernel_now

Array = NDArray[np.float64]

ALMOST, ROUNDING, POLAR_STEPS = 0.05, 1e-14, 6  # of a matrix times itself, transposed, off one


@kernel_in_place
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


@kernel_in_place
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
def quaternion_of(
    a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float
) -> tuple[float, float, float, float]:
    """Rotation matrix, row by row -> unit quaternion (w, x, y, z) with w >= 0."""
    trace = a + e + i
    if trace > 0.0:
        w, x, y, z = 1.0 + trace, h - f, c - g, d - b
    elif a >= e and a >= i:
        w, x, y, z = h - f, 1.0 + a - e - i, b + d, c + g
    elif e >= i:
        w, x, y, z = c - g, b + d, 1.0 + e - a - i, f + h
    else:
        w, x, y, z = d - b, c + g, f + h, 1.0 + i - a - e
    scale = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        scale = -scale
    return scale * w, scale * x, scale * y, scale * z


@kernel_in_place
def quaternion(m: Array, q: Array) -> None:
    """Rotation matrix -> unit quaternion q = (w, x, y, z) with w >= 0."""
    q[0], q[1], q[2], q[3] = quaternion_of(
        m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2]
    )


@kernel_in_place
def matrices(q: Array, out: Array) -> None:
    """Unit quaternions (J, 4) -> out (J, 3, 3)."""
    for j in range(q.shape[0]):
        w, x, y, z = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
        out[j, 0, 0], out[j, 0, 1], out[j, 0, 2] = (
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        )
        out[j, 1, 0], out[j, 1, 1], out[j, 1, 2] = (
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        )
        out[j, 2, 0], out[j, 2, 1], out[j, 2, 2] = (
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        )


@kernel_in_place
def turned(q: Array, turns: Array, out: Array) -> None:
    """out (J, 4): quaternions q turned in their own axes by turns (J, 3) radians, by 2 atan(turn / 2) to be exact, so
    that it takes no sine; w >= 0."""
    for j in range(q.shape[0]):
        w, x, y, z = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
        a, b, c = 0.5 * turns[j, 0], 0.5 * turns[j, 1], 0.5 * turns[j, 2]
        w, x, y, z = (
            w - x * a - y * b - z * c,
            x + w * a + y * c - z * b,
            y + w * b + z * a - x * c,
            z + w * c + x * b - y * a,
        )
        scale = 1.0 / sqrt(w * w + x * x + y * y + z * z)
        if w < 0.0:
            scale = -scale
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = scale * w, scale * x, scale * y, scale * z


@kernel_in_place
def logarithm(m: Array, out: Array) -> float:
    """Rotation matrix -> rotation vector in out; returns the angle in [0, pi]."""
    w, x, y, z = quaternion_of(m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2])
    half_sine = sqrt(x * x + y * y + z * z)
    angle = 2.0 * atan2(half_sine, w)
    scale = 2.0 if half_sine < 1e-9 else angle / half_sine
    out[0], out[1], out[2] = scale * x, scale * y, scale * z
    return angle


@kernel_in_place
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


@kernel_now("void(float64[:,::1], float64[:,:,::1])")
def exponentials(v: Array, out: Array) -> None:
    """Rotation vectors (N, 3) -> rotation matrices (N, 3, 3)."""
    for n in range(v.shape[0]):
        exponential(v[n], out[n])


@kernel_now("void(float64[:,:,::1], float64[:,::1])")
def logarithms(m: Array, out: Array) -> None:
    """Rotation matrices (N, 3, 3) -> rotation vectors (N, 3); of half a turn the one whose first number that is not 0
    is positive."""
    for n in range(m.shape[0]):
        w, x, y, z = quaternion_of(
            m[n, 0, 0], m[n, 0, 1], m[n, 0, 2], m[n, 1, 0], m[n, 1, 1], m[n, 1, 2], m[n, 2, 0], m[n, 2, 1], m[n, 2, 2]
        )
        half_sine = sqrt(x * x + y * y + z * z)
        scale = 2.0 if half_sine < 1e-9 else 2.0 * atan2(half_sine, w) / half_sine
        if w == 0.0 and (x < 0.0 or (x == 0.0 and (y < 0.0 or (y == 0.0 and z < 0.0)))):
            scale = -scale
        out[n, 0], out[n, 1], out[n, 2] = scale * x, scale * y, scale * z


@kernel_now("void(float64[:,:,::1], float64[:,:,::1], float64[::1])")
def angles(a: Array, b: Array, out: Array) -> None:
    """(N,) angles of the rotations from a to b, (N, 3, 3) each; 0 to the bit where they are the same."""
    for n in range(a.shape[0]):
        trace, square, same = 0.0, 0.0, True
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            skew = 0.0
            for r in range(3):
                same = same and a[n, r, i] == b[n, r, i]
                trace += a[n, r, i] * b[n, r, i]
                skew += a[n, r, k] * b[n, r, j] - a[n, r, j] * b[n, r, k]
            square += skew * skew
        out[n] = 0.0 if same else atan2(sqrt(square), trace - 1.0)  # the sums may be put together in any order


@kernel_now("boolean(float64[:,:,::1])")
def straightened(m: Array) -> bool:
    """Make matrices (N, 3, 3) that are almost rotations the rotations nearest to them, in place; False, with some of
    them changed, where one is far from any.

    Newton's steps towards the polar factor double the digits each time.
    """
    x, e = np.empty((3, 3)), np.empty((3, 3))
    for n in range(m.shape[0]):
        for _ in range(POLAR_STEPS):
            multiply_transposed(m[n], m[n], e)
            largest = 0.0
            for i in range(3):
                e[i, i] -= 1.0
                for k in range(3):
                    largest = max(largest, abs(e[i, k]))
            if not largest < ALMOST:  # too far, or not a number
                return False
            if largest < ROUNDING:
                break
            multiply(m[n], e, x)
            for i in range(3):
                for k in range(3):
                    m[n, i, k] -= 0.5 * x[i, k]
        determinant = 0.0
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            determinant += m[n, 0, i] * (m[n, 1, j] * m[n, 2, k] - m[n, 1, k] * m[n, 2, j])
        if determinant < 0.0:
            return False
    return True
