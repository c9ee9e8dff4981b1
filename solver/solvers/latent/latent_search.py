"""DragPoser's pose optimiser: the latent whose pose meets what is asked (Ponton et al., 2024, section 4.4).

The paper follows the gradient with Adam, some tens of steps through autograd. Here each step solves the damped normal
equations (Levenberg–Marquardt) with the decoder's own derivative, and some four steps do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.residual_kernels import Rows
from solver.effectors.rows import POINT, TURN
from solver.solvers.latent.bound_kernels import NO_BOUNDS, Bounds, add_bounds, energy_of_bounds
from solver.solvers.latent.latent_kernels import add_effectors, energy_of, solved
from solver.solvers.latent.latent_pose import ROOT, Figure, Place

Array = NDArray[np.float64]

STEPS = 12  # of a frame of a motion
SETTLED = 1e-3  # of a latent's numbers, metres and radians: a step below it ends the search
TRIFLE = 1e-3  # of the energy: likewise a gain


class Pulls(NamedTuple):
    """What a pose is drawn by, per square metre, radian or number of a latent: places, turns and aims that are asked,
    the latent that is expected, the middle of the latent space, the root's own way as it is decoded, and the turn that
    is decoded for a joint of which a turn is asked."""

    place: float = 3e4
    turn: float = 300.0
    aim: float = 400.0
    expected: float = 2.0
    middle: float = 0.5
    root_shift: float = 1e3
    root_turn: float = 10.0
    own_turn: float = 10.0


IN_MOTION = Pulls(place=1e4, turn=15.0, own_turn=20.0)  # what latents cannot say is not to be forced out of them


class Found(NamedTuple):
    """A place, what it misses of what is asked, and what it costs whatever latent was expected."""

    place: Place
    missed: float
    cost: float


def search(
    figure: Figure, rows: Rows, shares: Array, expected: Array, start: Place, pulls: Pulls,
    bounds: Bounds = NO_BOUNDS, steps: int = STEPS, trifle: float = TRIFLE,
) -> Found:  # fmt: skip
    """The best place from `start`. shares: (E,) of each effector's pull. expected: (L,) the latent that comes next.

    bounds: what is held beside effectors. steps: at most. trifle: of the energy, a gain that ends the search.
    """
    size, unknowns = len(expected), len(start.numbers)
    stiff = np.full(unknowns, pulls.own_turn)
    stiff[:size] = pulls.expected + pulls.middle
    stiff[size : size + 3] = pulls.root_shift
    stiff[size + 3 : size + ROOT] = pulls.root_turn
    weight = np.where(rows.kinds == POINT, pulls.place, np.where(rows.kinds == TURN, pulls.turn, pulls.aim)) * shares
    middle = np.zeros(unknowns)
    middle[:size] = pulls.expected / (pulls.expected + pulls.middle) * expected

    def energy(place: Place) -> float:
        away = place.numbers - middle
        body = figure.posed(place)
        return float(energy_of(rows, weight, body) + energy_of_bounds(bounds, body) + stiff @ (away * away))

    best, damping, place = energy(start), 1e-3, start
    step = np.empty(unknowns)
    for _ in range(steps):
        body, rates = figure.with_rates(place)
        normal, right = np.diag(stiff), stiff * (place.numbers - middle)
        add_effectors(rows, weight, figure.tree, body, rates.moves, rates.spins, normal, right)
        add_bounds(bounds, figure.tree, body, rates.moves, rates.spins, normal, right)
        while True:
            found = np.inf
            if solved(normal, right, damping, step):
                there = place.moved(step)
                found = energy(there)
            if found <= best or damping > 1e6:
                break
            damping = max(10.0 * damping, 1e-2)
        if not found <= best:
            break
        gain, best, place, damping = best - found, found, there, max(0.1 * damping, 1e-6)
        if np.abs(step).max() < SETTLED or gain < trifle * best:
            break
    numbers = place.numbers
    told = best - float(stiff[:size] @ np.square(numbers - middle)[:size])
    missed = told - energy_of_bounds(bounds, figure.posed(place)) if len(bounds.pulls) else told
    return Found(place, missed, told + pulls.middle * float(np.square(numbers[:size]).sum()))
