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
from solver.kinematics.rotations import to_rotation_vector
from solver.solvers.latent.latent_pose import ROOT, Figure, Place, Posed, Rates, crossed

Array = NDArray[np.floating]

STEPS = 12  # of a frame of a motion
SETTLED = 1e-3  # of a latent's numbers, metres and radians: a step below it ends the search
TRIFLE = 1e-3  # of the energy: likewise a gain
FAR = 0.3  # metres or radians: farther off, a pull grows no more
NEAREST = 0.05  # metres: nearer than a face is deep, the direction means nothing


class Pulls(NamedTuple):
    """What a pose is drawn by, per square metre, radian or number of a latent: places, turns and aims that are asked,
    the latent that is expected, the middle of the latent space, and the root's own way as it is decoded."""

    place: float = 1e4
    turn: float = 100.0
    aim: float = 400.0
    expected: float = 1.0
    middle: float = 0.05
    root_shift: float = 1e3
    root_turn: float = 100.0


def search(
    figure: Figure, rows: Rows, shares: Array, expected: Array, start: Place, pulls: Pulls, steps: int = STEPS,
    trifle: float = TRIFLE,
) -> Place:  # fmt: skip
    """The best place from `start`. shares: (E,) of each effector's pull. expected: (L,) the latent that comes next.

    steps: at most. trifle: of the energy, a gain that ends the search.
    """
    size = len(expected)
    stiff = np.concatenate(
        [
            np.full(size, pulls.expected + pulls.middle),
            np.full(3, pulls.root_shift),
            np.full(ROOT - 3, pulls.root_turn),
        ]
    )
    weight = np.where(rows.kinds == POINT, pulls.place, np.where(rows.kinds == TURN, pulls.turn, pulls.aim)) * shares
    middle = pulls.expected * expected / (pulls.expected + pulls.middle)

    def away(place: Place) -> Array:
        return np.concatenate([place.latent - middle, place.beyond])

    def energy(place: Place) -> float:
        off = np.linalg.norm(residuals(rows, figure.posed(place)), axis=1)
        near = np.minimum(off, FAR)
        return float((weight * near * (2.0 * off - near)).sum() + (stiff * np.square(away(place))).sum())

    best, damping = energy(start), 1e-3
    place = start
    for _ in range(steps):
        posed, rates = figure.with_rates(place)
        missed, slopes = residuals(rows, posed), residual_slopes(rows, posed, rates)
        far = np.maximum(np.linalg.norm(missed, axis=1), FAR) / FAR
        root = np.sqrt(weight / far)[:, None, None]
        jacobian = (root * slopes).reshape(-1, size + ROOT)
        normal = jacobian.T @ jacobian + np.diag(stiff)
        right = jacobian.T @ (root[:, 0] * missed).ravel() + stiff * away(place)
        while True:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -right)
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
    return place


def residuals(rows: Rows, posed: Posed) -> Array:
    """(E, 3): metres, radians, and for aims the difference of two directions."""
    at, world = posed.places[rows.joints], posed.world[rows.joints]
    goal, own = rows.targets[:, 0], rows.targets[:, 1]
    held = np.einsum("eab,eb->ea", world, own)
    found = at + held - goal  # of points
    turns = rows.kinds == TURN
    if turns.any():
        found[turns] = to_rotation_vector(world[turns] @ rows.targets[turns].swapaxes(1, 2))
    for e in np.flatnonzero(_aims(rows)):
        way = goal[e] - at[e]
        found[e] = held[e] - way / max(np.linalg.norm(way), NEAREST)
    return found


def residual_slopes(rows: Rows, posed: Posed, rates: Rates) -> Array:
    """(E, 3, L + ROOT): a turn's as for a small residual."""
    at, world = posed.places[rows.joints], posed.world[rows.joints]
    moves, spins = rates.moves[rows.joints], rates.spins[rows.joints]
    held = np.einsum("eab,eb->ea", world, rows.targets[:, 1])
    found = moves - crossed(held) @ spins
    turns = rows.kinds == TURN
    found[turns] = spins[turns]
    for e in np.flatnonzero(_aims(rows)):
        way = rows.targets[e, 0] - at[e]
        far = max(float(np.linalg.norm(way)), NEAREST)
        across = (np.eye(3) - np.outer(way, way) / far**2) / far
        found[e] = across @ moves[e] - crossed(held[e]) @ spins[e]
    return np.asarray(found)


def _aims(rows: Rows) -> NDArray[np.bool_]:
    return (rows.kinds != POINT) & (rows.kinds != TURN)
