"""Compiled solids: which balls of a body are near which solids, how far apart, and how that changes as joints turn.

A body is filled with balls. Those of its limbs may enter neither what is solid in the world nor balls of other parts of
the same body that are not neighbours of theirs.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy import uint64 as unsigned  # as an index it cannot count from the end, so none asks whether it does
from numpy.typing import NDArray

from solver.contact.floor_kernels import SLIGHTLY, contains
from solver.jit import kernel, kernel_in_place
from solver.kinematics.fk_kernels import Tree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

BALL, BOX, CYLINDER, GRID = 0, 1, 2, 3
GRID_NODES = 65  # of a grid of distances along each side
GRID_EDGE = 2.0 / (GRID_NODES - 5)  # by which it goes beyond a unit cube: two cells
REACHES = 0.06  # metres between a ball and a solid from which on the pair is looked at
NEAREST = 2  # solids of one carrier that a ball is held away from at once
MOST_PAIRS = 2000  # looked at


class Solids(NamedTuple):
    """P balls in the order of their joints and O solids in the order of what carries them; those balls come first.

    begin (J + 1,): where each joint's balls begin. balls (P, 4): centre in the joint's frame and radius, metres.
    around (J, 4): a ball around all balls of a joint. first (H + 1,): where the solids of each carrier begin. carriers
    (H,): joints, -1 for the world, in which each solid counts as a carrier of its own. enclosing (H, 4): a ball around
    them. forms (O,). sizes (O, 16): of a ball its centre and radius as of `balls`; of others their middle (3), axes as
    columns (9), half sizes (3), and of a grid where it begins in `grids` (G,): distances at GRID_NODES³ nodes, z first,
    of what it would be with sides of 1. yields (P, H): metres by which a ball may be within a carrier's solids; -1
    where they do not count. meets (J, H): whether any of a joint's balls count.
    """

    begin: Indices
    balls: Array
    around: Array
    first: Indices
    carriers: Indices
    enclosing: Array
    forms: Indices
    sizes: Array
    yields: Array
    meets: NDArray[np.bool_]
    grids: NDArray[np.float32]


NO_SOLIDS = Solids(
    np.zeros(1, np.int64), np.zeros((0, 4)), np.zeros((0, 4)), np.zeros(1, np.int64), np.zeros(0, np.int64),
    np.zeros((0, 4)), np.zeros(0, np.int64), np.zeros((0, 16)), np.zeros((0, 0)), np.zeros((0, 0), np.bool_),
    np.zeros(0, np.float32),
)  # fmt: skip


class Near(NamedTuple):
    """Pairs that are near each other, the first `number` (1,) of M. pairs (M, 4): ball, solid, the ball's joint, the
    solid's carrier. gaps (M,): metres between them, negative inside. ways (M, 3): where the gap grows, in the world.
    places (M, 3): the balls' centres."""

    number: Indices
    pairs: Indices
    gaps: Array
    ways: Array
    places: Array


@kernel
def new_near(solids: Solids) -> Near:
    """Room for pairs."""
    most = MOST_PAIRS if solids.balls.shape[0] > 0 else 0
    return Near(
        np.zeros(1, np.int64), np.empty((most, 4), np.int64), np.empty(most), np.empty((most, 3)), np.empty((most, 3))
    )


@kernel_in_place
def points_in_world(
    positions: Array, world: Array, joint: int, points: Array, first: int, last: int, out: Array
) -> None:
    """out (N, 3+), from `first` to `last`: where points (N, 3+) in a joint's frame are; the world's, joint -1."""
    if joint < 0:
        for p in range(first, last):
            out[p, 0], out[p, 1], out[p, 2] = points[p, 0], points[p, 1], points[p, 2]
        return
    a, b, c = positions[joint, 0], positions[joint, 1], positions[joint, 2]
    a0, a1, a2 = world[joint, 0, 0], world[joint, 0, 1], world[joint, 0, 2]
    b0, b1, b2 = world[joint, 1, 0], world[joint, 1, 1], world[joint, 1, 2]
    c0, c1, c2 = world[joint, 2, 0], world[joint, 2, 1], world[joint, 2, 2]
    for p in range(unsigned(first), unsigned(last)):
        x, y, z = points[p, 0], points[p, 1], points[p, 2]
        out[p, 0] = a + (a0 * x + a1 * y + a2 * z)
        out[p, 1] = b + (b0 * x + b1 * y + b2 * z)
        out[p, 2] = c + (c0 * x + c1 * y + c2 * z)


