"""How whoever lies at both keys turns between them: about the body's long axis, and round on the floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import from_rotation_vector

Array = NDArray[np.floating]

LIES = np.radians(45.0)  # how steep the long axis of somebody who lies is at most
UP, SIDE = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])


def rolled_over(first: Array, last: Array, shares: Array) -> Array | None:
    """(N, 3, 3) R_world_pelvis between two of people who lie, at shares 0..1 of the way; None if one does not lie.

    The shortest turn may go by a headstand: with the head at the other end, and face down instead of up.
    """
    heading, steep, roll = np.transpose([_parts(first), _parts(last)])
    if np.abs(steep).max() > LIES:
        return None
    heading, roll = (np.array([a, a + (b - a + np.pi) % (2.0 * np.pi) - np.pi]) for a, b in (heading, roll))
    turns = [(1.0 - shares)[:, None] * a + shares[:, None] * b for a, b in (heading, np.pi / 2.0 - steep, roll)]
    about, leant, rolled = (from_rotation_vector(turn * axis) for turn, axis in zip(turns, (UP, SIDE, UP), strict=True))
    return np.asarray(about @ leant @ rolled)


def _parts(turn: Array) -> tuple[float, float, float]:
    """Radians: where the long axis of R_world_pelvis heads, how steep it is, and the roll about it."""
    x, y, z = turn[:, 1].tolist()
    heading, steep = float(np.arctan2(x, z)), float(np.arcsin(np.clip(y, -1.0, 1.0)))
    lain = from_rotation_vector(heading * UP) @ from_rotation_vector((np.pi / 2.0 - steep) * SIDE)
    rolled = lain.T @ turn
    return heading, steep, float(np.arctan2(rolled[0, 2], rolled[0, 0]))
