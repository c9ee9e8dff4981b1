"""A pinhole camera: points to pixels and back to rays, and what it refuses to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

CAMERA = PinholeCamera([0.3, 1.7, 4.0], from_rotation_vector([-0.2, 0.3, 0.1]), 900.0, (500.0, 310.0), (960, 640))


def test_what_lies_ahead_is_at_the_principal_point() -> None:
    ahead = CAMERA.position - 3.0 * CAMERA.rotation[:, 2]
    assert CAMERA.project(ahead) == pytest.approx(CAMERA.principal_px, abs=1e-3)


def test_right_and_up_of_the_camera_are_right_and_up_in_the_picture() -> None:
    ahead = CAMERA.position - 3.0 * CAMERA.rotation[:, 2]
    assert CAMERA.project(ahead + CAMERA.rotation[:, 0]) == pytest.approx([800.0, 310.0], abs=1e-3)
    assert CAMERA.project(ahead + CAMERA.rotation[:, 1]) == pytest.approx([500.0, 10.0], abs=1e-3)


def test_every_point_of_a_pixels_ray_is_seen_at_that_pixel() -> None:
    for pixel in ((0.0, 0.0), (500.0, 310.0), (960.0, 12.5), (-40.0, 700.0)):
        start, direction = CAMERA.ray(pixel)
        assert np.linalg.norm(direction) == pytest.approx(1.0)
        points = start + np.array([[0.2], [1.0], [50.0]]) * direction
        assert CAMERA.project(points) == pytest.approx(np.broadcast_to(pixel, (3, 2)), abs=1e-3)


def test_what_is_behind_or_at_the_camera_has_no_pixel_and_the_rest_keeps_its_own() -> None:
    behind, at = CAMERA.position + CAMERA.rotation[:, 2], CAMERA.position
    ahead = CAMERA.position - CAMERA.rotation[:, 2]
    pixels = CAMERA.project(np.stack([behind, ahead, at]))
    assert np.isnan(pixels[[0, 2]]).all()
    assert np.isfinite(pixels[1]).all()


def test_cameras_are_equal_by_content() -> None:
    assert replace(CAMERA, position=CAMERA.position.copy()) == CAMERA
    assert replace(CAMERA, focal_px=901.0) != CAMERA
    assert replace(CAMERA, position=CAMERA.position + np.float32(0.01)) != CAMERA


def test_a_camera_keeps_what_it_was_made_with() -> None:
    place = np.zeros(3, np.float32)
    camera = replace(CAMERA, position=place)
    place[0] = 5.0
    assert camera.position[0] == 0.0


@pytest.mark.parametrize("wrong", [{"position": [0, 1]}, {"rotation": np.eye(4)}, {"position": [0, np.nan, 1]}])
def test_a_camera_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="camera"):
        replace(CAMERA, **wrong)
