"""Angles that stay as they were typed, also where a turn has many triples of them."""

from __future__ import annotations

import numpy as np
import pytest

from app.panels.target.typed_angles import TypedAngles
from solver.kinematics.rotations import from_euler


def turned(*degrees: float) -> np.ndarray:
    return from_euler("XYZ", np.radians(degrees))


@pytest.fixture
def locked() -> tuple[TypedAngles, np.ndarray]:
    """30°, 90° and 20° typed one after another: at gimbal lock, where X and Z turn about one axis."""
    angles, turn = TypedAngles(), np.eye(3)
    for axis, degrees in enumerate((30.0, 90.0, 20.0)):
        turn = angles.typed("prop", turn, axis, degrees)
    return angles, turn


def test_angles_typed_at_gimbal_lock_are_shown_as_typed(locked: tuple[TypedAngles, np.ndarray]) -> None:
    angles, turn = locked
    assert turn == pytest.approx(turned(30, 90, 20))
    assert angles.shown("prop", turn) == (30.0, 90.0, 20.0)
    assert angles.typed("prop", turn, 1, 40.0) == pytest.approx(turned(30, 40, 20)), "the others stay as typed"


def test_a_turn_that_came_otherwise_is_shown_by_its_own_angles(locked: tuple[TypedAngles, np.ndarray]) -> None:
    angles, turn = locked
    assert angles.shown("prop", turned(5, 10, 15)) == pytest.approx((5, 10, 15))
    assert angles.shown("prop", turn) == pytest.approx((50, 90, 0)), "back by undo, what was typed is forgotten"


def test_what_was_typed_for_one_thing_is_not_shown_for_another(locked: tuple[TypedAngles, np.ndarray]) -> None:
    angles, turn = locked
    assert angles.shown("other", turn) == pytest.approx((50, 90, 0))


@pytest.mark.parametrize("degrees", [180.0, 120.0, -100.0])
def test_what_is_turned_round_about_y_says_so_and_not_half_a_turn_about_x_and_z(degrees: float) -> None:
    x, y, z = TypedAngles().shown("prop", turned(2.0, degrees, -3.0))
    assert (x, abs(y), z) == pytest.approx((2.0, abs(degrees), -3.0))
    assert turned(x, y, z) == pytest.approx(turned(2.0, degrees, -3.0))
