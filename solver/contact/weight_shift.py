"""How far a body's weight has to go to be over its support, and which joints stand meanwhile.

Skin that leaves the floor bears less and less before it bears nothing. So how far that is changes with the pose without
a jump: the weight goes over to the standing foot while the other one is lifted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.contact.balance import TOUCHES, MassShares, convex_hull
from solver.contact.floor_points import FloorPoints
from solver.kinematics.fk import WorldJoints

Array = NDArray[np.float64]
LEAVES = 0.07  # metres above the floor; from there on skin bears nothing
ROOM = 0.015  # metres from the edge that the centre of mass keeps if the support is wide enough


@dataclass(frozen=True)
class Balancing:
    """A body is to stay in balance. points: those of its skin that touch the floor. shares: of its mass.

    strict: whether the centre of mass is brought over the support whatever it takes of pelvis and trunk, or only
    helped towards it.
    """

    points: FloorPoints
    shares: MassShares
    strict: bool

    def shift_needed(self, world: WorldJoints) -> Array:
        """(2,) metres, x and z: how far the centre of mass has to go to be over the support, `ROOM` within its edge;
        zeros if it is there, or the body is in the air."""
        places = self.points.near(world, LEAVES)[1]
        weights = weight_borne(places[:, 1])
        most = float(weights.max(initial=0.0))
        if most <= 0.0:
            return np.zeros(2)
        flat = places[:, [0, 2]]
        middle = weights @ flat / weights.sum()
        corners = convex_hull(middle + weights[:, None] / most * (flat - middle))
        centre = self.shares.centre(world)[[0, 2]]
        return most * (nearest_within(centre, shrunk_polygon(corners, middle, ROOM)) - centre)

    def weights_borne(self, world: WorldJoints) -> Mapping[int, float]:
        """The joints whose skin is on the floor, and how much it bears: 1 on the floor, less as it leaves it."""
        points, places = self.points.near(world, LEAVES)
        carriers, weights = self.points.carriers[points], weight_borne(places[:, 1])
        return {int(j): float(weights[carriers == j].max()) for j in np.unique(carriers)}


def weight_borne(heights: Array) -> Array:
    """(N,) from 1 for skin that touches the floor to 0 at `LEAVES`; falling fast, or the weight would go over late."""
    return np.asarray(np.clip((LEAVES - heights) / (LEAVES - TOUCHES), 0.0, 1.0) ** 3)


def shrunk_polygon(corners: Array, middle: Array, room: float) -> Array:
    """A convex polygon (K, 2) shrunk towards a point within it, until its edge is `room` metres further in; only the
    point if it is not that wide."""
    if len(corners) < 3:
        return corners
    along = np.roll(corners, -1, axis=0) - corners
    to = middle - corners
    away = np.abs(along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    share = 1.0 - room / max(float(away.min()), 1e-9)
    return middle + share * (corners - middle) if share > 0.0 else middle[None]


def nearest_within(point: Array, corners: Array) -> Array:
    """(2,) the nearest place to a point (2,) in a convex polygon (K, 2), counter-clockwise, inside or on its edge."""
    along = np.roll(corners, -1, axis=0) - corners
    to = point - corners
    if len(corners) > 2 and bool((along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0] >= 0.0).all()):
        return point
    share = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-18), 0.0, 1.0)
    nearest = corners + share[:, None] * along
    return np.asarray(nearest[np.linalg.norm(nearest - point, axis=1).argmin()])
