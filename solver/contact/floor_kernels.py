"""Compiled floor: how high points of the skin are above it, what that costs, and which of them it has to hold.

A point's height is blended of where its joints carry it, as the skin is.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy import uint64 as unsigned  # as an index it cannot count from the end, so none asks whether it does
from numpy.typing import NDArray

from solver.jit import kernel, kernel_in_place
from solver.kinematics.fk_kernels import Tree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

AWAY = 1e3  # metres: the height of points that are too high to be looked at
WITHIN = 0.3  # metres above the floor from which on a point is looked at
SLIGHTLY = 1e-5  # metres below the floor that make no difference


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


class Heights(NamedTuple):
    """How high points are at one pose. points (N,) metres, or, while a last joint's are missing, AWAY for its first.
    least (T,): heights that none of a last joint's points is below. rows (J, 4): what heights are made of."""

    points: Array
    least: Array
    rows: Array


class Rises(NamedTuple):
    """Where a step takes heights. ahead (N,) metres; where a last joint's first is AWAY, all are. Work space: spin
    (J, 3), each joint's turn in the world, rows (J, 4), how far points rise, slopes (J,), by how much more or less than
    their joint, for each metre from it, at most."""

    ahead: Array
    spin: Array
    rows: Array
    slopes: Array


NO_GROUND = Ground(
    np.zeros(1, np.int64), np.zeros((0, 0)), np.zeros(1, np.int64), np.zeros(0, np.int64),
    np.zeros((0, 4)), 0.0,
)  # fmt: skip


@kernel_in_place
def upright(ground: Ground, positions: Array, world: Array, out: Array) -> None:
    """Fill out (J, 4) with what `blend` makes heights of."""
    for j in range(positions.shape[0]):
        out[j, 0], out[j, 1], out[j, 2] = world[j, 1, 0], world[j, 1, 1], world[j, 1, 2]
        out[j, 3] = positions[j, 1] + ground.gives


@kernel_in_place
def least_height(ground: Ground, tip: int, rows: Array) -> float:
    """A height that none of a last joint's points is below; rows (J, 4) from `upright`."""
    reach, least = ground.reach, AWAY
    for j in range(tip + 1):
        if reach[tip, j] >= 0.0:
            least = min(least, rows[j, 3] - reach[tip, j])
    return least


@kernel
def heights_above(ground: Ground, positions: Array, world: Array, within: float, out: Array) -> float:
    """Fill out (N,) with heights above the floor, AWAY for all points of a last joint that exceed `within` for certain;
    returns the least."""
    begin, rows, lowest = ground.begin, np.empty((positions.shape[0], 4)), AWAY
    upright(ground, positions, world, rows)
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1]:
            continue
        if least_height(ground, tip, rows) > within:
            for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
                out[point] = AWAY
            continue
        blend(ground, tip, rows, out)
        for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
            lowest = min(lowest, out[point])
    return lowest


@kernel_in_place
def blend(ground: Ground, tip: int, rows: Array, out: Array) -> None:
    """Fill out (N,), of the points of one last joint, with what their carriers make of rows (J, 4): the product with
    where the point is in the joint's frame, and a part that does not depend on that."""
    first, joints, carried = ground.first, ground.joints, ground.carried
    for point in range(unsigned(ground.begin[tip]), unsigned(ground.begin[tip + 1])):
        total = 0.0
        for m in range(unsigned(first[point]), unsigned(first[point + unsigned(1)])):
            j = unsigned(joints[m])
            total += (rows[j, 0] * carried[m, 0] + rows[j, 1] * carried[m, 1] + rows[j, 2] * carried[m, 2]) + rows[
                j, 3
            ] * carried[m, 3]
        out[point] = total


@kernel
def lowest_of(ground: Ground, positions: Array, world: Array) -> float:
    """Metres of the lowest point above the floor."""
    return heights_above(ground, positions, world, AWAY, np.empty(ground.first.shape[0] - 1))


@kernel
def new_heights(ground: Ground, bones: int) -> Heights:
    """Room for heights at one pose; none without a floor."""
    points, tips = ground.first.shape[0] - 1, ground.begin.shape[0] - 1
    return Heights(np.empty(points), np.empty(tips), np.empty((bones if points > 0 else 0, 4)))


@kernel
def new_rises(ground: Ground, bones: int) -> Rises:
    """Room for where a step takes heights."""
    return Rises(np.empty(ground.first.shape[0] - 1), np.empty((bones, 3)), np.empty((bones, 4)), np.empty(bones))


@kernel_in_place
def floor_energy(ground: Ground, positions: Array, world: Array, weight: float, heights: Heights) -> float:
    """½ · weight · depth² of all points below the floor. Fills `heights`, of points as far as they may be below."""
    begin, points, total = ground.begin, heights.points, 0.0
    upright(ground, positions, world, heights.rows)
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1]:
            continue
        heights.least[tip] = least_height(ground, tip, heights.rows)
        if heights.least[tip] >= 0.0:
            points[begin[tip]] = AWAY
            continue
        blend(ground, tip, heights.rows, points)
        for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
            depth = min(points[point], 0.0)
            total += depth * depth
    return 0.5 * weight * total


