"""The point of a prop that is nearest to a place, as what a contact lies on."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.model.prop import KINDS, MESH, Prop
from app.document.model.prop_spots import nearest_on
from solver.kinematics.rotations import from_rotation_vector

TURN = from_rotation_vector([0.3, 0.8, -0.2])


def prop(kind: str, size: tuple[float, float, float]) -> Prop:
    return Prop("p1", "It", kind, np.float32(size), place=np.float32([0.4, 0.2, -0.3]), turn=TURN.astype(np.float32))


def test_on_a_ball_it_is_on_the_line_to_the_middle() -> None:
    ball = prop("ball", (0.6, 0.6, 0.6))
    place = ball.middle + [0.5, 0.4, -0.2]
    source, at, normal = nearest_on(ball, place)
    away = (place - ball.middle) / np.linalg.norm(place - ball.middle)
    assert at == pytest.approx(ball.middle + 0.3 * away, abs=0.01)  # it is made of flat faces
    assert normal @ away > 0.99
    assert source.prop == "p1"


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_over_a_face_of_a_box_it_is_right_below_and_the_normal_points_out(axis: int, side: int) -> None:
    box = prop("box", (0.8, 0.4, 0.6))
    outward = side * box.turn[:, axis].astype(np.float64)
    place = box.middle + outward * (box.size[axis] / 2 + 0.07)
    source, at, normal = nearest_on(box, place)
    assert at == pytest.approx(place - 0.07 * outward, abs=1e-5)
    assert normal == pytest.approx(outward, abs=1e-5)
    assert source.place[axis] == pytest.approx(side * 0.5, abs=1e-5)


def test_what_it_says_goes_along_as_the_prop_is_moved_and_sized() -> None:
    for kind in sorted(set(KINDS) - {MESH}):
        size = (0.5, 0.5, 0.5)
        one = prop(kind, size)
        source, at, _ = nearest_on(one, one.middle + [0.6, 0.3, 0.5])
        assert one.frame.points(source.place + [0.0, 0.5, 0.0]) == pytest.approx(at, abs=1e-5)
        assert np.abs(source.place).max() <= 0.5 + 1e-5
