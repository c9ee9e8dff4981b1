"""The arm that hangs as the other hand reaches high: it hangs on beside a trunk that is proposed bent to its side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.solving import solved
from scripts.contacts import unasked_hands
from scripts.drags import high_reaches
from solver.effectors.kinds import Position
from solver.ik.preserve_modes import LOCAL
from solver.ik.stance.idle_upper_body import (
    hanging_arm_leans,
    with_head_as_posed,
    with_idle_arms_as_posed,
    with_idle_head_as_posed,
)
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart
from solver.kinematics.rotations import from_rotation_vector

PERSON = new_document().characters[0]
SKELETON, BASE = skeleton_of(PERSON), PERSON.pose


def bent(degrees: float) -> Pose:
    """The base pose with the trunk bent over to the right."""
    rotations = np.array(BASE.rotations)
    spine = SKELETON.index("spine1")
    rotations[spine] = from_rotation_vector(np.radians([0.0, 0.0, degrees])) @ rotations[spine]
    return Pose(BASE.root_position, rotations)


def hangs_at(pose: Pose) -> float:
    """Degrees by which the right arm points away from the body, seen from the front."""
    places = forward_kinematics(SKELETON, pose).positions
    way = places[SKELETON.index("right_wrist")] - places[SKELETON.index("right_shoulder")]
    return float(np.degrees(np.arctan2(-way[0], -way[1])))


def asked(joint: str) -> Position:
    return Position(joint, joints_of(PERSON).positions[SKELETON.index(joint)])


def test_an_arm_hangs_on_clear_of_the_hip_where_the_trunk_is_bent_over_to_its_side() -> None:
    proposal = bent(15.0)
    assert abs(hangs_at(proposal) - hangs_at(BASE)) > 12.0
    found = with_idle_arms_as_posed(SKELETON, [asked("left_wrist")], BASE, proposal)
    assert hangs_at(found) == pytest.approx(hangs_at(BASE) + 4.0, abs=1.0)


def test_hands_that_are_kept_stay_where_idle_ones_would_hang_as_the_hips_sink() -> None:
    document = edits.set_preserve_mode("c1", LOCAL)(edits.set_solver("c1", "skelik")(new_document()))
    person = document.character("c1")
    hips = joints_of(person).positions[0]
    down = Position("pelvis", hips - np.array([0.0, 0.14, 0.0], np.float32), id="down")
    sunk = joints_of(solved(replace(person, effectors=(*person.effectors, down))))
    hands = [SKELETON.index("left_wrist"), SKELETON.index("right_wrist")]
    assert sunk.positions[0, 1] < hips[1] - 0.13
    assert np.linalg.norm((sunk.positions - joints_of(person).positions)[hands], axis=1).max() < 1e-3, "metres"


def test_an_arm_goes_along_where_the_trunk_is_bent_over_to_the_other_side() -> None:
    proposal = bent(-15.0)
    found = with_idle_arms_as_posed(SKELETON, [asked("left_wrist")], BASE, proposal)
    assert hangs_at(found) == pytest.approx(hangs_at(proposal), abs=1.0)


def test_while_a_foot_is_hardly_moved_the_trunk_stays_and_arms_hang_as_they_did() -> None:
    found = with_idle_arms_as_posed(SKELETON, [asked("left_ankle")], BASE, bent(15.0))
    assert hangs_at(found) == pytest.approx(hangs_at(BASE), abs=1.0)
    assert apart(SKELETON, BASE, found).max() < 0.01


def test_a_foot_on_a_wall_leaves_the_trunk_as_proposed_and_one_on_a_step_as_posed() -> None:
    ankle = joints_of(PERSON).positions[SKELETON.index("left_ankle")]
    for facing, as_posed in (([0.0, 0.0, -1.0], False), ([0.0, 1.0, 0.0], True)):
        sole = contact_of(
            patches_of(PERSON)["left_sole"], ankle + [0.0, 0.2, 0.2], np.array(facing), like=asked("left_ankle")
        )
        found = with_idle_arms_as_posed(SKELETON, [sole], BASE, bent(15.0))
        spine = SKELETON.index("spine1")
        kept = BASE if as_posed else bent(15.0)
        assert found.rotations[spine] == pytest.approx(kept.rotations[spine], abs=1e-6)


def test_both_arms_that_hang_in_a_pose_that_is_proposed_itself_hang_on_but_not_one_alone() -> None:
    raised = np.array(BASE.rotations)
    raised[SKELETON.index("left_shoulder")] = from_rotation_vector(np.float32([0.0, 0.0, 1.5]))
    for pose, leans in ((BASE, 2), (Pose(BASE.root_position, raised), 0)):
        found = hanging_arm_leans(SKELETON, [asked("pelvis")], pose, pose, lambda pose=pose: pose)
        assert len(found) == leans


def test_a_head_is_as_proposed_of_somebody_who_kneels_while_a_hand_is_dragged() -> None:
    bent_legs = np.array(BASE.rotations)
    for side in ("left", "right"):
        bent_legs[SKELETON.index(f"{side}_hip")] = from_rotation_vector(np.float32([-1.5, 0.0, 0.0]))
        bent_legs[SKELETON.index(f"{side}_knee")] = from_rotation_vector(np.float32([2.4, 0.0, 0.0]))
    kneels, turned = Pose(BASE.root_position, bent_legs), np.array(BASE.rotations)
    turned[SKELETON.index("head")] = from_rotation_vector(np.float32([0.0, 0.6, 0.0]))
    proposal = Pose(BASE.root_position, turned)
    for base, as_proposed in ((kneels, True), (BASE, False)):
        found = with_idle_head_as_posed(SKELETON, [asked("left_wrist")], base, proposal)
        assert (found is proposal) is as_proposed
    both = [asked("left_wrist"), asked("head")]
    assert with_idle_head_as_posed(SKELETON, both, BASE, proposal) is proposal, "it is asked where the head is to be"


def test_a_head_that_is_pushed_aside_is_sought_from_how_it_was_posed_unless_it_is_asked_for() -> None:
    turned = np.array(BASE.rotations)
    turned[SKELETON.index("head")] = from_rotation_vector(np.float32([0.0, 0.6, 0.0]))
    pushed = Pose(BASE.root_position, turned)
    begin = with_head_as_posed(SKELETON, [asked("left_wrist")], BASE, pushed)
    assert begin is not None
    assert begin == BASE
    assert with_head_as_posed(SKELETON, [asked("head")], BASE, pushed) is None
    assert with_head_as_posed(SKELETON, [asked("left_wrist")], BASE, BASE) is None


def test_both_arms_lean_to_hang_also_where_a_copy_of_the_base_pose_is_proposed() -> None:
    copy, chest = Pose(BASE.root_position, BASE.rotations.copy()), [asked("spine3")]
    same, again = (hanging_arm_leans(SKELETON, chest, BASE, one, lambda: BASE) for one in (BASE, copy))
    assert [lean.strength for lean in again] == [lean.strength for lean in same]
    assert all(lean.strength.weight > 1.0 for lean in same)
    assert len(same) == 2


@pytest.mark.slow
def test_the_hand_beside_somebody_who_takes_a_cup_does_not_go_round_the_legs_as_the_other_goes_up_it() -> None:
    found, _ = unasked_hands.measured("cup ahead of foot", "female", "smplik")
    assert max(found.first) > 0.3, "somebody bends down for it"
    assert max(found.steps) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", ["head to the right", "head to the right and ahead"])
def test_the_arm_at_the_side_that_bends_stays_out_of_belly_and_thigh(name: str) -> None:
    found = high_reaches.drag(high_reaches.new("male", "smplik"), name)
    assert max(found.within) < 0.005
    assert max(found.steps) < 0.05
