"""Fits a body to its photo again after one of its points was put elsewhere in the picture.

The body itself is the evidence for all that was not moved: its points stay where they are in the picture and, except
on the limb of the moved point, in depth. A point that the user put somewhere is sure: it counts more than anything
else, and the networks' metres for it no longer count. The shape stays; nothing pulls towards the floor, since the
picture is what the user looks at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.fit.evidence import NO_ROTATIONS, Evidence, body_points, visible_points
from solver.photo.fit.least_squares import Fit, Weights, minimise
from solver.photo.fit.mark_shifts import mark_shifts
from solver.photo.fit.observed_rotation_kernels import ObservedRotations
from solver.rig.roles import ARMS, LEGS

Array = NDArray[np.float64]
STEPS = 12
# Landmarks are heavy-tailed, and far-off ones are ignored. So a point that is put far away is led there in stages of
# this share of the body's extent, and the grip is wide at first.
LEG, WIDE, FINE = 0.08, 0.03, 0.006
# The body as it stands is the evidence, so its points are held far more tightly than what networks see; see `Weights`.
WEIGHTS = Weights(pixel=FINE, lateral=0.02, depth=0.02, prior=20.0, shape=1e-3, floor=1e3, below=1e3, turn=1e-3)
# Somebody turned round keeps their places in the picture; across the view metres say nothing then.
TURNED = Weights(pixel=FINE, lateral=10.0, depth=0.1, prior=5.0, shape=1e-3, floor=1e3, below=1e3, turn=1e-3)
KEPT = 0.3  # radians, by which joints of somebody turned round may turn for that
SURE = 30.0  # how much a point that was put somewhere counts
LIMB = 0.02  # how much the other points on the moved point's limb count: they go along
LIMB_DEPTH = 0.003  # how much their depth counts


@dataclass(frozen=True, eq=False)
class MarkedPoints:
    """The points of a body that can be put elsewhere. landmark: (P,) BlazePose's numbers. pixels: (P, 2) of the photo.
    near: (P,) the joint that each is at."""

    landmark: NDArray[np.intp]
    pixels: Array
    near: NDArray[np.intp]


def marked_points(
    body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera, by_networks: bool = False
) -> MarkedPoints:
    """Where the points of a body are in the picture. PoserError for a skeleton that is not SMPL's.

    by_networks: where networks would mark them, rather than where people see them; nose and ears differ, and limbs'
    joints by how they are bent and from where they are seen.
    """
    points = body_points(body) if by_networks else visible_points(body)
    posed = _posed(body, shape, pose)
    places = points.places(posed.positions, posed.rotations)
    if by_networks:
        places += mark_shifts(points, posed.positions, posed.rotations, camera.position - places)
    return MarkedPoints(points.landmark, camera.project(places), points.joint)


def refit(body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera, put: Mapping[int, Array]) -> Pose:
    """The pose with some points, by BlazePose's numbers, at these (2,) pixels of the photo; the rest stays.

    A point that cannot get there goes as near as the body allows. PoserError for a skeleton that is not SMPL's.
    """
    points, places = visible_points(body), _places(body, shape, pose)
    now = camera.project(places)
    pixels, sure = now.copy(), np.ones(len(now))
    metres = np.full(len(now), 1.0)
    moved = np.isin(points.landmark, list(put))
    limb = _on_limb(points.joint, points.joint[moved])
    sure[limb], metres[limb] = LIMB, LIMB_DEPTH
    for mark, pixel in put.items():
        at = points.landmark == mark
        pixels[at], sure[at], metres[at] = pixel, SURE, 0.0
    return _fitted(body, shape, pose, camera, (pixels, sure, metres), WEIGHTS)


def refit_turned(body: Body, shape: BodyShape, pose: Pose, turned: Pose, camera: PinholeCamera) -> Pose:
    """`turned`, which is `pose` from the other side, with its points where those of `pose` are in the picture, left and
    right exchanged.

    Depths stay those of `turned` as far as that allows. PoserError for a skeleton that is not SMPL's.
    """
    points = visible_points(body)
    pixels = camera.project(_places(body, shape, pose))[points.other_side]
    if not np.isfinite(pixels).all():
        return turned
    even, joints = np.ones(len(pixels)), np.arange(len(SMPL_JOINTS))
    seen = camera.rotation.astype(np.float64).T @ _posed(body, shape, turned).rotations
    turns = ObservedRotations(joints, seen, np.full(len(joints), KEPT))
    return _fitted(body, shape, turned, camera, (pixels, even, even), TURNED, turns)


def _fitted(
    body: Body,
    shape: BodyShape,
    pose: Pose,
    camera: PinholeCamera,
    told: tuple[Array, Array, Array],
    weights: Weights,
    turns: ObservedRotations = NO_ROTATIONS,
) -> Pose:
    """The pose fitted to its own depths and to pixels (P, 2) of its points. told: these, and how much the pixels (P,)
    and the metres (P,) of each point count."""
    points, places = visible_points(body), _places(body, shape, pose)
    pixels, sure, metres = told
    turn = camera.rotation.astype(np.float64)
    eye = camera.position.astype(np.float64)
    seen = (places - eye) @ turn
    now = camera.project(places)
    hips = seen[points.hips].mean(axis=0)
    size = max(float(np.linalg.norm(np.ptp(now, axis=0))), 1.0)
    local = pose.rotations.astype(np.float64)
    local[0] = turn.T @ local[0]
    root = turn.T @ (pose.root_position.astype(np.float64) - eye)
    start = Fit(root, local, np.zeros(SHAPE_COMPONENTS))
    off = float(np.linalg.norm(pixels - now, axis=1).max()) / size
    found = start
    for share in np.linspace(0.0, 1.0, max(ceil(off / LEG), 1) + 1)[1:]:
        about = (now + share * (pixels - now) - camera.principal_px) * [1.0, -1.0]
        evidence = Evidence(points, about, seen - hips, sure, metres, size, camera.focal_px, turns)
        for spread in (WIDE, FINE) if off > FINE else (FINE,):
            found = minimise(body, evidence, found, replace(weights, pixel=spread), STEPS, shape)
    out = found.rotations.copy()
    out[0] = turn @ out[0]
    return Pose((turn @ found.root + eye).astype(np.float32), out.astype(np.float32))


def _places(body: Body, shape: BodyShape, pose: Pose) -> Array:
    """(P, 3) metres: where the points of a body are."""
    posed = _posed(body, shape, pose)
    return visible_points(body).places(posed.positions, posed.rotations)


def _posed(body: Body, shape: BodyShape, pose: Pose) -> WorldJoints:
    if len(pose.rotations) != len(SMPL_JOINTS):
        raise PoserError("Only bodies with SMPL's 24 joints can be fitted to a photo.")
    return forward_kinematics(body.skeleton(shape), pose)


def _on_limb(near: NDArray[np.intp], moved: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which points are on the limb of one of the moved points."""
    found = np.zeros(len(near), dtype=bool)
    for limb in (*ARMS, *LEGS):
        joints = [SMPL_JOINTS.index(role) for role in (limb.hinge, limb.end, limb.tip)]
        if np.isin(moved, joints).any():
            found |= np.isin(near, joints)
    return found
