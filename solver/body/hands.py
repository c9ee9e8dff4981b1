"""How a person holds their fingers: rotations of the finger joints, apart from poses.

Fingers turn no joint that poses, solvers or limits know, so they belong to the skin: it is turned at rest, by the
weights of all joints, and then posed by the 24 as always. Compared with the skin posed by all joints together, single
vertices that fingers and wrist share are up to 7 mm off in a fist with a bent wrist; the mean over the fingers is then
0.3 mm.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape, mean_shape
from solver.body.whole_rig import FINGER_JOINTS
from solver.kinematics.fk import skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, interpolate, to_rotation_vector
from solver.memoise import memoised
from solver.rig.roles import ARMS
from solver.values import ArrayValue, FloatArray, frozen_array

# The vectors, degrees, by which the three joints of each finger of a hanging left hand turn from rest.
_RELAXED = {
    "thumb": ((16, 20, 3), (-1, -2, 0), (4, 7, 1)),
    "index": ((3, 4, -8), (2, 0, -18), (1, 0, -10)),
    "middle": ((-1, 0, -10), (-2, 0, -28), (0, 0, -15)),
    "ring": ((-7, -4, -16), (-7, 0, -29), (-5, 0, -18)),
    "pinky": ((-11, -7, -13), (-11, 0, -26), (-9, 0, -19)),
}
MIRROR = np.diag([-1.0, 1.0, 1.0])  # left and right exchanged
_HALF = len(FINGER_JOINTS) // 2
STILL = 0.002  # of an entry of a rotation
CHUNK = 4096  # frames worked on at once


@dataclass(frozen=True, eq=False)
class Hands(ArrayValue):
    """Both hands. rotations: (30, 3, 3), in the order of `FINGER_JOINTS`, each seen from the joint that carries it."""

    rotations: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "rotations", frozen_array(self.rotations, (len(FINGER_JOINTS), 3, 3), "fingers"))

    def by_joint(self) -> Mapping[str, FloatArray]:
        """Each joint's rotation, (3, 3), by SMPL-X's name."""
        return dict(zip(FINGER_JOINTS, self.rotations, strict=True))

    def mirrored(self) -> Hands:
        """Left and right exchanged."""
        seen = MIRROR @ self.rotations @ MIRROR
        return Hands(np.concatenate([seen[_HALF:], seen[:_HALF]]))

    def mixed(self, other: Hands, share: float = 1.0, sides: Sequence[int] = (0, 1)) -> Hands:
        """On these sides (0: left) a share of the way to how other hands hold their fingers; the other side stays."""
        turns = self.rotations if share <= 0.0 else other.rotations  # at the ends exactly one of the two
        if 0.0 < share < 1.0:
            turns = interpolate(self.rotations.astype(np.float64), other.rotations.astype(np.float64), share)
        mixed = np.array(self.rotations)
        for side in sides:
            mixed[side * _HALF : (side + 1) * _HALF] = turns[side * _HALF : (side + 1) * _HALF]
        return Hands(mixed)


@dataclass(frozen=True, eq=False)
class HandMotion(ArrayValue):
    """Both hands frame by frame. vectors: (F, 30, 3), the rotation vectors of `FINGER_JOINTS` in their order."""

    vectors: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", frozen_array(self.vectors, (None, len(FINGER_JOINTS), 3), "fingers"))

    def __len__(self) -> int:
        return len(self.vectors)

    def at(self, frame: int) -> Hands:
        """The hands of one frame."""
        return Hands(self.turns([frame])[0])

    def turns(self, frames: Sequence[int] | NDArray[np.integer] | slice = slice(None)) -> FloatArray:
        """(N, 30, 3, 3), the joints' rotations at these frames."""
        return np.asarray(from_rotation_vector(self.vectors[frames].astype(np.float64)), np.float32)

    def mirrored(self) -> HandMotion:
        """Left and right exchanged."""
        seen = self.vectors * np.array([1.0, -1.0, -1.0], np.float32)
        return HandMotion(np.concatenate([seen[:, _HALF:], seen[:, :_HALF]], axis=1))


def hands_or_motion(rotations: NDArray[np.floating]) -> Hands | HandMotion:
    """Hands held this way at each frame, (F, 30, 3, 3); a single `Hands` if no finger moves by more than a tenth of a
    degree."""
    parts = [rotations[start : start + CHUNK] for start in range(0, len(rotations), CHUNK)]
    if all(np.abs(part - rotations[:1]).max() < STILL for part in parts):
        return Hands(np.asarray(rotations[0], np.float32))
    return HandMotion(np.concatenate([np.asarray(to_rotation_vector(part), np.float32) for part in parts]))


@memoised()
def hands_at_rest() -> Hands:
    """Hands whose fingers are as in the rest pose."""
    return Hands(np.tile(np.eye(3, dtype=np.float32), (len(FINGER_JOINTS), 1, 1)))


@memoised()
def relaxed_hands() -> Hands:
    """Hands that hang at ease."""
    return Hands(np.stack([_relaxed(joint) for joint in FINGER_JOINTS]))


def _relaxed(joint: str) -> NDArray[np.float64]:
    side, _, part = joint.partition("_")
    turn = np.asarray(from_rotation_vector(np.radians(_RELAXED[part[:-1]][int(part[-1]) - 1])), dtype=np.float64)
    return turn if side == ARMS[0].side else MIRROR @ turn @ MIRROR


def skin_with(body: Body, shape: BodyShape, hands: Hands | None) -> FloatArray:
    """(V, 3) metres, the T-pose skin with the fingers turned; as it is without hands, or without finger joints."""
    rest = body.vertices(shape)
    if hands is None:
        return rest
    return _turned_skin(body, shape, hands) if FINGER_JOINTS[0] in body.whole_rig(shape).names else rest


@memoised(8, by_identity=True)
def _turned_skin(body: Body, shape: BodyShape, hands: Hands) -> FloatArray:
    whole, rest = body.whole_rig(shape), body.vertices(shape)
    turned = hands.by_joint()
    local = np.stack([turned.get(name, np.eye(3, dtype=np.float32)) for name in whole.names])
    matrices = skinning_matrices(whole, Pose(whole.offsets[0], local))
    moved, some, joints, weights = _fingers_of(cast(Hashable, body))
    by_joint = matrices[moved, :3]
    blended = np.zeros((len(some), 3, 4), np.float32)
    for k in range(weights.shape[1]):  # a few joints each; a product with all of them would wait for other threads
        blended += weights[:, k, None, None] * by_joint[joints[:, k]]
    kept = 1.0 - weights.sum(axis=1, keepdims=True)
    skin = rest.copy()
    turned_skin = np.einsum("vij,vj->vi", blended[:, :, :3], rest[some]) + blended[:, :, 3]
    skin[some] = turned_skin + kept * rest[some]
    return frozen_array(skin, skin.shape, "skin")


@memoised(4)
def _fingers_of(body: Body) -> tuple[list[int], NDArray[np.intp], NDArray[np.intp], FloatArray]:
    """The joints of fingers, the (V) vertices that they move, and for each the (V, K) joints that do, with weights."""
    names = body.whole_rig(mean_shape(body)).names
    moved = [names.index(joint) for joint in FINGER_JOINTS]
    weights = body.whole_weights[:, moved]
    some = np.flatnonzero(weights.any(axis=1))
    most = int((weights > 0).sum(axis=1).max())
    joints = np.argsort(-weights[some], axis=1, kind="stable")[:, :most]
    return moved, some, joints, np.take_along_axis(weights[some], joints, axis=1)
