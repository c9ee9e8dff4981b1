"""Fingers as chains of a body's own lengths: where their joints and tips are, in the T-pose and in the world."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.hands import Hands
from solver.body.whole_rig import FINGER_JOINTS, HANDS
from solver.kinematics.fk import WorldJoints
from solver.memoise import memoised
from solver.rig.roles import SIDES
from solver.values import read_only

Array = NDArray[np.float64]
FINGERS = ("thumb", "index", "middle", "ring", "pinky")
TIP = 3  # behind a finger's three joints
_TIP_VERTICES = 8
JOINTS = np.array(
    [[[FINGER_JOINTS.index(f"{side}_{finger}{part}") for part in (1, 2, 3)] for finger in FINGERS] for side in SIDES]
)  # (2, 5, 3)


@dataclass(frozen=True)
class FingerPoint:
    """A point of a finger that bending it moves. side: 0 left, 1 right. finger: 0 thumb to 4 little finger.

    point: 1 the middle joint, 2 the last joint, 3 the tip.
    """

    side: int
    finger: int
    point: int

    @property
    def hand(self) -> str:
        """The joint that carries it, as SMPL calls it."""
        return HANDS[self.side]

    @property
    def name(self) -> str:
        """ "left_index2", "left_index3", "left_index_tip"."""
        end = "_tip" if self.point == TIP else str(self.point + 1)
        return f"{SIDES[self.side]}_{FINGERS[self.finger]}{end}"


FINGER_POINTS = MappingProxyType(
    {
        each.name: each
        for each in (FingerPoint(side, finger, point) for side in (0, 1) for finger in range(5) for point in (1, 2, 3))
    }
)


@memoised(32, by_identity=True)
def rest_points(body: Body, shape: BodyShape) -> Array:
    """(2, 5, 4, 3) metres in the T-pose: each finger's three joints and its tip, at rest."""
    rig = body.whole_rig(shape)
    at = [rig.index(FINGER_JOINTS[j]) for j in JOINTS.ravel()]
    points = np.empty((2, 5, 4, 3))
    points[:, :, :TIP] = rig.rest_positions[at].reshape(2, 5, 3, 3)
    points[:, :, TIP] = body.vertices(shape)[_tip_vertices(body)].mean(axis=2)
    read_only(points)
    return points


@memoised(4)
def _tip_vertices(body: Body) -> NDArray[np.intp]:
    """(2, 5, 8) the vertices farthest out on each finger's last part, of the mean body."""
    mean = mean_shape(body)
    rig, skin, strongest = body.whole_rig(mean), body.vertices(mean), body.whole_weights.argmax(axis=1)
    found = np.empty((2, 5, _TIP_VERTICES), np.intp)
    for side, finger in np.ndindex(2, 5):
        joint = rig.index(FINGER_JOINTS[JOINTS[side, finger, -1]])
        mine = np.flatnonzero(strongest == joint)
        away = np.linalg.norm(skin[mine] - rig.rest_positions[joint], axis=1)
        found[side, finger] = mine[np.argsort(away)[-_TIP_VERTICES:]]
    return found


def bent_points(body: Body, shape: BodyShape, hands: Hands) -> Array:
    """(2, 5, 4, 3) metres in the T-pose, the fingers as they are held."""
    points = rest_points(body, shape)
    turns, found = hands.rotations.astype(np.float64)[JOINTS], points.copy()
    carried = np.tile(np.eye(3), (2, 5, 1, 1))
    for part in range(TIP):
        carried = carried @ turns[:, :, part]
        bone = points[:, :, part + 1] - points[:, :, part]
        found[:, :, part + 1] = found[:, :, part] + (carried @ bone[..., None])[..., 0]
    return found


@dataclass(frozen=True, eq=False)
class HandFrame:
    """Where a hand's joint is at rest and in the world. rest, place: (3,) metres. turn: (3, 3) R_world_rest."""

    rest: Array
    place: Array
    turn: Array

    def to_world(self, points: NDArray[np.floating]) -> Array:
        """(..., 3) points of the T-pose that go with the hand."""
        return np.asarray((points - self.rest) @ self.turn.T + self.place, np.float64)

    def to_rest(self, points: NDArray[np.floating]) -> Array:
        """(..., 3) points of the world, as they would be in the T-pose."""
        return np.asarray((points - self.place) @ self.turn + self.rest, np.float64)


def hand_frame(body: Body, shape: BodyShape, joints: WorldJoints, side: int) -> HandFrame:
    """The frame of the hand on a side. joints: of the body in its pose."""
    rig = body.rig(shape)
    at = rig.index(HANDS[side])
    rest, place, turn = rig.rest_positions[at], joints.positions[at], joints.rotations[at]
    return HandFrame(rest.astype(np.float64), place.astype(np.float64), turn.astype(np.float64))


def fingers_in_world(body: Body, shape: BodyShape, hands: Hands, joints: WorldJoints) -> Array:
    """(2, 5, 4, 3) metres in the world: each finger's three joints and its tip."""
    points = bent_points(body, shape, hands)
    return np.stack([hand_frame(body, shape, joints, side).to_world(points[side]) for side in (0, 1)])
