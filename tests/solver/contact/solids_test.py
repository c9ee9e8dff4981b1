"""How far points are from boxes, balls and cylinders."""

from __future__ import annotations

import numpy as np
import pytest

from solver.contact.solids import Solid, SolidForm

QUARTER = np.float32([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # about X


def test_distances_to_a_box_are_those_to_its_faces_edges_and_corners_and_negative_inside() -> None:
    box = Solid(SolidForm.BOX, np.float32([2, 4, 6]), np.float32([10, 0, 0]))
    points = np.float32([[10, 0, 0], [10.9, 0, 0], [12, 0, 0], [14, 6, 0], [12, 3, 4]])
    assert box.distances(points) == pytest.approx([-1, -0.1, 1, 5, np.sqrt(3)], abs=1e-5)


def test_a_turned_cylinder_lies_along_another_axis() -> None:
    lying = Solid(SolidForm.CYLINDER, np.float32([2, 4, 2]), turn=QUARTER)
    points = np.float32([[0, 0, 3], [0, 2, 0], [0, 0, 1.5], [0, 4, 6]])
    assert lying.distances(points) == pytest.approx([1, 1, -0.5, 5], abs=1e-5)


def test_a_ball_is_round() -> None:
    ball = Solid(SolidForm.BALL, np.float32([2, 2, 2]), np.float32([0, 1, 0]))
    assert ball.distances(np.float32([[0, 1, 0], [3, 5, 0]])) == pytest.approx([-1, 4], abs=1e-5)


def test_a_solid_without_volume_is_refused() -> None:
    with pytest.raises(ValueError, match="positive size"):
        Solid(SolidForm.BOX, np.float32([1, 0, 1]))
