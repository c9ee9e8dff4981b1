"""Compiled swing–twist coordinates of a joint and their derivative."""

from __future__ import annotations

from math import atan2, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.rotation_kernels import quaternion

Array = NDArray[np.float64]


@kernel
def swing_twist(rotation: Array, frame: Array, q: Array, coordinates: Array, derivative: Array) -> None:
    """Coordinates (3,) of R = swing · twist in radians: twist, then the swing vector's bend and side parts.

    frame: (3, 3), its columns are the joint's twist, bend and side axes. derivative: (3, 3), change of the
    coordinates when R becomes R exp(d), d in the joint's own axes. q: (4,) work space.
    """
    quaternion(rotation, q)
    w = q[0]
    t = frame[0, 0] * q[1] + frame[1, 0] * q[2] + frame[2, 0] * q[3]
    b = frame[0, 1] * q[1] + frame[1, 1] * q[2] + frame[2, 1] * q[3]
    s = frame[0, 2] * q[1] + frame[1, 2] * q[2] + frame[2, 2] * q[3]
    n2 = max(w * w + t * t, 1e-12)  # zero only where the swing is half a turn and the twist has no meaning
    n = sqrt(n2)
    # The swing's quaternion is (n, 0, x, y): q times the twist undone.
    x, y = (w * b - t * s) / n, (w * s + t * b) / n
    h2 = x * x + y * y
    h = sqrt(h2)
    k = 2.0 / n if h < 1e-6 else 2.0 * atan2(h, n) / h
    coordinates[0] = 2.0 * atan2(t, w)
    if coordinates[0] > pi:
        coordinates[0] -= 2.0 * pi
    elif coordinates[0] < -pi:
        coordinates[0] += 2.0 * pi
    coordinates[1], coordinates[2] = k * x, k * y
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
        if h >= 1e-6:
            dh = (x * dx + y * dy) / h
            dk = (2.0 * (n * dh - h * dn) - k * dh) / h
        columns = (2.0 * (w * dt - t * dw) / n2, dk * x + k * dx, dk * y + k * dy)
        for i in range(3):
            value = columns[i]
            if axis == 0:
                derivative[i, 0], derivative[i, 1], derivative[i, 2] = (
                    value * frame[0, 0],
                    value * frame[1, 0],
                    value * frame[2, 0],
                )
            else:
                derivative[i, 0] += value * frame[0, axis]
                derivative[i, 1] += value * frame[1, axis]
                derivative[i, 2] += value * frame[2, axis]
