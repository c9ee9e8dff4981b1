"""A joint that is pulled by a centimetre leaves the rest of the body about where it is, beside solid things as well."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.drags.held_drags import SCENES as HELD
from scripts.drags.near_drags import SCENES, drag
from scripts.drags.seat_drags import PULLS, at_once
from scripts.drags.seat_drags import drag as seat_drag
from solver.rig.roles import Role

HEAD, OTHERS = 0, 3  # of what `drag` measures


@pytest.mark.sweep("smplik")
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_an_elbow_that_is_pulled_into_a_wall_with_the_hands_on_the_hips_moves_the_head_little(solver: str) -> None:
    pulled = drag(HELD["wall, elbow"].hold, Role.LEFT_ELBOW, np.array([0.01, 0.0, 0.0]), "male", solver)
    assert pulled.at[0][0][HEAD] < 0.075, "the head went aside by 11 cm, to bring the elbow nearer by 2 mm"


@pytest.mark.parametrize("joint", [Role.RIGHT_KNEE, Role.LEFT_KNEE])
def test_a_knee_that_had_no_handle_moves_by_itself_as_it_is_touched(joint: Role) -> None:
    touched = drag(SCENES["wall"], joint, np.array([-0.004, -0.002, 0.009]), "male", "smplik")
    assert touched.at[0][0][HEAD] < 0.02
    assert touched.at[0][0][OTHERS] < 0.02, "with one more handle the network proposed other arms: 5 cm in a step"


def test_the_free_hand_of_somebody_on_a_chair_does_not_dart_away_from_the_thigh_and_back() -> None:
    _, moves = seat_drag(PULLS["left wrist ahead"], at_once, "female", "smplik")
    assert max(moves.steps) < 0.03, "it went 8 cm off in one step, and came back in the next"
