"""Compiled step of damped Gauss–Newton in its dual form: a small system, as large as the effectors are many.

Priors make a curvature D of 3x3 blocks, one for each joint and one for the root's place; effectors make rows J. With
D = L Lᵀ and V = J L⁻ᵀ, a step solves (1 + V Vᵀ) y = r - V L⁻¹ g and is dx = -L⁻ᵀ (L⁻¹ g + Vᵀ y). It stays well-behaved
for weights as hard as pins.

A row of J holds the root's place in columns 0 to 2 and then three columns for each joint on the effector's way from the
root. Two effectors share the first columns, as far as their ways do: their product is one of contiguous numbers.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel_in_place
from solver.kinematics.fk_kernels import Tree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Linear(NamedTuple):
    """What a pose's energy looks like nearby. residuals (3 E,) and their jacobian (3 E, columns), whitened; curvature
    (J + 1, 3, 3; lower halves) and gradient (J + 1, 3) of everything else, the root's place last."""

    residuals: Array
    jacobian: Array
    curvature: Array
    gradient: Array


class StepWork(NamedTuple):
    """Work space. factors (J + 1, 6), reduced (J + 1, 3), white (3 E, columns), shared (E, E), system (N, N), right
    (N,): N is 3 E for `step` and 3 J + 3 for `primal_step`, which needs no factors and nothing shared."""

    factors: Array
    reduced: Array
    white: Array
    shared: Indices
    system: Array
    right: Array


@kernel_in_place
def solve_positive(a: Array, b: Array, n: int) -> None:
    """Solve a x = b in place (b becomes x) for the leading n x n part of a symmetric positive a (lower half given).

    Three rows at a time, so that what is read of the others serves three times. a becomes its factor, with the
    diagonal inverted.
    """
    for first in range(0, n, 3):
        whole = first if first + 2 < n else 0  # columns that three rows take together
        i = first
        for j in range(whole):
            x, y, z = 0.0, 0.0, 0.0
            for k in range(j):
                other = a[j, k]
                x, y, z = x + a[i, k] * other, y + a[i + 1, k] * other, z + a[i + 2, k] * other
            a[i, j] = (a[i, j] - x) * a[j, j]
            a[i + 1, j] = (a[i + 1, j] - y) * a[j, j]
            a[i + 2, j] = (a[i + 2, j] - z) * a[j, j]
        for i in range(first, min(first + 3, n)):
            for j in range(whole, i):
                total = 0.0
                for k in range(j):
                    total += a[i, k] * a[j, k]
                a[i, j] = (a[i, j] - total) * a[j, j]
            square, done = 0.0, 0.0
            for k in range(i):
                square += a[i, k] * a[i, k]
                done += a[i, k] * b[k]
            a[i, i] = 1.0 / sqrt(max(a[i, i] - square, 1e-12))
            b[i] = (b[i] - done) * a[i, i]
    for i in range(n - 1, -1, -1):
        x = b[i] * a[i, i]
        b[i] = x
        for k in range(i):
            b[k] -= a[i, k] * x


@kernel_in_place
def shared_columns(joints: Indices, tree: Tree, out: Indices) -> None:
    """Fill out (E, E), lower half: how many first columns two effectors' rows share."""
    paths, depths = tree.paths, tree.depths
    for e in range(joints.shape[0]):
        for other in range(e + 1):
            a, b, k = joints[e], joints[other], 0
            while k < min(depths[a], depths[b]) and paths[a, k] == paths[b, k]:
                k += 1
            out[e, other] = 3 * k + 3


