"""The skin of single fingers, bent without the rest of the body."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.finger_chain import JOINTS, TIP, Array, rest_points
from solver.body.whole_rig import FINGER_JOINTS
from solver.kinematics.fk import skinning_matrices
from solver.kinematics.pose import Pose
from solver.memoise import memoised

FINGERS_SHARE = 0.5  # of a vertex's weight, from which it belongs to a finger


@dataclass(frozen=True, eq=False)
class FingerSkin:
    """One finger's skin. vertices: (V,) indices. rest: (V, 3) metres in the T-pose. weights: (V, 3) of its joints.

    joints: (4, 3) metres, its joints and tip at rest. carried: (V, 3, 4), what takes the T-pose to the world.
    """

    vertices: NDArray[np.intp]
    rest: Array
    weights: Array
    joints: Array
    carried: Array

    def bent(self, turns: Array) -> Array:
        """(..., V, 3) metres in the world. turns: (..., 3, 3, 3), each joint's rotation seen from the one that carries
        it."""
        turn, place = np.eye(3), np.broadcast_to(self.joints[0], (*turns.shape[:-3], 3))
        skin = (1.0 - self.weights.sum(axis=1))[:, None] * self.rest
        for part in range(TIP):
            turn = turn @ turns[..., part, :, :]
            turned = (self.rest - self.joints[part]) @ np.swapaxes(turn, -1, -2)
            skin = skin + self.weights[:, part, None] * (turned + place[..., None, :])
            place = place + turn @ (self.joints[part + 1] - self.joints[part])
        return np.asarray(np.einsum("vab,...vb->...va", self.carried[:, :, :3], skin) + self.carried[:, :, 3])

    def points(self, turns: Array) -> Array:
        """(4, 3) metres in the world: the finger's joints and its tip, as the skin at its first joint is carried.
        turns: (3, 3, 3), as in `bent`."""
        turn, found = np.eye(3), [self.joints[0]]
        for part in range(TIP):
            turn = turn @ turns[part]
            found.append(found[-1] + turn @ (self.joints[part + 1] - self.joints[part]))
        carried = self.carried.mean(axis=0)
        return np.asarray(np.stack(found) @ carried[:, :3].T + carried[:, 3])


def finger_skins(body: Body, shape: BodyShape, pose: Pose, side: int) -> tuple[FingerSkin, ...]:
    """The skins of a hand's five fingers, thumb first, on a body in a pose. side: 0 left, 1 right."""
    matrices = skinning_matrices(body.rig(shape), pose)[:, :3].astype(np.float64)
    rest, joints, found = body.vertices(shape).astype(np.float64), rest_points(body, shape)[side], []
    for finger, (vertices, weights) in enumerate(_vertices(cast(Hashable, body))[side]):
        carried = np.einsum("vj,jab->vab", body.weights[vertices].astype(np.float64), matrices)
        found.append(FingerSkin(vertices, rest[vertices], weights, joints[finger], carried))
    return tuple(found)


@memoised(4)
def _vertices(body: Body) -> list[list[tuple[NDArray[np.intp], Array]]]:
    """By side and finger, the vertices of its own, and (V, 3) the weights of its joints."""
    names, whole = body.whole_rig(mean_shape(body)).names, body.whole_weights
    sides = []
    for side in (0, 1):
        fingers = []
        for finger in range(5):
            mine = whole[:, [names.index(FINGER_JOINTS[j]) for j in JOINTS[side, finger]]]
            vertices = np.flatnonzero(mine.sum(axis=1) > FINGERS_SHARE)
            fingers.append((vertices, mine[vertices].astype(np.float64)))
        sides.append(fingers)
    return sides
