"""Arms of broad bodies hang beside the flanks, and keep to them as the body gets broader and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.character import Character
from app.document.model.document import Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_character, new_document
from solver.body.catalog import load_body
from solver.body.shape_presets import SHAPE_PRESETS
from solver.contact.intersections import Skinned, intersections
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role

PRESETS = {preset.name.partition(",")[0]: preset for preset in SHAPE_PRESETS}
TOUCHES = 0.01  # metres


def deepest(person: Character) -> float:
    ((_, depths),) = intersections([Skinned(body_of(person), person.shape, person.pose, person.hands)], floor=False)
    return float(depths.max())


@pytest.mark.parametrize("name", ["Heavy", pytest.param("Chibi", marks=pytest.mark.slow)])
def test_a_new_person_of_a_broad_body_has_no_arm_in_the_flank(name: str) -> None:
    body = load_body(PRESETS[name].body)
    shape = PRESETS[name].shape(body.component_names, "neutral")
    person = new_character(Document(), body=body.id, shape=shape)
    assert deepest(person) < TOUCHES, "4 and 2 cm if arms hang as the mean adult's"


def test_arms_go_out_with_the_flanks_and_come_back_with_them() -> None:
    document = new_document()
    first = document.characters[0]
    heavy = edits.take_preset(first, PRESETS["Heavy"])(document)
    assert deepest(heavy.characters[0]) < TOUCHES
    back = edits.take_preset(heavy.characters[0], PRESETS["Average"])(heavy).characters[0]
    assert np.array_equal(back.pose.rotations, first.pose.rotations)
    slid = edits.set_beta(first.id, 1, 2.0)(document).characters[0]
    assert not np.array_equal(slid.pose.rotations, first.pose.rotations)


def test_an_arm_that_was_raised_or_is_held_stays_as_the_body_gets_broader() -> None:
    document = new_document()
    person = document.characters[0]
    left = rig_of(skeleton_of(person)).index(Role.LEFT_SHOULDER)
    right = rig_of(skeleton_of(person)).index(Role.RIGHT_SHOULDER)
    turns = person.pose.rotations.copy()
    turns[left] = from_rotation_vector(np.array([0.0, 0.0, 0.6])) @ turns[left]
    held = tuple(e.touched() if e.joint == "right_wrist" else e for e in person.effectors)
    raised = replace(person, pose=replace(person.pose, rotations=turns), effectors=held)
    document = document.with_character(raised)
    heavy = edits.take_preset(raised, PRESETS["Heavy"])(document).characters[0]
    assert np.array_equal(heavy.pose.rotations[[left, right]], turns[[left, right]])
