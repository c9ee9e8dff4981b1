"""Somebody who sits moves as little and as evenly as possible while one of their ankles is dragged."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.held_drags import UPRIGHT, Scene, drag
from solver.rig.roles import Role

OVER = Scene(UPRIGHT, Role.RIGHT_ANKLE, (0.22, 0.2, 0.04), (0.25, 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_an_ankle_dragged_over_the_other_foot_neither_jumps_nor_takes_the_pelvis_off_its_seat(solver: str) -> None:
    moves = drag(OVER, "neutral", solver, np.random.default_rng(1))
    assert max(moves.steps) < 0.05
    assert np.degrees(max(moves.turned)) < 10
    assert max(moves.missed) < 1e-3
    assert max(moves.back) < 1e-3
