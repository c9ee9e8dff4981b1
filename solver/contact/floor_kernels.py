"""Compiled floor: how high points of the skin are above it, what that costs, and which of them it has to hold.

A point's height is blended of where its joints carry it, as the skin is. Which points the floor pushes is found for
each step anew: those that the step would otherwise take below it (a primal-dual active set, as in semismooth Newton).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.kinematics.fk_kernels import Tree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

AWAY = 1e3  # metres: the height of points that are too high to be looked at
WITHIN = 0.3  # metres above the floor from which on a point is looked at
TOGETHER = 6  # points on one way from the root that are held at once: more say the same
BLOCK = 3  # points that take the place of one effector


class Ground(NamedTuple):
    """N points in the order of their last joints. begin (T + 1,): where each last joint's points begin. reach (T, T):
    how far each last joint's points are from the joints that carry them, at most, metres; -1 from others. first
    (N + 1,): where a point's carriers begin. joints (M,), carried (M, 4): the carriers, where the
    point is in their frames times their shares, and the shares. gives: how far below y = 0 the floor is, metres."""

    begin: Indices
    reach: Array
    first: Indices
    joints: Indices
    carried: Array
    gives: float


NO_GROUND = Ground(
    np.zeros(1, np.int64), np.zeros((0, 0)), np.zeros(1, np.int64), np.zeros(0, np.int64),
    np.zeros((0, 4)), 0.0,
)  # fmt: skip


@kernel
def heights_above(ground: Ground, positions: Array, world: Array, within: float, out: Array) -> float:
    """Fill out (N,) with heights above the floor, AWAY for all points of a last joint that exceed `within` for certain;
    returns the least."""
    begin, reach, joints = ground.begin, ground.reach, positions.shape[0]
    rows = np.empty((joints, 4))
    for j in range(joints):
        rows[j, 0], rows[j, 1], rows[j, 2] = world[j, 1, 0], world[j, 1, 1], world[j, 1, 2]
        rows[j, 3] = positions[j, 1] + ground.gives
    lowest = AWAY
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1]:
            continue
        near = AWAY
        for j in range(tip + 1):
            if reach[tip, j] >= 0.0:
                near = min(near, rows[j, 3] - reach[tip, j])
        if near > within:
            for point in range(begin[tip], begin[tip + 1]):
                out[point] = AWAY
            continue
        blend(ground, tip, rows, out)
        for point in range(begin[tip], begin[tip + 1]):
            lowest = min(lowest, out[point])
    return lowest


@kernel
def blend(ground: Ground, tip: int, rows: Array, out: Array) -> None:
    """Fill out (N,), of the points of one last joint, with what their carriers make of rows (J, 4): the product with
    where the point is in the joint's frame, and a part that does not depend on that."""
    first, joints, carried = ground.first, ground.joints, ground.carried
    for point in range(ground.begin[tip], ground.begin[tip + 1]):
        total = 0.0
        for m in range(first[point], first[point + 1]):
            j = joints[m]
            total += (rows[j, 0] * carried[m, 0] + rows[j, 1] * carried[m, 1] + rows[j, 2] * carried[m, 2]) + rows[
                j, 3
            ] * carried[m, 3]
        out[point] = total


@kernel
def lowest_of(ground: Ground, positions: Array, world: Array) -> float:
    """Metres of the lowest point above the floor."""
    return heights_above(ground, positions, world, AWAY, np.empty(ground.first.shape[0] - 1))


@kernel
def floor_energy(heights: Array, weight: float) -> float:
    """½ · weight · depth² of all points below the floor."""
    total = 0.0
    for point in range(heights.shape[0]):
        depth = min(heights[point], 0.0)
        total += depth * depth
    return 0.5 * weight * total


