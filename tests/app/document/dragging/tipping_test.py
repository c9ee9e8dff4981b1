"""Whole people tip over, rest on the floor and stay upside down; a hand finds the nearest surface, also a prop's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_on, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import with_ankles
from app.document.posing.holds.nearest_surface import held_here
from app.document.posing.placing import lowest_skin, tipped
from scripts.drags.contact_depths import new_person
from scripts.drags.drag_measures import places_of
from scripts.drags.drag_steps import drag_steps, handle, straight
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role

BACK = from_rotation_vector([-np.pi / 2, 0.0, 0.0])


def standing() -> Character:
    return new_document().characters[0]


def test_a_tipped_person_lies_as_high_above_the_floor_as_they_stood() -> None:
    before = standing()
    for start in (before, replace(before, pose=replace(before.pose, root_position=before.pose.root_position + 0.4))):
        after = tipped(start, BACK)
        assert lowest_skin(after) == pytest.approx(lowest_skin(start), abs=1e-5)
        head = skeleton_of(start).index("head")
        drop = joints_of(start).positions[head][1] - joints_of(after).positions[head][1]
        assert drop > 1.2


def test_the_base_pose_and_handles_tip_along() -> None:
    before = standing()
    after = tipped(before, BACK)
    by = after.pose.root_position - BACK @ before.pose.root_position
    assert after.base_pose.root_position == pytest.approx(BACK @ before.base_pose.root_position + by, abs=1e-5)
    for one, other in zip(before.effectors, after.effectors, strict=True):
        if one.kind == "position":
            assert other.target == pytest.approx(BACK @ one.target + by, abs=1e-5)  # type: ignore[attr-defined]


def test_no_turn_is_no_edit() -> None:
    document = new_document()
    assert edits.tip_over(document.characters, np.eye(3))(document) is document
    assert edits.tip_over(document.characters, BACK)(document) != document


def test_the_nearest_surface_is_a_prop_where_that_is_nearest_and_not_where_it_is_far() -> None:
    person = standing()
    patch = patches_on(person, "left_wrist")[0]
    at = place_of_patch(person, patch)
    near = Prop(
        "near", "Near", "ball", np.full(3, 0.4, np.float32), place=np.array(at + [0.205, -0.2, 0.0], np.float32)
    )
    far = Prop("far", "Far", "box", np.ones(3, np.float32), place=np.array([4, 0, 0], np.float32))
    held = held_here(person, "left_wrist", [person], [far, near])
    assert held is not None
    assert isinstance(held.source, PropSource)
    assert held.source.prop == "near"
    other = held_here(person, "left_wrist", [person], [far])
    assert other is not None
    assert not isinstance(other.source, PropSource)


@pytest.mark.parametrize("solver", ["smplik", "protores", "skelik"])
def test_who_stands_on_the_head_stays_there_as_a_foot_or_a_hand_is_dragged(solver: str) -> None:
    start = tipped(new_person("female", solver), from_rotation_vector([np.pi, 0.0, 0.0]))
    for role, way in ((Role.LEFT_ANKLE, (0.1, -0.3, 0.4)), (Role.RIGHT_WRIST, (-0.3, 0.0, 0.1))):
        document, rig = Document().with_characters((start,)), rig_of(skeleton_of(start))
        document, id = handle(document, rig, role)
        was = places_of(document)
        for reached in drag_steps(document, id, straight(np.array(way), 0.2)):
            document = reached.document
            assert reached.other < 0.002
        pelvis, head = (rig.index(each) for each in (Role.PELVIS, Role.HEAD))
        gone = np.linalg.norm(places_of(document)[0] - was[0], axis=1)
        assert gone[pelvis] < 0.15, "a network turned them over, by a metre"
        assert gone[head] < 0.3


@pytest.mark.parametrize(("name", "degrees"), [("stiff", 70.0), ("head down", 110.0)])
def test_who_was_tipped_does_not_turn_over_as_a_hand_is_dragged(name: str, degrees: float) -> None:
    turn = from_rotation_vector([np.radians(degrees), 0.0, 0.0])
    start = with_ankles(tipped(new_person("female", "smplik"), turn), loose=True)
    document, id = handle(Document().with_characters((start,)), rig_of(skeleton_of(start)), Role.LEFT_WRIST)
    for reached in drag_steps(document, id, straight(np.array([0.0, 0.1, 0.0]), 0.02)):
        document = reached.document
    up = (each.pose.rotations[0, :, 1] for each in (start, document.characters[0]))
    assert np.degrees(np.arccos(np.dot(*up))) < 8.0, f"{name}: by 15 and by 30 degrees, as the network knows nobody so"
