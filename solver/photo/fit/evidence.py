"""What a person's landmarks say about our body: which landmark belongs to which point of which joint.

Camera frame of this package: x right, y up, looking along -z, metres.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.memoise import memoised
from solver.photo.detection.blazepose import Landmarks
from solver.photo.fit.observed_rotation_kernels import ObservedRotations
from solver.photo.fit.observed_rotations import observed_rotations
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]

_TRUST = {"hip": 0.5, "shoulder": 0.8, "heel": 0.7, "index": 0.5, "pinky": 0.5, "ear": 0.6, "nose": 0.8}
# part: (left landmark, joint that it is near, joint that it turns with), of the left side; the right one follows at +1.
# Where a mark lies at a joint, the bone before it explains the networks' marks better than the one after it, except at
# knees and wrists.
LIMB_LANDMARKS = {
    "shoulder": (11, Role.LEFT_SHOULDER, Role.LEFT_COLLAR), "elbow": (13, Role.LEFT_ELBOW, Role.LEFT_SHOULDER),
    "wrist": (15, Role.LEFT_WRIST, Role.LEFT_WRIST), "hip": (23, Role.LEFT_HIP, Role.PELVIS),
    "knee": (25, Role.LEFT_KNEE, Role.LEFT_KNEE), "ankle": (27, Role.LEFT_ANKLE, Role.LEFT_KNEE),
    "pinky": (17, Role.LEFT_WRIST, Role.LEFT_WRIST), "index": (19, Role.LEFT_WRIST, Role.LEFT_WRIST),
    "heel": (29, Role.LEFT_ANKLE, Role.LEFT_ANKLE), "toe": (31, Role.LEFT_FOOT, Role.LEFT_FOOT),
}  # fmt: skip
# The networks' depths err by 0.05 m (medians of scripts.photo.landmark_study) at the shoulders and 0.09 m at wrists and
# ankles; fingers and toes err along with those and add little.
_DEPTH_TRUST = np.full(33, 0.2)
_DEPTH_TRUST[:11] = 2.5
_DEPTH_TRUST[[11, 12, 23, 24]] = 4.0
_DEPTH_TRUST[[13, 14, 25, 26]] = 2.0
_DEPTH_TRUST[[15, 16, 27, 28]] = 0.8
# Metres of depth between several looks at one person at which a landmark's place in metres counts half: where they
# disagree, the picture is ambiguous, and its 2D, the joints' ranges and the floor know better.
_UNSURE = 0.035
NOSE, EYES, EARS, SHOULDERS, HIPS = 0, (2, 5), (7, 8), (11, 12), (23, 24)
_ACROSS = {NOSE: NOSE, EYES[0]: EYES[1], EYES[1]: EYES[0]}
# Where the networks really put their marks, metres from the points chosen below, left side; for the right, x changes
# sign. Measured on renderings of the body in recorded poses: python -m scripts.photo.landmark_study.
MEASURED = {
    "nose": (0.0, 0.012, -0.031), "ear": (-0.041, -0.012, 0.037), "shoulder": (-0.013, 0.018, -0.002),
    "elbow": (-0.016, 0.001, 0.007), "wrist": (0.010, -0.003, 0.003), "hip": (-0.020, 0.003, 0.023),
    "knee": (-0.003, -0.013, -0.001), "ankle": (0.004, 0.030, 0.002), "pinky": (-0.027, -0.013, 0.034),
    "index": (-0.020, -0.013, -0.016), "heel": (-0.002, 0.011, 0.027), "toe": (0.020, 0.011, -0.034),
}  # fmt: skip
# How often a part of the body is on the floor.
_FOND = {"foot": 1.0, "seat": 0.3, "hand": 0.0, "knee": 0.0}
NO_ROTATIONS = ObservedRotations(np.zeros(0, np.int64), np.zeros((0, 3, 3)), np.zeros(0))
_KNEECAP = 0.05  # metres from the knee's joint


@dataclass(frozen=True, eq=False)
class BodyPoints:
    """P points of a body that landmarks show. landmark: (P,) of the 33. joint: (P,) the nearest. offset: (P, 3) metres
    from that joint at rest. carrier: (P,) joints that turn the offset. trust: (P,) 0..1, how well landmark and point
    agree.

    contact_joint (C,), contact_offset (C, 3): where a body may touch the floor. contact_share (C,): how often it does.
    """

    landmark: NDArray[np.int64]
    joint: NDArray[np.int64]
    carrier: NDArray[np.int64]
    offset: Array
    trust: Array
    contact_joint: NDArray[np.int64]
    contact_offset: Array
    contact_share: Array

    @cached_property
    def hips(self) -> NDArray[np.intp]:
        """(2,) the points at both hips."""
        return np.flatnonzero(np.isin(self.landmark, HIPS))

    @cached_property
    def shoulders(self) -> NDArray[np.intp]:
        """(2,) the points at both shoulders."""
        return np.flatnonzero(np.isin(self.landmark, SHOULDERS))

    @cached_property
    def other_side(self) -> NDArray[np.intp]:
        """(P,) each point's counterpart on the other side; of the nose, itself."""
        marks = self.landmark.tolist()
        return np.array([marks.index(_ACROSS.get(m, m + 1 if m % 2 else m - 1)) for m in marks])

    def places(self, positions: NDArray[np.floating], rotations: NDArray[np.floating]) -> Array:
        """(P, 3) where they are on a body whose joints have these positions (24, 3) and world rotations (24, 3, 3)."""
        carried = np.einsum("pab,pb->pa", rotations[self.carrier], self.offset)
        return np.asarray(positions[self.joint] + carried, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Evidence:
    """One person seen by one camera. pixels: (P, 2) about the principal point, y up. world: (P, 3) metres about the
    mid-hip, camera frame. pixel_weights (P,), 0..1, and world_weights (P,), 0..4: how much they count. size_px: the
    person's extent in the picture. focal_px: of the camera. turns: rotations of joints that the picture shows."""

    points: BodyPoints
    pixels: Array
    world: Array
    pixel_weights: Array
    world_weights: Array
    size_px: float
    focal_px: float
    turns: ObservedRotations = NO_ROTATIONS


def evidence(marks: Landmarks, points: BodyPoints, focal_px: float, principal_px: tuple[float, float]) -> Evidence:
    """The landmarks in the camera's frame, weighted by how visible they are and, in metres, by how far looks agree;
    with what face and hands show."""
    pixels = (marks.pixels[points.landmark] - principal_px) * [1.0, -1.0]
    # The networks saw a cut-out, as if the camera looked straight at the person: turned back to how the camera looks.
    hips = (marks.pixels[23] + marks.pixels[24]) / 2 - principal_px
    towards = rotation_between(np.array([0.0, 0.0, -1.0]), np.array([hips[0], -hips[1], -focal_px]))
    world = marks.world[points.landmark] * [1.0, -1.0, -1.0] @ towards.T
    weight = points.trust * (0.05 + 0.95 * marks.visibility[points.landmark])
    body = pixels[weight > 0.3] if (weight > 0.3).sum() > 4 else pixels
    size = float(np.linalg.norm(np.ptp(body, axis=0)))
    metres = weight * _DEPTH_TRUST[points.landmark]
    metres *= agreement(marks, points)
    turns = observed_rotations(marks, focal_px, principal_px)
    return Evidence(points, pixels, world, weight, metres, max(size, 1.0), focal_px, turns)


def agreement(marks: Landmarks, points: BodyPoints) -> Array:
    """(P,) 0..1, how far several looks agree about the depth of each point; 1 where there was a single look."""
    if marks.spread is None:
        return np.ones(len(points.landmark))
    return np.asarray(1.0 / (1.0 + (marks.spread[points.landmark, 2] / _UNSURE) ** 2))


@memoised(8)
def body_points(body: Body) -> BodyPoints:
    """The points of a body's mean shape; those on the skin are looked up on its mesh."""
    shape = BodyShape()
    skin, joints = body.vertices(shape).astype(np.float64), body.skeleton(shape).rest_positions.astype(np.float64)
    strongest = body.weights.argmax(axis=1)

    def patch(*names: str) -> Array:
        return skin[np.isin(strongest, [SMPL_JOINTS.index(name) for name in names])]

    rows: list[tuple[int, str, str, Array, float]] = []
    contacts: list[tuple[str, Array, float]] = []
    face = patch(Role.HEAD)
    tip = face[face[:, 2].argmax()]
    rows.append((NOSE, Role.HEAD, Role.HEAD, tip + MEASURED["nose"], _TRUST["nose"]))
    for ear, sign in zip(EARS, (1.0, -1.0), strict=True):
        place = face[(face[:, 0] * sign).argmax()] + np.array([sign, 1.0, 1.0]) * MEASURED["ear"]
        rows.append((ear, Role.HEAD, Role.HEAD, place, _TRUST["ear"]))
    for i, (arm, leg, side_sign) in enumerate(zip(ARMS, LEGS, (1.0, -1.0), strict=True)):
        hip, knee, ankle, hand = (joints[SMPL_JOINTS.index(role)] for role in (*leg.line, arm.tip))
        foot = patch(leg.end, leg.tip)
        sole = foot[foot[:, 1] < ankle[1]]
        knuckles = {"index": [0.0, 0.0, 0.025], "pinky": [0.0, 0.0, -0.045]}  # the palm faces down
        for part, (first, *roles) in LIMB_LANDMARKS.items():
            joint, carrier = (role.mirrored if i else role for role in roles)
            if part in ("heel", "toe"):
                place = sole[sole[:, 2].argmin() if part == "heel" else sole[:, 2].argmax()]
                contacts.append((joint, np.array([place[0], foot[:, 1].min(), place[2]]), _FOND["foot"]))
            elif part in knuckles:
                place = hand + knuckles[part]
            else:
                place = joints[SMPL_JOINTS.index(joint)]
            measured = np.array([side_sign, 1.0, 1.0]) * MEASURED[part]
            rows.append((first + i, joint, carrier, place + measured, _TRUST.get(part, 1.0)))
        seat = patch(Role.PELVIS, leg.root)
        behind = seat[:, 2].min()
        contacts.append((Role.PELVIS, np.array([hip[0], hip[1] - 0.5 * (hip[2] - behind), behind]), _FOND["seat"]))
        contacts.append((arm.tip, hand, _FOND["hand"]))
        contacts.append((leg.hinge, knee + [0.0, 0.0, _KNEECAP], _FOND["knee"]))
    marks, near, carriers, places, trust = zip(*rows, strict=True)
    touch_names, touch_places, share = zip(*contacts, strict=True)
    joint_at, turned_by, touch = (
        np.array([SMPL_JOINTS.index(n) for n in some]) for some in (near, carriers, touch_names)
    )
    return BodyPoints(
        np.array(marks), joint_at, turned_by, np.stack(places) - joints[joint_at], np.array(trust),
        touch, np.stack(touch_places) - joints[touch], np.array(share),
    )  # fmt: skip


@memoised(8)
def visible_points(body: Body) -> BodyPoints:
    """The points as people see them: the tip of the nose and the ears lie on the body. The networks' marks are up to
    6 cm from there, inside the head; see MEASURED."""
    points = body_points(body)
    offset = points.offset.copy()
    for mark, part, sign in ((NOSE, "nose", 1.0), *((ear, "ear", s) for ear, s in zip(EARS, (1.0, -1.0), strict=True))):
        offset[points.landmark == mark] -= np.array([sign, 1.0, 1.0]) * MEASURED[part]
    return replace(points, offset=offset)