@kernel
def lifted_by(
    tree: Tree, ground: Ground, positions: Array, world: Array, change: Array, heights: Array, out: Array
) -> None:
    """Fill out (N,) with where a step takes the heights, to first order. change (J + 1, 3): turns in the joints' own
    axes, then the root's shift."""
    bones, begin = tree.parents.shape[0], ground.begin
    spin, rows = np.empty((bones, 3)), np.empty((bones, 4))  # each joint's turn in the world, and how far points rise
    for j in range(bones):
        p = tree.parents[j]
        for i in range(3):
            own = world[j, i, 0] * change[j, 0] + world[j, i, 1] * change[j, 1] + world[j, i, 2] * change[j, 2]
            spin[j, i] = own if p < 0 else spin[p, i] + own
        if p < 0:
            rows[j, 3] = change[bones, 1]
        else:
            x, z = positions[j, 0] - positions[p, 0], positions[j, 2] - positions[p, 2]
            rows[j, 3] = rows[p, 3] + spin[p, 2] * x - spin[p, 0] * z
        for i in range(3):
            rows[j, i] = spin[j, 2] * world[j, 0, i] - spin[j, 0] * world[j, 2, i]
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1] or heights[begin[tip]] >= AWAY:
            continue
        blend(ground, tip, rows, out)
        for point in range(begin[tip], begin[tip + 1]):
            out[point] += heights[point]


@kernel
def held(ground: Ground, near: Array, heights: Array, points: Indices, tips: Indices) -> int:
    """Fill points (B, 3) with those whose `heights` (N,) are below the floor, at most TOGETHER of each last joint, the
    lowest first, and tips (B,) with their last joint; -1 where a block has fewer than three. Returns how many blocks
    there are.

    near: (N,) heights of which those AWAY tell what is not looked at."""
    begin, blocks = ground.begin, 0
    lowest = np.empty(TOGETHER, np.int64)
    for tip in range(begin.shape[0] - 1):
        count = 0
        if begin[tip] == begin[tip + 1] or near[begin[tip]] >= AWAY:
            continue
        for point in range(begin[tip], begin[tip + 1]):
            height = heights[point]
            if height >= 0.0 or (count == TOGETHER and height >= heights[lowest[count - 1]]):
                continue
            place = min(count, TOGETHER - 1)
            while place > 0 and heights[lowest[place - 1]] > height:
                lowest[place] = lowest[place - 1]
                place -= 1
            lowest[place] = point
            count = min(count + 1, TOGETHER)
        for start in range(0, count, BLOCK):
            if blocks == tips.shape[0]:
                return blocks
            tips[blocks] = tip
            for k in range(BLOCK):
                points[blocks, k] = lowest[start + k] if start + k < count else -1
            blocks += 1
    return blocks


@kernel
def floor_rows(
    tree: Tree, ground: Ground, points: Indices, blocks: int, first_block: int, heights: Array, positions: Array,
    world: Array, weight: float, residuals: Array, jacobian: Array,
) -> None:  # fmt: skip
    """Fill the whitened residuals and derivatives of the points held, three rows a block from `first_block` on: by
    the root's place, then by the turn of each joint on the way to the block's last joint."""
    paths, depths, first, joints = tree.paths, tree.depths, ground.first, ground.joints
    carried, scale = ground.carried, sqrt(weight)
    for block in range(blocks):
        for k in range(BLOCK):
            row, point = 3 * (first_block + block) + k, points[block, k]
            tip = joints[first[points[block, 0] + 1] - 1]
            columns = 3 * depths[tip] + 3
            if point < 0:
                residuals[row] = 0.0
                for c in range(columns):
                    jacobian[row, c] = 0.0
                continue
            residuals[row] = scale * heights[point]
            jacobian[row, 0], jacobian[row, 1], jacobian[row, 2] = 0.0, scale, 0.0
            # From the last joint up: what all carriers below a joint bear, and where it is.
            m, x, z, share = first[point + 1] - 1, 0.0, 0.0, 0.0
            for step in range(depths[tip] - 1, -1, -1):
                j, column = paths[tip, step], 3 * step + 3
                if m >= first[point] and joints[m] == j:
                    ox, oy, oz, w = carried[m, 0], carried[m, 1], carried[m, 2], carried[m, 3]
                    x += w * positions[j, 0] + world[j, 0, 0] * ox + world[j, 0, 1] * oy + world[j, 0, 2] * oz
                    z += w * positions[j, 2] + world[j, 2, 0] * ox + world[j, 2, 1] * oy + world[j, 2, 2] * oz
                    share += w
                    m -= 1
                rx, rz = scale * (x - share * positions[j, 0]), scale * (z - share * positions[j, 2])
                for c in range(3):
                    jacobian[row, column + c] = world[j, 2, c] * rx - world[j, 0, c] * rz
