"""Hands that hang down to the floor from a trunk bent over stay there as the trunk is dragged on by centimetres."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.create import new_document
from scripts.contacts import unasked_hands
from solver.effectors.kinds import Position
from solver.ik.stance.idle_hands import resting_hand_leans
from solver.ik.stance.idle_upper_body import hanging_arm_leans
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

PERSON = new_document().characters[0]
SKELETON, BASE = skeleton_of(PERSON), PERSON.pose
CHEST = Position("spine3", joints_of(PERSON).positions[SKELETON.index("spine3")])
HANGING = hanging_arm_leans(SKELETON, [CHEST], BASE, BASE, lambda: BASE)


def with_hands_at(metres: float, degrees: float = 150.0) -> Pose:
    """The base pose, tipped over and put so high that the lowest wrist or hand is so far above the floor."""
    rotations = np.array(BASE.rotations)
    rotations[0] = from_rotation_vector(np.radians([degrees, 0.0, 0.0])) @ rotations[0]
    tipped = Pose(BASE.root_position, rotations.astype(np.float32))
    ends = [SKELETON.index(f"{side}_{end}") for side in ("left", "right") for end in ("wrist", "hand")]
    lowest = float(forward_kinematics(SKELETON, tipped).positions[ends, 1].min())
    return Pose(BASE.root_position + np.array([0.0, metres - lowest, 0.0], np.float32), tipped.rotations)


def test_wrists_of_hanging_hands_on_the_floor_lean_to_where_they_are_shown() -> None:
    shown = with_hands_at(0.05)
    leans = resting_hand_leans(SKELETON, HANGING, shown, 0.01)
    assert {lean.effector.joint for lean in leans} == {"left_wrist", "right_wrist"}
    places = forward_kinematics(SKELETON, shown).positions
    for lean in leans:
        assert isinstance(lean.effector, Position)
        assert lean.effector.target == pytest.approx(places[SKELETON.index(lean.effector.joint)])


def test_hands_in_the_air_or_of_somebody_upright_and_arms_that_do_not_hang_rest_nowhere_nor_do_any_in_a_long_step() -> (
    None
):
    down = with_hands_at(0.05)
    assert resting_hand_leans(SKELETON, HANGING, with_hands_at(0.3), 0.01) == ()
    assert resting_hand_leans(SKELETON, HANGING, down, 0.2) == ()
    assert resting_hand_leans(SKELETON, HANGING, with_hands_at(0.05, 0.0), 0.01) == (), "the neck is above the pelvis"
    (alone,) = resting_hand_leans(SKELETON, HANGING[:1], down, 0.01)
    assert alone.effector.joint == "left_wrist"
    (half,) = resting_hand_leans(SKELETON, HANGING[:1], down, 0.1)
    assert 0.0 < half.strength.weight < alone.strength.weight


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_hands_on_the_floor_do_not_slide_as_the_chest_wanders_on_over_the_knee(solver: str) -> None:
    found, _ = unasked_hands.measured("chest on knee", "male", solver)
    assert max(found.hands) > 0.7, "the hands hang down, and do not stay where the chest has them"
    assert max(found.steps) < 0.08
    assert max(found.off) < 0.015
