"""The box around somebody in a photo holds their whole body, as far as it is in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from photo_samples import body, landmarks_of, lens_of, level_camera, natural

from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.body_box import box_round
from solver.photo.detection.turned_looks import box_of

SEEN = level_camera(distance=5.0)


def skin(pose: Pose) -> np.ndarray:
    return lens_of(SEEN).project(posed_vertices(body(), BodyShape(), pose))


@pytest.mark.parametrize("seed", range(4))
def test_head_back_hands_and_feet_are_in_the_box_though_landmarks_lie_inside_the_body(seed: int) -> None:
    pose = natural(seed, 1.5 * seed)
    marks = landmarks_of(pose, SEEN)
    left, top, right, bottom = box_round(marks, body(), BodyShape(), pose, lens_of(SEEN))
    points = skin(pose)
    assert ((points > [left, top]) & (points < [right, bottom])).all()
    seen, low, high = box_of(marks, SEEN.size), points.min(axis=0), points.max(axis=0)
    air = 0.03 * np.linalg.norm(high - low)
    assert min(seen[0], low[0] - air) <= left <= seen[0]
    assert min(seen[1], low[1] - air) <= top <= seen[1]
    assert seen[2] <= right <= max(seen[2], high[0] + air)
    assert seen[3] <= bottom <= max(seen[3], high[1] + air)


def test_the_box_of_somebody_half_outside_ends_at_the_edge_of_the_picture() -> None:
    pose = natural(1, 0.0, (2.3, 0.0))
    points = skin(pose)
    assert points[:, 0].min() < SEEN.size[0] < points[:, 0].max()
    box = box_round(landmarks_of(pose, SEEN), body(), BodyShape(), pose, lens_of(SEEN))
    assert box[2] == SEEN.size[0]
    assert box[0] < points[:, 0].min()


def test_a_body_that_was_put_behind_the_camera_leaves_the_box_of_its_landmarks() -> None:
    pose = natural(1)
    away = PinholeCamera(
        np.float32([0.0, 1.3, -9.0]), np.eye(3, dtype=np.float32), SEEN.focal, SEEN.principal, SEEN.size
    )
    marks = landmarks_of(pose, SEEN)
    assert box_round(marks, body(), BodyShape(), pose, away) == box_of(marks, SEEN.size)