@kernel_in_place
def to_block_frame(place: Array, size: Array, out: Array) -> None:
    """out (3,) = a point (3,) in the frame of a box or a cylinder, `size` (16,) as `Solids` have it."""
    x, y, z = place[0] - size[0], place[1] - size[1], place[2] - size[2]
    for c in range(3):
        out[c] = x * size[3 + c] + y * size[6 + c] + z * size[9 + c]


@kernel_in_place
def from_block_frame(own: Array, size: Array, way: Array) -> None:
    """way (3,) = a direction (3,) in the frame of a box or a cylinder, in the world."""
    for i in range(3):
        way[i] = size[3 + 3 * i] * own[0] + size[4 + 3 * i] * own[1] + size[5 + 3 * i] * own[2]


@kernel
def gap_to_box(place: Array, size: Array, way: Array) -> float:
    """Metres from a point (3,) to a box, size (16,); way (3,) gets its derivative."""
    own, beyond = np.empty(3), np.empty(3)
    to_block_frame(place, size, own)
    square, nearest = 0.0, 0
    for c in range(3):
        beyond[c] = abs(own[c]) - size[12 + c]
        square += max(beyond[c], 0.0) ** 2
        nearest = c if beyond[c] > beyond[nearest] else nearest
    outside = sqrt(square)
    for c in range(3):
        share = max(beyond[c], 0.0) / outside if square > 0.0 else (1.0 if c == nearest else 0.0)
        own[c] = share if own[c] >= 0.0 else -share
    from_block_frame(own, size, way)
    return outside if square > 0.0 else beyond[nearest]


@kernel
def gap_to_cylinder(place: Array, size: Array, way: Array) -> float:
    """Metres from a point (3,) to a cylinder, size (16,); way (3,) gets its derivative."""
    own = np.empty(3)
    to_block_frame(place, size, own)
    radius = sqrt(own[0] ** 2 + own[2] ** 2)
    across, up = radius - size[12], abs(own[1]) - size[13]
    square = max(across, 0.0) ** 2 + max(up, 0.0) ** 2
    outside = sqrt(square)
    if square > 0.0:
        aside, along = max(across, 0.0) / outside, max(up, 0.0) / outside
    else:
        aside, along = (1.0, 0.0) if across > up else (0.0, 1.0)
    own[0], own[2] = (aside * own[0] / radius, aside * own[2] / radius) if radius > 1e-9 else (aside, 0.0)
    own[1] = along if own[1] >= 0.0 else -along
    from_block_frame(own, size, way)
    return outside if square > 0.0 else max(across, up)


