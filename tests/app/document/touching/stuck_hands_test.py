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
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.contact_patches import UP, contact_of, on_skin, own_limb, patches_of, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.holds.over_own_skin import hold_over_own_skin
from app.document.posing.placing import tipped
from app.document.posing.tied_groups import answers_of
from scripts.drags.contact_depths import lies, new_person, solved
from scripts.drags.drag_steps import drag_steps, handle, straight
from solver.effectors.contact import Contact
from solver.ik.memory import AtPose, Memory
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder
from solver.rig.rig import rig_of
from solver.rig.roles import Role

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


@pytest.mark.slow
def test_a_palm_comes_off_the_floor_onto_the_chest_of_somebody_upside_down() -> None:
    start = tipped(new_person("male", "skelik"), from_rotation_vector([-np.pi, 0.0, 0.0]))
    document, memories = Document().with_characters((start,)), dict[str, Memory]()
    document, ankle = handle(document, rig_of(skeleton_of(start)), Role.LEFT_ANKLE)
    way = np.array([0.03952662, -0.11884926, 0.29399746])
    for reached in drag_steps(document, ankle, straight(way, 0.05), memories):
        document = reached.document
    for name, ahead in (("left_palm", -0.10560065), ("right_palm", 0.0641161)):
        document = edits.open_hand("c1", name)(document)
        person = document.character("c1")
        patch = patches_of(person)[name]
        at = (place_of_patch(person, patch) + [0.0, 0.0, ahead]) * [1.0, 0.0, 1.0]
        document, _, _ = solved(edits.hold("c1", contact_of(patch, at, UP))(document), memories)
    for edit in lies("left_palm", "chest"):
        document = edit(document)
    _, off, _ = solved(document, memories)
    assert off < 0.005, "the arm was caught behind the shoulder, 25 cm off"
