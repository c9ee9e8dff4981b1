"""Compiled effector errors and their derivatives: the one definition that solvers, window and tests share.

An effector is a row of arrays: kind (POSITION, ROTATION, LOOKAT), joint index and target (3, 3). A rotation's target is
the matrix, a position's is in target[0]; a look-at's point is in target[0] and its axis in target[1].
"""

from __future__ import annotations

from math import atan2, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.fk_kernels import position_block
from solver.kinematics.rotation_kernels import logarithm, logarithm_derivative, multiply, multiply_transposed

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

POSITION, ROTATION, LOOKAT = 0, 1, 2


@kernel
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


@kernel
def residual(kind: int, target: Array, position: Array, world: Array, work: Array, out: Array) -> float:
    """Fill out (3,) with one effector's residual; returns its length, metres or radians. work: (4, 3)."""
    if kind == POSITION:
        for i in range(3):
            out[i] = position[i] - target[0, i]
        return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
    if kind == ROTATION:
        difference, q = np.empty((3, 3)), np.empty(4)
        multiply_transposed(target, world, difference)
        return logarithm(difference, q, out)
    angle = _look(target, position, world, work)
    out[0], out[1], out[2] = angle, 0.0, 0.0
    return angle


@kernel
def residual_blocks(
    kind: int, joint: int, path: Indices, depth: int, residual_: Array, positions: Array, world: Array, work: Array,
    blocks: Array,
) -> None:  # fmt: skip
    """Fill blocks (depth + 1, 3, 3): the residual's derivative by each joint's turn along `path`, then by the root's
    position. `work` is what `residual` left."""
    a, b, m = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    last = blocks[depth]
    for i in range(3):
        for k in range(3):
            last[i, k] = 1.0 if kind == POSITION and i == k else 0.0
    if kind == POSITION:
        for k in range(depth):
            position_block(positions[joint], positions[path[k]], world[path[k]], blocks[k])
    elif kind == ROTATION:
        derivative = np.empty((3, 3))
        logarithm_derivative(residual_, derivative)
        for k in range(depth):
            multiply_transposed(world[joint], world[path[k]], a)
            multiply(derivative, a, blocks[k])
    else:
        d, u, n, distance = work[0], work[1], work[2], work[3, 0]
        m[0], m[1], m[2] = n[1] * d[2] - n[2] * d[1], n[2] * d[0] - n[0] * d[2], n[0] * d[1] - n[1] * d[0]
        for k in range(depth + 1):
            if k < depth:
                position_block(positions[joint], positions[path[k]], world[path[k]], b)
            for c in range(3):
                if k < depth:
                    x, y, z = b[0, c], b[1, c], b[2, c]
                else:
                    x, y, z = 1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0
                # Turn of the looking direction relative to the wanted one.
                a[0, c] = (u[1] * z - u[2] * y) / distance
                a[1, c] = (u[2] * x - u[0] * z) / distance
                a[2, c] = (u[0] * y - u[1] * x) / distance
                if k < depth:
                    for i in range(3):
                        a[i, c] += world[path[k], i, c]
            for c in range(3):
                blocks[k, 0, c] = -(n[0] * a[0, c] + n[1] * a[1, c] + n[2] * a[2, c])
                blocks[k, 1, c] = m[0] * a[0, c] + m[1] * a[1, c] + m[2] * a[2, c]
                blocks[k, 2, c] = 0.0


@kernel
def measure(kinds: Indices, joints: Indices, targets: Array, positions: Array, world: Array, out: Array) -> None:
    """Fill out (E,) with every effector's error."""
    work, r = np.empty((4, 3)), np.empty(3)
    for e in range(kinds.shape[0]):
        out[e] = residual(kinds[e], targets[e], positions[joints[e]], world[joints[e]], work, r)
