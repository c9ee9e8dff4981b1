"""DragPoser's pose optimiser: the latent whose pose meets what is asked (Ponton et al., 2024, section 4.4).

The paper follows the gradient with Adam, some tens of steps through autograd. Here each step solves the damped normal
equations (Levenberg–Marquardt) with the decoder's own derivative, and some four steps are enough.

From far away such steps creep along bent valleys. There, effectors are softer at first, and a step is corrected by the
curvature of the residuals along it (Transtrum and Sethna, 2012).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import POINT, TURN
from solver.effectors.residual_kernels import Rows
from solver.solvers.latent.bound_kernels import NO_BOUNDS, Bounds, add_bounds, energy_of_bounds
from solver.solvers.latent.latent_kernels import EffectorErrors, add_curvature, add_effectors, energy_of, solve_damped
from solver.solvers.latent.latent_pose import ROOT, LatentBody, LatentPoint
from solver.solvers.latent.usual_latents import UsualLatents

Array = NDArray[np.float64]

STEPS = 4  # of a frame of a motion: more hardly change what is found
SETTLED = 1e-3  # of a latent's numbers, metres and radians: a step below it ends the search
LEAST_GAIN = 1e-3  # of the energy: likewise a gain
NEAR = 50.0  # of the energy: with no more than this to lose, effectors are not softened
FIRST_DAMPING = 1e-3  # the damping that a search begins with
STRAIGHT, BENT = 0.2, 0.75  # of a step's length: a correction between these matters and can be trusted


class SearchWeights(NamedTuple):
    """What draws a pose, per square metre, radian or number of a latent: places, turns and aims that are asked,
    the latent that is expected, the usual one, the root's own way as decoded, and the decoded turn of a joint of which
    a turn is asked."""

    place: float = 3e4
    turn: float = 300.0
    aim: float = 400.0
    expected: float = 2.0
    usual: float = 0.5
    root_shift: float = 1e3
    root_turn: float = 10.0
    own_turn: float = 10.0


# In a motion, what a latent cannot express is not to be forced out of it: the exact stage does the rest.
MOTION_WEIGHTS = SearchWeights(place=1e4, turn=15.0, usual=0.8, own_turn=20.0)


class SearchSettings(NamedTuple):
    """Settings of a search. steps: at most. least_gain: of the energy; a smaller one ends it. soft_shares: of
    effectors' weights, one for each of the first steps of a search from far away. corrects_curvature: whether steps are
    corrected."""

    steps: int = STEPS
    least_gain: float = LEAST_GAIN
    soft_shares: tuple[float, ...] = ()
    corrects_curvature: bool = False


DEFAULT_SETTINGS = SearchSettings()  # with a motion


class Objective(NamedTuple):
    """What a search is after.

    rows: of the effectors. shares: (E,) of each one's pull. expected: (L,) the latent that comes next. usual_latents:
    what the search also leans to. weights: of all these. bounds: what is held beside effectors.
    """

    rows: Rows
    shares: Array
    expected: Array
    usual_latents: UsualLatents
    weights: SearchWeights
    bounds: Bounds = NO_BOUNDS


class SearchResult(NamedTuple):
    """The best point, its energy, how much of what is asked it misses, and its cost regardless of the expected
    latent."""

    point: LatentPoint
    energy: float
    missed: float
    cost: float


def search(
    figure: LatentBody, objective: Objective, start: LatentPoint, settings: SearchSettings = DEFAULT_SETTINGS
) -> SearchResult:
    """The best point found from `start`."""
    rows, shares, expected, usual, weights, bounds = objective
    size, unknowns = len(expected), len(start.numbers)
    stiff, leaning, middle = _prior(objective, unknowns)
    by_form = np.where(rows.kinds == POINT, weights.place, np.where(rows.kinds == TURN, weights.turn, weights.aim))
    firm = by_form * shares

    def energy(point: LatentPoint, weight: Array) -> float:
        away = point.numbers - middle
        body = figure.posed(point)
        return float(energy_of(rows, weight, body) + energy_of_bounds(bounds, body) + away @ stiff @ away)

    best, damping, point = energy(start, firm), FIRST_DAMPING, start
    soft = [share for share in settings.soft_shares if share * best > NEAR]
    step, mend, missed = np.empty(unknowns), np.empty(unknowns), EffectorErrors.empty(len(shares), unknowns)
    for number in range(settings.steps):
        weight = soft[number] * firm if number < len(soft) else firm
        if soft and number <= len(soft):  # measured differently from the step before
            best = energy(point, weight)
        body, rates = figure.with_derivative(point)
        normal, right = stiff.copy(), stiff @ (point.numbers - middle)
        add_effectors(rows, weight, figure.tree, body, rates, missed, normal, right)
        add_bounds(bounds, figure.tree, body, rates, normal, right)
        while True:
            found = np.inf
            if solve_damped(normal, right, damping, step):
                there = point.moved(step)
                found = energy(there, weight)
                if settings.corrects_curvature:
                    bend = np.zeros(unknowns)
                    add_curvature(rows, missed, step, figure.body, bend)
                    solve_damped(normal, bend, damping, mend)
                    if STRAIGHT < np.linalg.norm(mend) / np.linalg.norm(step) < BENT:
                        other = point.moved(step + mend)
                        if (cost := energy(other, weight)) < found:
                            there, found = other, cost
            if found <= best or damping > 1e6:
                break
            damping = max(10.0 * damping, 1e-2)
        if not found <= best:
            if number < len(soft):
                damping = FIRST_DAMPING
                continue
            break
        gain, best, point, damping = best - found, found, there, max(0.1 * damping, 1e-6)
        if number >= len(soft) and (np.abs(step).max() < SETTLED or gain < settings.least_gain * best):
            break
    away, far = (point.latent - there for there in (middle[:size], usual.mean))
    told = best - float(away @ stiff[:size, :size] @ away)
    missing = told - energy_of_bounds(bounds, figure.posed(point)) if len(bounds.pulls) else told
    return SearchResult(point, best, missing, told + float(far @ leaning @ far))


def _prior(objective: Objective, unknowns: int) -> tuple[Array, Array, Array]:
    """What draws U unknowns, whatever is asked: the stiffness (U, U), the part of it that leans the L numbers of the
    latent to the usual ones (L, L), and where its energy is least (U,)."""
    expected, usual, weights = objective.expected, objective.usual_latents, objective.weights
    size = len(expected)
    springs = np.full(unknowns, weights.own_turn)
    springs[size : size + 3] = weights.root_shift
    springs[size + 3 : size + ROOT] = weights.root_turn
    leaning = weights.usual * usual.precision
    stiff = np.diag(springs)
    stiff[:size, :size] = leaning + weights.expected * np.eye(size)
    middle = np.zeros(unknowns)
    middle[:size] = np.linalg.solve(stiff[:size, :size], weights.expected * expected + leaning @ usual.mean)
    return stiff, leaning, middle
