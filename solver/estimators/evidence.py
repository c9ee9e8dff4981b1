"""What a person's landmarks say about our body: which landmark belongs to which point of which joint.

Camera frame of this package: x right, y up, looking along -z, metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.estimators.blazepose import Landmarks
from solver.kinematics.rotations import between
from solver.kinematics.skeleton import SMPL_JOINTS

Array = NDArray[np.float64]

_TRUST = {"hip": 0.5, "shoulder": 0.8, "heel": 0.7, "index": 0.5, "pinky": 0.5, "ear": 0.6, "nose": 0.8}
# part: (left landmark, joint); the right one follows at +1.
_LIMBS = {
    "shoulder": (11, "shoulder"), "elbow": (13, "elbow"), "wrist": (15, "wrist"), "hip": (23, "hip"),
    "knee": (25, "knee"), "ankle": (27, "ankle"), "pinky": (17, "wrist"), "index": (19, "wrist"),
    "heel": (29, "ankle"), "toe": (31, "foot"),
}  # fmt: skip
NOSE, EARS = 0, (7, 8)


@dataclass(frozen=True, eq=False)
class BodyPoints:
    """P points of a body that landmarks show. landmark: (P,) of the 33. joint: (P,) each moves with. offset: (P, 3)
    metres from that joint at rest. trust: (P,) 0..1, how well landmark and point agree."""

    landmark: NDArray[np.intp]
    joint: NDArray[np.intp]
    offset: Array
    trust: Array


@dataclass(frozen=True, eq=False)
class Evidence:
    """One person seen by one camera. pixels: (P, 2) about the principal point, y up. world: (P, 3) metres about the
    mid-hip, camera frame. weight: (P,) 0..1. size_px: the person's extent on the picture. focal_px: of the camera."""

    points: BodyPoints
    pixels: Array
    world: Array
    weight: Array
    size_px: float
    focal_px: float


def evidence(marks: Landmarks, points: BodyPoints, focal_px: float, principal_px: tuple[float, float]) -> Evidence:
    """The landmarks in the camera's frame, weighed by how visible they are."""
    pixels = (marks.pixels[points.landmark] - principal_px) * [1.0, -1.0]
    # The network saw a cut-out, as if the camera looked straight at the person: turned back to how the camera looks.
    hips = (marks.pixels[23] + marks.pixels[24]) / 2 - principal_px
    towards = between(np.array([0.0, 0.0, -1.0]), np.array([hips[0], -hips[1], -focal_px]))
    world = marks.world[points.landmark] * [1.0, -1.0, -1.0] @ towards.T
    weight = points.trust * (0.05 + 0.95 * marks.visibility[points.landmark])
    body = pixels[weight > 0.3] if (weight > 0.3).sum() > 4 else pixels
    size = float(np.linalg.norm(np.ptp(body, axis=0)))
    return Evidence(points, pixels, world, weight, max(size, 1.0), focal_px)


@lru_cache(maxsize=8)
def body_points(body: Body) -> BodyPoints:
    """The points of a body's mean shape; those on the skin are looked up on its mesh."""
    shape = BodyShape()
    skeleton, vertices = body.skeleton(shape), body.vertices(shape).astype(np.float64)
    joints = skeleton.rest_positions.astype(np.float64)
    strongest = body.weights.argmax(axis=1)
    rows: list[tuple[int, int, Array, float]] = []

    def skin(joint_names: tuple[str, ...]) -> Array:
        return vertices[np.isin(strongest, [SMPL_JOINTS.index(name) for name in joint_names])]

    head = SMPL_JOINTS.index("head")
    face = skin(("head",))
    nose = face[face[:, 2].argmax()]
    rows.append((NOSE, head, nose - joints[head], _TRUST["nose"]))
    for landmark, side in zip(EARS, (1, -1), strict=True):
        ear = face[(face[:, 0] * side).argmax()]
        rows.append((landmark, head, ear - joints[head], _TRUST["ear"]))
    for part, (first, joint_name) in _LIMBS.items():
        for i, side in enumerate(("left", "right")):
            joint = SMPL_JOINTS.index(f"{side}_{joint_name}")
            offset = np.zeros(3)
            if part in ("heel", "toe"):
                foot = skin((f"{side}_ankle", f"{side}_foot"))
                foot = foot[foot[:, 1] < joints[SMPL_JOINTS.index(f"{side}_ankle"), 1]]
                tip = foot[foot[:, 2].argmin() if part == "heel" else foot[:, 2].argmax()]
                offset = tip - joints[joint]
            elif part in ("index", "pinky"):
                # The palm faces down: knuckles lie before and behind that of the middle finger.
                hand = joints[SMPL_JOINTS.index(f"{side}_hand")]
                offset = hand - joints[joint] + [0.0, 0.0, 0.025 if part == "index" else -0.045]
            rows.append((first + i, joint, offset, _TRUST.get(part, 1.0)))
    landmark_column, joint_column, offsets, trust = zip(*rows, strict=True)
    return BodyPoints(np.array(landmark_column), np.array(joint_column), np.stack(offsets), np.array(trust))