@kernel
def gap_to_grid(place: Array, size: Array, grids: NDArray[np.float32], way: Array) -> float:
    """Metres from a point (3,) to what a grid tells the distances to, size (16,); way (3,) gets its derivative.

    To first order where its sides differ; beyond the grid never more than there is to it.
    """
    own, beyond, part, node = np.empty(3), np.empty(3), np.empty(3), np.empty(3, np.int64)
    to_block_frame(place, size, own)
    square = 0.0
    for c in range(3):
        side = 2.0 * size[12 + c]
        edge = side * (0.5 + GRID_EDGE)
        inside = min(max(own[c], -edge), edge)
        beyond[c] = own[c] - inside
        square += beyond[c] ** 2
        at = (inside / side + 0.5 + GRID_EDGE) / (1.0 + 2.0 * GRID_EDGE) * (GRID_NODES - 1)
        node[c] = min(int(at), GRID_NODES - 2)
        part[c] = at - node[c]
    value = 0.0
    own[:] = 0.0
    for corner in range(8):
        i, j, k = corner & 1, (corner >> 1) & 1, corner >> 2
        place_of = ((node[0] + i) * GRID_NODES + node[1] + j) * GRID_NODES + node[2] + k
        distance = grids[int(size[15]) + place_of]
        x, y = part[0] if i else 1.0 - part[0], part[1] if j else 1.0 - part[1]
        z = part[2] if k else 1.0 - part[2]
        value += distance * x * y * z
        own[0] += distance * y * z * (1.0 if i else -1.0)
        own[1] += distance * x * z * (1.0 if j else -1.0)
        own[2] += distance * x * y * (1.0 if k else -1.0)
    plain = own[0] ** 2 + own[1] ** 2 + own[2] ** 2
    for c in range(3):
        own[c] /= 2.0 * size[12 + c]
    stretched = own[0] ** 2 + own[1] ** 2 + own[2] ** 2
    scale = sqrt(plain / stretched) if stretched > 1e-18 else 2.0 * min(size[12], size[13], size[14])
    outside = sqrt(square)
    for c in range(3):
        own[c] = beyond[c] / outside if outside > 1e-9 else own[c] / sqrt(max(stretched, 1e-18))
    from_block_frame(own, size, way)
    return value * scale + outside


@kernel
def gap_to(form: int, place: Array, size: Array, grids: NDArray[np.float32], way: Array) -> float:
    """Metres from a point (3,) to a solid that is not a ball; way (3,) gets its derivative."""
    if form == BOX:
        return gap_to_box(place, size, way)
    if form == CYLINDER:
        return gap_to_cylinder(place, size, way)
    return gap_to_grid(place, size, grids, way)


