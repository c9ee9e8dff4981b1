"""Compiled damped Gauss–Newton over the root and every joint.

Unknowns: a turn (3,) for each joint in its own axes and a shift (3,) of the root.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import Ground
from solver.contact.solid_kernels import Solids
from solver.effectors.form_ids import POINT
from solver.effectors.residual_kernels import Rows, residual, residual_blocks
from solver.ik.kernels.contact_kernels import (
    NearContacts,
    constrained_step,
    contact_energy,
    new_contact_work,
    new_near_contacts,
)
from solver.ik.kernels.prior_kernels import JointModel, Priors, Pulls, joint_priors
from solver.ik.kernels.step_kernels import Linear, StepWork, extrapolate, primal_step, shared_columns, step
from solver.jit import kernel, kernel_in_place
from solver.kinematics.fk_kernels import Tree, forward
from solver.kinematics.rotation_kernels import copy, matrices, turned

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

NEAR = 0.2  # steps below it, rad or m, are extrapolated
SLOW = 0.25  # when a step is longer than this share of the one before
FURTHEST = 8.0  # times a step, at most
GAIN = 1e-5  # a step that would take off a smaller share of the energy is not taken
FAR = 1.1  # 1 + (error / knee)² beyond which a target counts as far
MAX_TURN = 0.7  # radians that a joint turns in one step at most
ROOT_KNEE = 0.3  # metres from where it is to stay, after which the root is pulled no harder
REACH = (0.3, 1.0, 1.0)  # an error beyond this (m, rad) counts as no nearer: far targets must not overshoot


class Posed(NamedTuple):
    """A pose and what follows from it. root (3,), turns (J, 4) quaternions; local (J, 3, 3), positions (J, 3) and
    world (J, 3, 3), its joints."""

    root: Array
    turns: Array
    local: Array
    positions: Array
    world: Array


class SearchPoint(NamedTuple):
    """One point of the search: a pose, the linearisation there, and what is near there."""

    posed: Posed
    linear: Linear
    contacts: NearContacts


class Search(NamedTuple):
    """When a search ends: after so many iterations, at a largest turn (rad) and shift (m) below `settled`, or at a gain
    in energy below `least_gain`. solid: stiffness per m² of a floor and of solids."""

    iterations: int
    settled: float
    least_gain: float
    solid: float


@kernel_in_place
def lever_stiffness(error: Array, force: float, point: Array, joint: int, posed: Posed, curvature: Array) -> None:
    """Add to curvature[joint] what a pull at `point` (3,) along a lever resists its turning with, as a pendulum's
    weight does.

    Gauss–Newton knows nothing of it, and would swing a stretched arm to and fro past a target out of reach.
    """
    positions, world = posed.positions, posed.world
    x = point[0] - positions[joint, 0]
    y = point[1] - positions[joint, 1]
    z = point[2] - positions[joint, 2]
    along = -force * (error[0] * x + error[1] * y + error[2] * z)
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


@kernel_in_place
def effector_rows(
    rows: Rows, strengths: Array, tree: Tree, posed: Posed, linear: Linear, work: Array, error_: Array
) -> float:
    """Fill the whitened residuals and their jacobian, and add to the curvature; returns the effectors' energy.

    strengths: (E, 3), weight, knee and fading. The energy is ½ · weight · error² up to the knee and grows more slowly
    beyond: with a fading of ½ the pull is then the same everywhere, with more it fades up to REACH as the target gets
    further away, so that what is on its target stays there. work (4, 3), error_ (3,): work space.
    """
    kinds, joints, targets, positions, world = rows.kinds, rows.joints, rows.targets, posed.positions, posed.world
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
        residual_blocks(kind, joint, tree, error_, positions, world, work, root, 3 * e, linear.jacobian)
        if kind == POINT and bend > FAR:
            force = weight * (1.0 - FAR / bend)
            for k in range(tree.depths[joint]):
                lever_stiffness(error_, force, work[0], tree.paths[joint, k], posed, linear.curvature)
        for i in range(3):
            linear.residuals[3 * e + i] = error_[i] * weight / root
    return energy


@kernel_in_place
def linearise(
    tree: Tree, model: JointModel, priors: Priors, pulls: Pulls, rows: Rows, strengths: Array, ground: Ground,
    solids: Solids, firmness: float, posed: Posed, linear: Linear, touched: NearContacts, work: Array, error: Array,
) -> float:  # fmt: skip
    """Fill `linear`, what is `touched`, and what follows from the root and the turns of `posed`; returns the energy
    there.

    firmness: of a floor and of solids, per m². work (4, 3), error (3,): work space.
    """
    bones, root = tree.parents.shape[0], posed.root
    curvature, gradient = linear.curvature, linear.gradient
    matrices(posed.turns, posed.local)
    forward(tree.parents, tree.offsets, root, posed.local, posed.positions, posed.world)
    energy = joint_priors(posed.turns, model, priors, pulls, curvature, gradient, work, error)
    energy += effector_rows(rows, strengths, tree, posed, linear, work, error)
    energy += contact_energy(ground, solids, firmness, posed.positions, posed.world, touched)
    pull, square = pulls.near * pulls.root, 0.0
    for i in range(3):
        square += (root[i] - priors.root[i]) ** 2
    bend = sqrt(1.0 + square / ROOT_KNEE**2)
    for i in range(3):
        gradient[bones, i] = pull / bend * (root[i] - priors.root[i])
        for k in range(3):
            curvature[bones, i, k] = pull / bend if i == k else 0.0
    return energy + pull * ROOT_KNEE**2 * (bend - 1.0)


@kernel
def new_posed(root: Array, turns: Array) -> Posed:
    """Room for a pose of these root (3,) and turns (J, 4), of which it holds copies; its joints are not filled."""
    bones = turns.shape[0]
    joints = np.empty((bones, 3, 3)), np.empty((bones, 3)), np.empty((bones, 3, 3))
    return Posed(root.copy(), turns.copy(), joints[0], joints[1], joints[2])


@kernel
def new_linear(bones: int, size: int, columns: int) -> Linear:
    """Room for a linearisation of `size` rows."""
    rows = np.empty(size), np.empty((size, columns))
    return Linear(rows[0], rows[1], np.empty((bones + 1, 3, 3)), np.empty((bones + 1, 3)))


@kernel
def new_step_work(joints: Indices, tree: Tree, columns: int, primal: bool) -> StepWork:
    """Work space for the steps of effectors on these joints, with what two of them share."""
    bones, effectors = tree.parents.shape[0], joints.shape[0]
    size, pairs = (3 * bones + 3, 0) if primal else (3 * effectors, effectors)
    shared = np.empty((pairs, pairs), np.int64)
    if not primal:
        shared_columns(joints, tree, shared)
    white = np.empty((3 * effectors, columns))
    return StepWork(
        np.empty((bones + 1, 6)), np.empty((bones + 1, 3)), white, shared, np.empty((size, size)), np.empty(size)
    )


@kernel_in_place
def scale_step(change: Array, share: float) -> None:
    """Leave that share of a step (J + 1, 3)."""
    for j in range(change.shape[0]):
        for i in range(3):
            change[j, i] *= share


@kernel
def new_search_point(root: Array, turns: Array, rows: int, columns: int, ground: Ground, solids: Solids) -> SearchPoint:
    """Room for a point at these root (3,) and turns (J, 4), with so many rows and columns."""
    bones = turns.shape[0]
    return SearchPoint(
        new_posed(root, turns), new_linear(bones, rows, columns), new_near_contacts(ground, solids, bones)
    )


@kernel
def new_search_points(
    tree: Tree, rows: Rows, ground: Ground, solids: Solids, root: Array, turns: Array
) -> tuple[SearchPoint, SearchPoint, bool, StepWork]:
    """Room for where a search is and for where it looks next, both at root (3,) and turns (J, 4); whether steps are
    found by joints, which are fewer than rows; and work space for steps."""
    bones, effectors, longest = tree.parents.shape[0], rows.kinds.shape[0], 1
    for e in range(effectors):
        longest = max(longest, tree.depths[rows.joints[e]])
    columns, primal = 3 * longest + 3, effectors > bones + 1
    here = new_search_point(root, turns, 3 * effectors, columns, ground, solids)
    there = new_search_point(root, turns, 3 * effectors, columns, ground, solids)
    return here, there, primal, new_step_work(rows.joints, tree, columns, primal)


@kernel_in_place
def limit_step(change: Array) -> float:
    """Shorten a step (J + 1, 3) so that no joint turns by more than MAX_TURN; returns the largest turn or shift that it
    had."""
    bones, largest = change.shape[0] - 1, 0.0
    for j in range(bones):
        largest = max(largest, change[j, 0] ** 2 + change[j, 1] ** 2 + change[j, 2] ** 2)
    turn = sqrt(largest)
    largest = turn
    for i in range(3):
        largest = max(largest, abs(change[bones, i]))
    scale_step(change, min(1.0, MAX_TURN / max(turn, 1e-30)))
    return largest


@kernel_in_place
def apply_step(here: Posed, move: Array, there: Posed) -> None:
    """Put the root and the turns of `there` a step (J + 1, 3) on from `here`; its joints are left as they are."""
    for i in range(3):
        there.root[i] = here.root[i] + move[move.shape[0] - 1, i]
    turned(here.turns, move, there.turns)


@kernel
def minimise(
    tree: Tree, model: JointModel, priors: Priors, pulls: Pulls, rows: Rows, strengths: Array, ground: Ground,
    solids: Solids, search: Search, root: Array, turns: Array,
) -> tuple[int, float, Posed]:  # fmt: skip
    """From root (3,) and quaternions turns (J, 4) to the least energy: iterations used, that energy and the pose.

    Among solids see `minimise_among_solids`.
    """
    bones = tree.parents.shape[0]
    here, there, primal, room = new_search_points(tree, rows, ground, solids, root, turns)
    push, block, error = new_contact_work(tree, ground, solids), np.empty((4, 3)), np.empty(3)
    solid = ground.first.shape[0] > 1
    change, last_change = np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    move, last_move = np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    best, damping, growth, count, last_largest, largest = np.inf, 1e-3, 4.0, 0, 0.0, 0.0
    followed, hasten = False, False
    while True:
        energy = linearise(
            tree, model, priors, pulls, rows, strengths, ground, solids, search.solid, there.posed, there.linear,
            there.contacts, block, error,
        )  # fmt: skip
        if count == 0 or energy <= best * (1.0 + 1e-12):
            best = energy
            here, there = there, here
            if count > 0:
                damping, growth = max(0.3 * damping, 1e-4), 4.0
                last_change, change = change, last_change
                copy(move, last_move)
                followed, last_largest = True, largest
        else:  # worse, or not a number: after a bold step the plain one, else a shorter one, from the same place
            if not hasten:
                damping, growth = max(growth * damping, 1e-2), 2.0 * growth
            followed = False
        if count >= search.iterations or damping > 1e9:
            break
        if solid:
            slope = constrained_step(
                rows.joints, tree, here.linear, damping, primal, room, ground, solids, search.solid,
                here.posed.positions, here.posed.world, here.contacts, push, change,
            )  # fmt: skip
        elif primal:
            slope = primal_step(rows.joints, tree, here.linear, damping, room, change)
        else:
            slope = step(rows.joints, tree, here.linear, damping, room, change)
        gain, largest = -0.5 * slope, limit_step(change)
        if largest < search.settled or gain < GAIN * best + search.least_gain:
            break
        hasten = followed and largest < NEAR and largest > SLOW * last_largest
        if hasten:
            extrapolate(change, last_change, last_move, FURTHEST, move)
        else:
            copy(change, move)
        apply_step(here.posed, move, there.posed)
        count += 1
    return count, best, here.posed
