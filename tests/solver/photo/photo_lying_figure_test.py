"""A box much wider than high gets a figure that lies in it, on the floor where people can be so long."""

from __future__ import annotations

import numpy as np
import pytest
from photo_samples import body, joints

from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.turned_looks import Box
from solver.photo.floor.lying_figure import WIDE, lying_in_box


def camera_at(height: float, down: float, yaw: float = 0.0) -> PinholeCamera:
    turn = from_rotation_vector([0.0, yaw, 0.0]) @ from_rotation_vector([-down, 0.0, 0.0])
    return PinholeCamera(np.array([0.3, height, 1.0]), turn.astype(np.float32), 900.0, (400.0, 300.0), (800, 600))


def box_across(camera: PinholeCamera, away: float, long: float, high: float = 0.3) -> Box:
    """The box of something so long and high that lies across the sight, so far before the camera; metres."""
    ahead = -camera.rotation[:, 2] * [1.0, 0.0, 1.0]
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    middle = camera.position * [1.0, 0.0, 1.0] + away * ahead
    ends = np.stack([middle - long / 2 * right, middle + long / 2 * right])
    low, high_ = camera.project(ends), camera.project(ends + [0.0, high, 0.0])
    return float(low[0, 0]), float(high_[:, 1].min()), float(low[1, 0]), float(low[:, 1].max())


@pytest.mark.parametrize(("height", "down", "yaw"), [(1.5, 0.2, 0.0), (1.2, 0.1, 1.0), (3.0, 0.5, -2.0)])
@pytest.mark.parametrize("long", [1.6, 1.75, 1.85])
def test_a_figure_as_long_as_people_are_lies_on_its_back_on_the_floor_across_the_box(
    height: float, down: float, yaw: float, long: float
) -> None:
    camera = camera_at(height, down, yaw)
    box = box_across(camera, 5.0, long)
    found = lying_in_box(body(), box, camera)
    assert found is not None
    skin = posed_vertices(body(), *found)
    pixels = camera.project(skin)
    assert skin[:, 1].min() == pytest.approx(0.0, abs=1e-4)
    assert skin[:, 1].max() < 0.5
    assert (pixels[:, 0].min(), pixels[:, 0].max()) == pytest.approx((box[0], box[2]), abs=1.0)
    assert pixels[:, 1].max() == pytest.approx(box[3], abs=0.5)
    places = joints(found[1], found[0])
    assert camera.project(places[15])[0] < camera.project(places[0])[0], "the head to the left"
    assert found[1].rotations[0][1, 2] > 0.95, "the chest up"


def test_in_a_box_too_short_for_anybody_lying_across_the_feet_are_nearer_than_the_head() -> None:
    camera = camera_at(1.5, 0.2)
    box = box_across(camera, 5.0, 1.0)
    found = lying_in_box(body(), box, camera)
    assert found is not None
    pixels = camera.project(posed_vertices(body(), *found))
    assert (pixels[:, 0].min(), pixels[:, 0].max()) == pytest.approx((box[0], box[2]), abs=1.0)
    assert pixels[:, 1].max() == pytest.approx(box[3], abs=0.5)
    places = joints(found[1], found[0])
    assert places[15][2] < places[0][2] - 0.3, "farther away, as the camera looks along −z"
    assert not found[0].betas.any()


def test_in_a_box_too_long_for_anybody_on_the_floor_the_figure_is_nearer_as_on_a_bed() -> None:
    camera = camera_at(1.5, 0.2)
    box = box_across(camera, 5.0, 3.0)
    found = lying_in_box(body(), box, camera)
    assert found is not None
    skin = posed_vertices(body(), *found)
    pixels = camera.project(skin)
    assert np.ptp(pixels[:, 0]) == pytest.approx(box[2] - box[0], rel=0.05)
    assert 0.3 < skin[:, 1].min() < 1.2


def test_a_box_hardly_wider_than_high_or_above_the_horizon_is_not_for_one_who_lies() -> None:
    camera = camera_at(1.5, 0.0)
    assert lying_in_box(body(), (100.0, 400.0, 100.0 + (WIDE - 0.01) * 100.0, 500.0), camera) is None
    assert lying_in_box(body(), (100.0, 100.0, 300.0, 200.0), camera) is None