@kernel_in_place
def _place(paths: Indices, joint: int, column: int, bones: int) -> int:
    """Where a column of an effector on `joint` stands among all unknowns, the root's place being the last of them."""
    return 3 * (bones - 1) + column if column < 3 else 3 * paths[joint, column // 3 - 1] + column % 3


@kernel_in_place
def factorise(curvature: Array, gradient: Array, damping: float, factors: Array, reduced: Array) -> None:
    """Fill factors (J, 6), 1/L00, L10, L20, 1/L11, L21, 1/L22 of each damped curvature, and reduced (J, 3) = L⁻¹ g."""
    for j in range(curvature.shape[0]):
        more = 1.0 + damping
        a = 1.0 / sqrt(curvature[j, 0, 0] * more)
        b, c = curvature[j, 1, 0] * a, curvature[j, 2, 0] * a
        d = 1.0 / sqrt(curvature[j, 1, 1] * more - b * b)
        e = (curvature[j, 2, 1] - c * b) * d
        f = 1.0 / sqrt(curvature[j, 2, 2] * more - c * c - e * e)
        factors[j, 0], factors[j, 1], factors[j, 2], factors[j, 3], factors[j, 4], factors[j, 5] = a, b, c, d, e, f
        x = gradient[j, 0] * a
        y = (gradient[j, 1] - b * x) * d
        reduced[j, 0], reduced[j, 1], reduced[j, 2] = x, y, (gradient[j, 2] - c * x - e * y) * f


@kernel_in_place
def product(white: Array, i: int, j: int, columns: int, out: Array) -> None:
    """out[i : i + 3, j : j + 3] = rows i to i + 2 of `white` times its rows j to j + 2, over the first columns."""
    a, b, c, d, e, f, g, h, k = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for column in range(columns):
        x, y, z = white[i, column], white[i + 1, column], white[i + 2, column]
        p, q, r = white[j, column], white[j + 1, column], white[j + 2, column]
        a, b, c = a + x * p, b + x * q, c + x * r
        d, e, f = d + y * p, e + y * q, f + y * r
        g, h, k = g + z * p, h + z * q, k + z * r
    out[i, j], out[i, j + 1], out[i, j + 2] = a, b, c
    out[i + 1, j], out[i + 1, j + 1], out[i + 1, j + 2] = d, e, f
    out[i + 2, j], out[i + 2, j + 1], out[i + 2, j + 2] = g, h, k


@kernel_in_place
def step(joints: Indices, tree: Tree, linear: Linear, damping: float, room: StepWork, turns: Array) -> float:
    """Fill turns (J + 1, 3), the damped step, its last row shifts the root; returns how fast the energy changes on it.

    joints: (E,), the effectors'.
    """
    paths, depths = tree.paths, tree.depths
    residuals, rows, curvature, gradient = linear.residuals, linear.jacobian, linear.curvature, linear.gradient
    factors, reduced, white, shared = room.factors, room.reduced, room.white, room.shared
    system, right = room.system, room.right
    bones, effectors = curvature.shape[0], joints.shape[0]
    root = bones - 1
    factorise(curvature, gradient, damping, factors, reduced)
    for j in range(bones):
        turns[j, 0], turns[j, 1], turns[j, 2] = -reduced[j, 0], -reduced[j, 1], -reduced[j, 2]
    for e in range(effectors):
        joint = joints[e]
        for row in range(3 * e, 3 * e + 3):
            right[row] = residuals[row]
        for k in range(-1, depths[joint]):
            j, column = root if k < 0 else paths[joint, k], 3 * k + 3
            a, b, c, d = factors[j, 0], factors[j, 1], factors[j, 2], factors[j, 3]
            f, g = factors[j, 4], factors[j, 5]
            l0, l1, l2 = reduced[j, 0], reduced[j, 1], reduced[j, 2]
            for row in range(3 * e, 3 * e + 3):
                x = rows[row, column] * a
                y = (rows[row, column + 1] - b * x) * d
                z = (rows[row, column + 2] - c * x - f * y) * g
                white[row, column], white[row, column + 1], white[row, column + 2] = x, y, z
                right[row] -= x * l0 + y * l1 + z * l2
        for other in range(e + 1):
            product(white, 3 * e, 3 * other, shared[e, other], system)
        for row in range(3 * e, 3 * e + 3):
            system[row, row] += 1.0
    solve_positive(system, right, 3 * effectors)
    change = 0.0  # the rows' part of it is J dx = y - r
    for e in range(effectors):
        joint = joints[e]
        for row in range(3 * e, 3 * e + 3):
            y = right[row]
            change += residuals[row] * (y - residuals[row])
            for k in range(-1, depths[joint]):
                j, column = root if k < 0 else paths[joint, k], 3 * k + 3
                turns[j, 0] -= white[row, column] * y
                turns[j, 1] -= white[row, column + 1] * y
                turns[j, 2] -= white[row, column + 2] * y
    for j in range(bones):
        z = turns[j, 2] * factors[j, 5]
        y = (turns[j, 1] - factors[j, 4] * z) * factors[j, 3]
        x = (turns[j, 0] - factors[j, 1] * y - factors[j, 2] * z) * factors[j, 0]
        turns[j, 0], turns[j, 1], turns[j, 2] = x, y, z
        change += gradient[j, 0] * x + gradient[j, 1] * y + gradient[j, 2] * z
    return change


@kernel_in_place
def primal_step(joints: Indices, tree: Tree, linear: Linear, damping: float, room: StepWork, turns: Array) -> float:
    """What `step` gives, from (D + Jᵀ J) dx = -(g + Jᵀ r): a system as large as the body.

    It is the smaller one where effectors are more than joints, and its cost grows with their number only as fast as
    they do.
    """
    paths, depths = tree.paths, tree.depths
    residuals, rows, curvature, gradient = linear.residuals, linear.jacobian, linear.curvature, linear.gradient
    part, system, right = room.white, room.system, room.right
    bones, effectors = curvature.shape[0], joints.shape[0]
    size = 3 * bones
    for j in range(bones):
        for i in range(3):
            row = 3 * j + i
            for column in range(row + 1):
                system[row, column] = 0.0
            for k in range(i + 1):
                system[row, 3 * j + k] = curvature[j, i, k] * (1.0 + damping if i == k else 1.0)
            right[row] = -gradient[j, i]
    for joint in range(bones - 1):  # effectors on one joint share their columns
        columns, found = 3 * depths[joint] + 3, False
        for e in range(effectors):
            if joints[e] != joint:
                continue
            if not found:
                found = True
                for a in range(columns):
                    for b in range(a + 1):
                        part[a, b] = 0.0
            for row in range(3 * e, 3 * e + 3):
                for a in range(columns):
                    x = rows[row, a]
                    for b in range(a + 1):
                        part[a, b] += x * rows[row, b]
                    right[_place(paths, joint, a, bones)] -= x * residuals[row]
        if found:
            for a in range(columns):
                to = _place(paths, joint, a, bones)
                for b in range(a + 1):
                    other = _place(paths, joint, b, bones)
                    system[max(to, other), min(to, other)] += part[a, b]
    change = 0.0
    for j in range(bones):
        for i in range(3):
            turns[j, i] = right[3 * j + i]
    solve_positive(system, right, size)
    for j in range(bones):
        for i in range(3):
            change -= turns[j, i] * right[3 * j + i]
            turns[j, i] = right[3 * j + i]
    return change


@kernel_in_place
def extrapolate(turns: Array, last_turns: Array, last_move: Array, furthest: float, out: Array) -> None:
    """Where a row of ever shorter steps leads (Anderson acceleration of depth one); all (J + 1, 3)."""
    above, below = 0.0, 1e-30
    for j in range(turns.shape[0]):
        for i in range(3):
            change = turns[j, i] - last_turns[j, i]
            above += turns[j, i] * change
            below += change * change
    share = min(max(above / below, -furthest), furthest)
    for j in range(turns.shape[0]):
        for i in range(3):
            out[j, i] = turns[j, i] - share * (last_move[j, i] + turns[j, i] - last_turns[j, i])
