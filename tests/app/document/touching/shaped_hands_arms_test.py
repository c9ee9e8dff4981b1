"""Hands that are held another way at the floor: their arms alone raise them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_document
from app.document.posing.fingertips import finger_effector
from app.document.posing.fitting_effectors import new_effectors
from app.document.posing.holds.arms_first import arms_of_hands
from app.document.posing.holds.nearest_surface import resting_on_floor
from app.document.posing.placing import lowest_skin
from app.document.posing.solving import solved, with_solution
from app.document.posing.tied_groups import answers_of
from solver.body.hand_presets import preset_hands

SLOT = ("c1", 0)
LEFT = {"left_collar", "left_shoulder", "left_elbow", "left_wrist", "left_hand"}


def crouching(solver: str = "dls") -> Document:
    """Somebody who crouches with the left palm on the floor."""
    document = edits.set_solver("c1", solver)(new_document())
    person = document.characters[0]
    low = new_effectors(person, "position", ["pelvis"])[0]
    low = replace(low, target=(low.target - [0.0, 0.45, 0.05]).astype(np.float32))
    person = solved(replace(person, effectors=(*person.effectors, low)))
    wrist = next(each for each in person.effectors if each.joint == "left_wrist")
    palm = resting_on_floor(person, "left_wrist", wrist)
    assert palm is not None
    ahead = (palm.target * [1, 0, 1] + [0.05, 0.0, 0.25]).astype(np.float32)
    document = edits.hold("c1", replace(palm, target=ahead), wrist.id)(document.with_character(person))
    document = edits.open_hand("c1", palm.patch)(document)
    return document.with_character(solved(document.characters[0]))


def shaped(document: Document, name: str, sides: tuple[int, ...] = (0,)) -> Document:
    person = document.characters[0]
    assert person.hands is not None
    return edits.set_hands("c1", person.hands.mixed(preset_hands(name, body_of(person)), 1.0, sides))(document)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("name", ["fist", "holding_a_cup", "claw"])
def test_a_hand_on_the_floor_is_raised_by_its_arm_and_all_else_stays(name: str, solver: str) -> None:
    flat = crouching(solver)
    bent = shaped(flat, name)
    person = bent.characters[0]
    assert lowest_skin(person) < -0.025
    holds = arms_of_hands(flat, flat, bent, [SLOT])
    answer = answers_of((person,), {}, holds={"c1": holds[SLOT]})["c1"]
    after = with_solution(person, answer.solution, answer.effectors)
    assert lowest_skin(after) > -0.003
    moved = np.linalg.norm(joints_of(after).positions - joints_of(person).positions, axis=1) > 1e-4
    assert {name for name, has_moved in zip(skeleton_of(person).names, moved, strict=True) if has_moved} <= LEFT


def test_only_arms_whose_hands_are_bent_move() -> None:
    flat = new_document()
    both = arms_of_hands(flat, flat, shaped(flat, "fist", (0, 1)), [SLOT])[SLOT]
    right = arms_of_hands(flat, flat, shaped(flat, "fist", (1,)), [SLOT])[SLOT]
    assert right.frozen - both.frozen == LEFT
    assert both.frozen >= {"head", "pelvis", "left_ankle"}


def test_the_rest_stays_as_it_was_when_the_step_began() -> None:
    began = crouching()
    half = shaped(began, "claw")
    person = half.characters[0]
    answer = answers_of((person,), {}, holds={"c1": arms_of_hands(began, began, half, [SLOT])[SLOT]})["c1"]
    half = half.with_character(with_solution(person, answer.solution, answer.effectors))
    hold = arms_of_hands(began, half, shaped(half, "fist"), [SLOT])[SLOT]
    assert hold.base == began.characters[0].pose


def test_nothing_is_held_of_whoever_changes_otherwise_or_is_asked_for_a_finger() -> None:
    document = new_document()
    fist, person = shaped(document, "fist"), document.characters[0]
    assert arms_of_hands(document, document, document, [SLOT]) == {}
    assert arms_of_hands(document, document, edits.mirror_pose("c1")(fist), [SLOT]) == {}
    assert arms_of_hands(document, document, edits.set_solver("c1", "dls")(fist), [SLOT]) == {}
    assert arms_of_hands(replace(document, actors=()), document, fist, [SLOT]) == {}
    fingered = document.with_character(
        replace(person, effectors=(*person.effectors, finger_effector(person, "left_index_tip")))
    )
    assert arms_of_hands(fingered, fingered, shaped(fingered, "fist"), [SLOT]) == {}
