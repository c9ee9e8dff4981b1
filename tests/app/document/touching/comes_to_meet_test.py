"""A hand that is led over its owner's skin: what comes to meet it, whatever else is asked and not met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, on_skin, patches_of
from app.document.posing.create import new_document
from app.document.posing.holds.over_own_skin import hold_over_own_skin
from app.document.posing.solving import own_bearers, reasons_of, residuals_of, with_solution
from app.document.posing.tied_groups import answers_of
from app.look.wording import reason_text, reason_word
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position, Rotation
from solver.kinematics.rotations import from_rotation_vector

pytestmark = pytest.mark.usefixtures("compiled_solver")


TRUNK = ("pelvis", "spine3", "head", "left_ankle")


def hand_on(document: Document, near: np.ndarray) -> tuple[Document, Contact]:
    """The person with the right palm asked to lie on the skin near a place."""
    person = document.characters[0]
    source, at, normal = on_skin(person, near)
    contact = replace(contact_of(patches_of(person)["right_palm"], at, normal), source=source)
    return edits.hold("c1", contact)(document), contact


def place(person: Character, joint: str) -> np.ndarray:
    return joints_of(person).positions[skeleton_of(person).index(joint)].astype(np.float64)


def gone(person: Character, now: Character) -> float:
    """Metres that what is no arm goes at most."""
    return max(float(np.linalg.norm(place(now, joint) - place(person, joint))) for joint in TRUNK)


def led(document: Document, contact: Contact) -> tuple[Character, float]:
    """The person with the hand there, and by how much it is missed."""
    person = document.characters[0]
    hold = hold_over_own_skin(person, contact)
    assert hold is not None
    answer = answers_of((person,), {}, holds={"c1": hold})["c1"]
    missed = [
        left.value
        for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)
        if isinstance(e, Contact) and e.joint == contact.joint
    ]
    assert len(answer.effectors) == len(answer.solution.residuals) == len(person.effectors)
    return with_solution(person, answer.solution, answer.effectors), missed[0]


@pytest.mark.parametrize("elsewhere", ["nothing", "a foot", "a sole", "the pelvis' turn"])
def test_the_other_arm_comes_to_meet_the_hand_also_while_handles_elsewhere_are_out_of_reach(elsewhere: str) -> None:
    document = new_document()
    elbow, wrist = (place(document.characters[0], joint) for joint in ("left_elbow", "left_wrist"))
    document, contact = hand_on(document, elbow + 0.2 * (wrist - elbow) + [-0.05, 0.0, 0.0])
    person = document.characters[0]
    away = (place(person, "left_ankle") + [0.5, 0.0, 1.0]).astype(np.float32)
    turned = from_rotation_vector(np.array([0.0, np.radians(170), 0.0])).astype(np.float32)
    others = {
        "a foot": (Position("left_ankle", away, id="far"),),
        "a sole": (Contact("left_ankle", away, id="far"),),
        "the pelvis' turn": (Rotation("pelvis", turned, id="round"),),
    }
    kept = tuple(e for e in person.effectors if e.joint != "left_ankle")
    document = document.with_character(replace(person, effectors=(*others.get(elsewhere, ()), *kept)))
    found, missed = led(document, contact)
    assert missed < 1e-3
    assert np.linalg.norm(place(found, "left_wrist") - place(person, "left_wrist")) > 0.02
    assert gone(person, found) < 1e-4


def test_the_trunk_does_not_bend_for_a_turn_of_the_arm_that_is_missed_while_the_hand_is_where_it_is_led() -> None:
    document = new_document()
    document, contact = hand_on(document, place(document.characters[0], "spine1") + [0.0, 0.05, 0.15])
    person = document.characters[0]
    round = Rotation("right_shoulder", from_rotation_vector(np.array([0.0, 0.0, 3.0])).astype(np.float32), id="round")
    found, missed = led(document.with_character(replace(person, effectors=(round, *person.effectors))), contact)
    assert missed < 0.01
    assert gone(person, found) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(("share", "aside"), [(0.4, (0.05, 0.0, 0.0)), (0.6, (0.0, 0.0, 0.05))])
def test_the_trunk_bends_for_a_hand_on_a_forearm_to_which_both_arms_do_not_reach(
    share: float, aside: tuple[float, float, float]
) -> None:
    document = new_document()
    elbow, wrist = (place(document.characters[0], joint) for joint in ("left_elbow", "left_wrist"))
    document, contact = hand_on(document, elbow + share * (wrist - elbow) + aside)
    person = document.characters[0]
    found, missed = led(document, contact)
    assert missed < 1e-3
    assert 0.01 < gone(person, found) < 0.1, "no more than both arms leave to it: it was 23 and 34 cm"
    assert np.linalg.norm(place(found, "left_ankle") - place(person, "left_ankle")) < 1e-4


def test_what_lies_on_the_own_body_goes_along_with_the_joint_that_bears_it() -> None:
    document = new_document()
    elbow = place(document.characters[0], "left_elbow")
    document, _ = hand_on(document, elbow + [0.0, -0.1, 0.05])
    person = document.characters[0]
    at = next(i for i, e in enumerate(person.effectors) if isinstance(e, Contact))
    assert own_bearers(person) == {at: "left_elbow"}
    assert own_bearers(new_document().characters[0]) == {}


def test_a_hand_that_both_arms_did_not_bring_onto_the_other_one_is_told_why() -> None:
    document = new_document()
    elbow, wrist = (place(document.characters[0], joint) for joint in ("left_elbow", "left_wrist"))
    document, _ = hand_on(document, elbow + 0.4 * (wrist - elbow) + [0.05, 0.0, 0.0])
    person = document.characters[0]
    at = next(i for i, e in enumerate(person.effectors) if isinstance(e, Contact))
    found = reasons_of(person, residuals_of(person), lambda: False)
    assert found is not None
    assert found[at] is not None, "nothing rides away in a search that takes targets for places in the world"
    assert reason_text(found[at]) == "What it lies on moves along with the body"
    assert reason_word(found[at]) == "Missed"
