"""Compiled kept volume: what `kept_volume` does in numpy, in one go over the skin between bones."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy import uint64 as unsigned  # as an index it cannot count from the end, so none asks whether it does
from numpy.typing import NDArray

from solver.jit import kernel_in_place, kernel_now

Array = NDArray[np.float32]
Indices = NDArray[np.int64]
Short = NDArray[np.uint32]

NONE, HALF, ONE, TWO, THREE = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2), np.float32(3)
TINY = np.float32(1e-6)  # metres
WAYS = 5  # directions at rest: outside of near and far bone, both without their part along the bone, and the bone's


@kernel_in_place
def _bend(
    bone: Indices, rotations: Array, at_rest: Array, how: Array, across: Array, ways: Array
) -> np.float32:  # fmt: skip
    """1 - cos θ of a joint, 0 if it is not bent; fills across (3, 3), what is across its axis, and ways (5, 3)."""
    joint, parent, child = bone[0], bone[1], bone[2]
    turn = across  # R_parentᵀ R_joint, until it is no longer needed
    for i in range(3):
        for k in range(3):
            turn[i, k] = (
                rotations[parent, 0, i] * rotations[joint, 0, k]
                + rotations[parent, 1, i] * rotations[joint, 1, k]
                + rotations[parent, 2, i] * rotations[joint, 2, k]
            )
    bend = HALF * (THREE - turn[0, 0] - turn[1, 1] - turn[2, 2])
    if bend < how[1]:
        return NONE
    length = NONE
    for i in range(3):
        ways[4, i] = at_rest[child, i] - at_rest[joint, i]
        length += ways[4, i] * ways[4, i]
    for i in range(3):
        ways[4, i] /= sqrt(length)
    length = NONE
    for i in range(3):  # zero at rest, and where a joint only twists
        turned = turn[i, 0] * ways[4, 0] + turn[i, 1] * ways[4, 1] + turn[i, 2] * ways[4, 2]
        ways[0, i] = HALF * (ways[4, i] - turned)
        length += ways[0, i] * ways[0, i]
    for i in range(3):
        ways[0, i] /= sqrt(length) + how[2]
    for i in range(3):
        ways[1, i] = ways[0, 0] * turn[0, i] + ways[0, 1] * turn[1, i] + ways[0, 2] * turn[2, i]
    for way in range(2):
        along = ways[way, 0] * ways[4, 0] + ways[way, 1] * ways[4, 1] + ways[way, 2] * ways[4, 2]
        for i in range(3):
            ways[way + 2, i] = ways[way, i] - along * ways[4, i]
    for i in range(3):
        for k in range(i + 1):
            both = ((ONE if i == k else NONE) - HALF * (turn[i, k] + turn[k, i])) / bend
            across[i, k] = across[k, i] = both
    return bend


@kernel_in_place
def _shares_of_push(
    begin: unsigned, end: unsigned, away: Array, shares: Array, ways: Array, bend: np.float32, how: Array, by: Array
) -> None:  # fmt: skip
    """Fill by (N,), from `begin` to `end`, with how many times its distance `away` (3, N) from the axis of the bend
    skin is pushed."""
    folded = how[0] * how[0]
    ux, uy, uz, vx, vy, vz = ways[0, 0], ways[0, 1], ways[0, 2], ways[1, 0], ways[1, 1], ways[1, 2]
    ax, ay, az, bx, by_, bz = ways[2, 0], ways[2, 1], ways[2, 2], ways[3, 0], ways[3, 1], ways[3, 2]
    ex, ey, ez = ways[4, 0], ways[4, 1], ways[4, 2]
    for n in range(begin, end):
        x, y, z = away[0, n], away[1, n], away[2, n]
        before, beyond = shares[0, n], shares[1, n]
        lost = TWO * before * beyond * bend
        squared = max(ONE - lost, NONE)
        drawn_in, plain = sqrt(squared + folded), sqrt(squared)
        along = x * ex + y * ey + z * ez
        p, q, r = x - along * ex, y - along * ey, z - along * ez
        from_joint = before * (x * ux + y * uy + z * uz) + beyond * (x * vx + y * vy + z * vz)
        from_joint /= sqrt(x * x + y * y + z * z) * plain + TINY
        from_bone = before * (x * ax + y * ay + z * az) + beyond * (x * bx + y * by_ + z * bz)
        from_bone /= sqrt(p * p + q * q + r * r) * plain + TINY
        outer = min(max(HALF + HALF * max(from_joint, from_bone), NONE), ONE)
        outer *= outer * (THREE - TWO * outer)
        by[n] = lost / (drawn_in * (ONE + drawn_in)) * (ONE - (ONE - shares[2, n]) * outer)


@kernel_in_place
def _heights(
    seat: Indices, positions: Array, rotations: Array, at_rest: Array, gives: np.float32, skin: Array, rows: Array
) -> None:
    """Fill rows (J, 8) with what a joint makes of a place at rest: along which way (3,) it rises, and from where, in
    metres above the floor; then as much above the plane that the person's seat is on."""
    level = skin[seat[0], 1]
    for n in range(1, seat.shape[0]):
        level = min(level, skin[seat[n], 1])
    level -= at_rest[0, 1]
    for i in range(3):
        level += positions[0, i] * rotations[0, i, 1]
    for j in range(positions.shape[0]):
        rows[j, 3], rows[j, 7] = positions[j, 1] + gives, -level
        for i in range(3):
            rows[j, i], rows[j, 4 + i] = rotations[j, 1, i], NONE
            for a in range(3):
                rows[j, 4 + i] += rotations[0, a, 1] * rotations[j, a, i]
            rows[j, 3] -= rows[j, i] * at_rest[j, i]
            rows[j, 7] += rotations[0, i, 1] * positions[j, i] - rows[j, 4 + i] * at_rest[j, i]


