"""An analytic start: joint rotations that point each bone as the landmarks do, and a place that fits the picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.ik.pose_prior import pose_prior
from solver.kinematics.rotations import interpolate, rotation_between
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.rig.roles import ARMS, LEGS, SIDES, SMPL_ROLES, SPINE, Role

Array = NDArray[np.float64]
_J = {role: j for j, role in enumerate(SMPL_ROLES)}
# Landmarks of the left side at a limb's root, hinge, end and beyond it; the right ones follow at +1.
_LEG_MARKS, _ARM_MARKS = (23, 25, 27, 31), (11, 13, 15, 19)


def analytic_start(body: Body, seen: Evidence) -> Fit:
    """Pelvis and chest from hips and shoulders, the spine between them, then swing after swing along the limbs."""
    place = {int(mark): seen.world[i] for i, mark in enumerate(seen.points.landmark)}
    rest = body.skeleton(BodyShape()).rest_positions.astype(np.float64)
    prior = pose_prior(SMPL_JOINTS)
    world = np.broadcast_to(np.eye(3), (24, 3, 3)).copy()
    up = (place[11] + place[12]) / 2 - (place[23] + place[24]) / 2
    pelvis, chest = _frame(place[23] - place[24], up), _frame(place[11] - place[12], up)
    world[_J[Role.PELVIS]] = pelvis
    for share, role in zip((1 / 3, 2 / 3, 1.0), SPINE, strict=True):
        world[_J[role]] = interpolate(pelvis, chest, share)
    for role in (Role.NECK, Role.LEFT_COLLAR, Role.RIGHT_COLLAR):
        world[_J[role]] = chest
    ears = place[7] - place[8]
    world[_J[Role.HEAD]] = _frame(ears, np.cross(place[0] - (place[7] + place[8]) / 2, ears))
    if not seen.world_weights.any():  # places are all in one plane, in which a face would look straight up or down
        world[_J[Role.HEAD]] = chest
    for limb, marks in (*((leg, _LEG_MARKS) for leg in LEGS), *((arm, _ARM_MARKS) for arm in ARMS)):
        i = SIDES.index(limb.side)
        for (role, beyond), (start, end) in zip(pairwise((*limb.line, limb.tip)), pairwise(marks), strict=True):
            j, child = _J[role], _J[beyond]
            parent = world[_PARENT[j]]
            carried = parent @ prior.mean[j]  # the natural twist, then the smallest swing
            bone = carried @ (rest[child] - rest[j])
            world[j] = rotation_between(bone, place[end + i] - place[start + i]) @ carried
        world[_J[limb.tip]] = world[_J[limb.end]]
    local = world.copy()
    for j in range(1, 24):
        local[j] = world[_PARENT[j]].T @ world[j]
    return on_ground(body, seen, placed(body, seen, Fit(np.zeros(3), local, np.zeros(SHAPE_COMPONENTS))))


def on_ground(body: Body, seen: Evidence, fit: Fit) -> Fit:
    """The fit with a level floor through the body's lowest point."""
    places, turns = posed_joints(body, fit)
    points = seen.points
    touching = places[points.contact_joint] + np.einsum(
        "pab,pb->pa", turns[points.contact_joint], points.contact_offset
    )
    return replace(fit, ground=np.array([touching[:, 1].min(), 0.0]))


def placed(body: Body, seen: Evidence, fit: Fit) -> Fit:
    """The fit at the place where it best covers the picture's landmarks: perspective-n-point for the place alone."""
    places, turns = posed_joints(body, replace(fit, root=np.zeros(3)))
    points = seen.points.places(places, turns)
    # f (X + x) = u * depth and depth = -(Z + z): linear in the place (x, y, z).
    weight = np.sqrt(seen.pixel_weights)
    rows, wanted = [], []
    for axis in (0, 1):
        row = np.zeros((len(points), 3))
        row[:, axis], row[:, 2] = seen.focal_px, seen.pixels[:, axis]
        rows.append(row * weight[:, None])
        wanted.append(-(seen.focal_px * points[:, axis] + seen.pixels[:, axis] * points[:, 2]) * weight)
    root, *_ = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)
    if root[2] > -0.5:  # nonsense from a hopeless set of landmarks: somewhere in front of the camera
        root = np.array([0.0, 0.0, -4.0])
    return replace(fit, root=root)


def _frame(left: Array, up: Array) -> Array:
    """The rotation whose x is `left` and whose y is as near to `up` as it can be."""
    x = left / max(float(np.linalg.norm(left)), 1e-9)
    z = np.cross(x, up)
    length = np.linalg.norm(z)
    if length < 1e-9:
        return np.asarray(rotation_between(np.array([1.0, 0, 0]), x), dtype=np.float64)
    z /= length
    return np.stack([x, np.cross(z, x), z], axis=1)


_PARENT = SMPL_PARENTS
