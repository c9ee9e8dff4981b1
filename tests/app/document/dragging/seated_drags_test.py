"""Somebody who sits moves as little and as evenly as possible while one of their ankles is dragged."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.held_drags import SEATED, UPRIGHT, Scene, drag
from scripts.seat_drags import library
from scripts.seat_grips import DRAGS, moves_on
from solver.rig.roles import Role

UP = Scene(SEATED, Role.PELVIS, (0.0, 1.0, 0.0), (0.21, 0.3))  # further than legs reach
OVER = Scene(UPRIGHT, Role.RIGHT_ANKLE, (0.22, 0.2, 0.04), (0.25, 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("body", ["neutral", "short"])
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_an_ankle_dragged_over_the_other_foot_neither_jumps_nor_takes_the_pelvis_off_its_seat(
    solver: str, body: str
) -> None:
    moves = drag(OVER, body, solver, np.random.default_rng(1))
    assert max(moves.steps) < 0.07
    assert np.degrees(max(moves.turned)) < 10
    assert max(moves.missed) < 1e-3
    assert max(moves.back) < 1e-3


@pytest.mark.slow
def test_somebody_with_hands_on_the_thighs_sits_down_on_bending_knees_after_the_legs_were_straight() -> None:
    moves = drag(UP, "short", "dls", np.random.default_rng([1, 0, 3, 0]))
    assert max(moves.steps) < 0.07
    assert np.degrees(max(moves.turned)) < 20
    assert max(moves.back) < 1e-3


@pytest.mark.slow
def test_who_was_led_in_a_drag_stays_as_another_joint_is_taken_hold_of() -> None:
    thinker = library()["Thinker"]
    assert max(moves_on(DRAGS[name], thinker, "neutral", "dls") for name in ("head down", "left wrist back")) < 0.03
