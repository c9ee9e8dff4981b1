"""Cameras for scripts.photo.photo_renderings: for portraits, near people, from above, below, or rolled by quarters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.camera import PinholeCamera
from solver.focal_length import focal_px
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import Role

Array = NDArray[np.float64]
LOWEST = 0.12  # metres above the floor, of a camera
ASIDE = 0.6  # radians at most from where the person faces


@dataclass(frozen=True)
class Steep:
    """Where a camera stands. away: metres; rise: degrees above what it looks at; lens: mm; head: how far up that is
    from the pelvis, 1 for the head."""

    away: tuple[float, float]
    rise: tuple[float, float]
    lens: tuple[float, float]
    head: float


STEEP = {
    "from above": Steep((1.7, 2.8), (35, 70), (26, 35), 0.5),
    "from below": Steep((1.7, 2.8), (-52, -26), (26, 35), 0.5),
    "near from above": Steep((1.0, 1.6), (35, 70), (26, 40), 0.6),
    "near from below": Steep((1.0, 1.6), (-52, -26), (26, 40), 0.6),
    "selfie": Steep((0.5, 0.85), (25, 55), (22, 28), 1.0),
}


def steep_camera(
    kind: str, pose: Pose, joints: Array, size: tuple[int, int], rng: np.random.Generator
) -> PinholeCamera:
    """A camera in front of a standing person, looking at them. kind: of STEEP. joints: (J, 3) metres. size: pixels."""
    steep = STEEP[kind]
    ahead = pose.rotations[0].astype(np.float64) @ [0.0, 0.0, 1.0]
    facing = np.arctan2(ahead[0], ahead[2]) + rng.uniform(-ASIDE, ASIDE)
    rise, away = np.radians(rng.uniform(*steep.rise)), rng.uniform(*steep.away)
    head, pelvis = joints[SMPL_JOINTS.index(Role.HEAD)], joints[SMPL_JOINTS.index(Role.PELVIS)]
    target = steep.head * head + (1 - steep.head) * pelvis
    level = np.cos(rise)
    eye = target + away * np.array([level * np.sin(facing), np.sin(rise), level * np.cos(facing)])
    eye[1] = max(eye[1], LOWEST)
    back = eye - target + rng.normal(0, 0.05, 3)
    back /= np.linalg.norm(back)
    right = np.cross([0.0, 1.0, 0.0], back)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(back, right), back], axis=1)
    rotation = rotation @ from_rotation_vector([0.0, 0.0, np.radians(rng.normal(0, 4))])
    focal = focal_px(float(rng.uniform(*steep.lens)), size)
    middle = size[0] / 2, size[1] / 2
    return PinholeCamera(eye.astype(np.float32), rotation.astype(np.float32), focal, middle, size)


def rolled(camera: PinholeCamera, quarters: int) -> PinholeCamera:
    """The camera about its own axis, so that np.rot90(picture, -quarters) is what the camera itself sees."""
    width, height = camera.image_size
    size = (height, width) if quarters % 2 else (width, height)
    about = from_rotation_vector([0.0, 0.0, -quarters * np.pi / 2])
    rotation = (camera.rotation.astype(np.float64) @ about).astype(np.float32)
    return PinholeCamera(camera.position, rotation, camera.focal_px, (size[0] / 2, size[1] / 2), size)
