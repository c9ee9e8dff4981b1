"""Compiled damped Gauss–Newton over the root and every joint, in its dual form.

Unknowns: a turn (3,) for each joint in its own axes and a shift (3,) of the root. Effectors make few rows; priors make
a curvature D of 3x3 blocks. With D = L Lᵀ and V = J L⁻ᵀ, a step solves (1 + V Vᵀ) y = r - V L⁻¹ g, a small system as
large as the effectors are many, and is dx = -L⁻ᵀ (L⁻¹ g + Vᵀ y). It stays well-behaved for weights as hard as pins.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.ik.prior_kernels import joint_priors
from solver.ik.residual_kernels import residual, residual_blocks
from solver.jit import kernel
from solver.kinematics.fk_kernels import forward
from solver.kinematics.rotation_kernels import cholesky3, exponential, multiply, orthonormalise

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAX_TURN = 0.7  # radians that a joint turns in one step at most
REACH = (0.3, 1.0, 1.0)  # an error beyond this (m, rad) counts as no nearer: far targets must not overshoot


@kernel
def effector_rows(
    kinds: Indices, joints: Indices, targets: Array, weights: Array, knees: Array, paths: Indices, depths: Indices,
    positions: Array, world: Array, rows: Array, blocks: Array,
) -> float:  # fmt: skip
    """Fill the whitened residuals rows (E, 3) and blocks (E, J + 1, 3, 3); returns the effectors' energy.

    The energy grows with the square of the error up to the knee and then in proportion to it, so that a target out of
    reach pulls no harder the further away it is.
    """
    work = np.empty((4, 3))
    energy = 0.0
    for e in range(kinds.shape[0]):
        kind, joint = kinds[e], joints[e]
        error = residual(kind, targets[e], positions[joint], world[joint], work, rows[e])
        residual_blocks(kind, joint, paths[joint], depths[joint], rows[e], positions, world, work, blocks[e])
        ratio = error / knees[e]
        bend = sqrt(1.0 + ratio * ratio)
        energy += weights[e] * knees[e] * knees[e] * (bend - 1.0)
        curvature = weights[e] / bend * max(1.0, error / REACH[kind])
        root = sqrt(curvature)
        pull = weights[e] / bend / root
        for i in range(3):
            rows[e, i] *= pull
        for k in range(depths[joint] + 1):
            for i in range(3):
                for c in range(3):
                    blocks[e, k, i, c] *= root
    return energy


@kernel
def solve_positive(a: Array, b: Array, n: int) -> None:
    """Solve a x = b in place (b becomes x) for the leading n x n part of a symmetric positive a (lower half given)."""
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            if i == j:
                a[i, i] = sqrt(max(total, 1e-12))
            else:
                a[i, j] = total / a[j, j]
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= a[i, k] * b[k]
        b[i] = total / a[i, i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= a[k, i] * b[k]
        b[i] = total / a[i, i]


@kernel
def step(
    joints: Indices, paths: Indices, depths: Indices, rows: Array, blocks: Array, curvature: Array, gradient: Array,
    damping: float, factors: Array, reduced: Array, system: Array, right: Array, turns: Array,
) -> None:  # fmt: skip
    """Fill turns (J + 1, 3), the damped step; its last row shifts the root. blocks are whitened in place."""
    bones = curvature.shape[0]
    effectors = joints.shape[0]
    for j in range(bones):
        for i in range(3):
            for k in range(i + 1):
                factors[j, i, k] = curvature[j, i, k]
            factors[j, i, i] += damping
        f = factors[j]
        cholesky3(f)
        reduced[j, 0] = gradient[j, 0] / f[0, 0]
        reduced[j, 1] = (gradient[j, 1] - f[1, 0] * reduced[j, 0]) / f[1, 1]
        reduced[j, 2] = (gradient[j, 2] - f[2, 0] * reduced[j, 0] - f[2, 1] * reduced[j, 1]) / f[2, 2]
    root = bones - 1
    for e in range(effectors):
        depth = depths[joints[e]]
        for i in range(3):
            right[3 * e + i] = rows[e, i]
        for k in range(depth + 1):
            j = paths[joints[e], k] if k < depth else root
            f, block = factors[j], blocks[e, k]
            for i in range(3):
                block[i, 0] /= f[0, 0]
                block[i, 1] = (block[i, 1] - f[1, 0] * block[i, 0]) / f[1, 1]
                block[i, 2] = (block[i, 2] - f[2, 0] * block[i, 0] - f[2, 1] * block[i, 1]) / f[2, 2]
                right[3 * e + i] -= (
                    block[i, 0] * reduced[j, 0] + block[i, 1] * reduced[j, 1] + block[i, 2] * reduced[j, 2]
                )
    for e in range(effectors):
        for f_ in range(e + 1):
            depth_e, depth_f = depths[joints[e]], depths[joints[f_]]
            for i in range(3):
                for c in range(3):
                    x, y = blocks[e, depth_e], blocks[f_, depth_f]
                    total = x[i, 0] * y[c, 0] + x[i, 1] * y[c, 1] + x[i, 2] * y[c, 2]
                    for k in range(min(depth_e, depth_f)):
                        if paths[joints[e], k] != paths[joints[f_], k]:
                            break
                        x, y = blocks[e, k], blocks[f_, k]
                        total += x[i, 0] * y[c, 0] + x[i, 1] * y[c, 1] + x[i, 2] * y[c, 2]
                    if e == f_ and i == c:
                        total += 1.0
                    system[3 * e + i, 3 * f_ + c] = total
    solve_positive(system, right, 3 * effectors)
    for j in range(bones):
        for i in range(3):
            turns[j, i] = -reduced[j, i]
    for e in range(effectors):
        depth = depths[joints[e]]
        for k in range(depth + 1):
            j = paths[joints[e], k] if k < depth else root
            for i in range(3):
                for c in range(3):
                    turns[j, c] -= blocks[e, k, i, c] * right[3 * e + i]
    for j in range(bones):
        f, t = factors[j], turns[j]
        t[2] /= f[2, 2]
        t[1] = (t[1] - f[2, 1] * t[2]) / f[1, 1]
        t[0] = (t[0] - f[1, 0] * t[1] - f[2, 0] * t[2]) / f[0, 0]


@kernel
def minimise(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    anchor_root: Array, anchor: Array, mean: Array, stiffness: Array, root_stiffness: float,
    held: Array, hold: Array, frames: Array, low: Array, high: Array, strengths: Array,
    kinds: Indices, joints: Indices, targets: Array, weights: Array, knees: Array,
    iterations: int, settled: float, root: Array, local: Array, positions: Array, world: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move root (3,) and local (J, 3, 3) in place to the least energy; returns iterations used and the energy.

    positions and world hold the joints of the result. settled: the largest turn (rad) or shift (m) that ends it.
    """
    bones, effectors = parents.shape[0], kinds.shape[0]
    longest = 1
    for e in range(effectors):
        longest = max(longest, depths[joints[e]])
    rows, blocks = np.empty((effectors, 3)), np.empty((effectors, longest + 1, 3, 3))
    curvature, gradient = np.zeros((bones + 1, 3, 3)), np.zeros((bones + 1, 3))
    factors, reduced, turns = np.zeros((bones + 1, 3, 3)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    system, right = np.empty((3 * effectors, 3 * effectors)), np.empty(3 * effectors)
    gates, own_gates, energies = np.zeros(bones), np.zeros(bones), np.empty(2)
    old_root, old_local, turn, turned = root.copy(), local.copy(), np.empty((3, 3)), np.empty((3, 3))
    damping, best, count, largest = 1e-3, np.inf, 0, 0.0
    while True:
        forward(parents, offsets, root, local, positions, world)
        joint_priors(
            local, anchor, mean, stiffness, held, hold, frames, low, high, strengths, gates, own_gates,
            curvature[:bones], gradient[:bones], energies,
        )  # fmt: skip
        shared = effector_rows(
            kinds, joints, targets, weights, knees, paths, depths, positions, world, rows, blocks
        )  # fmt: skip
        pull = strengths[0] * root_stiffness
        for i in range(3):
            away = root[i] - anchor_root[i]
            shared += 0.5 * pull * away * away
            gradient[bones, i] = pull * away
            for k in range(3):
                curvature[bones, i, k] = pull if i == k else 0.0
        if count > 0 and not shared + energies[0] <= best * (1.0 + 1e-12):
            # Worse than before (or not a number): go back and try a shorter step.
            for i in range(3):
                root[i] = old_root[i]
            local[:] = old_local
            if damping > 1e7 or count >= iterations or largest < settled:
                forward(parents, offsets, root, local, positions, world)
                break
            damping = max(10.0 * damping, 1e-2)
            best = np.inf  # the state is linearised again and accepted as it is
            count += 1
            continue
        if best < np.inf and count > 0:
            damping = max(0.1 * damping, 1e-9)
        best = shared + energies[1]
        gates[:] = own_gates
        if count >= iterations or (count > 0 and largest < settled):
            break
        step(
            joints, paths, depths, rows, blocks, curvature, gradient, damping, factors, reduced, system, right, turns
        )  # fmt: skip
        largest = 0.0
        for j in range(bones):
            largest = max(largest, sqrt(turns[j, 0] ** 2 + turns[j, 1] ** 2 + turns[j, 2] ** 2))
        shrink = min(1.0, MAX_TURN / max(largest, 1e-30))
        for i in range(3):
            largest = max(largest, abs(turns[bones, i]))
        for i in range(3):
            old_root[i] = root[i]
            root[i] += shrink * turns[bones, i]
        old_local[:] = local
        for j in range(bones):
            for i in range(3):
                turns[j, i] *= shrink
            exponential(turns[j], turn)
            multiply(old_local[j], turn, turned)
            orthonormalise(turned)
            local[j] = turned
        count += 1
    return count, best
