"""Photo, view and exported picture agree about where a point is, at any size; and what the mouse does to the camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendering.camera.camera import OrbitCamera, PhotoView, View
from rendering.camera.moving import (
    FARTHEST,
    NEAREST,
    STANDARD_VIEWS,
    blend,
    frame,
    opposite,
    orbit,
    pan_photo,
    standard_view,
    zoom,
)
from rendering.camera.navigation import PRESETS, WHEEL_ZOOM, Pointer, dragged, scroll_action, scrolled
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector

SIZES = st.tuples(st.integers(64, 4000), st.integers(64, 4000))
ANGLE = st.floats(-3.0, 3.0)


@st.composite
def lenses(draw: st.DrawFn) -> PinholeCamera:
    """Any camera that stands some metres before the origin and looks about there."""
    width, height = draw(SIZES)
    turn = from_rotation_vector([draw(st.floats(-0.2, 0.2)) for _ in range(3)])
    principal = (width * draw(st.floats(0.3, 0.7)), height * draw(st.floats(0.3, 0.7)))
    return PinholeCamera(
        [0, 1, draw(st.floats(3, 9))], turn, max(width, height) * draw(st.floats(0.5, 3)), principal, (width, height)
    )


@st.composite
def orbits(draw: st.DrawFn) -> OrbitCamera:
    return OrbitCamera(
        target=(draw(ANGLE), draw(ANGLE), draw(ANGLE)),
        distance=draw(st.floats(1.0, 20.0)),
        yaw=draw(ANGLE),
        pitch=draw(st.floats(-1.5, 1.5)),
        fov_y=draw(st.floats(0.2, 1.5)),
        orthographic=draw(st.booleans()),
    )


POINTS = np.random.default_rng(8).uniform(-0.8, 0.8, (30, 3)) + [0, 1, 0]


@settings(max_examples=60, deadline=None)
@given(lenses(), SIZES)
def test_a_point_is_at_the_same_place_of_the_photo_whatever_the_size_of_the_view(
    lens: PinholeCamera, size: tuple[int, int]
) -> None:
    look = PhotoView(lens)
    left, top, scale = look.image_rect(*size)
    in_photo = (View(look, *size).project(POINTS) - [left, top]) / scale
    assert in_photo == pytest.approx(lens.project(POINTS), abs=2e-3)


@settings(max_examples=60, deadline=None)
@given(lenses(), SIZES)
def test_the_whole_photo_is_in_the_view_and_touches_two_of_its_borders(
    lens: PinholeCamera, size: tuple[int, int]
) -> None:
    left, top, scale = PhotoView(lens).image_rect(*size)
    right, bottom = left + scale * lens.image_size[0], top + scale * lens.image_size[1]
    assert min(left, top) == pytest.approx(0, abs=1e-6)
    assert [left + right, top + bottom] == pytest.approx(size, abs=1e-6)  # the bars are equally wide


@settings(max_examples=60, deadline=None)
@given(lenses(), SIZES, st.floats(0, 1), st.floats(0, 1))
def test_the_ray_through_a_pixel_of_the_view_is_that_of_the_photos_pixel(
    lens: PinholeCamera, size: tuple[int, int], across: float, down: float
) -> None:
    look = PhotoView(lens, zoom=1.7, shift=(0.1, -0.05))
    left, top, scale = look.image_rect(*size)
    pixel = (across * lens.image_size[0], down * lens.image_size[1])
    start, direction = lens.ray(pixel)
    seen_start, seen = View(look, *size).ray((left + scale * pixel[0], top + scale * pixel[1]))
    assert seen_start == pytest.approx(start)
    assert seen == pytest.approx(direction, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(orbits(), SIZES, st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.5, 30))
def test_what_lies_on_a_pixels_ray_is_drawn_at_that_pixel(
    camera: OrbitCamera, size: tuple[int, int], across: float, down: float, depth: float
) -> None:
    view = View(camera, *size)
    pixel = np.array([across * size[0], down * size[1]])
    start, direction = view.ray(pixel)
    assert np.linalg.norm(direction) == pytest.approx(1)
    assert view.project(start + depth * direction) == pytest.approx(pixel, abs=1e-4 * max(size))


@settings(max_examples=60, deadline=None)
@given(orbits(), SIZES)
def test_a_step_of_a_pixels_length_to_the_side_moves_the_picture_by_a_pixel(
    camera: OrbitCamera, size: tuple[int, int]
) -> None:
    view = View(camera, *size)
    target = np.asarray(camera.target)
    step = view.metres_per_pixel(target)
    moved = view.project(
        np.stack([target, target + step * camera.rotation[:, 0], target + step * camera.rotation[:, 1]])
    )
    assert moved[1] - moved[0] == pytest.approx([1, 0], abs=1e-3)
    assert moved[2] - moved[0] == pytest.approx([0, -1], abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(orbits(), SIZES)
def test_a_larger_export_of_one_shape_shows_the_same_picture(camera: OrbitCamera, size: tuple[int, int]) -> None:
    points = POINTS + camera.target - [0, 1, 0]
    small, large = View(camera, *size).project(points), View(camera, 3 * size[0], 3 * size[1]).project(points)
    assert large == pytest.approx(3 * small, nan_ok=True, rel=1e-6, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(orbits())
def test_the_target_is_in_the_middle_and_at_the_cameras_distance(camera: OrbitCamera) -> None:
    x, y, depth = View(camera, 640, 480).project_with_depth(camera.target)
    assert (x, y, depth) == pytest.approx((320, 240, camera.distance), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(orbits(), ANGLE, st.floats(-0.5, 0.5))
def test_orbiting_keeps_the_horizon_level_and_the_pivot_at_its_distance(
    camera: OrbitCamera, dx: float, dy: float
) -> None:
    pivot = np.array([0.3, 1.0, -0.2])
    turned = orbit(camera, dx, dy, pivot)
    assert turned.rotation[1, 0] == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(turned.eye - pivot) == pytest.approx(np.linalg.norm(camera.eye - pivot), abs=1e-6)
    assert -np.pi <= turned.yaw <= np.pi
    assert abs(turned.pitch) <= np.pi / 2


def test_a_drag_to_the_right_carries_what_is_before_the_pivot_to_the_right() -> None:
    camera = OrbitCamera(yaw=0.0, pitch=0.0)
    nose = np.array([0.0, 0.9, 0.3])
    before, after = (View(c, 800, 600).project(nose) for c in (camera, orbit(camera, 0.2, 0.0)))
    assert after[0] > before[0] + 5
    lifted = View(orbit(camera, 0.0, 0.2), 800, 600).project(nose)
    assert lifted[1] > before[1] + 5  # seen from further above, what is near goes down


@pytest.mark.parametrize("name", STANDARD_VIEWS)
def test_the_opposite_of_the_opposite_is_where_one_was(name: str) -> None:
    camera = standard_view(OrbitCamera(), name)
    there = opposite(camera)
    assert there.rotation[:, 2] == pytest.approx(-camera.rotation[:, 2], abs=1e-9)
    assert opposite(there).rotation == pytest.approx(camera.rotation, abs=1e-9)
    assert there.target == camera.target


@pytest.mark.parametrize("name", STANDARD_VIEWS)
def test_a_standard_view_keeps_the_kind_of_projection_unless_it_is_told(name: str) -> None:
    assert not standard_view(OrbitCamera(), name).orthographic
    assert standard_view(OrbitCamera(orthographic=True), name).orthographic
    assert standard_view(OrbitCamera(), name, True).orthographic
    assert not standard_view(OrbitCamera(orthographic=True), name, False).orthographic


def test_zooming_ends_near_the_target_and_far_away() -> None:
    camera = OrbitCamera()
    nearest, farthest = (zoom(View(camera, 640, 480), factor) for factor in (1e9, 1e-9))
    assert isinstance(nearest, OrbitCamera)
    assert isinstance(farthest, OrbitCamera)
    assert (nearest.distance, farthest.distance) == (NEAREST, FARTHEST)
    assert nearest.target == farthest.target == camera.target


def test_there_and_back_by_the_wheel_is_where_one_was() -> None:
    view = View(OrbitCamera(), 640, 480)
    near = scrolled(view, "zoom", (0, 2), (100, 100), (0, 1, 0))
    back = scrolled(View(near, 640, 480), "zoom", (0, -2), (100, 100), (0, 1, 0))
    assert isinstance(near, OrbitCamera)
    assert isinstance(back, OrbitCamera)
    assert near.distance == pytest.approx(4.2 / WHEEL_ZOOM**2)
    assert (*back.target, back.distance) == pytest.approx((0.0, 0.9, 0.0, 4.2), abs=1e-9)


def test_one_push_of_a_free_spinning_wheel_does_not_leave_the_scene() -> None:
    view = View(OrbitCamera(), 640, 480)
    assert scrolled(view, "zoom", (0, 500), (320, 240), (0, 1, 0)) == scrolled(
        view, "zoom", (0, 6), (320, 240), (0, 1, 0)
    )


def test_no_point_to_frame_leaves_the_camera_and_a_lost_one_is_passed_over() -> None:
    camera = OrbitCamera()
    assert frame(camera, np.zeros((0, 3)), 1.5) == camera
    assert frame(camera, [[np.nan, 0, 0]], 1.5) == camera
    assert frame(camera, [[np.nan, 0, 0], [0, 1, 0]], 1.5).target == pytest.approx((0, 1, 0))


@settings(max_examples=40, deadline=None)
@given(orbits(), st.floats(0.3, 4.0), st.integers(0, 1000))
def test_whatever_is_framed_is_wholly_in_the_picture(camera: OrbitCamera, aspect: float, seed: int) -> None:
    points = np.random.default_rng(seed).uniform(-2, 2, (12, 3))
    shown = View(frame(camera, points, aspect), 600 * aspect, 600).project(points) / [600 * aspect, 600]
    assert shown.min() >= 0
    assert shown.max() <= 1


def test_a_glide_turns_the_shorter_way_round_the_back() -> None:
    a, b = OrbitCamera(yaw=3.0), OrbitCamera(yaw=-3.0, distance=1.05, orthographic=True)
    half = blend(a, b, 0.5)
    assert abs((half.yaw % (2 * np.pi)) - np.pi) < 1e-6
    assert half.distance == pytest.approx(np.sqrt(4.2 * 1.05))
    assert half.orthographic


LENS = PinholeCamera([0.3, 1.5, 4.0], from_rotation_vector([0.1, 0.2, 0.0]), 900.0, (500.0, 310.0), (960, 640))


@pytest.mark.parametrize("halved", [False, True])
def test_zooming_into_a_photo_leaves_what_is_under_the_pointer_there(halved: bool) -> None:
    before = View(PhotoView(LENS, halved=halved), 700, 800)
    held = before.project(POINTS[0])
    nearer = zoom(before, 1.7, held)
    assert isinstance(nearer, PhotoView)
    assert nearer.image_rect(700, 800)[2] == pytest.approx(1.7 * before.camera.image_rect(700, 800)[2])  # type: ignore[union-attr]
    assert View(nearer, 700, 800).project(POINTS[0]) == pytest.approx(held, abs=1e-6)


@pytest.mark.parametrize("halved", [False, True])
def test_panning_a_photo_moves_picture_and_figures_by_the_same_pixels(halved: bool) -> None:
    look = PhotoView(LENS, zoom=2.0, halved=halved)
    moved = pan_photo(look, 30, -12, 1000, 500)
    assert np.subtract(moved.image_rect(1000, 500)[:2], look.image_rect(1000, 500)[:2]) == pytest.approx([30, -12])
    before, after = (View(each, 1000, 500).project(POINTS) for each in (look, moved))
    assert after - before == pytest.approx(np.tile([30.0, -12.0], (len(POINTS), 1)), abs=1e-6)
    assert moved.lens is LENS


def test_a_photo_cannot_be_zoomed_out_of_sight() -> None:
    view = View(PhotoView(LENS), 1000, 500)
    assert zoom(view, 1e-6).zoom == pytest.approx(0.2)  # type: ignore[union-attr]
    assert zoom(view, 1e6).zoom == pytest.approx(40)  # type: ignore[union-attr]


def test_orbiting_leaves_the_photo_and_zooming_and_panning_stay_with_it() -> None:
    view = View(PhotoView(replace(LENS, rotation=np.eye(3))), 960, 640)
    pivot = (0, 1, 0)
    assert isinstance(dragged(view, "pan", (10, 0), (5, 5), pivot), PhotoView)
    assert isinstance(dragged(view, "zoom", (10, 0), (5, 5), pivot), PhotoView)
    left = dragged(view, "orbit", (0, 0), (5, 5), pivot)
    assert isinstance(left, OrbitCamera)
    assert View(left, 960, 640).project(pivot) == pytest.approx(view.project(pivot), abs=0.1)


def test_dragging_to_the_right_or_up_zooms_in_and_the_other_way_out() -> None:
    view = View(OrbitCamera(), 640, 480)
    for way, nearer in (((50, 0), True), ((0, -50), True), ((-50, 0), False), ((0, 50), False)):
        camera = dragged(view, "zoom", way, (320, 240), (0, 1, 0))
        assert isinstance(camera, OrbitCamera)
        assert (camera.distance < 4.2) == nearer


def test_a_camera_of_another_kind_stays_where_it_is_and_has_no_zoom() -> None:
    class Fixed:
        rotation, eye = np.eye(3), np.array([0.0, 1.0, 5.0])

        def projection_matrix(self, width: float, height: float) -> np.ndarray:
            return OrbitCamera().projection_matrix(width, height)

    view = View(Fixed(), 640, 480)
    assert dragged(view, "orbit", (50, 20), (320, 240), (0, 1, 0)) is view.camera
    with pytest.raises(TypeError, match="no zoom for Fixed"):
        zoom(view, 2.0)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_orbit_pan_and_zoom_by_dragging_or_scrolling(preset: str) -> None:
    one = PRESETS[preset]
    assert {*one.always.values(), *one.on_empty.values(), *one.scroll.values()} == {"orbit", "pan", "zoom"}
    assert one.always.keys().isdisjoint(one.on_empty), "what is taken before the tools never comes to the empty place"
    assert scroll_action(one, Pointer(0, 0), wheel=True) == "zoom"


def test_held_keys_are_named_in_one_order_whatever_was_pressed_first() -> None:
    assert Pointer(1, 2, "left", shift=True, ctrl=True, alt=True).modifiers == "alt+ctrl+shift"
    assert Pointer(1, 2).modifiers == ""
    assert Pointer(1, 2).pixel == (1, 2)
