"""Compiled prior of the joints: what pulls them back, as energy, gradient and positive 3x3 curvatures.

Rotations are quaternions (w, x, y, z) here. A joint's distance from where it is pulled to is the vector v of length
2 sin(angle / 2) along the axis between: the angle itself when small, and smooth all the way round.
"""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.limit_kernels import swing_twist, swing_twist_derivative
from solver.kinematics.rotation_kernels import quaternion

Array = NDArray[np.float64]

MEAN_SHARE = 0.5  # how likely the natural pose is for a joint, beside its anchor
ROOT_KNEE = 3.0  # standard deviations of the root's turn, after which its anchor pulls no harder


@kernel
def quaternions(rotations: Array, out: Array) -> None:
    """Fill out (J, 4) from rotations (J, 3, 3)."""
    for j in range(rotations.shape[0]):
        quaternion(rotations[j], out[j])


@kernel
def pull(target: Array, q: Array, s: Array, v: Array, a: Array, curvature: Array, gradient: Array) -> float:
    """½ vᵀ S v for the way v from target to q; fills curvature (3, 3; lower half) and gradient (3,).

    v (3,): the way; a (3, 3): its derivative by the joint's turn, both left for the caller.
    """
    w, x, y, z = target[0], target[1], target[2], target[3]
    c = w * q[0] + x * q[1] + y * q[2] + z * q[3]
    v0 = w * q[1] - x * q[0] - y * q[3] + z * q[2]
    v1 = w * q[2] + x * q[3] - y * q[0] - z * q[1]
    v2 = w * q[3] - x * q[2] + y * q[1] - z * q[0]
    if c < 0.0:
        c, v0, v1, v2 = -c, -v0, -v1, -v2
    a[0, 0], a[0, 1], a[0, 2] = c, -v2, v1
    a[1, 0], a[1, 1], a[1, 2] = v2, c, -v0
    a[2, 0], a[2, 1], a[2, 2] = -v1, v0, c
    v0, v1, v2 = 2.0 * v0, 2.0 * v1, 2.0 * v2
    v[0], v[1], v[2] = v0, v1, v2
    p0 = s[0, 0] * v0 + s[0, 1] * v1 + s[0, 2] * v2
    p1 = s[1, 0] * v0 + s[1, 1] * v1 + s[1, 2] * v2
    p2 = s[2, 0] * v0 + s[2, 1] * v1 + s[2, 2] * v2
    for k in range(3):
        gradient[k] = a[0, k] * p0 + a[1, k] * p1 + a[2, k] * p2
        b0 = s[0, 0] * a[0, k] + s[0, 1] * a[1, k] + s[0, 2] * a[2, k]
        b1 = s[1, 0] * a[0, k] + s[1, 1] * a[1, k] + s[1, 2] * a[2, k]
        b2 = s[2, 0] * a[0, k] + s[2, 1] * a[1, k] + s[2, 2] * a[2, k]
        for i in range(k, 3):
            curvature[i, k] = a[0, i] * b0 + a[1, i] * b1 + a[2, i] * b2
    return 0.5 * (v0 * p0 + v1 * p1 + v2 * p2)


@kernel
def keep_within(
    q: Array, frame: Array, low: Array, high: Array, scale: float, v: Array, a: Array, curvature: Array, gradient: Array
) -> float:
    """Add the penalty ½ · scale · (excess over the joint's range)²; returns its energy. v (3,), a (3, 3): work."""
    swing_twist(q, frame, v)
    energy = 0.0
    for c in range(3):
        excess = v[c] - high[c] if v[c] > high[c] else (v[c] - low[c] if v[c] < low[c] else 0.0)
        if excess == 0.0:
            continue
        if energy == 0.0:
            swing_twist_derivative(q, frame, a)
        energy += 0.5 * scale * excess * excess
        for i in range(3):
            gradient[i] += scale * excess * a[c, i]
            for k in range(i + 1):
                curvature[i, k] += scale * a[c, i] * a[c, k]
    return energy


@kernel
def leanings(anchor: Array, mean: Array, stiffness: Array, out: Array) -> None:
    """Fill out (J, 3): where the natural pose would push each joint as it stands at its anchor."""
    v, a, c = np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    for j in range(anchor.shape[0]):
        energy = pull(mean[j], anchor[j], stiffness[j], v, a, c, out[j])
        likely = MEAN_SHARE * exp(-energy)
        for i in range(3):
            out[j, i] *= likely / (1.0 + likely) if j > 0 else 0.0


@kernel
def joint_priors(
    local: Array, anchor: Array, mean: Array, leaning: Array, stiffness: Array, anchor_pull: float, natural: bool,
    held: Array, hold: Array, frames: Array, low: Array, high: Array, limit_pull: float, curvature: Array,
    gradient: Array,
) -> float:  # fmt: skip
    """Fill curvature (J, 3, 3; lower halves) and gradient (J, 3) for rotations local (J, 3, 3); returns the energy.

    A joint may be near its anchor or, less likely, near the natural pose: energy -log(e^-A + share · e^-N). So the
    natural pose draws only what has come near it or has left its anchor far behind; `leaning` takes out what it would
    push at the anchor itself, where nothing shall move. hold: (J,) extra stiffness towards `held`.
    """
    q, v, a, unit = np.empty(4), np.empty(3), np.empty((3, 3)), np.empty((3, 3))
    more_c, more_g, push = np.empty((3, 3)), np.empty(3), np.empty(3)
    total = 0.0
    for i in range(3):
        for k in range(3):
            unit[i, k] = 1.0 if i == k else 0.0
    for j in range(local.shape[0]):
        c, g = curvature[j], gradient[j]
        quaternion(local[j], q)
        energy = pull(anchor[j], q, stiffness[j], v, a, c, g)
        scale = anchor_pull
        if j == 0:  # the root's pull does not grow for ever: a body may stand and face anywhere
            bend = sqrt(1.0 + 2.0 * energy / ROOT_KNEE**2)
            scale, energy = anchor_pull / bend, ROOT_KNEE**2 * (bend - 1.0)
        elif natural:
            lean = leaning[j, 0] * v[0] + leaning[j, 1] * v[1] + leaning[j, 2] * v[2]
            for i in range(3):
                push[i] = leaning[j, 0] * a[0, i] + leaning[j, 1] * a[1, i] + leaning[j, 2] * a[2, i]
            away = pull(mean[j], q, stiffness[j], v, a, more_c, more_g)
            other = MEAN_SHARE * exp(min(energy - away, 600.0))
            share = other / (1.0 + other)
            energy -= log((1.0 + other) / (1.0 + MEAN_SHARE)) + lean
            for i in range(3):
                g[i] += share * (more_g[i] - g[i]) - push[i]
                for k in range(i + 1):
                    c[i, k] += share * (more_c[i, k] - c[i, k])
        total += anchor_pull * energy
        for i in range(3):
            g[i] *= scale
            for k in range(i + 1):
                c[i, k] *= scale
        if hold[j] > 0.0:
            total += hold[j] * pull(held[j], q, unit, v, a, more_c, more_g)
            for i in range(3):
                g[i] += hold[j] * more_g[i]
                for k in range(i + 1):
                    c[i, k] += hold[j] * more_c[i, k]
        if j > 0:
            total += keep_within(q, frames[j], low[j], high[j], limit_pull, v, a, c, g)
    return total
