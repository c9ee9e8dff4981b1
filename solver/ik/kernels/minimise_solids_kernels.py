"""Compiled damped Gauss–Newton among solids, where a step that looks bad may still lead on.

What is firm bends the way of a long step, which then leaves more energy than it should. The step after it tells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import Ground
from solver.contact.solid_kernels import Solids
from solver.effectors.residual_kernels import Rows
from solver.ik.kernels.contact_kernels import constrained_step, new_contact_work
from solver.ik.kernels.minimise_kernels import (
    FURTHEST,
    GAIN,
    NEAR,
    SLOW,
    Posed,
    Search,
    apply_step,
    limit_step,
    linearise,
    minimise,
    new_search_point,
    new_search_points,
    scale_step,
)
from solver.ik.kernels.prior_kernels import JointModel, Priors, Pulls
from solver.ik.kernels.step_kernels import extrapolate
from solver.jit import kernel
from solver.kinematics.fk_kernels import Tree
from solver.kinematics.rotation_kernels import copy

Array = NDArray[np.float64]

LENIENT = 30.0  # times the energy: a step that leaves less may still lead on
SHORTEST, LONGEST = 0.1, 0.6  # of a step that led nowhere, which is tried next
CREEPS, SOFT_CREEPS = 1e-3, 3e-3  # two gains in a row of a smaller share end a correction, a search


@kernel
def minimise_among_solids(
    tree: Tree, model: JointModel, priors: Priors, pulls: Pulls, rows: Rows, strengths: Array, ground: Ground,
    solids: Solids, search: Search, root: Array, turns: Array,
) -> tuple[int, float, Posed]:  # fmt: skip
    """As `minimise`, past solids.

    A step that leaves too much is followed by another one before it is judged (`astray`); where that is no better, the
    search goes back (`kept`) and a part of the way (`shorter`).
    """
    bones = tree.parents.shape[0]
    here, there, primal, room = new_search_points(tree, rows, ground, solids, root, turns)
    push, block, error = new_contact_work(tree, ground, solids), np.empty((4, 3)), np.empty(3)
    kept = new_search_point(root, turns, here.linear.residuals.shape[0], here.linear.jacobian.shape[1], ground, solids)
    change, last_change, kept_change = np.empty((bones + 1, 3)), np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    move, last_move = np.empty((bones + 1, 3)), np.empty((bones + 1, 3))
    best, damping, growth, count, last_largest, largest = np.inf, 1e-3, 4.0, 0, 0.0, 0.0
    followed, hasten, slow, calm = False, False, 0, 0
    astray, shorter, gain, beyond, kept_gain, kept_largest = False, False, 0.0, 0.0, 0.0, 0.0
    creep = SOFT_CREEPS if search.least_gain == 0.0 else CREEPS
    while True:
        energy = linearise(
            tree, model, priors, pulls, rows, strengths, ground, solids, search.solid, there.posed, there.linear,
            there.contacts, block, error,
        )  # fmt: skip
        if count == 0 or energy <= best * (1.0 + 1e-12):
            slow = slow + 1 if best - energy < creep * best else 0
            calm = 0 if astray or shorter else calm + 1
            best = energy
            here, there = there, here
            if count > 0:
                damping, growth = max(0.3 * damping, 1e-4), 4.0
                last_change, change = change, last_change
                copy(move, last_move)
                followed, last_largest = not astray, largest
            astray, shorter = False, False
        elif hasten:
            calm, followed = 0, False
        elif not astray and not shorter and energy < LENIENT * best and count < search.iterations:
            astray, beyond = True, energy
            kept, here, there = here, there, kept
            kept_change, change = change, kept_change
            kept_gain, kept_largest = gain, largest
            followed = False
        else:
            calm = 0
            if astray:
                here, kept = kept, here
                change, kept_change = kept_change, change
                gain, largest, astray = kept_gain, kept_largest, False
            else:
                beyond = energy if energy < np.inf else np.inf  # it may not be a number
            share = min(max(gain / (beyond - best + 2.0 * gain), SHORTEST), LONGEST)
            shorter, followed = True, False
            damping = max(growth * damping, 1e-2)
            growth *= 2.0
            scale_step(change, share)
            gain *= share * (2.0 - share)
            largest *= share
        if count >= search.iterations or damping > 1e9 or slow > 1:
            break
        if not shorter:
            slope = constrained_step(
                rows.joints, tree, here.linear, damping, primal, room, ground, solids, search.solid,
                here.posed.positions, here.posed.world, here.contacts, push, change,
            )  # fmt: skip
            gain, largest = -0.5 * slope, limit_step(change)
        if (largest < search.settled or gain < GAIN * best + search.least_gain) and not astray:
            break
        smooth = calm > 1 or push.last[0] == 0
        hasten = followed and smooth and largest < NEAR and largest > SLOW * last_largest
        if hasten:
            extrapolate(change, last_change, last_move, FURTHEST, move)
        else:
            copy(change, move)
        apply_step(here.posed, move, there.posed)
        count += 1
    return count, best, kept.posed if astray else here.posed


@kernel
def minimise_with_solids(
    tree: Tree, model: JointModel, priors: Priors, pulls: Pulls, rows: Rows, strengths: Array, ground: Ground,
    solids: Solids, search: Search, root: Array, turns: Array,
) -> tuple[int, float, Posed]:  # fmt: skip
    """As `minimise`, past solids where there are any."""
    if solids.balls.shape[0] > 0:
        return minimise_among_solids(tree, model, priors, pulls, rows, strengths, ground, solids, search, root, turns)
    return minimise(tree, model, priors, pulls, rows, strengths, ground, solids, search, root, turns)
