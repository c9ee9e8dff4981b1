"""Where networks mark bent limbs: in any frame and in a mirror the same, and taken back before a body is fitted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from photo_samples import body, landmarks_of, lens_of, level_camera, natural

from solver.body.body import BodyShape
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.fit.evidence import body_points, evidence
from solver.photo.fit.lifting import lifted, pixels_per_metre, with_marks_on_points
from solver.photo.fit.mark_shifts import mark_shifts
from solver.photo.person_in_box import as_landmarks
from solver.photo.refit import marked_points, refit
from solver.rig.mirroring import mirror_pose

Array = NDArray[np.float64]
SHAPE, CAMERA = BodyShape(), level_camera()
POINTS = body_points(body())
UPRIGHT = np.eye(3)
BENDING = (11, 12, 13, 14, 23, 24, 25, 26)


def shifts(pose: Pose, eye: Array, turn: Array = UPRIGHT) -> Array:
    posed = forward_kinematics(body().skeleton(SHAPE), pose)
    positions, rotations = posed.positions @ turn.T, turn @ posed.rotations
    return mark_shifts(POINTS, positions, rotations, turn @ eye - POINTS.places(positions, rotations))


def test_marks_of_shoulders_elbows_hips_and_knees_move_by_up_to_a_few_centimetres_and_no_others_do() -> None:
    for seed in range(5):
        far = np.linalg.norm(shifts(natural(seed), CAMERA.position), axis=1)
        moving = np.isin(POINTS.landmark, BENDING)
        assert (far[~moving] == 0.0).all()
        assert (far[moving] > 0.001).all()
        assert (far < 0.08).all()


def test_marks_move_with_the_body_and_its_camera_whatever_the_frame() -> None:
    turn = np.asarray(from_rotation_vector([0.3, -1.1, 0.7]), dtype=np.float64)
    assert np.allclose(
        shifts(natural(3), CAMERA.position, turn), shifts(natural(3), CAMERA.position) @ turn.T, atol=1e-6
    )


def test_the_marks_of_a_mirror_image_are_the_mirror_image_of_the_marks() -> None:
    pose, eye = natural(4, 0.6), np.array([0.4, 1.5, 3.0])
    plane = MirrorPlane.across(np.array([1.0, 0.0, 0.0]), np.zeros(3))
    other = shifts(mirror_pose(body().skeleton(SHAPE), pose, plane), eye * [-1.0, 1.0, 1.0])
    assert np.allclose(other[POINTS.other_side] * [-1.0, 1.0, 1.0], shifts(pose, eye), atol=2e-3)


def test_marks_of_bent_limbs_are_put_back_onto_the_points_of_the_body() -> None:
    """As far as the lifter reads the limbs rightly: half of what networks put beside the points is left at most."""
    before, after = list[float](), list[float]()
    for seed in range(6):
        pose = natural(seed, 0.8 * seed)
        plain = landmarks_of(pose, CAMERA, seed)
        shifted = as_landmarks(body(), SHAPE, pose, lens_of(CAMERA))
        plain.pixels[list(BENDING)], true = shifted.pixels[list(BENDING)], plain.pixels.copy()
        seen = evidence(plain, POINTS, CAMERA.focal, CAMERA.principal)
        found = lifted(body(), seen)
        goal = (true[POINTS.landmark] - CAMERA.principal) * [1.0, -1.0]
        moving = np.isin(POINTS.landmark, BENDING)
        for one, off in ((seen, before), (with_marks_on_points(seen, found), after)):
            off += (np.linalg.norm(one.pixels - goal, axis=1) / pixels_per_metre(seen, found))[moving].tolist()
    assert np.mean(before) > 0.008
    assert np.mean(after) < 0.5 * np.mean(before)


def test_a_point_that_is_dragged_is_under_the_pointer_on_a_bent_limb_too() -> None:
    pose = natural(1)
    shown = marked_points(body(), SHAPE, pose, lens_of(CAMERA))
    knee = shown.landmark.tolist().index(25)
    goal = shown.pixels[knee] + [12.0, -9.0]
    moved = marked_points(body(), SHAPE, refit(body(), SHAPE, pose, lens_of(CAMERA), {25: goal}), lens_of(CAMERA))
    assert np.linalg.norm(moved.pixels[knee] - goal) < 1.0
