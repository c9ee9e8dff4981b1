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
from solver.ik.residual_kernels import POSITION, residual, residual_blocks
from solver.jit import kernel
from solver.kinematics.fk_kernels import forward
from solver.kinematics.rotation_kernels import cholesky3, copy, exponential, multiply, orthonormalise

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

NEAR = 0.2  # steps below it, rad or m, are extrapolated
SLOW = 0.25  # when a step is longer than this share of the one before
FURTHEST = 8.0  # times a step, at most
GAIN = 1e-5  # a step that would take off a smaller share of the energy is not taken
FAR = 1.1  # 1 + (error / knee)² beyond which a target counts as far
MAX_TURN = 0.7  # radians that a joint turns in one step at most
ROOT_KNEE = 0.3  # metres from its anchor after which the root is pulled no harder
REACH = (0.3, 1.0, 1.0)  # an error beyond this (m, rad) counts as no nearer: far targets must not overshoot


@kernel
def lever_stiffness(
    error: Array, force: float, point: Array, joint: int, positions: Array, world: Array, curvature: Array
) -> None:
    """Add to curvature[joint] what a pull along a lever resists its turning with, as a pendulum's weight does.

    Gauss–Newton knows nothing of it, and would swing a stretched arm to and fro past a target out of reach.
    """
    p = positions[joint]
    a0, a1, a2 = point[0] - p[0], point[1] - p[1], point[2] - p[2]
    along = -force * (error[0] * a0 + error[1] * a1 + error[2] * a2)
    square = a0 * a0 + a1 * a1 + a2 * a2
    if along <= 0.0 or square < 1e-8:
        return
    r, c = world[joint], curvature[joint]
    b0 = r[0, 0] * a0 + r[1, 0] * a1 + r[2, 0] * a2
    b1 = r[0, 1] * a0 + r[1, 1] * a1 + r[2, 1] * a2
    b2 = r[0, 2] * a0 + r[1, 2] * a1 + r[2, 2] * a2
    k = along / square
    c[0, 0] += k * (square - b0 * b0)
    c[1, 1] += k * (square - b1 * b1)
    c[2, 2] += k * (square - b2 * b2)
    c[1, 0] -= k * b1 * b0
    c[2, 0] -= k * b2 * b0
    c[2, 1] -= k * b2 * b1


