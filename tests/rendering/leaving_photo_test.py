"""Orbiting out of a photo: what one orbits about stays where it is and as large, however closely one looks."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.camera.camera import OrbitCamera, PhotoView, View
from rendering.camera.navigation import dragged
from solver.camera import PinholeCamera

LENS = PinholeCamera(np.float32([0.3, 1.2, 5.0]), np.eye(3, dtype=np.float32), 700.0, (500.0, 210.0), (900, 420))
PIVOT = np.array([-1.2, 0.9, 0.4])


@pytest.mark.parametrize("looks", [PhotoView(LENS), PhotoView(LENS, 3.5, (0.8, -0.2))])
def test_the_pivot_keeps_its_pixel_and_its_size(looks: PhotoView) -> None:
    before = View(looks, 640, 600)
    camera = dragged(before, "orbit", (0.0, 0.0), (320, 300), PIVOT)
    assert isinstance(camera, OrbitCamera)
    after = View(camera, 640, 600)
    assert after.project(PIVOT) == pytest.approx(before.project(PIVOT), abs=0.1)
    tall = [view.project(PIVOT + [0, 0.5, 0]) - view.project(PIVOT) for view in (before, after)]
    assert tall[1] == pytest.approx(tall[0], rel=0.02, abs=0.5)


def test_a_pivot_behind_the_photo_s_camera_leaves_it_as_it_stands() -> None:
    camera = dragged(View(PhotoView(LENS), 640, 600), "orbit", (0.0, 0.0), (320, 300), [0.0, 1.0, 9.0])
    assert isinstance(camera, OrbitCamera)
    assert np.isfinite(camera.target).all()
