"""From the camera's frame to the world: people upright on one floor, the camera where it must then have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from solver.body.body import Body
from solver.body.floor import posed_vertices
from solver.estimators.fit import shape_of
from solver.estimators.least_squares import Fit, posed_joints
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

Array = NDArray[np.float64]
_J = {name: j for j, name in enumerate(SMPL_JOINTS)}

PITCH_SPREAD, ROLL_SPREAD = np.radians(12.0), np.radians(3.0)  # how photographers hold a camera
UPRIGHT_SPREAD = np.radians(8.0)  # of the line from the feet to the middle of somebody who stands
CONTACT_SPREAD = 0.2  # radians, of the pitch at which one person's heels, toes and seat meet a floor
LIFTED = 0.08  # metres; a foot this much higher than the other carries little
LEVEL_SPREAD = 0.10  # metres between the soles of people who stand on one floor
STRAIGHT = 0.86  # thigh and shin together over their length, from which a leg carries its owner
SNAP = 0.45  # metres; who is nearer to the floor than this is set onto it


@dataclass(frozen=True, eq=False)
class Placed:
    """The camera (position (3,), rotation (3, 3), world from camera) and one pose in the world for each person."""

    position: Array
    rotation: Array
    poses: tuple[Pose, ...]


def place_people(body: Body, fits: Sequence[Fit]) -> Placed:
    """Level the camera by those who stand and set people onto the floor y = 0; the first one over the origin.

    Somebody who does not touch it is moved along the line of sight, which changes the picture least. People in the
    air (jumping, on a platform) stay there.
    """
    lowest = [_lowest_point(body, fit) for fit in fits]
    standing = [i for i, fit in enumerate(fits) if _stands(body, fit)]
    rotation = _level(body, fits, lowest, standing)
    heights = np.array([(rotation @ point)[1] for point in lowest])
    ground = [i for i in (standing or range(len(fits)))]
    floor = float(np.median(heights[ground])) if standing else float(heights.min())
    position = -np.array([0.0, floor, 0.0])
    roots, grounded = [], []
    for fit, point, height in zip(fits, lowest, heights, strict=True):
        root = fit.root
        gap = height - floor
        sight = rotation @ point
        # Along the line of sight where that is short, else straight up or down.
        touches = gap <= SNAP  # and nobody is below it
        if touches:
            share = floor / height if height * floor > 0 and abs(height) > 0.3 else 1.0
            share = float(np.clip(share, 0.85, 1.18))
            root = root + (share - 1.0) * point
            rest = floor - share * sight[1]
            root = root + rotation.T @ np.array([0.0, rest, 0.0])
        roots.append(root)
        grounded.append(touches)
    first = rotation @ roots[0]
    position = position - np.array([first[0], 0.0, first[2]])
    poses = []
    for fit, root, touches in zip(fits, roots, grounded, strict=True):
        local = fit.rotations.copy()
        local[0] = rotation @ local[0]
        pose = Pose((rotation @ root + position).astype(np.float32), local.astype(np.float32))
        if touches:  # another point may be the lowest once the camera is level
            lift = np.array([0.0, posed_vertices(body, shape_of(fit), pose)[:, 1].min(), 0.0], np.float32)
            pose = replace(pose, root_position=pose.root_position - lift)
        poses.append(pose)
    return Placed(position, rotation, tuple(poses))


def _lowest_point(body: Body, fit: Fit) -> Array:
    """(3,) the lowest point of the skin in the camera's frame, which is nearly upright."""
    skin = posed_vertices(body, shape_of(fit), Pose(fit.root.astype(np.float32), fit.rotations.astype(np.float32)))
    return np.asarray(skin[skin[:, 1].argmin()], dtype=np.float64)


def _stands(body: Body, fit: Fit) -> bool:
    """Whether a straight leg points down below the trunk."""
    places, _ = posed_joints(body, fit)
    for side in ("left", "right"):
        hip, knee, ankle = (places[_J[f"{side}_{name}"]] for name in ("hip", "knee", "ankle"))
        length = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
        if np.linalg.norm(ankle - hip) > STRAIGHT * length and hip[1] - ankle[1] > 0.8 * length:
            return True
    return False


def _upright(body: Body, fit: Fit) -> Array:
    """(3,) unit, from the feet that carry a body to its middle: whoever stands keeps that over those."""
    places, _ = posed_joints(body, fit)
    ankles = places[[_J["left_ankle"], _J["right_ankle"]]]
    load = np.exp((ankles[:, 1].min() - ankles[:, 1]) / LIFTED)
    middle = 0.6 * places[_J["pelvis"]] + 0.4 * places[_J["neck"]]
    up = middle - load @ ankles / load.sum()
    return np.asarray(up / np.linalg.norm(up))


def _level(body: Body, fits: Sequence[Fit], lowest: Sequence[Array], standing: Sequence[int]) -> Array:
    """(3, 3) world from camera, pitch and roll alone: soles level, bodies upright, cameras held as people hold them."""
    ups = [_upright(body, fits[i]) for i in standing]

    def rotation(angles: Array) -> Array:
        return np.asarray(from_rotation_vector([angles[0], 0.0, angles[1]]), dtype=np.float64)

    def misfit(angles: Array) -> Array:
        r = rotation(angles)
        rows = [np.array([angles[0] / PITCH_SPREAD, angles[1] / ROLL_SPREAD])]
        rows += [(r @ up)[[0, 2]] / UPRIGHT_SPREAD for up in ups]
        rows.append(np.array([angles[0] + fit.ground[1] for fit in fits]) / CONTACT_SPREAD)
        if len(standing) > 1:
            soles = np.array([(r @ lowest[i])[1] for i in standing])
            rows.append((soles - soles.mean()) / LEVEL_SPREAD)
        return np.concatenate(rows)

    solved = least_squares(misfit, np.zeros(2), loss="soft_l1")
    return rotation(solved.x)
