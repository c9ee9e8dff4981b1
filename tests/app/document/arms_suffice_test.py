"""Whether the arms alone bring hands to what they take: found out for a document, before anything is solved in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.posing.contact_patches import contact_of, on_patch, patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.arms_first import arms_suffice
from solver.effectors.sources import FloorSource

UP = np.float32([0, 1, 0])


@pytest.fixture
def document() -> Document:
    return new_document()


def on_own(document: Document, patch: str, place: str) -> Document:
    """With a patch of the person's on another one of the own."""
    person = document.characters[0]
    source, target, normal = on_patch(person, place)
    return edits.hold("c1", replace(contact_of(patches_of(person)[patch], target, normal), source=source))(document)


def test_for_a_hand_on_the_hip_all_but_its_own_arm_stays(document: Document) -> None:
    hold = arms_suffice(on_own(document, "left_palm", "left_hip"), "c1", {"left_palm"})
    assert hold is not None
    assert hold.base == document.characters[0].pose
    assert {"pelvis", "spine3", "head", "left_knee", "right_shoulder", "right_wrist"} <= hold.frozen
    assert not {"left_shoulder", "left_wrist"} & hold.frozen


def test_a_hand_does_not_come_down_to_the_floor_by_the_arm_alone(document: Document) -> None:
    palm = contact_of(patches_of(document.characters[0])["left_palm"], (0.3, 0.0, 0.3), UP)
    taken = edits.hold("c1", replace(palm, source=FloorSource()))(document)
    assert arms_suffice(taken, "c1", {"left_palm"}) is None


def test_a_knee_is_brought_nowhere_by_arms_nor_is_what_nobody_takes(document: Document) -> None:
    both = on_own(on_own(document, "left_palm", "left_hip"), "right_knee", "left_knee")
    assert arms_suffice(both, "c1", {"left_palm", "right_knee"}) is None
    assert arms_suffice(both, "c1", {"right_palm"}) is None


def test_of_two_who_are_solved_together_nobody_stays(document: Document) -> None:
    shoulder = next(hold for hold in COMMON_HOLDS if hold.id == "shoulder")
    pair = edits.add_character(new_character(document, "Ben"))(document)
    touching = edits.take_hold("c1", shoulder)(pair)
    patches = {e.patch for e in touching.characters[0].effectors if hasattr(e, "patch")}
    assert patches
    assert arms_suffice(touching, "c1", patches) is None
