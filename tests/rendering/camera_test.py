"""Cameras: what is projected is met by the ray, and moving the camera holds what it says it holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rendering.camera.camera import OrbitCamera, PhotoView, View
from rendering.camera.moving import (
    STANDARD_VIEWS,
    blend,
    frame,
    opposite,
    orbit,
    orbit_from,
    pan,
    standard_view,
    zoom,
)
from solver.camera import PinholeCamera

CAMERAS = [
    OrbitCamera(),
    OrbitCamera(yaw=2.5, pitch=-0.7, distance=9.0, target=(1, 2, 3)),
    OrbitCamera(orthographic=True, yaw=-1.0, pitch=0.4),
]
LENS = PinholeCamera([0.3, 1.5, 4.0], OrbitCamera(yaw=0.2, pitch=0.1).rotation, 900.0, (500.0, 310.0), (960, 640))
PHOTO = PhotoView(LENS)


def distance_to_ray(view: View, pixel: np.ndarray, point: np.ndarray) -> float:
    origin, direction = view.ray(pixel)
    return float(np.linalg.norm(np.cross(point - origin, direction)))


@pytest.mark.parametrize("camera", [*CAMERAS, PHOTO, replace(PHOTO, zoom=2.5, shift=(0.1, -0.2))])
def test_the_ray_through_a_projected_point_meets_the_point(camera: OrbitCamera | PhotoView) -> None:
    view = View(camera, 1280, 800)
    for point in np.random.default_rng(1).uniform(-1, 1, (20, 3)) + [0, 1, 0]:
        pixel = view.project(point)
        if np.isfinite(pixel).all():
            assert distance_to_ray(view, pixel, point) < 1e-6


def test_a_photos_camera_sees_in_a_view_of_its_own_size_what_it_sees_in_the_photo() -> None:
    points = np.random.default_rng(3).uniform(-1, 1, (20, 3)) + [0, 1, 0]
    assert np.allclose(View(PHOTO, 960, 640).project(points), LENS.project(points), atol=1e-6)


def test_what_is_behind_the_camera_has_no_pixel() -> None:
    camera = OrbitCamera()
    behind = camera.eye + camera.rotation[:, 2]
    assert np.isnan(View(camera, 640, 480).project(behind)).all()


@pytest.mark.parametrize(("width", "height"), [(960, 640), (1280, 800), (500, 900)])
def test_a_photo_camera_projects_as_the_textbook_pinhole_letterboxed(width: int, height: int) -> None:
    point = np.array([0.4, 1.2, -0.5])
    seen = PHOTO.rotation.T @ (point - PHOTO.eye)
    textbook = np.array([500 + 900 * seen[0] / -seen[2], 310 - 900 * seen[1] / -seen[2]])
    scale = min(width / 960, height / 640)
    bars = (np.array([width, height]) - scale * np.array([960, 640])) / 2
    assert np.allclose(View(PHOTO, width, height).project(point), textbook * scale + bars, atol=1e-6)


@pytest.mark.parametrize("camera", [*CAMERAS, PHOTO])
def test_zooming_holds_what_lies_under_the_cursor(camera: OrbitCamera | PhotoView) -> None:
    view = View(camera, 1280, 800)
    pixel = np.array([900.0, 200.0])
    near = View(zoom(view, 1.5, pixel), 1280, 800)
    origin, direction = view.ray(pixel)
    target = np.asarray(camera.target) if isinstance(camera, OrbitCamera) else np.array([0.0, 1.0, 0.0])
    back = np.asarray(camera.rotation)[:, 2]
    held = origin + direction * ((target - origin) @ back) / (direction @ back)
    assert np.allclose(near.project(held), pixel, atol=1e-6)
    assert near.metres_per_pixel(held) < view.metres_per_pixel(held) * 0.7


def test_panning_carries_the_target_along_with_the_mouse() -> None:
    camera = CAMERAS[1]
    target = np.asarray(camera.target)
    before = View(camera, 1000, 700).project(target)
    after = View(pan(camera, 40, -25, 700), 1000, 700).project(target)
    assert np.allclose(after - before, [40, -25], atol=0.5)


def test_orbiting_about_a_pivot_keeps_the_pivot_where_it_is_on_the_screen() -> None:
    pivot = np.array([0.5, 1.4, 0.2])
    before = View(OrbitCamera(), 1000, 700).project(pivot)
    turned = orbit(OrbitCamera(), 0.6, 0.3, pivot)
    assert np.allclose(View(turned, 1000, 700).project(pivot), before, atol=1e-6)


def test_one_cannot_orbit_over_the_pole() -> None:
    camera = OrbitCamera()
    for _ in range(100):
        camera = orbit(camera, 0.0, 0.3)
    assert camera.rotation[1, 1] > 0


@pytest.mark.parametrize("name", STANDARD_VIEWS)
@pytest.mark.parametrize("flat", [True, False])
def test_framing_shows_all_points_and_wastes_little(name: str, flat: bool) -> None:
    points = np.random.default_rng(2).uniform([-0.4, 0, -0.2], [0.4, 1.7, 0.2], (50, 3))
    camera = frame(standard_view(OrbitCamera(), name, flat), points, 1280 / 800)
    shown = View(camera, 1280, 800).project(points) / [1280, 800]
    assert shown.min() > 0
    assert shown.max() < 1
    assert np.ptp(shown, axis=0).max() > 0.5


def test_standard_views_look_from_where_they_say() -> None:
    assert np.allclose(standard_view(OrbitCamera(), "front").rotation[:, 2], [0, 0, 1], atol=1e-6)
    assert np.allclose(standard_view(OrbitCamera(), "right").rotation[:, 2], [1, 0, 0], atol=1e-6)
    assert standard_view(OrbitCamera(), "top").rotation[1, 2] > 0.99
    front = standard_view(OrbitCamera(), "front")
    assert np.allclose(opposite(front).rotation[:, 2], [0, 0, -1], atol=1e-6)


def test_leaving_the_photo_camera_stands_in_its_place() -> None:
    level = PhotoView(replace(LENS, principal_px=(480.0, 320.0)))
    camera = orbit_from(level, [0, 1, 0])
    assert np.allclose(camera.eye, level.eye, atol=1e-9)
    point = np.array([0.2, 1.1, 0.3])
    assert np.allclose(View(camera, 960, 640).project(point), View(level, 960, 640).project(point), atol=1e-3)


def test_a_glide_begins_at_one_camera_and_ends_at_the_other() -> None:
    a, b = CAMERAS[0], CAMERAS[1]
    assert np.allclose(blend(a, b, 0.0).eye, a.eye)
    assert np.allclose(blend(a, b, 1.0).eye, b.eye)
