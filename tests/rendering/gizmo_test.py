"""Dragging the gizmo: pure, from the drag's start, and calm where geometry degenerates."""

from __future__ import annotations

import numpy as np
import pytest

from rendering.camera.camera import OrbitCamera, View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import (
    AXES,
    PLANES,
    advance,
    axis_rotation,
    moved_position,
    start_move,
    start_rotate,
    turned_rotation,
)

VIEW = View(OrbitCamera(yaw=0.5, pitch=0.35), 1280, 800)
CENTRE = np.array([0.1, 1.1, 0.2])
MOVE = Gizmo("move", CENTRE, np.eye(3))
TURN = Gizmo("rotate", CENTRE, np.eye(3))


def drag_to(gizmo: Gizmo, part: str, way: tuple[float, float], view: View = VIEW, **how: float) -> np.ndarray:
    start = view.project(CENTRE) + [30, -20]
    if gizmo.kind == "move":
        return moved_position(advance(start_move(gizmo, part, start), start + way), view, **how)
    return turned_rotation(advance(start_rotate(gizmo, part, start), start + way), view, **how)


@pytest.mark.parametrize("axis", AXES)
def test_an_arrow_moves_along_its_axis_alone_and_under_the_pointer(axis: str) -> None:
    i = AXES.index(axis)
    goal = CENTRE + 0.3 * np.eye(3)[i]
    start = VIEW.project(CENTRE)
    moved = moved_position(advance(start_move(MOVE, axis, start), VIEW.project(goal)), VIEW)
    assert np.allclose(moved, goal, atol=1e-6)


@pytest.mark.parametrize("plane", PLANES)
def test_a_square_moves_in_its_plane_alone_and_under_the_pointer(plane: str) -> None:
    goal = CENTRE.copy()
    for letter, step in zip(plane, (0.2, -0.15), strict=True):
        goal[AXES.index(letter)] += step
    moved = moved_position(advance(start_move(MOVE, plane, VIEW.project(CENTRE)), VIEW.project(goal)), VIEW)
    assert np.allclose(moved, goal, atol=1e-6)


def test_the_middle_moves_in_the_plane_of_the_picture() -> None:
    moved = drag_to(MOVE, "view", (60, 40))
    assert abs((moved - CENTRE) @ VIEW.camera.rotation[:, 2]) < 1e-9
    assert np.allclose(VIEW.project(moved) - VIEW.project(CENTRE), [60, 40], atol=1e-6)


@pytest.mark.parametrize("part", [*AXES, *PLANES, "view"])
def test_there_and_back_leaves_no_trace(part: str) -> None:
    start = VIEW.project(CENTRE) + [10, 5]
    drag = start_move(MOVE, part, start)
    for way in [(50, 80), (300, -200), (-120, 10), (0, 0)]:
        drag = advance(drag, start + way)
    assert np.allclose(moved_position(drag, VIEW), CENTRE, atol=1e-9)


@pytest.mark.parametrize("part", [*AXES, *PLANES])
def test_an_axis_that_points_at_the_viewer_does_not_throw_the_handle_away(part: str) -> None:
    for camera in (OrbitCamera(yaw=0, pitch=0), OrbitCamera(yaw=np.pi / 2, pitch=0), OrbitCamera(yaw=0, pitch=1.55)):
        view = View(camera, 1280, 800)
        for way in [(100, 0), (0, 100), (-90, 70)]:
            assert np.linalg.norm(drag_to(MOVE, part, way, view) - CENTRE) < 5.0


def test_snapping_moves_by_whole_steps() -> None:
    moved = drag_to(MOVE, "view", (63, 41), snap=0.1)
    steps = (moved - CENTRE) / 0.1
    assert np.allclose(steps, np.round(steps), atol=1e-9)


def test_precise_dragging_is_ten_times_slower_and_does_not_jump() -> None:
    start = VIEW.project(CENTRE)
    coarse = advance(start_move(MOVE, "view", start), start + [50, 0])
    switched = advance(coarse, start + [50, 0], precise=True)
    assert np.allclose(moved_position(switched, VIEW), moved_position(coarse, VIEW))
    fine = advance(switched, start + [100, 0], precise=True)
    gained = VIEW.project(moved_position(fine, VIEW)) - VIEW.project(moved_position(coarse, VIEW))
    assert np.allclose(gained, [5, 0], atol=1e-6)


@pytest.mark.parametrize("axis", AXES)
def test_a_ring_turns_about_its_axis_by_the_angle_swept(axis: str) -> None:
    i = AXES.index(axis)
    arm = np.eye(3)[(i + 1) % 3] * 0.2
    for angle in (0.4, -1.2, 2.0):
        wanted = axis_rotation(np.eye(3)[i], angle)
        start, end = VIEW.project(CENTRE + arm), VIEW.project(CENTRE + wanted @ arm)
        turned = turned_rotation(advance(start_rotate(TURN, axis, start), end), VIEW)
        assert np.allclose(turned, wanted, atol=1e-6)


def test_the_outer_ring_turns_about_the_line_of_sight() -> None:
    centre = VIEW.project(CENTRE)
    drag = advance(start_rotate(TURN, "view", centre + [90, 0]), centre + [0, -90])
    turned = turned_rotation(drag, VIEW)
    axis = (VIEW.camera.eye - CENTRE) / np.linalg.norm(VIEW.camera.eye - CENTRE)
    assert np.allclose(turned, axis_rotation(axis, np.pi / 2), atol=1e-6)


@pytest.mark.parametrize("part", [*AXES, "view", "ball"])
def test_what_is_turned_stays_a_rotation_and_snaps(part: str) -> None:
    for way in [(0, 0), (5, 3), (400, -300)]:
        turned = drag_to(TURN, part, way)
        assert np.allclose(turned @ turned.T, np.eye(3), atol=1e-9)
    step = np.radians(15)
    snapped = drag_to(TURN, part, (37, 22), snap=step)
    angle = np.arccos(np.clip((np.trace(snapped) - 1) / 2, -1, 1))
    assert abs(angle / step - round(angle / step)) < 1e-6


def test_a_ring_seen_from_the_side_still_turns() -> None:
    view = View(OrbitCamera(yaw=0, pitch=0), 1280, 800)
    turned = drag_to(TURN, "y", (40, 0), view)
    angle = np.arctan2(turned[0, 2], turned[0, 0])
    assert 0.3 < abs(angle) < 0.8


def test_rotating_starts_from_the_rotation_given() -> None:
    before = axis_rotation([1, 2, 3], 0.7)
    start = VIEW.project(CENTRE) + [50, 0]
    assert np.allclose(turned_rotation(start_rotate(TURN, "x", start, before), VIEW), before)


@pytest.mark.parametrize("part", ["zx", "x", "z"])
def test_a_drag_over_the_horizon_goes_on_without_a_jump_and_ends(part: str) -> None:
    view = View(OrbitCamera(yaw=0.5, pitch=0.3), 1280, 800)
    place = np.array([0.1, 0.0, 0.2])
    start = view.project(place)
    begun = start_move(Gizmo("move", place, np.eye(3)), part, start)
    gone = [np.linalg.norm(moved_position(advance(begun, start - [0, up]), view) - place) for up in range(700)]
    assert max(gone) < 40.0
    assert np.all(np.diff(gone) >= -0.05), "it does not come back"
