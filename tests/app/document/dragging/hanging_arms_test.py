"""The arm that hangs as the other hand reaches high: it hangs on beside a trunk that bends over to its side."""

from __future__ import annotations

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.posing.solving import skeleton_of
from scripts import high_reaches
from scripts.contact_depths import FIRST, depth_of
from scripts.drag_measures import Array, places_of
from scripts.drag_steps import drag_steps, handle
from solver.ik.memory import Memory
from solver.ik.options import BALANCE
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, Role

HIGH = np.array([-0.1, 1.05, 0.0])  # metres that the left hand goes
SHOULDER, WRIST = ARMS[1].line[0], ARMS[1].end


def reached(document: Document, back: bool = False) -> Document:
    """The left hand dragged up, and back by another drag if asked."""
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.LEFT_WRIST)
    memories = dict[str, Memory]()
    for way in (HIGH, -HIGH)[: 1 + back]:
        for step in drag_steps(document, id, [way * share for share in np.linspace(0.05, 1.0, 20)], memories):
            document = step.document
    return document


def hangs(document: Document) -> Array:
    """(3,) from the right shoulder to the wrist, metres."""
    rig, places = rig_of(skeleton_of(document.character(FIRST))), places_of(document)[0]
    return places[rig.index(WRIST)] - places[rig.index(SHOULDER)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["up", "head to the right"])
def test_the_arm_at_the_side_that_bends_stays_out_of_belly_and_thigh(name: str) -> None:
    found = high_reaches.drag(high_reaches.new("male", "smplik"), name)
    assert max(found.within) < 0.01
    assert max(found.steps) < 0.04
    assert max(found.below) < 0.001


@pytest.mark.slow
def test_the_arm_hangs_as_it_did_before_the_trunk_bent() -> None:
    document = high_reaches.new("female", "smplik")
    before, after = hangs(document), hangs(reached(document))
    assert abs(after[0] - before[0]) < 0.03
    assert after[1] == pytest.approx(before[1], abs=0.03)


@pytest.mark.slow
def test_after_a_second_drag_that_brings_the_hand_down_the_arm_is_where_it_was() -> None:
    document = high_reaches.new("neutral", "smplik")
    assert np.linalg.norm(hangs(reached(document, back=True)) - hangs(document)) < 0.04


@pytest.mark.slow
def test_an_arm_that_is_kept_goes_along_with_the_trunk() -> None:
    document = high_reaches.new("neutral", "smplik")
    kept = edits.keep_shape(FIRST, ARMS[1].line, True)(document)
    assert hangs(reached(kept))[0] > hangs(reached(document))[0] + 0.1
    assert depth_of(reached(kept)) > depth_of(reached(document))


@pytest.mark.slow
def test_in_strict_balance_an_arm_which_has_weight_goes_along_with_the_trunk() -> None:
    document = high_reaches.new("neutral", "smplik")
    strict = edits.set_solver_option(FIRST, BALANCE.id, "strict")(document)
    assert hangs(reached(strict))[0] > hangs(reached(document))[0] + 0.05