@kernel
def find_near(solids: Solids, positions: Array, world: Array, within: float, near: Near) -> float:
    """Fill `near` with the pairs that count and are no further apart than `within`; returns the least gap."""
    begin, first, enclosing, around, meets = solids.begin, solids.first, solids.enclosing, solids.around, solids.meets
    forms, sizes, yields, carriers = solids.forms, solids.sizes, solids.yields, solids.carriers
    many_joints, many_carriers, total, most = begin.shape[0] - 1, carriers.shape[0], forms.shape[0], near.gaps.shape[0]
    middles, wholes, centres = np.empty((many_carriers, 3)), np.empty((many_joints, 3)), np.empty((total, 3))
    for h in range(many_carriers):
        points_in_world(positions, world, carriers[h], enclosing, h, h + 1, middles)
        points_in_world(positions, world, carriers[h], sizes, first[h], first[h + 1], centres)
    # Numbers of one kind side by side, so that several are looked at in one go.
    xs, ys, zs, radii = np.empty(total), np.empty(total), np.empty(total), np.empty(total)
    for o in range(total):
        xs[o], ys[o], zs[o] = centres[o, 0], centres[o, 1], centres[o, 2]
        radii[o] = sizes[o, 3] if forms[o] == BALL else np.inf
    for j in range(many_joints):
        points_in_world(positions, world, j, around, j, j + 1, wholes)
    # All in one place: what handing tables on to a function for each joint and carrier takes is longer than its work.
    some, away = np.empty(total, np.int64), np.empty(total)
    sx, sy, sz, wide_by = np.empty(total), np.empty(total), np.empty(total), np.empty(total)  # of some
    gaps, found, place, way = np.empty(NEAREST), np.empty(NEAREST, np.int64), np.empty(3), np.empty(3)
    least, count = within, 0
    for j in range(many_joints):
        if begin[j] == begin[j + 1]:
            continue
        for h in range(many_carriers):
            wide = within + around[j, 3]
            reach, a, b, d = wide + enclosing[h, 3], middles[h, 0], middles[h, 1], middles[h, 2]
            x, y, z = wholes[j, 0], wholes[j, 1], wholes[j, 2]
            u, v, w = x - a, y - b, z - d
            if not meets[j, h] or u * u + v * v + w * w > reach * reach:
                continue
            many, plain = 0, True
            for o in range(unsigned(first[h]), unsigned(first[h + 1])):
                u, v, w, reach = x - xs[o], y - ys[o], z - zs[o], wide + radii[o]
                away[o] = u * u + v * v + w * w - reach * reach
            for o in range(unsigned(first[h]), unsigned(first[h + 1])):
                some[many] = o  # without a branch, which nobody could foretell
                many += 1 if away[o] <= 0.0 else 0
            for i in range(many):
                o = some[i]
                plain = plain and forms[o] == BALL
                sx[i], sy[i], sz[i], wide_by[i] = xs[o], ys[o], zs[o], radii[o]
            for p in range(unsigned(begin[j]), unsigned(begin[j + 1])):
                x, y, z, reach = xs[p], ys[p], zs[p], within + radii[p] + enclosing[h, 3]
                u, v, w = x - a, y - b, z - d
                if u * u + v * v + w * w > reach * reach or yields[p, h] < 0.0:
                    continue
                more = yields[p, h] - radii[p]
                kept, furthest = 0, within - more
                for i in range(many):
                    u, v, w = x - sx[i], y - sy[i], z - sz[i]
                    away[i] = sqrt(u * u + v * v + w * w) - wide_by[i]
                if not plain:
                    place[0], place[1], place[2] = x, y, z
                    for i in range(many):
                        if forms[some[i]] != BALL:
                            away[i] = gap_to(forms[some[i]], place, sizes[some[i]], solids.grids, way)
                for i in range(many):
                    gap = away[i]
                    if gap >= furthest:
                        continue
                    slot = min(kept, NEAREST - 1)
                    while slot > 0 and gaps[slot - 1] > gap:
                        gaps[slot], found[slot] = gaps[slot - 1], found[slot - 1]
                        slot -= 1
                    gaps[slot], found[slot] = gap, some[i]
                    kept = min(kept + 1, NEAREST)
                    furthest = gaps[NEAREST - 1] if kept == NEAREST else furthest
                for i in range(min(kept, most - count)):
                    o = found[i]
                    if forms[o] == BALL:
                        length = max(gaps[i] + radii[o], 1e-9)
                        way[0], way[1], way[2] = (x - xs[o]) / length, (y - ys[o]) / length, (z - zs[o]) / length
                    else:
                        place[0], place[1], place[2] = x, y, z
                        gap_to(forms[o], place, sizes[o], solids.grids, way)
                    least = min(least, gaps[i] + more)
                    near.pairs[count, 0], near.pairs[count, 1] = p, o
                    near.pairs[count, 2], near.pairs[count, 3] = j, carriers[h]
                    near.gaps[count] = gaps[i] + more
                    near.places[count, 0], near.places[count, 1], near.places[count, 2] = x, y, z
                    near.ways[count, 0], near.ways[count, 1], near.ways[count, 2] = way[0], way[1], way[2]
                    count += 1
    near.number[0] = count
    return least


@kernel_in_place
def solid_energy(near: Near, weight: float) -> float:
    """½ · weight · depth² of all pairs that overlap."""
    total = 0.0
    for k in range(near.number[0]):
        depth = min(near.gaps[k], 0.0)
        total += depth * depth
    return 0.5 * weight * total


