"""People in a camera's frame with known truth, and files written as estimators write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.estimates.points_of_body import seen_points
from solver.formats.smpl.motion import MEAN_BODIES
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.rig.roles import SMPL_ROLES, Role

Array = NDArray[np.float64]
BODY = load_body("anny")
SIZE = (1200, 900)
FOCAL = 1100.0
TURNED = np.diag([1.0, -1.0, -1.0])  # to x right, y down, z forward


@dataclass(frozen=True, eq=False)
class Seen:
    """One person of our mean body. turns (24, 3, 3), places (24, 3), marks (33, 3): camera, x right, y down."""

    turns: Array
    places: Array
    marks: Array
    pixels: Array

    @property
    def hips(self) -> Array:
        return self.places[1:3].mean(axis=0)


def seen(place: tuple[float, float, float], turns: dict[Role, tuple[float, float, float]], facing: float = 0.0) -> Seen:
    """Somebody at a place before the camera (x right, y up, metres), limbs turned, facing the camera at 0."""
    skeleton = BODY.skeleton(BodyShape())
    local = np.tile(np.eye(3), (24, 1, 1))
    for role, vector in turns.items():
        local[SMPL_ROLES.index(role)] = from_rotation_vector(np.array(vector))
    local[0] = from_rotation_vector(np.array([0.0, facing, 0.0])) @ local[0]
    pose = Pose(np.array(place, np.float32), local.astype(np.float32))
    posed = forward_kinematics(skeleton, pose)
    points = seen_points(BODY)
    marks = np.full((33, 3), np.nan)
    marks[points.landmark] = points.places(posed.positions, posed.rotations) @ TURNED
    turned = local.copy()
    turned[0] = TURNED @ local[0]
    pixels = FOCAL * marks[:, :2] / marks[:, 2:] + np.array(SIZE) / 2
    return Seen(turned, posed.positions @ TURNED, marks, pixels)


HAND_UP = {
    Role.LEFT_SHOULDER: (0.0, 0.0, -1.2), Role.RIGHT_SHOULDER: (0.0, 0.0, -0.9), Role.RIGHT_ELBOW: (0.0, 0.8, 0.0),
    Role.LEFT_HIP: (-0.6, 0.0, 0.1), Role.LEFT_KNEE: (0.9, 0.0, 0.0),
}  # fmt: skip
STANDING = {Role.LEFT_SHOULDER: (0.0, 0.0, -1.3), Role.RIGHT_SHOULDER: (0.0, 0.0, 1.3)}
TWO = (seen((-0.6, -0.55, -4.0), HAND_UP, 0.3), seen((0.8, -0.55, -5.5), STANDING, -0.4))


def transl(person: Seen, model: str = "SMPL") -> Array:
    """(3,) what a file adds to SMPL's vertices so that the middle of the hips of a body of our size is there."""
    body = MEAN_BODIES[model]
    hips = person.hips * (body.leg / BODY.rig(BodyShape()).leg_length)
    return hips - body.pelvis - person.turns[0] @ np.array(body.hips)


def parameters(people: tuple[Seen, ...], joints: int = 23) -> dict[str, Any]:
    """global_orient (N, 1, 3, 3), body_pose (N, joints, 3, 3) and betas (N, 10) as HMR2 has them."""
    return {
        "global_orient": np.stack([one.turns[:1] for one in people]).astype(np.float32),
        "body_pose": np.stack([one.turns[1 : 1 + joints] for one in people]).astype(np.float32),
        "betas": np.zeros((len(people), 10), np.float32),
    }


def error_m(person: Any, camera: Any, truth: Seen) -> float:
    """Mean distance of an imported person's joints from the truth, in the camera's frame, metres."""
    posed = forward_kinematics(BODY.skeleton(person.shape), person.pose)
    return float(np.linalg.norm(camera.in_frame(posed.positions) @ TURNED - truth.places, axis=1).mean())


def romp(joints: bool = True) -> dict[str, Any]:
    content: dict[str, Any] = {
        "smpl_thetas": np.stack([to_rotation_vector(one.turns).reshape(72) for one in TWO]),
        "smpl_betas": np.zeros((2, 11), np.float32),
        "cam_trans": np.stack([one.hips for one in TWO]),
        "center_confs": np.array([0.9, 0.4]),
    }
    if joints:
        content["joints"] = np.stack([np.concatenate([one.places - one.hips, np.zeros((47, 3))]) for one in TWO])
    return content


def tracks(frames: int = 1) -> dict[str, Any]:
    """Tracks of 4D-Humans (PHALP): the first person stays for all frames, the second comes with the second frame."""
    content: dict[str, Any] = {}
    for number in range(frames):
        there = TWO if number or frames == 1 else TWO[:1]
        told = parameters(there)
        far = np.array([0, 0, 1.0]) * (5000 / 256 * max(SIZE) / FOCAL)
        content[f"img/{number:06d}.jpg"] = {
            "time": number, "shot": 0, "tid": list(range(1, len(there) + 1)),
            "smpl": [{name: told[name][i] for name in told} for i in range(len(there))],
            "camera": [transl(one) * [1, 1, 0] + far * transl(one)[2] + [0.1 * number, 0, 0] for one in there],
            "size": [[SIZE[1], SIZE[0]] for _ in there],
            "3d_joints": [openpose_3d(one) for one in there],
        }  # fmt: skip
    return content


def openpose_3d(one: Seen) -> Any:
    """(45, 3): OpenPose's 25 joints, of which those of SMPL matter, and 20 others."""
    order = [15, 12, 17, 19, 21, 16, 18, 20, 0, 2, 5, 8, 1, 4, 7]
    return np.concatenate([one.places[order] - one.hips, np.zeros((30, 3))])
