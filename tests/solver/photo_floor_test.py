"""Several people in one camera, on one floor."""

from __future__ import annotations

import numpy as np
import pytest
from photo_samples import Camera, body, joints, landmarks_of, level_camera, natural

from solver.body.floor import posed_vertices
from solver.estimators.common_floor import Placed, place_people
from solver.estimators.evidence import body_points, evidence
from solver.estimators.fit import fit_person, shape_of
from solver.estimators.least_squares import Fit
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector


def _fit(pose: Pose, camera: Camera, seed: int) -> Fit:
    marks = landmarks_of(pose, camera, seed, pixel=1.5, depth=0.05)
    return fit_person(body(), evidence(marks, body_points(body()), camera.focal, camera.principal))


def _soles(fits: list[Fit], placed: Placed) -> list[float]:
    return [
        float(posed_vertices(body(), shape_of(fit), pose)[:, 1].min())
        for fit, pose in zip(fits, placed.poses, strict=True)
    ]


@pytest.fixture(scope="module")
def couple() -> tuple[tuple[Pose, Pose], list[Fit]]:
    poses = natural(1, 0.4, (-0.6, 0.3), 0.8), natural(3, -0.5, (0.9, -1.5), 0.8)
    return poses, [_fit(pose, level_camera(), seed) for seed, pose in enumerate(poses)]


def test_two_people_keep_their_places_beside_each_other(couple: tuple[tuple[Pose, Pose], list[Fit]]) -> None:
    (first, second), fits = couple
    placed = place_people(body(), fits)
    true = second.root_position - first.root_position
    found = placed.poses[1].root_position - placed.poses[0].root_position
    assert found[0] == pytest.approx(true[0], abs=0.12)
    assert found[2] == pytest.approx(true[2], abs=0.35)  # depth is the size on the picture, within a few percent
    assert placed.poses[0].root_position[[0, 2]] == pytest.approx([0.0, 0.0], abs=0.1)


def test_everybody_stands_on_the_floor(couple: tuple[tuple[Pose, Pose], list[Fit]]) -> None:
    _, fits = couple
    assert _soles(fits, place_people(body(), fits)) == pytest.approx([0.0, 0.0], abs=1e-4)


def test_the_camera_sees_people_where_they_were_on_the_picture(couple: tuple[tuple[Pose, Pose], list[Fit]]) -> None:
    poses, fits = couple
    placed, camera = place_people(body(), fits), level_camera()
    seen = Camera(placed.position, placed.rotation)
    for true, found in zip(poses, placed.poses, strict=True):
        apart = camera.pixels(joints(true)) - seen.pixels(joints(found))
        assert np.linalg.norm(apart, axis=1).mean() < 25


@pytest.mark.parametrize("down", [-0.12, 0.0, 0.2])
def test_the_tilt_of_the_camera_shows_in_those_who_stand(down: float) -> None:
    camera = level_camera(distance=4.5, height=1.2 + 3.0 * max(down, 0.0), down=down)
    fits = [
        _fit(natural(seed, facing, at, 0.8), camera, seed)
        for seed, facing, at in ((1, 0.0, (-0.8, 0.0)), (2, 2.5, (0.7, 0.4)), (5, 1.0, (0.0, -1.2)))
    ]
    placed = place_people(body(), fits)
    looks = -placed.rotation[:, 2]
    assert -np.arcsin(looks[1]) == pytest.approx(down, abs=0.1)
    assert placed.position[1] == pytest.approx(camera.position[1], abs=0.35)


def test_who_jumps_high_stays_in_the_air_and_nobody_sinks(couple: tuple[tuple[Pose, Pose], list[Fit]]) -> None:
    _, (first, second) = couple
    high = Fit(first.root + [0.0, 0.9, 0.0], first.rotations, first.betas, first.ground)
    # Lying, so that the one who stands alone says where the floor is.
    turned = second.rotations.copy()
    turned[0] = from_rotation_vector([-np.pi / 2, 0.0, 0.0]) @ turned[0]
    deep = Fit(second.root - [0.0, 2.0, 0.0], turned, second.betas, second.ground)
    soles = _soles([second, deep], place_people(body(), [second, deep]))
    assert min(soles) > -1e-4
    fits = [second, high, Fit(second.root + [1.0, 0, 0], second.rotations, second.betas, second.ground)]
    assert _soles(fits, place_people(body(), fits))[1] > 0.3
