"""Whole people tip over and come to rest on the floor; a hand finds the nearest surface, props among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import patches_on, place_of_patch
from app.document.posing.create import new_document
from app.document.posing.holds.nearest_surface import held_here
from app.document.posing.placing import lowest_skin, tipped
from solver.effectors.sources import PropSource
from solver.kinematics.rotations import from_rotation_vector

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
