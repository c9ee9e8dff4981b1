"""Compiled steps against a floor and solids, which push and never pull.

Which points of the skin and which pairs are held apart is decided for each step: those that the step would otherwise
take too far (a primal-dual active set, as in semismooth Newton). It begins with what held the last step. Then what is
no longer pressed is let go, and of each joint what went deepest is held as well, until the set stays. Each is one row j
with a residual r. With H the curvature of all else and dx0 the step without rows, the step with them is

    dx = dx0 - H⁻¹ Jᵀ y,    (1 + J H⁻¹ Jᵀ) y = r + J dx0,

so that a trial costs a system as small as the rows are few: what `step` leaves of its own is the factor of H.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import (
    Ground,
    Heights,
    Rises,
    floor_energy,
    floor_row,
    is_looked_at,
    is_pressed,
    last_joint,
    new_heights,
    new_rises,
    predicted_heights,
    sunk_points,
)
from solver.contact.solid_kernels import (
    REACHES,
    Near,
    Solids,
    find_near,
    joint_moves,
    new_near,
    predicted_gaps,
    solid_energy,
    solid_row,
    sunk_pairs,
)
from solver.ik.kernels.step_kernels import Linear, StepWork, primal_step, solve_positive, step
from solver.jit import kernel, kernel_in_place
from solver.kinematics.fk_kernels import Tree
from solver.kinematics.rotation_kernels import copy

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_HELD = 60  # points and pairs that are held at once
KNOWN = 160  # rows that one step remembers
ATTEMPTS = 10  # to find which those are


class NearContacts(NamedTuple):
    """What is nearly or already touching at one pose: how high the floor's points are, and the pairs near each
    other."""

    heights: Heights
    near: Near


class ContactWork(NamedTuple):
    """Work space. rises, parted (M,): where a step takes heights and gaps. held (K,): what is held, points by
    their index and pairs by N + their place in the list. before (K,), last (1,): what held the last step, pairs by N +
    ball · O + solid, and how many. names, values, along (S,): of rows known in this step, what each is of, its residual
    and its product with `free`. rows, yields (S, J + 1, 3): the rows and H⁻¹ times each. products (S, S; lower half):
    of rows with yields, not a number where not worked out yet. slots (K,), system (K, K), right (K,): of what is held.
    free (J + 1, 3): the step without rows. spins, shifts (J, 3)."""

    rises: Rises
    parted: Array
    held: Indices
    before: Indices
    last: Indices
    names: Indices
    values: Array
    along: Array
    rows: Array
    yields: Array
    products: Array
    slots: Indices
    system: Array
    right: Array
    free: Array
    spins: Array
    shifts: Array


@kernel
def new_near_contacts(ground: Ground, solids: Solids, bones: int) -> NearContacts:
    """Room for what is near at one pose."""
    return NearContacts(new_heights(ground, bones), new_near(solids))


@kernel
def new_contact_work(tree: Tree, ground: Ground, solids: Solids) -> ContactWork:
    """Work space; none where nothing is solid."""
    points, bones = ground.first.shape[0] - 1, tree.parents.shape[0]
    some = 1 if points + solids.balls.shape[0] > 0 else 0
    most, known, parts = some * MOST_HELD, some * KNOWN, some * (bones + 1)
    return ContactWork(
        new_rises(ground, bones), np.empty(new_near(solids).gaps.shape[0]), np.empty(most, np.int64),
        np.empty(most, np.int64), np.zeros(1, np.int64), np.empty(known, np.int64), np.empty(known), np.empty(known),
        np.empty((known, parts, 3)), np.empty((known, parts, 3)), np.empty((known, known)), np.empty(most, np.int64),
        np.empty((most, most)), np.empty(most), np.empty((parts, 3)), np.empty((bones, 3)), np.empty((bones, 3)),
    )  # fmt: skip


@kernel_in_place
def contact_energy(
    ground: Ground, solids: Solids, firmness: float, positions: Array, world: Array, touched: NearContacts
) -> float:
    """Fill `touched`; returns the energy of what is too deep."""
    energy = 0.0
    if ground.first.shape[0] > 1:
        energy += floor_energy(ground, positions, world, firmness, touched.heights)
    if solids.balls.shape[0] > 0 and find_near(solids, positions, world, REACHES, touched.near) < 0.0:
        energy += solid_energy(touched.near, firmness)
    return energy


@kernel_in_place
def response_to(joints: Indices, tree: Tree, primal: bool, room: StepWork, row: Array, out: Array) -> None:
    """out (J + 1, 3) = H⁻¹ row, by the factor that `step` or `primal_step` has left of H."""
    bones = row.shape[0]
    if primal:
        for j in range(bones):
            for i in range(3):
                room.right[3 * j + i] = row[j, i]
        _solve_factored(room.system, room.right, 3 * bones)
        for j in range(bones):
            for i in range(3):
                out[j, i] = room.right[3 * j + i]
        return
    factors, white, right, paths, depths = room.factors, room.white, room.right, tree.paths, tree.depths
    for j in range(bones):
        x = row[j, 0] * factors[j, 0]
        y = (row[j, 1] - factors[j, 1] * x) * factors[j, 3]
        out[j, 0], out[j, 1] = x, y
        out[j, 2] = (row[j, 2] - factors[j, 2] * x - factors[j, 4] * y) * factors[j, 5]
    root = bones - 1
    for e in range(joints.shape[0]):
        joint = joints[e]
        for r in range(3 * e, 3 * e + 3):
            total = white[r, 0] * out[root, 0] + white[r, 1] * out[root, 1] + white[r, 2] * out[root, 2]
            for k in range(depths[joint]):
                j, c = paths[joint, k], 3 * k + 3
                total += white[r, c] * out[j, 0] + white[r, c + 1] * out[j, 1] + white[r, c + 2] * out[j, 2]
            right[r] = total
    _solve_factored(room.system, right, 3 * joints.shape[0])
    for e in range(joints.shape[0]):
        joint = joints[e]
        for r in range(3 * e, 3 * e + 3):
            y = right[r]
            for k in range(-1, depths[joint]):
                j, c = root if k < 0 else paths[joint, k], 3 * k + 3
                out[j, 0] -= white[r, c] * y
                out[j, 1] -= white[r, c + 1] * y
                out[j, 2] -= white[r, c + 2] * y
    for j in range(bones):
        z = out[j, 2] * factors[j, 5]
        y = (out[j, 1] - factors[j, 4] * z) * factors[j, 3]
        out[j, 0] = (out[j, 0] - factors[j, 1] * y - factors[j, 2] * z) * factors[j, 0]
        out[j, 1], out[j, 2] = y, z


@kernel_in_place
def _solve_factored(a: Array, b: Array, n: int) -> None:
    """Solve in place with the factor that `solve_positive` has left in the leading n x n part of a."""
    for i in range(n):
        done = 0.0
        for k in range(i):
            done += a[i, k] * b[k]
        b[i] = (b[i] - done) * a[i, i]
    for i in range(n - 1, -1, -1):
        x = b[i] * a[i, i]
        b[i] = x
        for k in range(i):
            b[k] -= a[i, k] * x


@kernel_in_place
def _product(a: Array, b: Array) -> float:
    total = 0.0
    for j in range(a.shape[0]):
        total += a[j, 0] * b[j, 0] + a[j, 1] * b[j, 1] + a[j, 2] * b[j, 2]
    return total


@kernel_in_place
def _recall_active(ground: Ground, solids: Solids, touched: NearContacts, push: ContactWork) -> int:
    """Fill push.held with what held the last step and is still near; returns how many there are."""
    count, near, points, many = 0, touched.near, touched.heights.points.shape[0], solids.forms.shape[0]
    for i in range(push.last[0]):
        name = push.before[i]
        if name < points:
            if is_looked_at(ground, last_joint(ground, name), touched.heights):
                push.held[count] = name
                count += 1
            continue
        for k in range(near.number[0]):
            if name - points == near.pairs[k, 0] * many + near.pairs[k, 1]:
                push.held[count] = points + k
                count += 1
                break
    return count


@kernel_in_place
def _store_active(solids: Solids, touched: NearContacts, push: ContactWork, count: int) -> None:
    """Keep what is held for the next step."""
    near, points, many = touched.near, touched.heights.points.shape[0], solids.forms.shape[0]
    for i in range(count):
        name = push.held[i]
        k = name - points
        push.before[i] = name if k < 0 else points + near.pairs[k, 0] * many + near.pairs[k, 1]
    push.last[0] = count


@kernel_in_place
def _revise_active(
    tree: Tree, ground: Ground, positions: Array, world: Array, change: Array, touched: NearContacts, push: ContactWork,
    count: int,
) -> tuple[bool, int]:  # fmt: skip
    """Let go what a step does not press, hold what it would take too far; returns whether that changes anything, and
    how many are held then."""
    points, near, kept = touched.heights.points.shape[0], touched.near, 0
    if points > 0:
        predicted_heights(tree, ground, positions, world, change, touched.heights, push.rises)
    if near.number[0] > 0:
        joint_moves(tree, positions, world, change, push.spins, push.shifts)
        predicted_gaps(near, positions, push.spins, push.shifts, push.parted)
    for i in range(count):
        name = push.held[i]
        if is_pressed(ground, name, push.rises) if name < points else push.parted[name - points] < 0.0:
            push.held[kept] = name
            kept += 1
    more = sunk_points(ground, push.rises.ahead, push.held, kept)
    more = sunk_pairs(near, push.parted, points, push.held, more)
    return kept < count or more > kept, more


@kernel_in_place
def _add_row(
    name: int, known: int, joints: Indices, tree: Tree, ground: Ground, positions: Array, world: Array, scale: float,
    primal: bool, room: StepWork, touched: NearContacts, push: ContactWork,
) -> None:  # fmt: skip
    """Work out the row of a point or a pair, as the one numbered `known`."""
    points, row = touched.heights.points.shape[0], push.rows[known]
    push.names[known] = name
    if name < points:
        push.values[known] = scale * touched.heights.points[name]
        floor_row(tree, ground, name, positions, world, scale, row)
    else:
        push.values[known] = scale * touched.near.gaps[name - points]
        solid_row(tree, touched.near, name - points, positions, world, scale, row)
    response_to(joints, tree, primal, room, row, push.yields[known])
    push.along[known] = _product(row, push.free)
    push.products[known, : known + 1] = np.nan


@kernel_in_place
def constrained_step(
    joints: Indices, tree: Tree, linear: Linear, damping: float, primal: bool, room: StepWork, ground: Ground,
    solids: Solids, firmness: float, positions: Array, world: Array, touched: NearContacts, push: ContactWork,
    change: Array,
) -> float:  # fmt: skip
    """As `step` or `primal_step`, past what holds: fills change (J + 1, 3), returns how fast the energy changes on it.

    firmness: per m² that something is too deep. joints: (E,), the effectors'.
    """
    alone = (
        primal_step(joints, tree, linear, damping, room, change)
        if primal
        else (step(joints, tree, linear, damping, room, change))
    )
    slope, known, scale = alone, 0, sqrt(firmness)
    # By themselves: work space as a whole takes longer to hand on than a product takes.
    names, slots, system, right = push.names, push.slots, push.system, push.right
    rows, yields, products = push.rows, push.yields, push.products
    copy(change, push.free)
    count = _recall_active(ground, solids, touched, push)
    for _attempt in range(ATTEMPTS):
        if known + count > KNOWN:
            break
        slope = alone
        for i in range(count):
            slot = 0
            while slot < known and names[slot] != push.held[i]:
                slot += 1
            if slot == known:
                _add_row(
                    push.held[i], known, joints, tree, ground, positions, world, scale, primal, room, touched, push
                )
                known += 1
            slots[i], right[i] = slot, push.values[slot] + push.along[slot]
            for k in range(i + 1):
                a, b = max(slot, slots[k]), min(slot, slots[k])
                if np.isnan(products[a, b]):
                    products[a, b] = _product(rows[a], yields[b])
                system[i, k] = products[a, b]
            system[i, i] += 1.0
        solve_positive(system, right, count)
        copy(push.free, change)
        for i in range(count):
            slot, y = slots[i], right[i]
            # A pair that is apart has no energy yet, so that none can be gained from it.
            slope += y * (push.along[slot] + push.values[slot]) - min(push.values[slot], 0.0) ** 2
            for j in range(change.shape[0]):
                for c in range(3):
                    change[j, c] -= y * yields[slot, j, c]
        _store_active(solids, touched, push, count)
        again, count = _revise_active(tree, ground, positions, world, change, touched, push, count)
        if not again:
            break
    return slope
