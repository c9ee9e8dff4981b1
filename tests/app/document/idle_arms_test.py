"""The idle arm of somebody who stands, while the other hand is dragged: it stays as it was posed, and swings as the
trunk leans over."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.model.document import Document
from app.document.posing.solving import skeleton_of
from scripts.arm_drags import FAR_M, PULLS, entries, new
from scripts.contact_depths import FIRST
from scripts.drag_steps import drag_steps, handle, straight
from scripts.kneel_drags import hands_of
from scripts.lying_drags import taken
from solver.rig.rig import rig_of
from solver.rig.roles import Role


def dragged(document: Document, pull: str, step: float = 0.1) -> tuple[Document, float]:
    """The left hand dragged that way; metres that the right one then is from where the chest had it."""
    began = hands_of(document)[1]
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.LEFT_WRIST)
    for reached in drag_steps(document, id, straight(FAR_M * np.array(PULLS[pull]), step)):
        document = reached.document
    return document, float(np.linalg.norm(hands_of(document)[1] - began))


def pulled_by_the_pelvis(document: Document) -> Document:
    """Pulled 15 cm aside and a little down, which takes both arms along."""
    document, id = handle(document, rig_of(skeleton_of(document.character(FIRST))), Role.PELVIS)
    for reached in drag_steps(document, id, straight(np.array([0.15, -0.05, 0.0]), 0.05)):
        document = reached.document
    return document


def test_an_arm_stays_as_a_drag_of_the_pelvis_left_it_while_the_other_hand_is_dragged_far() -> None:
    document = taken(entries(["Salute"])[0], "female", "smplik")
    before, pulled = hands_of(document)[1], pulled_by_the_pelvis(document)
    assert np.linalg.norm(hands_of(pulled)[1] - before) > 0.1
    _, went = dragged(pulled, "ahead")
    assert went < 0.03


@pytest.mark.parametrize("pull", ["up", "down ahead"])
def test_a_hand_at_a_telephone_stays_there_as_the_other_one_is_dragged(pull: str) -> None:
    _, went = dragged(taken(entries(["On the phone"])[0], "female", "smplik"), pull)
    assert went < 0.03


def test_an_arm_that_hangs_does_not_mirror_the_other_one() -> None:
    _, went = dragged(new("female", "smplik"), "up")
    assert went < 0.03


def test_an_arm_that_hangs_swings_as_its_owner_leans_over() -> None:
    _, went = dragged(new("female", "smplik"), "down ahead")
    assert went > 0.2
