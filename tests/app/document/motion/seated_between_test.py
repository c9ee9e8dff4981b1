"""People who sit and lean, between keys: the seat stays as each key has it, and nothing jumps beside a key."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from document_samples import only
from solved_together import solved

from app.document import edits
from app.document.edits.props import add_prop, new_prop
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.solving import residuals_of
from solver.body.hand_presets import preset_hands
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import PropSource

pytestmark = pytest.mark.usefixtures("compiled_solver")
LAST = 12


@cache
def reaching(fingers: str = "") -> Document:
    """Somebody who sits on a box, and at the last frame reaches far ahead, with fingers held another way if any."""
    box = replace(new_prop(new_document(), "box"), place=np.array([0.0, 0.0, -0.45]))
    document = add_prop(box)(new_document())
    seat = contact_of(patches_of(only(document))["seat"], box.frame.points((0.0, 1.0, 0.0)), UP)
    seat = replace(seat, id="seat", source=PropSource(box.id, np.array([0.0, 0.5, 0.0]), UP))
    document = solved(edits.hold("c1", seat)(document))
    document = edits.set_key("c1", LAST)(edits.set_clip_length("c1", LAST + 1)(document)).at_frame("c1", LAST)
    wrist = next(e for e in only(document).effectors if e.joint == "left_wrist" and isinstance(e, Position))
    ahead = edits.set_target("c1", wrist.id, np.float32([0.1, 0.8, 0.4]))
    document = solved(edits.chain(edits.make_strict("c1", [wrist.id]), ahead)(document))
    if fingers:
        document = edits.set_hands("c1", preset_hands(fingers, body_of(only(document))))(document)
    return document_completed(document)


@cache
def sitting_down() -> Document:
    """Somebody who stands, and at the last frame sits on a box behind them."""
    box = replace(new_prop(new_document(), "box"), place=np.array([0.0, 0.0, -0.45]))
    document = edits.set_clip_length("c1", LAST + 1)(add_prop(box)(new_document()))
    document = edits.set_key("c1", LAST)(edits.set_key("c1", 0)(document)).at_frame("c1", LAST)
    seat = contact_of(patches_of(only(document))["seat"], box.frame.points((0.0, 1.0, 0.0)), UP)
    seat = replace(seat, id="seat", source=PropSource(box.id, np.array([0.0, 0.5, 0.0]), UP))
    return document_completed(solved(edits.hold("c1", seat)(document)))


def heads(document: Document) -> np.ndarray:
    """(F, 3) metres."""
    person = (only(document.at_frame("c1", frame)) for frame in range(LAST + 1))
    return np.array([joints_of(p).positions[skeleton_of(p).index("head")] for p in person])


@pytest.mark.parametrize("fingers", ["", "fist"])
def test_somebody_who_leans_from_a_seat_sets_out_from_a_key_and_comes_to_the_next_without_a_jump(fingers: str) -> None:
    steps = np.linalg.norm(np.diff(heads(reaching(fingers)), axis=0), axis=1)
    assert steps.sum() > 0.1, "the trunk goes along with the hand"
    assert steps[0] < steps[1], steps
    assert steps[-1] < steps[-2], steps
    assert steps[[0, -1]].max() < 0.5 * steps.max(), steps


def test_somebody_who_sits_down_sets_out_from_standing_without_a_jump() -> None:
    steps = np.linalg.norm(np.diff(heads(sitting_down()), axis=0), axis=1)
    assert steps.sum() > 0.4, "the head goes down and back"
    assert steps[0] < steps[1] < steps[2], steps
    assert steps[-1] < steps[-2], steps


@pytest.mark.parametrize("fingers", ["", "fist"])
def test_the_seat_is_where_both_keys_hold_it_at_every_frame_between_them(fingers: str) -> None:
    document = reaching(fingers)
    for frame in range(LAST + 1):
        person = only(document.at_frame("c1", frame))
        seat = next(e for e in person.effectors if isinstance(e, Contact))
        away = seat.held_at(skeleton_of(person), joints_of(person)) - seat.target
        assert np.linalg.norm(away) < 1e-3, frame


def test_a_seat_that_is_where_it_is_held_is_never_said_to_be_missed() -> None:
    document = reaching()
    for frame in range(LAST + 1):
        person = only(document.at_frame("c1", frame))
        missed = residuals_of(person)[[e.id for e in person.effectors].index("seat")]
        assert missed.state == "met", (frame, missed)
    person = only(edits.set_current_as_base("c1")(document.at_frame("c1", LAST)))
    assert residuals_of(person)[[e.id for e in person.effectors].index("seat")].state == "met"
