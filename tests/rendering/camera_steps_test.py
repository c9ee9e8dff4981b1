"""Going back to where one looked from: what is a step, and what lies before and ahead of it."""

from __future__ import annotations

from rendering.camera.camera import Camera, OrbitCamera
from rendering.camera.camera_history import MOST, CameraHistory

A, B, C, D = (OrbitCamera(yaw=float(n)) for n in range(4))


def always(camera: Camera) -> Camera:
    return camera


def test_back_and_forward_lead_through_the_same_cameras() -> None:
    steps = CameraHistory().left(A).left(B)
    steps, first = steps.back(C, always)
    steps, second = steps.back(first, always)
    assert (first, second) == (B, A)
    assert steps.back(second, always) == (steps, A), "there is nothing before"
    steps, third = steps.forward(second, always)
    steps, fourth = steps.forward(third, always)
    assert (third, fourth) == (B, C)
    assert steps.forward(fourth, always) == (steps, C), "there is nothing ahead"


def test_a_move_is_one_step_however_often_it_is_told_and_the_next_one_another() -> None:
    steps = CameraHistory().left(A, 1).left(B, 1).left(C, 2)
    assert steps.before == (A, C)


def test_two_jumps_are_two_steps() -> None:
    assert CameraHistory().left(A).left(B).before == (A, B)


def test_a_new_move_forgets_what_lay_ahead_even_one_that_goes_on_after_a_step_back() -> None:
    steps, camera = CameraHistory().left(A, 1).back(B, always)
    assert steps.after == (B,)
    assert steps.left(camera, 1) == CameraHistory((A,), (), 1)


def test_a_move_that_was_cancelled_is_passed_over() -> None:
    _, camera = CameraHistory().left(A).left(B, 1).back(B, always)
    assert camera == A


def test_cameras_that_are_gone_are_passed_over() -> None:
    _, camera = CameraHistory().left(A).left(B).back(C, lambda camera: None if camera == B else camera)
    assert camera == A


def test_only_the_last_hundred_are_kept() -> None:
    steps = CameraHistory()
    for n in range(MOST + 5):
        steps = steps.left(OrbitCamera(distance=1.0 + n))
    assert len(steps.before) == MOST
    assert steps.before[-1] == OrbitCamera(distance=MOST + 5.0)
