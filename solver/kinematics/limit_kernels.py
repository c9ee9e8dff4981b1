"""Compiled swing–twist coordinates of a joint and their derivative, from its quaternion (w, x, y, z), w >= 0."""

from __future__ import annotations

from math import atan2, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel_in_place

Array = NDArray[np.float64]

LEAST = 1e-6  # half swings and lengths below it count as none


@kernel_in_place
def swing_twist(q: Array, frame: Array, out: Array) -> None:
    """Coordinates (3,) of R = swing · twist in radians: twist, then the swing vector's bend and side parts.

    frame: (3, 3), its columns are the joint's twist, bend and side axes.
    """
    w = q[0]
    t = frame[0, 0] * q[1] + frame[1, 0] * q[2] + frame[2, 0] * q[3]
    b = frame[0, 1] * q[1] + frame[1, 1] * q[2] + frame[2, 1] * q[3]
    s = frame[0, 2] * q[1] + frame[1, 2] * q[2] + frame[2, 2] * q[3]
    n = max(sqrt(w * w + t * t), LEAST)  # zero only where the swing is half a turn and the twist has no meaning
    x, y = (w * b - t * s) / n, (w * s + t * b) / n  # the swing's quaternion is (n, 0, x, y)
    h = sqrt(x * x + y * y)
    k = 2.0 / n if h < LEAST else 2.0 * atan2(h, n) / h
    twist = 2.0 * atan2(t, w)
    out[0] = twist - 2.0 * pi if twist > pi else (twist + 2.0 * pi if twist < -pi else twist)
    out[1], out[2] = k * x, k * y


@kernel_in_place
def swing_twist_derivative(q: Array, frame: Array, out: Array) -> None:
    """out (3, 3): change of the coordinates when R becomes R exp(d), d in the joint's own axes."""
    w = q[0]
    t = frame[0, 0] * q[1] + frame[1, 0] * q[2] + frame[2, 0] * q[3]
    b = frame[0, 1] * q[1] + frame[1, 1] * q[2] + frame[2, 1] * q[3]
    s = frame[0, 2] * q[1] + frame[1, 2] * q[2] + frame[2, 2] * q[3]
    n = max(sqrt(w * w + t * t), LEAST)
    x, y = (w * b - t * s) / n, (w * s + t * b) / n
    h = sqrt(x * x + y * y)
    k = 2.0 / n if h < LEAST else 2.0 * atan2(h, n) / h
    for i in range(3):
        for c in range(3):
            out[i, c] = 0.0
    for axis in range(3):
        # d of (w, t, b, s) when q becomes q (1, e_axis / 2), in the frame's axes.
        if axis == 0:
            dw, dt, db, ds = -0.5 * t, 0.5 * w, 0.5 * s, -0.5 * b
        elif axis == 1:
            dw, dt, db, ds = -0.5 * b, -0.5 * s, 0.5 * w, 0.5 * t
        else:
            dw, dt, db, ds = -0.5 * s, 0.5 * b, -0.5 * t, 0.5 * w
        dn = (w * dw + t * dt) / n
        dx = (dw * b + w * db - dt * s - t * ds - x * dn) / n
        dy = (dw * s + w * ds + dt * b + t * db - y * dn) / n
        dk = 0.0
        if h >= LEAST:
            dh = (x * dx + y * dy) / h
            dk = (2.0 * (n * dh - h * dn) - k * dh) / h
        for i in range(3):
            f = frame[i, axis]
            out[0, i] += 2.0 * (w * dt - t * dw) / (n * n) * f
            out[1, i] += (dk * x + k * dx) * f
            out[2, i] += (dk * y + k * dy) * f
