"""Compiled prior of the joints: what pulls them back, as energy, gradient and positive 3x3 curvatures.

Rotations are quaternions (w, x, y, z) here. A joint's distance from where it is pulled to is the vector v of length
2 sin(angle / 2) along the axis between: the angle itself when small, and smooth all the way round. Its derivative by
the joint's turn is c + [h]×, with h = v / 2 and c the cosine of half the angle.
"""

from __future__ import annotations

from math import exp, log, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel, kernel_in_place
from solver.kinematics.limit_kernels import swing_twist, swing_twist_derivative
from solver.kinematics.rotation_kernels import quaternion

Array = NDArray[np.float64]
Three = tuple[float, float, float]
Six = tuple[float, float, float, float, float, float]

MEAN_SHARE = 0.5  # how likely the natural pose is for a joint, beside the one to stay near
TRIFLE = 1e-9  # a share of the natural pose that is not worth its curvature
ROOT_KNEE = 3.0  # standard deviations of the root's turn, after which nothing pulls it harder


class JointModel(NamedTuple):
    """How joints like to stand, and how far they can turn. mean (J, 4): the natural pose, quaternions w, x, y, z.
    stiffness (J, 3, 3) per rad². frames (J, 3, 3), low, high (J, 3) radians: the limits' axes and ranges."""

    mean: Array
    stiffness: Array
    frames: Array
    low: Array
    high: Array


class Pulls(NamedTuple):
    """Strengths of what is not an effector, in units where a firm position effector is 1e6 per m².

    near: to `Priors.near`, times each joint's measured stiffness. mean: to the natural pose, or 0 for none. limits:
    per rad² beyond a joint's range. root: its hold on the root, per m². orientation, place: of a preserved
    joint at mask 1. calm: times `near` where what is strict is out of reach; 1 for no such difference.
    """

    near: float = 0.1
    mean: float = 0.05
    limits: float = 5e3
    root: float = 400.0
    orientation: float = 5e3
    place: float = 1e4
    calm: float = 4.0


class Priors(NamedTuple):
    """Where a search is pulled to. root (3,) metres, near (J, 4): the pose to stay near. leaning (J, 3): the natural
    pose's own push there, see `mean_pose_pulls`. held (J, 4), hold (J,): a second pose, and its stiffness per rad²."""

    root: Array
    near: Array
    mean_pulls: Array
    held: Array
    hold: Array


@kernel_in_place
def quaternions(rotations: Array, out: Array) -> None:
    """Fill out (J, 4) from rotations (J, 3, 3)."""
    for j in range(rotations.shape[0]):
        quaternion(rotations[j], out[j])


@kernel
def turn_between(
    w: float, x: float, y: float, z: float, a: float, b: float, c: float, d: float
) -> tuple[float, float, float, float]:
    """From the quaternion w, x, y, z to a, b, c, d: the cosine of half the angle, and half the turn h."""
    e = w * a + x * b + y * c + z * d
    f = w * b - x * a - y * d + z * c
    g = w * c + x * d - y * a - z * b
    h = w * d - x * c + y * b - z * a
    return (-e, -f, -g, -h) if e < 0.0 else (e, f, g, h)


@kernel
def turn_gradient(c: float, x: float, y: float, z: float, p: float, q: float, r: float) -> Three:
    """(c + [h]×)ᵀ p: what a pull p, q, r along the turn does to the joint's turn; h = x, y, z."""
    return c * p - y * r + z * q, c * q - z * p + x * r, c * r - x * q + y * p


@kernel
def turn_curvature(
    c: float, x: float, y: float, z: float, s00: float, s10: float, s11: float, s20: float, s21: float, s22: float
) -> Six:
    """(c + [h]×)ᵀ S (c + [h]×) for h = x, y, z: the lower half, row by row."""
    a0, a1, a2 = s00 * c + s10 * z - s20 * y, s10 * c + s11 * z - s21 * y, s20 * c + s21 * z - s22 * y
    b0, b1, b2 = s10 * c + s20 * x - s00 * z, s11 * c + s21 * x - s10 * z, s21 * c + s22 * x - s20 * z
    d0, d1, d2 = s20 * c + s00 * y - s10 * x, s21 * c + s10 * y - s11 * x, s22 * c + s20 * y - s21 * x
    return (
        c * a0 + z * a1 - y * a2,
        c * a1 + x * a2 - z * a0, c * b1 + x * b2 - z * b0,
        c * a2 + y * a0 - x * a1, c * b2 + y * b0 - x * b1, c * d2 + y * d0 - x * d1,
    )  # fmt: skip


