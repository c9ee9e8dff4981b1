"""Compiled bones of a photo's fit: where points of a body are, how they move with the unknowns, what pulls add up to.

Unknowns: a turn (3,) of each of J joints in its own axes, the root's place, B betas, the floor's height, the camera's
pitch, and the turn (2,) of the landmark networks' metres.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

HEIGHT, PITCH, TURN = 4, 3, 2  # where the last unknowns begin, counted from the end


class Bones(NamedTuple):
    """A body's bones. parents (J,). template (J, 3) and directions (J, 3, B): offsets are template + directions·betas.
    paths (J, J): joints from the root to each, depths (J,): how many."""

    parents: Indices
    template: Array
    directions: Array
    paths: Indices
    depths: Indices


class Unknowns(NamedTuple):
    """What a fit looks for. root (3,) metres, local (J, 3, 3), betas (B,), ground (2,): the floor's height and the
    camera's pitch, turn (2,): of the landmark networks' metres."""

    root: Array
    local: Array
    betas: Array
    ground: Array
    turn: Array


class Work(NamedTuple):
    """Results and room. positions (J, 3), world (J, 3, 3), drift (J, 3, B): how places move with betas. normal (N, N;
    lower half), gradient (N,). block, relative, weighted (3, N), columns (N,): one point's derivative."""

    positions: Array
    world: Array
    drift: Array
    normal: Array
    gradient: Array
    block: Array
    relative: Array
    weighted: Array
    columns: Indices


@kernel
def pose_bones(bones: Bones, root: Array, local: Array, betas: Array, work: Work) -> None:
    """Fill positions, world and drift."""
    for i in range(3):
        work.positions[0, i] = root[i]
        for k in range(3):
            work.world[0, i, k] = local[0, i, k]
    work.drift[0] = 0.0
    count = betas.shape[0]
    offset = np.empty(3)
    for j in range(1, bones.parents.shape[0]):
        p = bones.parents[j]
        w, lj, wj = work.world[p], local[j], work.world[j]
        for i in range(3):
            offset[i] = bones.template[j, i]
            for b in range(count):
                offset[i] += bones.directions[j, i, b] * betas[b]
            for k in range(3):
                wj[i, k] = w[i, 0] * lj[0, k] + w[i, 1] * lj[1, k] + w[i, 2] * lj[2, k]
        d = bones.directions[j]
        for i in range(3):
            work.positions[j, i] = (
                work.positions[p, i] + w[i, 0] * offset[0] + w[i, 1] * offset[1] + w[i, 2] * offset[2]
            )
            for b in range(count):
                work.drift[j, i, b] = work.drift[p, i, b] + w[i, 0] * d[0, b] + w[i, 1] * d[1, b] + w[i, 2] * d[2, b]


@kernel
def place_point(joint: int, carrier: int, offset: Array, work: Work, out: Array) -> None:
    """out (3,): where a point is that keeps its offset from a joint while it turns with `carrier`."""
    w = work.world[carrier]
    for i in range(3):
        out[i] = work.positions[joint, i] + w[i, 0] * offset[0] + w[i, 1] * offset[1] + w[i, 2] * offset[2]


@kernel
def point_block(bones: Bones, joint: int, carrier: int, point: Array, work: Work) -> int:
    """Fill the leading columns of block with how a point moves; returns how many unknowns move it.

    carrier: what turns it, the joint or an ancestor whose child it is.
    """
    block, columns = work.block, work.columns
    joints, count = bones.parents.shape[0], bones.directions.shape[2]
    n = 0
    for d in range(bones.depths[carrier]):
        j = bones.paths[carrier, d]
        x, y, z = (
            point[0] - work.positions[j, 0],
            point[1] - work.positions[j, 1],
            point[2] - work.positions[j, 2],
        )
        w = work.world[j]
        for c in range(3):
            e0, e1, e2 = w[0, c], w[1, c], w[2, c]
            block[0, n], block[1, n], block[2, n] = e1 * z - e2 * y, e2 * x - e0 * z, e0 * y - e1 * x
            columns[n] = 3 * j + c
            n += 1
    for c in range(3):
        for i in range(3):
            block[i, n] = 1.0 if i == c else 0.0
        columns[n] = 3 * joints + c
        n += 1
    for b in range(count):
        for i in range(3):
            block[i, n] = work.drift[joint, i, b]
        columns[n] = 3 * joints + 3 + b
        n += 1
    return n


@kernel
def add_block(block: Array, n: int, m: Array, force: Array, work: Work) -> None:
    """Add a point's curvature m (3, 3) and half gradient force (3,) to the whole system's."""
    columns, weighted = work.columns, work.weighted
    for i in range(3):
        a, b, c = m[i, 0], m[i, 1], m[i, 2]
        for k in range(n):
            weighted[i, k] = a * block[0, k] + b * block[1, k] + c * block[2, k]
    for a in range(n):
        x, y, z, row = block[0, a], block[1, a], block[2, a], columns[a]
        work.gradient[row] += x * force[0] + y * force[1] + z * force[2]
        line = work.normal[row]
        for k in range(a + 1):  # columns ascend, so this is the lower half
            line[columns[k]] += x * weighted[0, k] + y * weighted[1, k] + z * weighted[2, k]
