"""A hand that would get stuck on its way over its owner's skin gets there at once, from where its arm hangs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from comes_to_meet_test import place

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.character import Character
from app.document.posing.contact_patches import contact_of, on_skin, own_limb, patches_of
from app.document.posing.create import new_document
from app.document.posing.holds.over_own_skin import hold_over_own_skin
from app.document.posing.tied_groups import answers_of
from solver.effectors.contact import Contact
from solver.ik.memory import AtPose
from solver.resources import resource_folder

pytestmark = pytest.mark.usefixtures("compiled_solver")


def leaning_on_a_hand(solver: str) -> Character:
    """Somebody who sits with the right hand on the floor beside the seat and the left knee up."""
    shelf = shelf_of(resource_folder("assets", "poses"))
    entry = next(each for each in shelf.entries if each.name == "Sit, one knee up")
    take = take_pose("c1", poses_of(entry), Taking())
    return edits.chain(edits.set_solver("c1", solver), take)(new_document()).characters[0]


@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize("ahead", [0.0, 0.05])
def test_a_hand_beside_the_seat_gets_to_the_far_side_of_the_other_shin_at_once(solver: str, ahead: float) -> None:
    person = leaning_on_a_hand(solver)
    knee, ankle = place(person, "left_knee"), place(person, "left_ankle")
    beside = knee + 0.3 * (ankle - knee) + [0.1, 0.0, ahead]
    source, at, normal = on_skin(person, beside, own_limb(person, "right_wrist"))
    palm = replace(contact_of(patches_of(person)["right_palm"], at, normal), source=source)
    asked = replace(person, effectors=(*person.effectors, palm))
    hold = hold_over_own_skin(asked, palm)
    assert hold is not None
    shown = AtPose(person.pose, person.effectors)
    answer = answers_of((asked,), {"c1": shown}, holds={"c1": hold})["c1"]
    (missed,) = (
        left.value
        for e, left in zip(answer.effectors, answer.solution.residuals, strict=True)
        if isinstance(e, Contact)
    )
    assert missed < 0.01, "it hung 34 cm off"
    found = replace(person, pose=answer.solution.pose)
    for joint in ("pelvis", "left_knee", "left_ankle", "right_ankle"):
        assert np.linalg.norm(place(found, joint) - place(person, joint)) < 1e-4, "the spine reaches far enough"
