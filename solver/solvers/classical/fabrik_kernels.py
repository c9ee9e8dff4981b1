"""Compiled FABRIK (Aristidou and Lasenby 2011) over a whole tree with a free root; bones are rigid throughout.

The original moves points and keeps distances. Where a joint carries several bones (pelvis, chest) distances alone would
let them shear, so such a joint is fitted as one rigid piece, and every joint keeps its rotation along with its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT, TURN
from solver.effectors.residual_kernels import Rows
from solver.jit import kernel
from solver.kinematics.fk_kernels import PlainPose, Tree, forward
from solver.kinematics.rotation_kernels import multiply, multiply_transposed, orthonormalise
from solver.solvers.classical.turning_kernels import add_outer, best_turn, length, swing

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

HOLD = 0.6  # share of the evidence that holds a joint of several bones as it is turned
SLIGHT_HOLD = 1e-3  # the same where places are given for all joints, and only bones in one line leave a turn open
STRIDE = 1.6  # over-relaxation where several bones meet, as long as it helps: the mean of their wishes is slow to agree
SWEEPS = 100
REACHED = 1e-4  # metres off the targets at which the search ends
SETTLED = 1e-6  # metres that joints move in the last sweep


@kernel
def apply(turn: Array, v: Array, out: Array) -> None:
    """out = turn v, (3,)."""
    for i in range(3):
        out[i] = turn[i, 0] * v[0] + turn[i, 1] * v[1] + turn[i, 2] * v[2]


class Goals(NamedTuple):
    """What joints are asked for. places, turns (J,): how many positions and rotations each has; place (J, 3), turned
    (J, 3, 3): their means. active (J,): of each joint, the bones beyond which there is a position to reach."""

    places: Indices
    turns: Indices
    place: Array
    turned: Array
    active: Indices


@kernel
def goals_of(tree: Tree, rows: Rows) -> Goals:
    """The mean targets of joints."""
    kinds, joints, targets, count = rows.kinds, rows.joints, rows.targets, tree.parents.shape[0]
    places, turns, active = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    place, turned = np.zeros((count, 3)), np.zeros((count, 3, 3))
    for e in range(kinds.shape[0]):
        j = joints[e]
        if kinds[e] == POINT:
            places[j] += 1
            place[j] += targets[e, 0]
        elif kinds[e] == TURN:
            turns[j] += 1
            turned[j] += targets[e]
    fitted = np.empty((3, 3))
    for j in range(count):
        if places[j] > 0:
            place[j] /= places[j]
        if turns[j] > 0:
            best_turn(turned[j], fitted)
            turned[j] = fitted
    for j in range(count - 1, 0, -1):
        if active[j] > 0 or places[j] > 0:
            active[tree.parents[j]] += 1
    return Goals(places, turns, place, turned, active)


@kernel
def backward_reach(
    tree: Tree, bones: Array, goals: Goals, positions: Array, world: Array, stride: float, out: Array
) -> None:
    """From the tips to the root: out (J, 3), where each joint would have to be for the joints beyond it.

    bones (J,): their lengths.
    """
    parents, offsets, count = tree.parents, tree.offsets, tree.parents.shape[0]
    active, places, turns, place, turned = goals.active, goals.places, goals.turns, goals.place, goals.turned
    evidence, turn = np.empty((3, 3)), np.empty((3, 3))
    mean, rest, a, b = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for j in range(count - 1, -1, -1):
        out[j] = positions[j]
        if places[j] > 0:
            out[j] = place[j]
        elif active[j] == 1 and turns[j] == 0:
            for c in range(j + 1, count):
                if parents[c] == j and (active[c] > 0 or places[c] > 0):
                    for i in range(3):
                        a[i] = positions[j, i] - out[c, i]
                    reach = bones[c] / max(length(a), 1e-9)
                    for i in range(3):
                        out[j, i] = out[c, i] + reach * a[i]
        elif active[j] > 0:
            mean[:], rest[:], strength = 0.0, 0.0, 0.0
            for c in range(j + 1, count):
                if parents[c] == j and (active[c] > 0 or places[c] > 0):
                    mean += out[c] / active[j]
                    rest += offsets[c] / active[j]
            turn[:], step = turned[j], 1.0
            if turns[j] == 0:
                step = stride
                evidence[:] = 0.0
                for c in range(j + 1, count):
                    if parents[c] == j and (active[c] > 0 or places[c] > 0):
                        for i in range(3):
                            a[i], b[i] = out[c, i] - mean[i], offsets[c, i] - rest[i]
                        add_outer(1.0, a, b, evidence)
                        strength += length(a) * length(b)
                evidence += HOLD * strength * world[j]
                best_turn(evidence, turn)
            apply(turn, rest, a)
            for i in range(3):
                out[j, i] = positions[j, i] + step * (mean[i] - a[i] - positions[j, i])


@kernel
def forward_reach(
    tree: Tree, goals: Goals, rows: Rows, wanted: Array, local: Array, positions: Array, world: Array, hold: float
) -> None:
    """From the root to the tips: every joint turns its bones towards where the joints beyond it want to be.

    hold: the share of the evidence that holds a joint of several bones as it is turned.
    """
    parents, offsets, count = tree.parents, tree.offsets, tree.parents.shape[0]
    active, places, turns, turned = goals.active, goals.places, goals.turns, goals.turned
    kinds, joints, targets = rows.kinds, rows.joints, rows.targets
    evidence, turn, carried = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    a, b = np.empty(3), np.empty(3)
    positions[0] = wanted[0]
    for j in range(count):
        p = parents[j]
        if p < 0:
            carried[:] = world[j]
        else:
            multiply(world[p], local[j], carried)
            apply(world[p], offsets[j], a)
            for i in range(3):
                positions[j, i] = positions[p, i] + a[i]
        world[j] = carried
        if turns[j] > 0:
            world[j] = turned[j]
        elif active[j] > 0:
            evidence[:], strength = 0.0, 0.0
            for c in range(j + 1, count):
                if parents[c] == j and (active[c] > 0 or places[c] > 0):
                    for i in range(3):
                        a[i] = wanted[c, i] - positions[j, i]
                    apply(carried, offsets[c], b)
                    if active[j] == 1:
                        swing(b, a, turn)
                    add_outer(1.0, a, b, evidence)
                    strength += length(a) * length(b)
            if active[j] > 1:
                for i in range(3):
                    evidence[i, i] += hold * strength
                best_turn(evidence, turn)
            multiply(turn, carried, world[j])
        for e in range(kinds.shape[0]):
            if joints[e] == j and kinds[e] != POINT and kinds[e] != TURN and turns[j] == 0:
                for i in range(3):
                    a[i] = targets[e, 0, i] - positions[j, i]
                apply(world[j], targets[e, 1], b)
                if length(a) > 1e-6:
                    swing(b, a, turn)
                    carried[:] = world[j]
                    multiply(turn, carried, world[j])
        if p < 0:
            local[j] = world[j]
        else:
            multiply_transposed(world[p], world[j], local[j])


@kernel
def reach(tree: Tree, rows: Rows, pose: PlainPose) -> int:
    """Sweep backward and onward until the targets are reached or nothing moves.

    Changes the pose in place; returns the number of sweeps.
    """
    root, local, goals, count = pose.root, pose.local, goals_of(tree, rows), tree.parents.shape[0]
    positions, world, wanted = np.empty((count, 3)), np.empty((count, 3, 3)), np.empty((count, 3))
    bones = np.empty(count)
    for j in range(count):
        bones[j] = length(tree.offsets[j])
    forward(tree.parents, tree.offsets, root, local, positions, world)
    before, stride, last = positions.copy(), STRIDE, np.inf
    for sweep in range(SWEEPS):
        backward_reach(tree, bones, goals, positions, world, stride, wanted)
        forward_reach(tree, goals, rows, wanted, local, positions, world, HOLD)
        off, moved = 0.0, 0.0
        for j in range(count):
            orthonormalise(local[j])
            for i in range(3):
                moved = max(moved, abs(positions[j, i] - before[j, i]))
                if goals.places[j] > 0:
                    off = max(off, abs(positions[j, i] - goals.place[j, i]))
        before[:] = positions
        root[:] = positions[0]
        if off > last:
            stride = 1.0
        last = off
        if moved < SETTLED or (off < REACHED and sweep > 0):
            return sweep + 1
    return SWEEPS


@kernel
def turn_to_places(tree: Tree, wanted: Array, pose: PlainPose) -> None:
    """Turn the joints so that the first K of them come as near to wanted (K, 3) as bones of their lengths can.

    One pass from the root, which goes where it is wanted, to the tips (FABRIK's backward step). A joint of one bone
    swings by the smallest angle and so keeps its twist against its parent; of the others the rotation is fitted.
    """
    count, known = tree.parents.shape[0], wanted.shape[0]
    places, active, turns = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    for j in range(known):
        places[j] = 1
        if tree.parents[j] >= 0:
            active[tree.parents[j]] += 1
    goals = Goals(places, turns, np.zeros((count, 3)), np.zeros((count, 3, 3)), active)
    rows = Rows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3, 3)))
    positions, world = np.zeros((count, 3)), np.zeros((count, 3, 3))
    world[0] = pose.local[0]
    forward_reach(tree, goals, rows, wanted, pose.local, positions, world, SLIGHT_HOLD)
    pose.root[:] = wanted[0]
    for j in range(count):
        orthonormalise(pose.local[j])
