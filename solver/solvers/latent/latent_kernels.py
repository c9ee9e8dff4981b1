"""Compiled parts of DragPoser's search: a decoded pose in the world, how it turns, and the normal equations."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import AIM
from solver.effectors.residual_kernels import Rows, residual, residual_blocks
from solver.jit import kernel
from solver.kinematics.fk_kernels import Tree, forward
from solver.kinematics.rotation_kernels import exponential, logarithm, matrices, multiply, multiply_transposed

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

FAR = 0.3  # metres or radians: farther off, a pull grows no more


class PreviousFrame(NamedTuple):
    """The root in the frame before: its place (3,) and turn (3, 3). free: (K,) joints that turn by themselves as
    well."""

    root: Array
    turn: Array
    free: Indices


class Correction(NamedTuple):
    """What is added to a decoded pose: the root's shift (3,) and turn (3, 3), and turns (K, 3, 3) of the free
    joints."""

    shift: Array
    turn: Array
    own: Array


class PosedBody(NamedTuple):
    """J joints: local (J, 3, 3), positions (J, 3) and world (J, 3, 3)."""

    local: Array
    positions: Array
    world: Array


class PoseDerivative(NamedTuple):
    """How a pose changes with U unknowns. moves: (3, U) of the root's place. spins: (C, 3, U) of local rotations, in
    their joints' own axes."""

    moves: Array
    spins: Array


class EffectorErrors(NamedTuple):
    """By how much E effectors are missed. errors: (E, 3). slopes: (E, 3, U), how that changes. pulls: (E,), what its
    square costs."""

    errors: Array
    slopes: Array
    pulls: Array

    @classmethod
    def empty(cls, effectors: int, unknowns: int) -> EffectorErrors:
        """Arrays to be filled."""
        return cls(np.empty((effectors, 3)), np.empty((effectors, 3, unknowns)), np.empty(effectors))


@kernel
def pose_body(
    turns: Array, shift: Array, stand: PreviousFrame, beyond: Correction, tree: Tree, body: PosedBody
) -> None:
    """Fill body from C decoded turns (C, 4) xyzw of any length, seen from the root, and the root's shift (3,); local
    rotations of joints behind the first C stay."""
    count = turns.shape[0]
    seen, work = np.empty((count, 3, 3)), np.empty((3, 3))
    unit = np.empty((count, 4))
    for j in range(count):
        x, y, z, w = turns[j, 0], turns[j, 1], turns[j, 2], turns[j, 3]
        n = 1.0 / sqrt(x * x + y * y + z * z + w * w)
        unit[j, 0], unit[j, 1], unit[j, 2], unit[j, 3] = n * w, n * x, n * y, n * z
    matrices(unit, seen)
    for k in range(stand.free.shape[0]):
        j = stand.free[k]
        multiply(seen[j], beyond.own[k], work)
        seen[j] = work
    multiply(stand.turn, seen[0], work)
    multiply(work, beyond.turn, body.local[0])
    for j in range(1, count):
        parent = tree.parents[j]
        if parent == 0:
            body.local[j] = seen[j]
        else:
            multiply_transposed(seen[parent], seen[j], body.local[j])
    at = np.empty(3)
    for i in range(3):
        at[i] = stand.root[i]
        for k in range(3):
            at[i] += stand.turn[i, k] * (shift[k] + beyond.shift[k])
    forward(tree.parents, tree.offsets, at, body.local, body.positions, body.world)


@kernel
def add_step(beyond: Correction, step: Array, to: Correction) -> None:
    """Fill `to` with `beyond` after a step (6 + 3 K,): metres, and radians in the turned axes."""
    turn = np.empty((3, 3))
    for i in range(3):
        to.shift[i] = beyond.shift[i] + step[i]
    exponential(step[3:6], turn)
    multiply(beyond.turn, turn, to.turn)
    for k in range(beyond.own.shape[0]):
        exponential(step[6 + 3 * k : 9 + 3 * k], turn)
        multiply(beyond.own[k], turn, to.own[k])


@kernel
def correction_numbers(beyond: Correction, out: Array) -> None:
    """Fill out (6 + 3 K,): metres and rotation vectors."""
    for i in range(3):
        out[i] = beyond.shift[i]
    logarithm(beyond.turn, out[3:6])
    for k in range(beyond.own.shape[0]):
        logarithm(beyond.own[k], out[6 + 3 * k : 9 + 3 * k])


@kernel
def body_derivative(
    turns: Array, slopes: Array, stand: PreviousFrame, beyond: Correction, tree: Tree, local: Array, spins: Array
) -> None:
    """Fill spins (C, 3, U) with how fast local rotations turn, each in its joint's own axes, by the L latent's numbers
    (slopes (C, 4, L) of the turns), the root's shift and turn, and the own turns: U = L + 6 + 3 K."""
    count, size = turns.shape[0], slopes.shape[2]
    spins[:] = 0.0
    for j in range(count):
        x, y, z, w = turns[j, 0], turns[j, 1], turns[j, 2], turns[j, 3]
        n = 2.0 / (x * x + y * y + z * z + w * w)
        for c in range(size):
            a, b, d, e = slopes[j, 0, c], slopes[j, 1, c], slopes[j, 2, c], slopes[j, 3, c]
            spins[j, 0, c] = n * (w * a + z * b - y * d - x * e)
            spins[j, 1, c] = n * (-z * a + w * b + x * d - y * e)
            spins[j, 2, c] = n * (y * a - x * b + w * d - z * e)
    for k in range(stand.free.shape[0]):
        j = stand.free[k]
        turn_back(beyond.own[k], spins[j], size)
        for c in range(3):
            spins[j, c, size + 6 + 3 * k + c] = 1.0
    for j in range(count - 1, 0, -1):
        parent = tree.parents[j]
        if parent == 0:
            continue
        for c in range(spins.shape[2]):
            x, y, z = spins[parent, 0, c], spins[parent, 1, c], spins[parent, 2, c]
            for i in range(3):
                spins[j, i, c] -= local[j, 0, i] * x + local[j, 1, i] * y + local[j, 2, i] * z
    turn_back(beyond.turn, spins[0], size)
    for c in range(3):
        spins[0, c, size + 3 + c] = 1.0