@kernel
def effector_rows(
    kinds: Indices, joints: Indices, targets: Array, strengths: Array, paths: Indices, depths: Indices,
    positions: Array, world: Array, rows: Array, blocks: Array, stiffness: Array,
) -> float:  # fmt: skip
    """Fill the whitened residuals rows (E, 3) and blocks (E, J + 1, 3, 3); returns the effectors' energy.

    strengths: (E, 3), weight, knee and fading. The energy is ½ · weight · error² up to the knee and grows more slowly
    beyond: with a fading of ½ the pull is then the same everywhere, with more it fades up to REACH as the target gets
    further away, so that what is on its target stays there.
    """
    work = np.empty((4, 3))
    energy = 0.0
    for e in range(kinds.shape[0]):
        kind, joint = kinds[e], joints[e]
        error = residual(kind, targets[e], positions[joint], world[joint], work, rows[e])
        residual_blocks(kind, joint, paths[joint], depths[joint], rows[e], positions, world, work, blocks[e])
        weight, knee, fading = strengths[e, 0], strengths[e, 1], strengths[e, 2]
        near = min(error, REACH[kind])
        bend = 1.0 + (near / knee) ** 2
        energy += weight * knee * knee * (bend ** (1.0 - fading) - 1.0) / (2.0 - 2.0 * fading)
        weight *= bend**-fading
        if error > near:
            energy += weight * near * (error - near)
            weight *= near / error
        root = sqrt(weight * max(1.0, error / REACH[kind]))
        pull = weight / root
        if kind == POSITION and bend > FAR:
            force = weight * (1.0 - FAR / bend)
            for k in range(depths[joint]):
                lever_stiffness(rows[e], force, positions[joint], paths[joint, k], positions, world, stiffness)
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
    damping: float, factors: Array, reduced: Array, white: Array, system: Array, right: Array, turns: Array,
) -> None:  # fmt: skip
    """Fill turns (J + 1, 3), the damped step; its last row shifts the root. The arrays between are work space."""
    bones = curvature.shape[0]
    effectors = joints.shape[0]
    for j in range(bones):
        f = factors[j]
        for i in range(3):
            for k in range(i):
                f[i, k] = curvature[j, i, k]
            f[i, i] = curvature[j, i, i] * (1.0 + damping)
        cholesky3(f)
        reduced[j, 0] = gradient[j, 0] / f[0, 0]
        reduced[j, 1] = (gradient[j, 1] - f[1, 0] * reduced[j, 0]) / f[1, 1]
        reduced[j, 2] = (gradient[j, 2] - f[2, 0] * reduced[j, 0] - f[2, 1] * reduced[j, 1]) / f[2, 2]
        for i in range(3):
            turns[j, i] = -reduced[j, i]
    root = bones - 1
    for e in range(effectors):
        path, depth = paths[joints[e]], depths[joints[e]]
        for i in range(3):
            right[3 * e + i] = rows[e, i]
        for k in range(depth + 1):
            j = path[k] if k < depth else root
            f, block, w = factors[j], blocks[e, k], white[e, k]
            a, b, c, d, g, h = f[0, 0], f[1, 0], f[2, 0], f[1, 1], f[2, 1], f[2, 2]
            for i in range(3):
                w[i, 0] = block[i, 0] / a
                w[i, 1] = (block[i, 1] - b * w[i, 0]) / d
                w[i, 2] = (block[i, 2] - c * w[i, 0] - g * w[i, 1]) / h
                right[3 * e + i] -= w[i, 0] * reduced[j, 0] + w[i, 1] * reduced[j, 1] + w[i, 2] * reduced[j, 2]
        for other in range(e + 1):
            path_o, depth_o = paths[joints[other]], depths[joints[other]]
            x, y = white[e, depth], white[other, depth_o]
            for i in range(3):
                for c_ in range(3):
                    system[3 * e + i, 3 * other + c_] = x[i, 0] * y[c_, 0] + x[i, 1] * y[c_, 1] + x[i, 2] * y[c_, 2]
            for k in range(min(depth, depth_o)):
                if path[k] != path_o[k]:
                    break
                x, y = white[e, k], white[other, k]
                for i in range(3):
                    for c_ in range(3):
                        system[3 * e + i, 3 * other + c_] += (
                            x[i, 0] * y[c_, 0] + x[i, 1] * y[c_, 1] + x[i, 2] * y[c_, 2]
                        )
        for i in range(3):
            system[3 * e + i, 3 * e + i] += 1.0
    solve_positive(system, right, 3 * effectors)
    for e in range(effectors):
        path, depth = paths[joints[e]], depths[joints[e]]
        for k in range(depth + 1):
            j = path[k] if k < depth else root
            for i in range(3):
                y0 = right[3 * e + i]
                turns[j, 0] -= white[e, k, i, 0] * y0
                turns[j, 1] -= white[e, k, i, 1] * y0
                turns[j, 2] -= white[e, k, i, 2] * y0
    for j in range(bones):
        f, t = factors[j], turns[j]
        t[2] /= f[2, 2]
        t[1] = (t[1] - f[2, 1] * t[2]) / f[1, 1]
        t[0] = (t[0] - f[1, 0] * t[1] - f[2, 0] * t[2]) / f[0, 0]


@kernel
def extrapolate(turns: Array, last_turns: Array, last_move: Array, out: Array) -> None:
    """Where a row of ever shorter steps leads (Anderson acceleration of depth one); all (J + 1, 3)."""
    above, below = 0.0, 1e-30
    for j in range(turns.shape[0]):
        for i in range(3):
            change = turns[j, i] - last_turns[j, i]
            above += turns[j, i] * change
            below += change * change
    share = min(max(above / below, -FURTHEST), FURTHEST)
    for j in range(turns.shape[0]):
        for i in range(3):
            out[j, i] = turns[j, i] - share * (last_move[j, i] + turns[j, i] - last_turns[j, i])


@kernel
def slope(
    joints: Indices, paths: Indices, depths: Indices, rows: Array, blocks: Array, gradient: Array, turns: Array
) -> float:  # fmt: skip
    """How fast the energy changes along `turns` (J + 1, 3)."""
    bones = turns.shape[0]
    total = 0.0
    for j in range(bones):
        for i in range(3):
            total += gradient[j, i] * turns[j, i]
    for e in range(joints.shape[0]):
        depth = depths[joints[e]]
        for k in range(depth + 1):
            j = paths[joints[e], k] if k < depth else bones - 1
            for i in range(3):
                for c in range(3):
                    total += rows[e, i] * blocks[e, k, i, c] * turns[j, c]
    return total


@kernel
def linearise(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices, root: Array, local: Array,
    anchor_root: Array, anchor: Array, mean: Array, leaning: Array, stiffness: Array, pulls: Array, held: Array,
    hold: Array, frames: Array, low: Array, high: Array,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array,
    positions: Array, world: Array, rows: Array, blocks: Array, curvature: Array, gradient: Array,
) -> float:  # fmt: skip
    """Fill the last six arrays for the pose root, local; returns its energy."""
    bones = parents.shape[0]
    forward(parents, offsets, root, local, positions, world)
    energy = joint_priors(
        local, anchor, mean, leaning, stiffness, pulls[0], pulls[1] > 0.0, held, hold, frames, low, high, pulls[2],
        curvature, gradient,
    )  # fmt: skip
    energy += effector_rows(kinds, joints, targets, strengths, paths, depths, positions, world, rows, blocks, curvature)
    square = 0.0
    for i in range(3):
        square += (root[i] - anchor_root[i]) ** 2
    bend = sqrt(1.0 + square / ROOT_KNEE**2)
    for i in range(3):
        gradient[bones, i] = pulls[3] / bend * (root[i] - anchor_root[i])
        for k in range(3):
            curvature[bones, i, k] = pulls[3] / bend if i == k else 0.0
    return energy + pulls[3] * ROOT_KNEE**2 * (bend - 1.0)


