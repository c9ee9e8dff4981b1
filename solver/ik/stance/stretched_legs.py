"""Legs that are stretched in the base pose: where their knees bend to, and how far before ankles fold no further."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ik.stance.hips import whole_legs
from solver.kinematics.fk import WorldJoints
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

Array = NDArray[np.float64]
STRAIGHT = 0.97  # of its length, from which a leg counts as stretched
GIVES = np.radians(6.0)  # by which ankles fold further than their range, as feet turn a little
STEPS = 32  # of a way, at which it is asked how far ankles fold


class StretchedLeg(NamedTuple):
    """A stretched leg: joints, metres and radians. at: (3,) where its knee is in the base pose. thigh, shin,
    length: from hip to ankle. ahead: (3,) the way its knee bends. axis: (3,) that its shin folds about. straight: (3,)
    the shin in the base pose. room: by how much more the ankle folds."""

    hip: int
    knee: int
    ankle: int
    at: Array
    thigh: float
    shin: float
    length: float
    ahead: Array
    axis: Array
    straight: Array
    room: float

    def bent(self, hips: Array, ankle: NDArray[np.floating]) -> tuple[Array, Array]:
        """(N, 3) where the knee is between each of the hips, (N, 3), and the ankle; (N,) metres from hip to ankle."""
        ways = ankle - hips
        lengths = np.linalg.norm(ways, axis=1)
        ahead = self.ahead - ways * (ways @ self.ahead / lengths**2)[:, None]
        along = (self.thigh**2 - self.shin**2 + lengths**2) / (2.0 * lengths)
        out = np.sqrt(np.maximum(self.thigh**2 - along**2, 0.0)) / np.maximum(np.linalg.norm(ahead, axis=1), 1e-6)
        return hips + ways * (along / lengths)[:, None] + ahead * out[:, None], lengths

    def share_of_way(self, hip: Array, way: Array, ankle: NDArray[np.floating]) -> float:
        """How much of a way, (3,), the hip can go from its place, (3,), before the ankle folds no further, 0..1."""
        knees, _ = self.bent(hip + way * np.linspace(0.0, 1.0, STEPS + 1)[:, None], ankle)
        shins = knees - ankle
        folded = np.arctan2(shins @ np.cross(self.axis, self.straight), shins @ self.straight)
        over = folded - self.room
        first = int((over > 0.0).argmax())
        if over[first] <= 0.0:
            return 1.0
        if first == 0:
            return 0.0
        return float(first - over[first] / (over[first] - over[first - 1])) / STEPS


@memoised(32, by_identity=True)  # every solve of a drag calls it with the same pose
def stretched_legs(skeleton: Skeleton, base: WorldJoints) -> tuple[StretchedLeg, ...]:
    """The legs that are stretched in the base pose."""
    limits, legs = joint_limits(skeleton.names), list[StretchedLeg]()
    for line in whole_legs(skeleton):
        hip, knee, ankle = line
        thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in (knee, ankle))
        was, turns = base.positions[list(line)].astype(np.float64), base.rotations.astype(np.float64)
        length = float(np.linalg.norm(was[2] - was[0]))
        if length < STRAIGHT * (thigh + shin):
            continue
        local = np.broadcast_to(np.eye(3), (len(skeleton), 3, 3)).copy()
        local[ankle] = turns[knee].T @ turns[ankle]
        room = max(float(limits.coordinates(local)[ankle, BEND] - limits.low[ankle, BEND]), 0.0) + GIVES
        straight = (was[1] - was[2]) / np.linalg.norm(was[1] - was[2])
        axis = turns[ankle][:, 0] - straight * (straight @ turns[ankle][:, 0])
        axis /= np.linalg.norm(axis)
        legs.append(StretchedLeg(hip, knee, ankle, was[1], thigh, shin, length, turns[hip][:, 2], axis, straight, room))
    return tuple(legs)
