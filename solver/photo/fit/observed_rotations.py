"""Rotations observed in a picture: of the head by the face, of the wrists by the hands. Camera frame as in `evidence`.

A few points of face or palm that hardly move within it are aligned with where they are on a head or a hand at rest. A
network that errs about the depth of a hand errs differently in each look, so only hands whose looks agree count.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.rotations import nearest_rotation, rotation_between, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.detection.blazepose import Face, Hand, Landmarks
from solver.photo.detection.faces import is_clear_face
from solver.photo.fit.observed_rotation_kernels import ObservedRotations
from solver.rig.roles import ARMS, Role

Array = NDArray[np.float64]
# Where points of the face mesh (those of both sides by the left one's place) and of the palm are, in the frames of the
# head and of the left wrist at rest, about their middle, in units of their root mean square distance from it. Measured
# on renderings of our bodies, and printed by python -m scripts.photo.face_and_hand_study.
MIDLINE = {
    168: (0.0, 0.011, 0.279), 6: (0.0, -0.124, 0.353), 197: (0.0, -0.257, 0.434), 195: (0.0, -0.381, 0.515),
    5: (0.0, -0.51, 0.602), 4: (0.0, -0.653, 0.644), 1: (0.0, -0.763, 0.61), 10: (0.0, 0.839, 0.257),
}  # fmt: skip
PAIRED = {
    (263, 33): (0.777, -0.044, -0.102), (362, 133): (0.316, -0.065, -0.002), (356, 127): (1.242, -0.051, -0.936),
    (454, 234): (1.232, -0.308, -1.04), (327, 98): (0.272, -0.816, 0.169), (284, 54): (1.045, 0.581, -0.277),
    (297, 67): (0.608, 0.792, 0.115), (338, 109): (0.322, 0.83, 0.225),
}  # fmt: skip
PALM = {
    0: (-1.482, 0.139, -0.131), 1: (-0.853, -0.101, 0.431), 2: (-0.303, -0.375, 0.8), 5: (0.783, 0.047, 0.325),
    9: (0.799, 0.122, -0.082), 13: (0.706, 0.12, -0.506), 17: (0.349, 0.047, -0.837),
}  # fmt: skip
_HAND_PRESENT = 0.9
_OWN_SIDE = 0.5  # below it, what was seen may be the other hand, of the same or another person
_LEAST_HAND = 30.0  # pixels of the square around a hand
_AGREE = 0.21  # radians by which looks at a hand may differ from their middle
_FACE_SPREAD, _HAND_SPREAD = 0.15, 0.3  # radians, one standard deviation
_AHEAD = np.array([0.0, 0.0, -1.0])
TO_CAMERA = np.array([1.0, -1.0, -1.0])

FACE_POINTS = np.array([*MIDLINE, *(left for left, _ in PAIRED), *(right for _, right in PAIRED)])
PALM_POINTS = np.array(list(PALM))
_MIRROR = np.array([-1.0, 1.0, 1.0])
_FACE = np.array([*MIDLINE.values(), *PAIRED.values(), *(np.array(place) * _MIRROR for place in PAIRED.values())])
_LEFT_PALM = np.array(list(PALM.values()))


def observed_rotations(marks: Landmarks, focal_px: float, principal_px: tuple[float, float]) -> ObservedRotations:
    """The rotations of head and wrists where face and hands are seen well enough."""
    found: list[tuple[Role, Array, float]] = []
    if marks.face is not None and is_clear_face(marks.face):
        points = face_points(marks.face, focal_px, principal_px)
        found.append((Role.HEAD, aligning_rotation(points, _FACE), _FACE_SPREAD))
    for arm, hand in zip(ARMS, marks.hands, strict=True):
        turns = palm_rotations(hand, arm.side) if hand is not None else None
        if hand is not None and turns is not None:
            turn = _towards(hand.pixels[PALM_POINTS].mean(axis=0), focal_px, principal_px)
            found.append((arm.end, turn @ _middle(turns), _HAND_SPREAD))
    return ObservedRotations(
        np.array([SMPL_JOINTS.index(role) for role, _, _ in found], np.int64),
        np.array([rotation for _, rotation, _ in found]).reshape(-1, 3, 3),
        np.array([spread for _, _, spread in found]),
    )


def palm_rotations(hand: Hand, side: str) -> list[Array] | None:
    """The rotation (3, 3) of the wrist for each look at a hand, as the cut-out has it; None if it is not seen well.

    side: "left" or "right".
    """
    if not is_clear_hand(hand):
        return None
    mirror = np.ones(3) if side == ARMS[0].side else _MIRROR
    looks = [aligning_rotation(metres[PALM_POINTS] * TO_CAMERA, _LEFT_PALM * mirror) for metres in hand.metres]
    middle = _middle(looks)
    apart = [float(np.linalg.norm(to_rotation_vector(middle.T @ look))) for look in looks]
    return looks if np.mean(apart) < _AGREE else None


def _middle(turns: list[Array]) -> Array:
    return np.asarray(nearest_rotation(np.sum(turns, axis=0)), dtype=np.float64)


def is_clear_hand(hand: Hand) -> bool:
    """Whether a hand is there, large enough, and of the side that it should be."""
    return hand.presence > _HAND_PRESENT and hand.own_side > _OWN_SIDE and hand.side > _LEAST_HAND


def face_points(face: Face, focal_px: float, principal_px: tuple[float, float]) -> Array:
    """(F, 3) FACE_POINTS in the camera's frame, of arbitrary scale and origin."""
    points = face.points[FACE_POINTS]
    turn = _towards(points[:, :2].mean(axis=0), focal_px, principal_px)
    return np.asarray(points * TO_CAMERA @ turn.T)


def palm_points(hand: Hand, focal_px: float, principal_px: tuple[float, float]) -> Array:
    """(L, K, 3) PALM_POINTS of each look in the camera's frame, of arbitrary origin."""
    turn = _towards(hand.pixels[PALM_POINTS].mean(axis=0), focal_px, principal_px)
    return np.asarray(hand.metres[:, PALM_POINTS] * TO_CAMERA @ turn.T)


def normalised_points(points: Array) -> Array:
    """(K, 3) points about their middle, scaled to a root mean square distance of 1 from it."""
    about = points - points.mean(axis=0)
    return np.asarray(about / max(float(np.sqrt((about**2).sum() / len(about))), 1e-12))


def aligning_rotation(points: Array, at_rest: Array) -> Array:
    """The rotation (3, 3) that aligns points at rest (K, 3) with these (K, 3)."""
    return np.asarray(nearest_rotation(normalised_points(points).T @ at_rest), dtype=np.float64)


def _towards(pixel: Array, focal_px: float, principal_px: tuple[float, float]) -> Array:
    """The turn from a cut-out, which networks see as if the camera looked straight at it, to how the camera looks."""
    x, y = pixel - principal_px
    return np.asarray(rotation_between(_AHEAD, np.array([x, -y, -focal_px])), dtype=np.float64)
