"""Compiled slide: how a place moves over balls towards another one that lies within them."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

Array = NDArray[np.float64]

LONGEST, SHORTEST = 0.02, 2e-4  # metres of one step
STEPS, PUSHES = 120, 8
TRIES, OUTSIDE = 12, 1e-4  # to find a way out; metres that count as out


@kernel
def _pushed_out(place: Array, balls: Array, room: float) -> None:
    """Move a place (3,) out of balls (N, 4) until it is `room` metres off all of them, or nearly so."""
    for _push in range(PUSHES):
        deepest, least, length = -1, -1e-5, 0.0
        for i in range(balls.shape[0]):
            u, v, w = place[0] - balls[i, 0], place[1] - balls[i, 1], place[2] - balls[i, 2]
            square, reach = u * u + v * v + w * w, balls[i, 3] + room
            if square >= reach * reach:  # of most balls, without a root
                continue
            away = sqrt(square)
            if away - balls[i, 3] - room < least:
                deepest, least, length = i, away - balls[i, 3] - room, away
        if deepest < 0:
            return
        share = (balls[deepest, 3] + room) / max(length, 1e-9)
        for c in range(3):
            place[c] = balls[deepest, c] + share * (place[c] - balls[deepest, c])


@kernel
def way_out(place: Array, balls: Array, room: float) -> None:
    """Move a place (3,) to the nearest one, more or less, that is `room` metres off balls (N, 4)."""
    for _try in range(TRIES):
        deepest, least, length = -1, room - OUTSIDE, 0.0
        for i in range(balls.shape[0]):
            u, v, w = place[0] - balls[i, 0], place[1] - balls[i, 1], place[2] - balls[i, 2]
            square, reach = u * u + v * v + w * w, balls[i, 3] + least
            if reach <= 0.0 or square >= reach * reach:  # of most balls, without a root
                continue
            deepest, length = i, sqrt(square)
            least = length - balls[i, 3]
        if deepest < 0:
            return
        share = (balls[deepest, 3] + room) / max(length, 1e-9)
        for c in range(3):
            place[c] = balls[deepest, c] + share * (place[c] - balls[deepest, c])


@kernel
def slide(place: Array, target: Array, balls: Array, room: float) -> None:
    """Move a place (3,) as far towards a target (3,) as it gets in short steps `room` metres off balls (N, 4).

    It stays on the side that it is on, so that what follows a target through a body does not jump.
    """
    step, ahead = LONGEST, np.empty(3)
    _pushed_out(place, balls, room)
    for _step in range(STEPS):
        square = 0.0
        for c in range(3):
            square += (target[c] - place[c]) ** 2
        distance = sqrt(square)
        if distance < SHORTEST or step < SHORTEST:
            return
        for c in range(3):
            ahead[c] = place[c] + min(step, distance) / distance * (target[c] - place[c])
        _pushed_out(ahead, balls, room)
        square = 0.0
        for c in range(3):
            square += (target[c] - ahead[c]) ** 2
        if sqrt(square) > distance - 0.05 * step:
            step *= 0.5
            continue
        place[:] = ahead
