"""A trunk that is laid on the own leg, and a leg on the own trunk: they bend to each other, and flesh gives way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved_and_missed

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_skin, own_limb, patches_of, place_of_patch
from scripts.drags.contact_depths import FIRST, Hold, before
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.resolve import Context, Figure
from solver.effectors.sources import JointSource
from solver.ik.memory import Memory
from solver.ik.multi_solve.self_ties import meeting_half_way

MET = 1e-3  # metres
LEG = ("right_ankle", "right_foot")


class Laid:
    """Somebody who stands, a patch of whose own is laid on another one, as both are then, and led on from there."""

    def __init__(self, body: str, solver: str, lifts: bool) -> None:
        self.memories: dict[str, Memory] = {}
        self.document: Document = before(Hold(()), body, solver)
        person = self.document.character(FIRST)
        free = tuple(replace(e, enabled=not (lifts and e.joint in LEG) and e.enabled) for e in person.effectors)
        self.document = self.document.with_character(replace(person, effectors=free))
        self.began = self.document.character(FIRST)

    def on(self, patch: str, other: str, aside: float = 0.0) -> float:
        """Lay it there, so many metres beside its middle; metres by which it is missed."""
        person, began = self.document.character(FIRST), self.began
        mine, there = (patches_of(began)[name] for name in (patch, other))
        place = place_of_patch(began, there) + np.array([aside, 0.0, 0.0])
        source, at, normal = on_skin(began, place, own_limb(began, mine.joint))
        old = [e.id for e in person.effectors if isinstance(e, Contact)]
        made = replace(contact_of(mine, at, normal), source=source, id=old[0] if old else "")
        self.document = edits.hold(FIRST, made, instead_of=old[0] if old else "")(self.document)
        self.document, missed = solved_and_missed(self.document, self.memories)
        return missed

    def place(self, joint: str) -> np.ndarray:
        """(3,) metres."""
        person = self.document.character(FIRST)
        return joints_of(person).positions[skeleton_of(person).index(joint)].astype(np.float64)


@pytest.mark.slow
@pytest.mark.parametrize(("body", "solver"), [("male", "dls"), ("short", "smplik"), ("neutral", "dls")])
def test_whoever_stands_gets_the_chest_to_a_knee_with_both_feet_where_they_were(body: str, solver: str) -> None:
    laid = Laid(body, solver, lifts=False)
    feet = [laid.place(joint) for joint in ("left_ankle", "right_ankle")]
    assert laid.on("chest", "right_knee") < MET
    now = [laid.place(joint) for joint in ("left_ankle", "right_ankle")]
    assert max(float(np.linalg.norm(a - b)) for a, b in zip(feet, now, strict=True)) < MET


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("body", ["female", "short"])
def test_a_knee_whose_foot_nothing_holds_rises_to_the_chest_and_stays_there(body: str, solver: str) -> None:
    laid = Laid(body, solver, lifts=True)
    before_it = laid.place("right_knee")
    assert laid.on("chest", "right_knee") < MET
    assert laid.place("right_knee")[1] > before_it[1] + 0.15
    for aside in (0.01, 0.02, 0.03):
        was = laid.place("spine3")
        assert laid.on("chest", "right_knee", aside) < MET
        assert np.linalg.norm(laid.place("spine3") - was) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("body", "solver"), [("male", "dls"), ("female", "smplik")])
def test_a_chest_bends_down_to_a_knee_that_is_dragged_to_it(body: str, solver: str) -> None:
    laid = Laid(body, solver, lifts=False)
    upright = laid.place("spine3")
    assert laid.on("left_knee", "chest") < MET
    assert laid.place("spine3")[1] < upright[1] - 0.1


@pytest.mark.parametrize("of", ["right_knee", "spine3"])
def test_what_something_else_holds_does_not_come(of: str) -> None:
    laid = Laid("neutral", "dls", lifts=True)
    person = laid.document.character(FIRST)
    patch = patches_of(person)["chest" if of == "right_knee" else "right_knee"]
    contact = contact_of(patch, laid.place(of), np.array([0.0, 0.0, 1.0]))
    contact = replace(contact, id="tie", source=JointSource(FIRST, of))
    context = Context(figures={FIRST: Figure(skeleton_of(person), joints_of(person))})
    half = meeting_half_way(FIRST, contact, (contact,), context)
    way = np.linalg.norm(contact.target - place_of_patch(person, patch))
    assert np.linalg.norm(contact.target - half.target) == pytest.approx(0.5 * way, rel=1e-3)
    held = Position("right_ankle" if of == "right_knee" else "pelvis", np.zeros(3, np.float32), id="held")
    assert meeting_half_way(FIRST, contact, (contact, held), context) is contact
    hand = replace(contact, joint="left_wrist")
    assert meeting_half_way(FIRST, hand, (hand,), context) is hand