@kernel_in_place
def well_within(w: float, x: float, y: float, z: float, frames: Array, low: Array, high: Array, j: int) -> bool:
    """Whether joint j as turned by the quaternion is within its range for certain, without an arctangent.

    An angle is between 2 and 2 + (π - 2) s² times the sine s of its half.
    """
    t = frames[j, 0, 0] * x + frames[j, 1, 0] * y + frames[j, 2, 0] * z
    b = frames[j, 0, 1] * x + frames[j, 1, 1] * y + frames[j, 2, 1] * z
    s = frames[j, 0, 2] * x + frames[j, 1, 2] * y + frames[j, 2, 2] * z
    square = w * w + t * t
    if square < 0.1:
        return False
    scale = 1.0 / sqrt(square)
    t, b, s = scale * t, scale * (w * b - t * s), scale * (w * s + t * b)
    k = 2.0 + (pi - 2.0) * t * t
    if min(2.0 * t, k * t) < low[j, 0] or max(2.0 * t, k * t) > high[j, 0]:
        return False
    k = 2.0 + (pi - 2.0) * (b * b + s * s)
    return (
        min(2.0 * b, k * b) >= low[j, 1]
        and max(2.0 * b, k * b) <= high[j, 1]
        and min(2.0 * s, k * s) >= low[j, 2]
        and max(2.0 * s, k * s) <= high[j, 2]
    )


@kernel_in_place
def add_limit_penalty(
    q: Array, frame: Array, low: Array, high: Array, scale: float, v: Array, a: Array, curvature: Array, gradient: Array
) -> float:
    """Add the penalty ½ · scale · (excess over the joint's range)²; returns its energy. Work space: v (3,), a (3, 3)
    or larger."""
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


@kernel_in_place
def mean_pose_pulls(near: Array, model: JointModel, out: Array) -> None:
    """Fill out (J, 3): where the natural pose would push each joint as it stands in the pose `near`."""
    mean, stiffness = model.mean, model.stiffness
    for j in range(near.shape[0]):
        w, x, y, z = near[j, 0], near[j, 1], near[j, 2], near[j, 3]
        c, x, y, z = turn_between(mean[j, 0], mean[j, 1], mean[j, 2], mean[j, 3], w, x, y, z)
        p = 2.0 * (stiffness[j, 0, 0] * x + stiffness[j, 1, 0] * y + stiffness[j, 2, 0] * z)
        q = 2.0 * (stiffness[j, 1, 0] * x + stiffness[j, 1, 1] * y + stiffness[j, 2, 1] * z)
        r = 2.0 * (stiffness[j, 2, 0] * x + stiffness[j, 2, 1] * y + stiffness[j, 2, 2] * z)
        likely = MEAN_SHARE * exp(-(x * p + y * q + z * r))
        share = likely / (1.0 + likely) if j > 0 else 0.0
        out[j, 0], out[j, 1], out[j, 2] = turn_gradient(c, x, y, z, share * p, share * q, share * r)