@kernel
def minimise(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    anchor_root: Array, anchor: Array, mean: Array, leaning: Array, stiffness: Array, pulls: Array, held: Array,
    hold: Array, frames: Array, low: Array, high: Array,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array,
    iterations: int, settled: float, trifle: float, root: Array, local: Array, positions: Array, world: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move root (3,) and local (J, 3, 3) in place to the least energy; returns iterations used and the energy.

    pulls: to the anchor, to the natural pose (0 or not), into the limits, and the root's to its anchor per m².
    positions and world hold the joints of the result. settled: the largest turn (rad) or shift (m) that ends it;
    trifle: the gain in energy that does.
    """
    bones, effectors = parents.shape[0], kinds.shape[0]
    longest = 1
    for e in range(effectors):
        longest = max(longest, depths[joints[e]])
    rows, next_rows = np.empty((effectors, 3)), np.empty((effectors, 3))
    blocks, next_blocks = np.empty((effectors, longest + 1, 3, 3)), np.empty((effectors, longest + 1, 3, 3))
    white = np.empty((effectors, longest + 1, 3, 3))
    curvature, next_curvature = np.empty((bones + 1, 3, 3)), np.empty((bones + 1, 3, 3))
    gradient, next_gradient = np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    factors, reduced, turns = np.empty((bones + 1, 3, 3)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    system, right = np.empty((3 * effectors, 3 * effectors)), np.empty(3 * effectors)
    next_root, next_local, turn = np.empty(3), np.empty((bones, 3, 3)), np.empty((3, 3))
    for i in range(3):
        next_root[i] = root[i]
    for j in range(bones):
        copy(local[j], next_local[j])
    last_turns, last_move, move = np.empty((bones + 1, 3)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    best, damping, growth, count, largest, last_largest = np.inf, 1e-3, 4.0, 0, 0.0, 0.0
    followed, hasten = False, False
    while True:
        energy = linearise(
            parents, offsets, paths, depths, next_root, next_local, anchor_root, anchor, mean, leaning, stiffness,
            pulls, held, hold, frames, low, high, kinds, joints, targets, strengths,
            positions, world, next_rows, next_blocks, next_curvature, next_gradient,
        )  # fmt: skip
        if count == 0 or energy <= best * (1.0 + 1e-12):
            best = energy
            for i in range(3):
                root[i] = next_root[i]
            for j in range(bones):
                copy(next_local[j], local[j])
            rows, next_rows = next_rows, rows
            blocks, next_blocks = next_blocks, blocks
            curvature, next_curvature = next_curvature, curvature
            gradient, next_gradient = next_gradient, gradient
            if count > 0:
                damping, growth = max(0.3 * damping, 1e-4), 4.0
                last_turns, turns = turns, last_turns
                copy(move, last_move)
                followed, last_largest = True, largest
        else:  # worse, or not a number: after a bold step the plain one, else a shorter one, from the same place
            if not hasten:
                damping, growth = max(growth * damping, 1e-2), 2.0 * growth
            followed = False
        if count >= iterations or damping > 1e9:
            break
        step(
            joints, paths, depths, rows, blocks, curvature, gradient, damping, factors, reduced, white, system, right,
            turns,
        )  # fmt: skip
        largest = 0.0
        for j in range(bones):
            largest = max(largest, sqrt(turns[j, 0] ** 2 + turns[j, 1] ** 2 + turns[j, 2] ** 2))
        shrink = min(1.0, MAX_TURN / max(largest, 1e-30))
        for i in range(3):
            largest = max(largest, abs(turns[bones, i]))
        gain = -0.5 * slope(joints, paths, depths, rows, blocks, gradient, turns)
        if largest < settled or gain < GAIN * best + trifle:
            break
        for j in range(bones + 1):
            for i in range(3):
                turns[j, i] *= shrink
        hasten = followed and largest < NEAR and largest > SLOW * last_largest
        if hasten:
            extrapolate(turns, last_turns, last_move, move)
        else:
            copy(turns, move)
        for i in range(3):
            next_root[i] = root[i] + move[bones, i]
        for j in range(bones):
            exponential(move[j], turn)
            multiply(local[j], turn, next_local[j])
            orthonormalise(next_local[j])
        count += 1
    forward(parents, offsets, root, local, positions, world)
    return count, best
