"""Somebody who sits moves as little and as evenly as possible while one of their ankles is dragged."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from app.document.model.figure import skeleton_of
from scripts.drags.contact_depths import FIRST, Hold, before
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from scripts.drags.held_drags import SEATED, UPRIGHT, Scene, drag
from scripts.drags.seat_drags import STEP, Memories, library
from scripts.drags.seat_grips import DRAGS, moves_on
from solver.rig.rig import rig_of
from solver.rig.roles import Role

UP = Scene(SEATED, Role.PELVIS, (0.0, 1.0, 0.0), (0.21, 0.3))  # further than legs reach
RESTS = 8  # solves after the drag
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


@pytest.mark.slow
def test_a_thinker_whose_head_is_pulled_down_follows_evenly_and_is_where_it_goes_once_the_pointer_rests() -> None:
    pull, memories = DRAGS["head down"], Memories()
    document = library()["Thinker"](before(Hold(()), "tall", "dls"), memories)
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), pull.joint)
    ways = straight(0.6 * np.array(pull.by), STEP)
    places = [places_of(document)]
    for step in drag_steps(document, id, (*ways, *ways[-1:] * RESTS), memories):
        places.append(places_of(step.document))
    steps = [apart(*pair) for pair in pairwise(places)]
    assert max(steps) < 0.06
    assert steps[-1] < 1e-4
    assert max(step.lost, step.other) < 1e-3