@kernel
def turn_back(turn: Array, spins: Array, size: int) -> None:
    """Turn the first `size` columns of spins (3, U) by the inverse of turn (3, 3)."""
    for c in range(size):
        x, y, z = spins[0, c], spins[1, c], spins[2, c]
        for i in range(3):
            spins[i, c] = turn[0, i] * x + turn[1, i] * y + turn[2, i] * z


@kernel
def energy_of(rows: Rows, pulls: Array, body: PosedBody) -> float:
    """What effectors cost, pulls (E,) each: squares, growing no faster than they do at FAR beyond it."""
    work, missed, total = np.empty((4, 3)), np.empty(3), 0.0
    for e in range(rows.kinds.shape[0]):
        joint = rows.joints[e]
        off = residual(rows.kinds[e], rows.targets[e], body.positions[joint], body.world[joint], work, missed)
        near = min(off, FAR)
        total += pulls[e] * near * (2.0 * off - near)
    return total


@kernel
def add_effectors(
    rows: Rows,
    pulls: Array,
    tree: Tree,
    body: PosedBody,
    rates: PoseDerivative,
    missed: EffectorErrors,
    normal: Array,
    right: Array,
) -> None:
    """Add to normal (U, U) and right (U,) what effectors say, and fill missed."""
    work, block = np.empty((4, 3)), np.empty((3, 3 * tree.parents.shape[0] + 3))
    for e in range(rows.kinds.shape[0]):
        kind, joint, by, slope = rows.kinds[e], rows.joints[e], missed.errors[e], missed.slopes[e]
        off = residual(kind, rows.targets[e], body.positions[joint], body.world[joint], work, by)
        residual_blocks(kind, joint, tree, by, body.positions, body.world, work, 1.0, 0, block)
        chain_derivative(joint, tree, block, rates.moves, rates.spins, slope)
        missed.pulls[e] = pulls[e] * FAR / max(off, FAR)
        add_square(missed.pulls[e], by, slope, normal, right)


@kernel
def add_curvature(rows: Rows, missed: EffectorErrors, step: Array, body: PosedBody, right: Array) -> None:
    """Add to right (U,) what a step (U,), after which there is `body`, has effectors miss beyond what slopes told."""
    work, now, size = np.empty((4, 3)), np.empty(3), step.shape[0]
    for e in range(rows.kinds.shape[0]):
        joint, slope = rows.joints[e], missed.slopes[e]
        if rows.kinds[e] == AIM:  # told in axes that turn along
            continue
        residual(rows.kinds[e], rows.targets[e], body.positions[joint], body.world[joint], work, now)
        for i in range(3):
            more = now[i] - missed.errors[e, i]
            for a in range(size):
                more -= slope[i, a] * step[a]
            for a in range(size):
                right[a] += missed.pulls[e] * more * slope[i, a]


@kernel
def chain_derivative(joint: int, tree: Tree, block: Array, moves: Array, spins: Array, slope: Array) -> None:
    """Fill slope (3, U) by the unknowns from block (3, 3 depth + 3) by the root's place and the joints on the way."""
    for i in range(3):
        for c in range(moves.shape[1]):
            slope[i, c] = block[i, 0] * moves[0, c] + block[i, 1] * moves[1, c] + block[i, 2] * moves[2, c]
    for k in range(tree.depths[joint]):
        j = tree.paths[joint, k]
        if j >= spins.shape[0]:
            continue
        for i in range(3):
            x, y, z = block[i, 3 * k + 3], block[i, 3 * k + 4], block[i, 3 * k + 5]
            for c in range(moves.shape[1]):
                slope[i, c] += x * spins[j, 0, c] + y * spins[j, 1, c] + z * spins[j, 2, c]


@kernel
def add_square(pull: float, missed: Array, slope: Array, normal: Array, right: Array) -> None:
    """Add pull times the square of missed (3,), whose derivative is slope (3, U); of normal the lower half."""
    for a in range(slope.shape[1]):
        x, y, z = pull * slope[0, a], pull * slope[1, a], pull * slope[2, a]
        right[a] += x * missed[0] + y * missed[1] + z * missed[2]
        for b in range(a + 1):
            normal[a, b] += x * slope[0, b] + y * slope[1, b] + z * slope[2, b]


@kernel
def solve_damped(normal: Array, right: Array, damping: float, step: Array) -> bool:
    """Fill step (U,) with what solves the damped equations, of normal (U, U) the lower half; whether that exists."""
    size = right.shape[0]
    low = np.empty((size, size))
    for a in range(size):
        for b in range(a + 1):
            total = normal[a, b] * (1.0 + damping if a == b else 1.0)
            for k in range(b):
                total -= low[a, k] * low[b, k]
            if a == b:
                if not total > 0.0:
                    return False
                low[a, a] = sqrt(total)
            else:
                low[a, b] = total / low[b, b]
    for a in range(size):
        total = -right[a]
        for k in range(a):
            total -= low[a, k] * step[k]
        step[a] = total / low[a, a]
    for a in range(size - 1, -1, -1):
        total = step[a]
        for k in range(a + 1, size):
            total -= low[k, a] * step[k]
        step[a] = total / low[a, a]
    return True
