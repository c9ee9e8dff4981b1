"""How far a leg is drawn up on its way that comes up bent: as little as keeps its foot from sweeping the floor."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.rig.rig import Rig
from solver.rig.roles import Limb

Array = NDArray[np.float64]
Ankles = tuple[Array, Array]


class LegWay(NamedTuple):
    """How a leg goes from where its foot stands to where it is up. places: (F, 3) metres, and turns: (F, 3, 3)
    R_world_joint, of the ankle. bends: (F,) radians that the knee is bent."""

    places: Array
    turns: Array
    bends: Array


DRAWS = np.radians(np.arange(0.0, 95.0, 10.0))  # that the knee is bent besides, and the thigh half of that drawn up
BENT = np.radians(130.0)  # that it is bent in all by that at most: beyond it knees resist
CLEAR_M, SWEEPS_M = 0.01, 0.01  # metres of the foot above the floor, below which it sweeps; and that it may go so
HEEL, TOES = -0.35, 1.5  # of the way from the ankle to the ball, where the heel and the tips of the toes are


def least_drawn(rig: Rig, limb: Limb, stands: Ankles, way: Callable[[float], LegWay]) -> float:
    """Radians by which a knee is bent besides, the least that keeps the foot clear, or nearly.

    stands: (3,) metres and (3, 3) R_world_joint of the ankle as the foot stands. way: for such radians, of a leg from
    where its foot stands.
    """
    sole = _sole(rig, limb)
    floor, best, least = float((stands[0] + sole @ stands[1].T)[:, 1].min()), 0.0, np.inf
    for draw in DRAWS.tolist():
        places, turns, bends = way(draw)
        swept = _swept(sole, places, turns, floor)
        if bends.max() > max(BENT, bends[-1], bends[0]) + 0.01 and draw > 0.0:
            break
        if swept < least:
            best, least = draw, swept
        if least <= SWEEPS_M:
            break
    return best


def _sole(rig: Rig, limb: Limb) -> Array:
    """(3, 3) metres in the ankle's frame: heel, ball and tips of the toes, at the height of the ball."""
    ball = rig.offsets[rig.joint(limb.tip)].astype(np.float64)
    return ball * np.array([[HEEL, 1.0, HEEL], [1.0, 1.0, 1.0], [TOES, 1.0, TOES]])


def _swept(sole: Array, places: Array, turns: Array, floor: float) -> float:
    """Metres that the lowest of a sole goes over the floor while it is hardly above it."""
    points = places[:, None] + sole @ np.swapaxes(turns, -1, -2)
    low = points[..., 1] < floor + CLEAR_M
    gone = np.linalg.norm(np.diff(points, axis=0)[..., [0, 2]], axis=-1)
    return float((gone * (low[1:] & low[:-1])).max(axis=1).sum())
