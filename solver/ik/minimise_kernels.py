"""Compiled damped Gauss–Newton over the root and every joint.

Unknowns: a turn (3,) for each joint in its own axes and a shift (3,) of the root.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.ik.prior_kernels import joint_priors
from solver.ik.residual_kernels import POSITION, residual, residual_blocks
from solver.ik.step_kernels import extrapolate, primal_step, shared_columns, step
from solver.jit import kernel
from solver.kinematics.fk_kernels import forward
from solver.kinematics.rotation_kernels import copy, matrices, turned

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
    ex: float, ey: float, ez: float, force: float, point: int, joint: int, positions: Array, world: Array,
    curvature: Array,
) -> None:  # fmt: skip
    """Add to curvature[joint] what a pull along a lever resists its turning with, as a pendulum's weight does.

    Gauss–Newton knows nothing of it, and would swing a stretched arm to and fro past a target out of reach.
    """
    x = positions[point, 0] - positions[joint, 0]
    y = positions[point, 1] - positions[joint, 1]
    z = positions[point, 2] - positions[joint, 2]
    along = -force * (ex * x + ey * y + ez * z)
    square = x * x + y * y + z * z
    if along <= 0.0 or square < 1e-8:
        return
    a = world[joint, 0, 0] * x + world[joint, 1, 0] * y + world[joint, 2, 0] * z
    b = world[joint, 0, 1] * x + world[joint, 1, 1] * y + world[joint, 2, 1] * z
    c = world[joint, 0, 2] * x + world[joint, 1, 2] * y + world[joint, 2, 2] * z
    k = along / square
    curvature[joint, 0, 0] += k * (square - a * a)
    curvature[joint, 1, 1] += k * (square - b * b)
    curvature[joint, 2, 2] += k * (square - c * c)
    curvature[joint, 1, 0] -= k * b * a
    curvature[joint, 2, 0] -= k * c * a
    curvature[joint, 2, 1] -= k * c * b


@kernel
def effector_rows(
    kinds: Indices, joints: Indices, targets: Array, strengths: Array, paths: Indices, depths: Indices,
    positions: Array, world: Array, residuals: Array, rows: Array, stiffness: Array, work: Array, error_: Array,
) -> float:  # fmt: skip
    """Fill the whitened residuals (3 E,) and their rows (3 E, columns); returns the effectors' energy.

    strengths: (E, 3), weight, knee and fading. The energy is ½ · weight · error² up to the knee and grows more slowly
    beyond: with a fading of ½ the pull is then the same everywhere, with more it fades up to REACH as the target gets
    further away, so that what is on its target stays there. work (4, 3), error_ (3,): work space.
    """
    energy = 0.0
    for e in range(kinds.shape[0]):
        kind, joint = kinds[e], joints[e]
        error = residual(kind, targets[e], positions[joint], world[joint], work, error_)
        weight, knee, fading = strengths[e, 0], strengths[e, 1], strengths[e, 2]
        near = min(error, REACH[kind])
        bend = 1.0 + (near / knee) ** 2
        fade = bend**-fading
        energy += weight * knee * knee * (bend * fade - 1.0) / (2.0 - 2.0 * fading)
        weight *= fade
        if error > near:
            energy += weight * near * (error - near)
            weight *= near / error
        root = sqrt(weight * max(1.0, error / REACH[kind]))
        residual_blocks(kind, joint, paths, depths[joint], error_, positions, world, work, root, 3 * e, rows)
        if kind == POSITION and bend > FAR:
            force = weight * (1.0 - FAR / bend)
            for k in range(depths[joint]):
                lever_stiffness(
                    error_[0], error_[1], error_[2], force, joint, paths[joint, k], positions, world, stiffness
                )
        for i in range(3):
            residuals[3 * e + i] = error_[i] * weight / root
    return energy


@kernel
def linearise(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices, root: Array, turns: Array,
    anchor_root: Array, anchor: Array, mean: Array, leaning: Array, stiffness: Array, pulls: Array, held: Array,
    hold: Array, frames: Array, low: Array, high: Array,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array,
    local: Array, positions: Array, world: Array, work: Array, error: Array,
    residuals: Array, rows: Array, curvature: Array, gradient: Array,
) -> float:  # fmt: skip
    """Fill the last four arrays for the pose root, turns (J, 4); returns its energy. Work space: local to error."""
    bones = parents.shape[0]
    matrices(turns, local)
    forward(parents, offsets, root, local, positions, world)
    energy = joint_priors(
        turns, anchor, mean, leaning, stiffness, pulls[0], pulls[1] > 0.0, held, hold, frames, low, high, pulls[2],
        curvature, gradient,
    )  # fmt: skip
    energy += effector_rows(
        kinds, joints, targets, strengths, paths, depths, positions, world, residuals, rows, curvature, work, error
    )
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
    iterations: int, settled: float, trifle: float, root: Array, turned_: Array, local: Array, positions: Array,
    world: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move root (3,) and the quaternions turned_ (J, 4) in place to the least energy; returns iterations and energy.

    pulls: to the anchor, to the natural pose (0 or not), into the limits, and the root's to its anchor per m².
    local, positions and world hold the result's matrices and joints. settled: the largest turn (rad) or shift (m) that
    ends it; trifle: the gain in energy that does.
    """
    bones, effectors = parents.shape[0], kinds.shape[0]
    longest = 1
    for e in range(effectors):
        longest = max(longest, depths[joints[e]])
    size, columns = 3 * effectors, 3 * longest + 3
    residuals, next_residuals = np.empty(size), np.empty(size)
    rows, next_rows, white = np.empty((size, columns)), np.empty((size, columns)), np.empty((size, columns))
    curvature, next_curvature = np.empty((bones + 1, 3, 3)), np.empty((bones + 1, 3, 3))
    gradient, next_gradient = np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    factors, reduced, turns = np.empty((bones + 1, 6)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    primal = effectors > bones + 1  # whichever system is the smaller one
    least, pairs = (3 * bones + 3, 0) if primal else (size, effectors)
    system, right, shared = np.empty((least, least)), np.empty(least), np.empty((pairs, pairs), np.int64)
    if not primal:
        shared_columns(joints, paths, depths, shared)
    q, next_root, next_q, work, error = turned_.copy(), root.copy(), turned_.copy(), np.empty((4, 3)), np.empty(3)
    last_turns, last_move, move = np.empty((bones + 1, 3)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    best, damping, growth, count, largest, last_largest = np.inf, 1e-3, 4.0, 0, 0.0, 0.0
    followed, hasten = False, False
    while True:
        energy = linearise(
            parents, offsets, paths, depths, next_root, next_q, anchor_root, anchor, mean, leaning, stiffness,
            pulls, held, hold, frames, low, high, kinds, joints, targets, strengths, local, positions, world, work,
            error, next_residuals, next_rows, next_curvature, next_gradient,
        )  # fmt: skip
        if count == 0 or energy <= best * (1.0 + 1e-12):
            best = energy
            for i in range(3):
                root[i] = next_root[i]
            q, next_q = next_q, q
            residuals, next_residuals = next_residuals, residuals
            rows, next_rows = next_rows, rows
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
        if primal:
            change = primal_step(
                joints, paths, depths, residuals, rows, curvature, gradient, damping, white, system, right, turns
            )
        else:
            change = step(
                joints, paths, depths, shared, residuals, rows, curvature, gradient, damping, factors, reduced, white,
                system, right, turns,
            )  # fmt: skip
        gain = -0.5 * change
        largest = 0.0
        for j in range(bones):
            largest = max(largest, turns[j, 0] ** 2 + turns[j, 1] ** 2 + turns[j, 2] ** 2)
        largest = sqrt(largest)
        shrink = min(1.0, MAX_TURN / max(largest, 1e-30))
        for i in range(3):
            largest = max(largest, abs(turns[bones, i]))
        if largest < settled or gain < GAIN * best + trifle:
            break
        for j in range(bones + 1):
            for i in range(3):
                turns[j, i] *= shrink
        hasten = followed and largest < NEAR and largest > SLOW * last_largest
        if hasten:
            extrapolate(turns, last_turns, last_move, FURTHEST, move)
        else:
            copy(turns, move)
        for i in range(3):
            next_root[i] = root[i] + move[bones, i]
        turned(q, move, next_q)
        count += 1
    copy(q, turned_)
    matrices(turned_, local)
    forward(parents, offsets, root, local, positions, world)
    return count, best