@kernel_in_place
def _shorten(
    push: Array, once: Short, first: Short, carriers: Short, carried: Array, sits: NDArray[np.bool_], rows: Array,
    least: np.float32, skin: Array,
) -> None:  # fmt: skip
    """Shorten each push (U, 3) so that it takes no skin below the floor, nor what hips push below the seat, if plain
    skinning has it above. least: metres that all skin is above the floor at least, negative if some may be below."""
    clear = max(least, NONE) ** 2  # of a push that is too short to take anything below the floor
    for vertex in range(once.shape[0]):
        n = unsigned(vertex)
        near = push[n, 0] * push[n, 0] + push[n, 1] * push[n, 1] + push[n, 2] * push[n, 2] > clear
        if not (near or sits[n]):
            continue
        a = b = c = height = p = q = r = above_seat = NONE
        for m in range(unsigned(first[n]), unsigned(first[n + unsigned(1)])):
            j, weight = unsigned(carriers[m]), carried[m]
            a += weight * rows[j, 0]
            b += weight * rows[j, 1]
            c += weight * rows[j, 2]
            height += weight * rows[j, 3]
            p += weight * rows[j, 4]
            q += weight * rows[j, 5]
            r += weight * rows[j, 6]
            above_seat += weight * rows[j, 7]
        at, kept = unsigned(once[n]), ONE
        if sits[n]:
            sinks = -(p * push[n, 0] + q * push[n, 1] + r * push[n, 2])
            room = max(above_seat + p * skin[at, 0] + q * skin[at, 1] + r * skin[at, 2], NONE)
            if sinks > room:
                kept = room / max(sinks, TINY)
        sinks = -kept * (a * push[n, 0] + b * push[n, 1] + c * push[n, 2])
        room = max(height + a * skin[at, 0] + b * skin[at, 1] + c * skin[at, 2], NONE)
        if sinks > room:
            kept *= room / max(sinks, TINY)
        for i in range(3):
            push[n, i] *= kept


@kernel_now(
    "boolean(int64[:,::1], uint32[::1], uint32[::1], float32[:,::1], uint32[::1], uint32[::1], uint32[::1],"
    " float32[::1], boolean[::1], int64[::1], float32[:,::1], float32[:,:,::1], float32[:,::1], float32[::1],"
    " float32[::1], float32[:,::1])"
)
def push_skin(
    bones: Indices, vertices: Short, rows: Short, shares: Array, once: Short, first: Short, carriers: Short,
    carried: Array, sits: NDArray[np.bool_], seat: Indices, positions: Array, rotations: Array, at_rest: Array,
    reach: Array, how: Array, skin: Array,
) -> bool:  # fmt: skip
    """Push the skin at rest (V, 3) in place so that it keeps its volume; False, and nothing changed, if no joint is
    bent.

    bones: (K, 5) the joint, those at its bones' other ends, and where its entries begin and end. vertices, rows: (N,)
    indices of entries in the skin and in `once` (U,), which has each vertex once. shares: (3, N) both bones', and what
    is left on the outside. first: (U + 1,) where a vertex's carriers begin. carriers, carried: (M,) joints and weights.
    sits: (U,) whether hips push it. seat: indices of the skin sat on. positions, rotations, at_rest: (J, 3) metres,
    (J, 3, 3), (J, 3) metres of joints. reach: (J,) metres at rest from a joint to the farthest skin that it carries, -1
    without any. how: (4,) `kept_volume`'s FOLDED, STILL, SOFT and GIVES.
    """
    across, ways = np.empty((3, 3), np.float32), np.empty((WAYS, 3), np.float32)
    away, by = np.empty((3, rows.shape[0]), np.float32), np.empty(rows.shape[0], np.float32)
    push, heights, bent = np.zeros((once.shape[0], 3), np.float32), np.empty((at_rest.shape[0], 8), np.float32), False
    for k in range(bones.shape[0]):
        bend = _bend(bones[k], rotations, at_rest, how, across, ways)
        if bend == NONE:
            continue
        bent = True
        begin, end, joint = unsigned(bones[k, 3]), unsigned(bones[k, 4]), bones[k, 0]
        px, py, pz = at_rest[joint, 0], at_rest[joint, 1], at_rest[joint, 2]
        xx, xy, xz, yy, yz, zz = (
            across[0, 0], across[0, 1], across[0, 2], across[1, 1], across[1, 2], across[2, 2],
        )  # fmt: skip
        for n in range(begin, end):
            at = unsigned(vertices[n])
            x, y, z = skin[at, 0] - px, skin[at, 1] - py, skin[at, 2] - pz
            away[0, n] = x * xx + y * xy + z * xz
            away[1, n] = x * xy + y * yy + z * yz
            away[2, n] = x * xz + y * yz + z * zz
        _shares_of_push(begin, end, away, shares, ways, bend, how, by)
        for n in range(begin, end):
            row = unsigned(rows[n])
            push[row, 0] += away[0, n] * by[n]
            push[row, 1] += away[1, n] * by[n]
            push[row, 2] += away[2, n] * by[n]
    if bent:
        _heights(seat, positions, rotations, at_rest, how[3], skin, heights)
        least = positions[0, 1]
        for j in range(reach.shape[0]):
            if reach[j] >= NONE:
                least = min(least, positions[j, 1] + how[3] - reach[j])
        _shorten(push, once, first, carriers, carried, sits, heights, least, skin)
        for vertex in range(once.shape[0]):
            at = unsigned(once[vertex])
            for i in range(3):
                skin[at, i] += push[vertex, i]
    return bent