@kernel_in_place
def joint_moves(tree: Tree, positions: Array, world: Array, change: Array, spins: Array, shifts: Array) -> None:
    """Fill spins, shifts (J, 3): what a step turns and moves each joint by in the world, to first order. change (J + 1,
    3): turns in the joints' own axes, then the root's shift."""
    bones = tree.parents.shape[0]
    for j in range(bones):
        p = tree.parents[j]
        for i in range(3):
            own = world[j, i, 0] * change[j, 0] + world[j, i, 1] * change[j, 1] + world[j, i, 2] * change[j, 2]
            spins[j, i] = own if p < 0 else spins[p, i] + own
            shifts[j, i] = change[bones, i]
        if p >= 0:
            x, y, z = positions[j, 0] - positions[p, 0], positions[j, 1] - positions[p, 1], positions[j, 2]
            z -= positions[p, 2]
            shifts[j, 0] = shifts[p, 0] + spins[p, 1] * z - spins[p, 2] * y
            shifts[j, 1] = shifts[p, 1] + spins[p, 2] * x - spins[p, 0] * z
            shifts[j, 2] = shifts[p, 2] + spins[p, 0] * y - spins[p, 1] * x


@kernel_in_place
def predicted_gaps(near: Near, positions: Array, spins: Array, shifts: Array, out: Array) -> None:
    """Fill out (M,) with where a step takes the gaps, to first order."""
    for k in range(near.number[0]):
        out[k] = near.gaps[k] + _rate(near, k, near.pairs[k, 2], positions, spins, shifts)
        if near.pairs[k, 3] >= 0:
            out[k] -= _rate(near, k, near.pairs[k, 3], positions, spins, shifts)


@kernel_in_place
def _rate(near: Near, k: int, joint: int, positions: Array, spins: Array, shifts: Array) -> float:
    """How fast the joint carries the pair's place along its way."""
    x, y = near.places[k, 0] - positions[joint, 0], near.places[k, 1] - positions[joint, 1]
    z = near.places[k, 2] - positions[joint, 2]
    a, b, c = spins[joint, 0], spins[joint, 1], spins[joint, 2]
    u, v, w = shifts[joint, 0] + b * z - c * y, shifts[joint, 1] + c * x - a * z, shifts[joint, 2] + a * y - b * x
    return near.ways[k, 0] * u + near.ways[k, 1] * v + near.ways[k, 2] * w


@kernel_in_place
def solid_row(tree: Tree, near: Near, k: int, positions: Array, world: Array, scale: float, out: Array) -> None:
    """Fill out (J + 1, 3) with `scale` times the derivative of a pair's gap by each joint's turn and the root's place.

    What carries both, ball and solid, changes nothing between them.
    """
    bones, ball, solid = tree.parents.shape[0], near.pairs[k, 2], near.pairs[k, 3]
    out[:] = 0.0
    if solid < 0:
        for i in range(3):
            out[bones, i] = scale * near.ways[k, i]
    for side in range(2):
        joint, other, sign = (ball, solid, scale) if side == 0 else (solid, ball, -scale)
        if joint < 0:
            continue
        for step in range(tree.depths[joint]):
            j = tree.paths[joint, step]
            if other >= 0 and step < tree.depths[other] and tree.paths[other, step] == j:
                continue
            x, y = sign * (near.places[k, 0] - positions[j, 0]), sign * (near.places[k, 1] - positions[j, 1])
            z = sign * (near.places[k, 2] - positions[j, 2])
            u, v, w = near.ways[k, 0], near.ways[k, 1], near.ways[k, 2]
            a, b, c = y * w - z * v, z * u - x * w, x * v - y * u
            for i in range(3):
                out[j, i] = world[j, 0, i] * a + world[j, 1, i] * b + world[j, 2, i] * c


@kernel_in_place
def sunk_pairs(near: Near, ahead: Array, shift: int, held: Indices, count: int) -> int:
    """Append to `held`, which has `count` already, of the balls of each joint the deepest other pair whose gaps `ahead`
    (M,) are negative, by its place in the list plus `shift`; returns how many there are then."""
    k, before = 0, count
    while k < near.number[0]:
        joint, deepest, least = near.pairs[k, 2], -1, -SLIGHTLY
        while k < near.number[0] and near.pairs[k, 2] == joint:
            if ahead[k] < least and not contains(held, before, k + shift):
                deepest, least = k, ahead[k]
            k += 1
        if deepest >= 0 and count < held.shape[0]:
            held[count] = deepest + shift
            count += 1
    return count
