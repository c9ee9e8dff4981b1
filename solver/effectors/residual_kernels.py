"""Compiled effector errors and their derivatives: the one definition that solvers, window and tests share.

An effector is a row of arrays: its form (POINT, TURN, AIM), joint index and target (3, 3). A turn's target is its
matrix. A point's place is in target[0], its offset from the joint in the joint's frame in target[1]; what is aimed at
is in target[0], the axis that aims in target[1].
"""

from __future__ import annotations

from math import atan2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT, TURN
from solver.jit import kernel, kernel_in_place
from solver.kinematics.fk_kernels import Tree
from solver.kinematics.rotation_kernels import logarithm, logarithm_derivative, multiply_transposed

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Rows(NamedTuple):
    """E effectors: kinds, joints (E,), targets (E, 3, 3)."""

    kinds: Indices
    joints: Indices
    targets: Array


@kernel_in_place
def _look(target: Array, position: Array, world: Array, out: Array) -> float:
    """Fill out (4, 3) with the looking direction, the wanted one, the axis of the turn between them and the distance
    (out[3, 0]); returns the angle."""
    distance = 0.0
    for i in range(3):
        out[0, i] = world[i, 0] * target[1, 0] + world[i, 1] * target[1, 1] + world[i, 2] * target[1, 2]
        out[1, i] = target[0, i] - position[i]
        distance += out[1, i] * out[1, i]
    distance = sqrt(distance)
    out[3, 0] = max(distance, 0.05)  # nearer than a face is deep, the direction means nothing
    if distance < 1e-9:
        for i in range(3):
            out[1, i] = out[0, i]
            distance = 1.0
    for i in range(3):
        out[1, i] /= distance
    d, u, n = out[0], out[1], out[2]
    n[0], n[1], n[2] = d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]
    sine = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    angle = atan2(sine, d[0] * u[0] + d[1] * u[1] + d[2] * u[2])
    if sine < 1e-9:  # along or straight away: any axis across
        k = 0
        if abs(d[1]) < abs(d[0]):
            k = 1
        if abs(d[2]) < abs(d[k]):
            k = 2
        for i in range(3):
            n[i] = (1.0 if i == k else 0.0) - d[k] * d[i]
        sine = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    for i in range(3):
        n[i] /= sine
    return angle


@kernel_in_place
def residual(kind: int, target: Array, position: Array, world: Array, work: Array, out: Array) -> float:
    """Fill out (3,) with one effector's residual; returns its length, metres or radians. work: (4, 3); of a point its
    first row is where the point is."""
    if kind == POINT:
        for i in range(3):
            work[0, i] = position[i] + (
                world[i, 0] * target[1, 0] + world[i, 1] * target[1, 1] + world[i, 2] * target[1, 2]
            )
            out[i] = work[0, i] - target[0, i]
        return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
    if kind == TURN:
        multiply_transposed(target, world, work)
        return logarithm(work, out)
    angle = _look(target, position, world, work)
    out[0], out[1], out[2] = angle, 0.0, 0.0
    return angle


@kernel_in_place
def residual_blocks(
    kind: int, joint: int, tree: Tree, residual_: Array, positions: Array, world: Array, work: Array, scale: float,
    first: int, out: Array,
) -> None:  # fmt: skip
    """Fill out[first : first + 3, : 3 * depth + 3] with `scale` times the residual's derivative: by the root's place,
    then by the turn of each joint on the way to `joint`, `depth` of them. work (4, 3) is what `residual` left, which
    may be lost."""
    paths, depth = tree.paths, tree.depths[joint]
    for i in range(3):
        for c in range(3):
            out[first + i, c] = scale if kind == POINT and i == c else 0.0
    px, py, pz = positions[joint, 0], positions[joint, 1], positions[joint, 2]
    if kind == POINT:
        px, py, pz = work[0, 0], work[0, 1], work[0, 2]
        for k in range(depth):
            j, column = paths[joint, k], 3 * k + 3
            x, y, z = scale * (px - positions[j, 0]), scale * (py - positions[j, 1]), scale * (pz - positions[j, 2])
            for c in range(3):
                a, b, d = world[j, 0, c], world[j, 1, c], world[j, 2, c]
                out[first, column + c] = b * z - d * y
                out[first + 1, column + c] = d * x - a * z
                out[first + 2, column + c] = a * y - b * x
        return
    if kind == TURN:
        logarithm_derivative(residual_, work)
        for i in range(3):  # the derivative times the joint's axes, once for all on the way
            x, y, z = scale * work[i, 0], scale * work[i, 1], scale * work[i, 2]
            a = x * world[joint, 0, 0] + y * world[joint, 0, 1] + z * world[joint, 0, 2]
            b = x * world[joint, 1, 0] + y * world[joint, 1, 1] + z * world[joint, 1, 2]
            d = x * world[joint, 2, 0] + y * world[joint, 2, 1] + z * world[joint, 2, 2]
            for k in range(depth):
                j, column = paths[joint, k], 3 * k + 3
                for c in range(3):
                    out[first + i, column + c] = a * world[j, 0, c] + b * world[j, 1, c] + d * world[j, 2, c]
        return
    d0, d1, d2, u0, u1, u2 = work[0, 0], work[0, 1], work[0, 2], work[1, 0], work[1, 1], work[1, 2]
    n0, n1, n2, near = scale * work[2, 0], scale * work[2, 1], scale * work[2, 2], 1.0 / work[3, 0]
    m0, m1, m2 = n1 * d2 - n2 * d1, n2 * d0 - n0 * d2, n0 * d1 - n1 * d0
    for k in range(-1, depth):
        j, column = paths[joint, max(k, 0)], 3 * k + 3
        x, y, z = px - positions[j, 0], py - positions[j, 1], pz - positions[j, 2]
        for c in range(3):
            if k < 0:
                a, b, d = 0.0, 0.0, 0.0
                e, f, g = near if c == 0 else 0.0, near if c == 1 else 0.0, near if c == 2 else 0.0
            else:
                a, b, d = world[j, 0, c], world[j, 1, c], world[j, 2, c]
                e, f, g = near * (b * z - d * y), near * (d * x - a * z), near * (a * y - b * x)
            # Turn of the looking direction relative to the wanted one.
            a, b, d = a + u1 * g - u2 * f, b + u2 * e - u0 * g, d + u0 * f - u1 * e
            out[first, column + c] = -(n0 * a + n1 * b + n2 * d)
            out[first + 1, column + c] = m0 * a + m1 * b + m2 * d
            out[first + 2, column + c] = 0.0


@kernel
def measure(rows: Rows, positions: Array, world: Array, out: Array) -> None:
    """Fill out (E,) with every effector's error."""
    work, r = np.empty((4, 3)), np.empty(3)
    for e in range(rows.kinds.shape[0]):
        joint = rows.joints[e]
        out[e] = residual(rows.kinds[e], rows.targets[e], positions[joint], world[joint], work, r)