@kernel_in_place
def is_looked_at(ground: Ground, tip: int, heights: Heights) -> bool:
    """Whether a last joint's points are near enough to be looked at; if so, fills in their heights where these are
    still missing."""
    if heights.least[tip] > WITHIN:
        return False
    if heights.points[ground.begin[tip]] >= AWAY:
        blend(ground, tip, heights.rows, heights.points)
    return True


@kernel_in_place
def last_joint(ground: Ground, point: int) -> int:
    """The last of the joints that carry a point."""
    return ground.joints[ground.first[point + 1] - 1]


@kernel_in_place
def predicted_heights(
    tree: Tree, ground: Ground, positions: Array, world: Array, change: Array, heights: Heights, rises: Rises
) -> None:
    """Fill rises.ahead (N,) with where a step takes the heights, to first order, AWAY for the first of a last joint's
    points where all of these stay above the floor for certain. change (J + 1, 3): turns in the joints' own axes, then
    the root's shift."""
    bones, begin, reach = tree.parents.shape[0], ground.begin, ground.reach
    spin, rows, slopes, out = rises.spin, rises.rows, rises.slopes, rises.ahead
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
        slopes[j] = sqrt(rows[j, 0] ** 2 + rows[j, 1] ** 2 + rows[j, 2] ** 2)
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1]:
            continue
        rise, low = AWAY, 0
        for j in range(tip + 1):
            if reach[tip, j] >= 0.0:
                rise = min(rise, rows[j, 3] - slopes[j] * reach[tip, j])
        if heights.least[tip] <= -rise and is_looked_at(ground, tip, heights):
            for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
                low += 1 if heights.points[point] <= -rise else 0
        if low == 0:
            out[begin[tip]] = AWAY
            continue
        blend(ground, tip, rows, out)
        for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
            out[point] += heights.points[point]


@kernel_in_place
def is_pressed(ground: Ground, point: int, rises: Rises) -> bool:
    """Whether a step takes a point below the floor."""
    return rises.ahead[ground.begin[last_joint(ground, point)]] < AWAY and rises.ahead[point] < 0.0


@kernel_in_place
def sunk_points(ground: Ground, heights: Array, held: Indices, count: int) -> int:
    """Append to `held`, which has `count` already, of each last joint the lowest other point whose `heights` (N,) are
    below the floor; returns how many there are then. Where a last joint's first point is AWAY, all are."""
    begin, before = ground.begin, count
    for tip in range(begin.shape[0] - 1):
        if begin[tip] == begin[tip + 1] or heights[begin[tip]] >= AWAY:
            continue
        lowest, least = -1, -SLIGHTLY
        for point in range(unsigned(begin[tip]), unsigned(begin[tip + 1])):
            if heights[point] < least and not contains(held, before, np.int64(point)):  # type: ignore[arg-type]
                lowest, least = np.int64(point), heights[point]  # type: ignore[assignment]
        if lowest >= 0 and count < held.shape[0]:
            held[count] = lowest
            count += 1
    return count


@kernel_in_place
def contains(items: Indices, count: int, item: int) -> bool:
    """Whether an item is among the first `count`."""
    found = False
    for i in range(count):
        found = found or items[i] == item
    return found


@kernel_in_place
def floor_row(
    tree: Tree, ground: Ground, point: int, positions: Array, world: Array, scale: float, out: Array
) -> None:  # fmt: skip
    """Fill out (J + 1, 3) with `scale` times the derivative of a point's height by each joint's turn and the root's
    place."""
    paths, first, joints, carried = tree.paths, ground.first, ground.joints, ground.carried
    out[:] = 0.0
    out[tree.parents.shape[0], 1] = scale
    # From the last joint up: what all carriers below a joint bear, and where it is.
    m, x, z, share = first[point + 1] - 1, 0.0, 0.0, 0.0
    tip = joints[m]
    for step in range(tree.depths[tip] - 1, -1, -1):
        j = paths[tip, step]
        if m >= first[point] and joints[m] == j:
            ox, oy, oz, w = carried[m, 0], carried[m, 1], carried[m, 2], carried[m, 3]
            x += w * positions[j, 0] + world[j, 0, 0] * ox + world[j, 0, 1] * oy + world[j, 0, 2] * oz
            z += w * positions[j, 2] + world[j, 2, 0] * ox + world[j, 2, 1] * oy + world[j, 2, 2] * oz
            share += w
            m -= 1
        rx, rz = scale * (x - share * positions[j, 0]), scale * (z - share * positions[j, 2])
        for c in range(3):
            out[j, c] = world[j, 2, c] * rx - world[j, 0, c] * rz