@kernel_in_place
def joint_priors(
    q: Array, model: JointModel, priors: Priors, pulls: Pulls, curvature: Array, gradient: Array, a: Array, v: Array
) -> float:
    """Fill curvature (J, 3, 3; lower halves) and gradient (J, 3) for quaternions q (J, 4); returns the energy. Work
    space: a (4, 3), v (3,).

    A joint may be where it is to stay or, less likely, near the natural pose: energy -log(e^-A + share · e^-N). So the
    natural pose draws only what has come near it or has left its place far behind; `leaning` takes out what it would
    push at that place itself, where nothing shall move.
    """
    mean, stiffness, frames, low, high = model.mean, model.stiffness, model.frames, model.low, model.high
    near, leaning, held, hold = priors.near, priors.mean_pulls, priors.held, priors.hold
    near_pull, natural, limit_pull = pulls.near, pulls.mean > 0.0, pulls.limits
    total = 0.0
    for j in range(q.shape[0]):
        w, x, y, z = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
        s00, s10, s11 = stiffness[j, 0, 0], stiffness[j, 1, 0], stiffness[j, 1, 1]
        s20, s21, s22 = stiffness[j, 2, 0], stiffness[j, 2, 1], stiffness[j, 2, 2]
        c, h0, h1, h2 = turn_between(near[j, 0], near[j, 1], near[j, 2], near[j, 3], w, x, y, z)
        p0 = 2.0 * (s00 * h0 + s10 * h1 + s20 * h2)
        p1 = 2.0 * (s10 * h0 + s11 * h1 + s21 * h2)
        p2 = 2.0 * (s20 * h0 + s21 * h1 + s22 * h2)
        energy = h0 * p0 + h1 * p1 + h2 * p2
        c00, c10, c11, c20, c21, c22 = turn_curvature(c, h0, h1, h2, s00, s10, s11, s20, s21, s22)
        scale = near_pull
        if j == 0:  # the root's pull does not grow for ever: a body may stand and face anywhere
            bend = sqrt(1.0 + 2.0 * energy / ROOT_KNEE**2)
            scale, energy = near_pull / bend, ROOT_KNEE**2 * (bend - 1.0)
        elif natural:
            l0, l1, l2 = leaning[j, 0], leaning[j, 1], leaning[j, 2]
            d, m0, m1, m2 = turn_between(mean[j, 0], mean[j, 1], mean[j, 2], mean[j, 3], w, x, y, z)
            n0 = 2.0 * (s00 * m0 + s10 * m1 + s20 * m2)
            n1 = 2.0 * (s10 * m0 + s11 * m1 + s21 * m2)
            n2 = 2.0 * (s20 * m0 + s21 * m1 + s22 * m2)
            other = MEAN_SHARE * exp(min(energy - (m0 * n0 + m1 * n1 + m2 * n2), 600.0))
            share = other / (1.0 + other)
            energy -= log((1.0 + other) / (1.0 + MEAN_SHARE)) + 2.0 * (l0 * h0 + l1 * h1 + l2 * h2)
            p0, p1, p2 = turn_gradient(
                c, h0, h1, h2, (1.0 - share) * p0 - l0, (1.0 - share) * p1 - l1, (1.0 - share) * p2 - l2
            )
            if share > TRIFLE:
                n0, n1, n2 = turn_gradient(d, m0, m1, m2, share * n0, share * n1, share * n2)
                p0, p1, p2 = p0 + n0, p1 + n1, p2 + n2
                d00, d10, d11, d20, d21, d22 = turn_curvature(d, m0, m1, m2, s00, s10, s11, s20, s21, s22)
                c00, c10, c11 = c00 + share * (d00 - c00), c10 + share * (d10 - c10), c11 + share * (d11 - c11)
                c20, c21, c22 = c20 + share * (d20 - c20), c21 + share * (d21 - c21), c22 + share * (d22 - c22)
        if j == 0 or not natural:
            p0, p1, p2 = turn_gradient(c, h0, h1, h2, p0, p1, p2)
        total += near_pull * energy
        p0, p1, p2 = scale * p0, scale * p1, scale * p2
        c00, c10, c11, c20, c21, c22 = scale * c00, scale * c10, scale * c11, scale * c20, scale * c21, scale * c22
        if hold[j] > 0.0:
            k = hold[j]
            c, h0, h1, h2 = turn_between(held[j, 0], held[j, 1], held[j, 2], held[j, 3], w, x, y, z)
            total += 2.0 * k * (h0 * h0 + h1 * h1 + h2 * h2)
            p0, p1, p2 = p0 + 2.0 * k * c * h0, p1 + 2.0 * k * c * h1, p2 + 2.0 * k * c * h2
            c00, c11, c22 = c00 + k * (1.0 - h0 * h0), c11 + k * (1.0 - h1 * h1), c22 + k * (1.0 - h2 * h2)
            c10, c20, c21 = c10 - k * h1 * h0, c20 - k * h2 * h0, c21 - k * h2 * h1
        gradient[j, 0], gradient[j, 1], gradient[j, 2] = p0, p1, p2
        curvature[j, 0, 0], curvature[j, 1, 0], curvature[j, 1, 1] = c00, c10, c11
        curvature[j, 2, 0], curvature[j, 2, 1], curvature[j, 2, 2] = c20, c21, c22
        if j > 0 and not well_within(w, x, y, z, frames, low, high, j):
            total += add_limit_penalty(q[j], frames[j], low[j], high[j], limit_pull, v, a, curvature[j], gradient[j])
    return total
