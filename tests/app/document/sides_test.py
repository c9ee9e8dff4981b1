"""Limbs copied to the other side, parts of a body mirrored, and edits that do to both sides what they do to one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.symmetry import symmetric
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import contact_of, patches_of
from app.document.posing.create import new_document
from app.document.posing.fitting_effectors import following, new_effector
from app.document.posing.mirroring import middle_plane, mirrored
from app.document.posing.sides import copied_across, exchanged, limb_joints, part_joints
from solver.body.hands import hands_at_rest
from solver.effectors.effector import Effector
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import ARMS, LEGS, LIMBS

LEFT_ARM, RIGHT_ARM = (frozenset(map(str, arm.joints)) for arm in ARMS)


@pytest.fixture
def posed() -> Character:
    """Somebody who stands turned, leans, and holds the arms differently."""
    character = new_document().characters[0]
    rotations = np.array(character.pose.rotations)
    index = skeleton_of(character).index
    rotations[0] = from_rotation_vector([0.1, 0.7, 0.05]) @ rotations[0]
    for joint, turn in {
        "spine2": [0.1, 0.2, 0.1], "left_shoulder": [0.3, -0.5, 0.6], "left_elbow": [0.1, -0.9, 0.2],
        "right_knee": [0.8, 0.0, 0.0],
    }.items():  # fmt: skip
        rotations[index(joint)] = from_rotation_vector(turn) @ rotations[index(joint)]
    return following(character, Pose(character.pose.root_position, rotations))


def turns(character: Character, joints: frozenset[str]) -> np.ndarray:
    return character.pose.rotations[[skeleton_of(character).index(j) for j in sorted(joints)]]


def found(character: Character, joint: str, kind: str = "position") -> Effector:
    return next(e for e in character.effectors if (e.joint, e.kind) == (joint, kind))


def nothing_pulls(character: Character) -> bool:
    skeleton, joints = skeleton_of(character), joints_of(character)
    return all(e.residual(skeleton, joints) < 1e-4 for e in character.effectors if e.kind != "lookat")


def test_a_limb_is_meant_by_any_of_its_joints_on_either_side_and_all_limbs_by_none(posed: Character) -> None:
    assert limb_joints(posed, ["left_wrist"], "right") == RIGHT_ARM
    assert limb_joints(posed, ["right_elbow", "head"], "right") == RIGHT_ARM
    every = frozenset(str(j) for limb in LIMBS if limb.side == "left" for j in limb.joints)
    assert limb_joints(posed, [], "left") == limb_joints(posed, ["head"], "left") == every
    legs = frozenset(str(j) for leg in LEGS for j in leg.joints)
    assert part_joints(posed, ["left_knee"]) == legs
    assert "neck" in part_joints(posed, ["head"])
    assert part_joints(posed, []) == frozenset()


def test_a_copied_arm_is_the_mirror_of_the_other_and_all_else_stays(posed: Character) -> None:
    after = copied_across(posed, RIGHT_ARM)
    assert turns(after, RIGHT_ARM) == pytest.approx(turns(mirrored(posed), RIGHT_ARM), abs=1e-6)
    rest = frozenset(skeleton_of(posed).names) - RIGHT_ARM
    assert np.array_equal(turns(after, rest), turns(posed, rest))
    assert np.array_equal(after.pose.root_position, posed.pose.root_position)
    assert copied_across(after, RIGHT_ARM).pose == after.pose, "copied again it stays"
    back = copied_across(after, LEFT_ARM)
    assert turns(back, LEFT_ARM) == pytest.approx(turns(posed, LEFT_ARM), abs=1e-5)
    base = skeleton_of(posed).index("right_elbow")
    assert after.base_pose.rotations[base] == pytest.approx(after.pose.rotations[base])


def test_handles_on_the_arm_are_as_the_others_are_and_pull_nowhere(posed: Character) -> None:
    elbow = new_effector(posed, "position", "left_elbow", tolerance=0.3)
    effectors = tuple(
        replace(e, pinned=True, tolerance=0.25) if e is found(posed, "left_wrist") else e for e in posed.effectors
    )
    posed = replace(posed, effectors=(*effectors, elbow))
    after = copied_across(posed, RIGHT_ARM)
    wrist = found(after, "right_wrist")
    assert (wrist.id, wrist.pinned, wrist.tolerance) == (found(posed, "right_wrist").id, True, 0.25)
    assert found(after, "right_elbow").tolerance == 0.3
    assert len({e.id for e in after.effectors}) == len(posed.effectors) + 1
    assert nothing_pulls(after)
    assert found(after, "left_wrist") == found(posed, "left_wrist")
    alone = replace(posed, effectors=tuple(e for e in posed.effectors if "left" not in e.joint))
    kept = copied_across(alone, RIGHT_ARM)
    assert [e.id for e in kept.effectors] == [e.id for e in alone.effectors], "what has no counterpart only follows"
    assert nothing_pulls(kept)


def test_fingers_go_along_with_their_wrist(posed: Character) -> None:
    rest = hands_at_rest()
    fists = np.array(rest.rotations)
    fists[:15] = from_rotation_vector([0.0, 0.0, -0.8])
    posed = replace(posed, hands=replace(rest, rotations=fists))
    after = copied_across(posed, RIGHT_ARM)
    assert after.hands is not None
    assert posed.hands is not None
    assert after.hands.rotations[15:] == pytest.approx(posed.hands.mirrored().rotations[15:], abs=1e-6)
    assert np.array_equal(after.hands.rotations[:15], posed.hands.rotations[:15])
    bare = replace(posed, hands=None)
    assert copied_across(bare, RIGHT_ARM).hands is None


def test_mirrored_parts_change_sides_and_twice_gives_them_back(posed: Character) -> None:
    arms = part_joints(posed, ["left_wrist"])
    once = exchanged(posed, arms)
    assert turns(once, arms) == pytest.approx(turns(mirrored(posed), arms), abs=1e-6)
    legs = part_joints(posed, ["left_knee"])
    assert np.array_equal(turns(once, legs), turns(posed, legs))
    assert found(once, "right_wrist").id == found(posed, "left_wrist").id
    assert nothing_pulls(once)
    twice = exchanged(once, arms)
    assert twice.pose.rotations == pytest.approx(posed.pose.rotations, abs=1e-5)
    assert [e.id for e in twice.effectors] == [e.id for e in posed.effectors]
    whole = exchanged(posed, frozenset(skeleton_of(posed).names))
    assert whole.pose.rotations == pytest.approx(mirrored(posed).pose.rotations, abs=1e-5)


def document_of(character: Character) -> Document:
    return new_document().with_characters([character])


def test_a_target_moved_on_one_side_is_seen_in_the_mirror_on_the_other(posed: Character) -> None:
    wrist, target = found(posed, "left_wrist"), np.float32([0.4, 1.3, 0.3])
    edit = symmetric(posed.id, edits.set_target(posed.id, wrist.id, target))
    after = edit(document_of(posed)).characters[0]
    plane = middle_plane(posed.pose)
    assert found(after, "left_wrist").target == pytest.approx(target)
    assert found(after, "right_wrist").target == pytest.approx(plane.points(target.astype(float)), abs=1e-6)
    assert not found(after, "right_wrist").loose
    assert found(after, "right_wrist").id == found(posed, "right_wrist").id
    assert found(after, "left_ankle") == found(posed, "left_ankle")
    again = edit(document_of(after))
    assert again.characters[0] == after


def test_pins_new_handles_and_deleted_ones_come_on_both_sides(posed: Character) -> None:
    id, document = posed.id, document_of(posed)
    pinned = symmetric(id, edits.set_pinned(id, found(posed, "left_ankle").id, True))(document).characters[0]
    assert found(pinned, "right_ankle").pinned
    elbow = new_effector(posed, "position", "left_elbow")
    added = symmetric(id, edits.add_effector(id, elbow))(document)
    both = added.characters[0]
    assert found(both, "right_elbow").id not in ("", elbow.id)
    gone = symmetric(id, edits.remove_effectors(id, [elbow.id]))(added).characters[0]
    assert not [e for e in gone.effectors if "elbow" in e.joint]
    head = symmetric(id, edits.remove_effectors(id, [found(posed, "head", "lookat").id]))(document).characters[0]
    assert len(head.effectors) == len(posed.effectors) - 1


def test_of_two_contacts_of_one_wrist_changed_at_once_the_later_is_seen_on_the_other_side(posed: Character) -> None:
    patches, id = patches_of(posed), posed.id
    place, up = np.float32([0, 1, 0.3]), np.float32([0, 1, 0])
    contacts = (contact_of(patches[patch], place, up) for patch in ("right_palm", "right_knuckles", "left_palm"))
    held = edits.chain(*(edits.hold(id, contact) for contact in contacts))(document_of(posed))
    first, second = (e.id for e in held.characters[0].effectors if (e.joint, e.kind) == ("right_wrist", "contact"))
    strict = edits.chain(edits.set_tolerance(id, first, 0.1), edits.set_tolerance(id, second, 0.3))
    both = symmetric(id, strict)(held).characters[0]
    assert found(both, "left_wrist", "contact").tolerance == 0.3


def test_what_changes_both_sides_or_the_middle_or_the_pose_is_left_as_it_is(posed: Character) -> None:
    id, document = posed.id, document_of(posed)
    both = edits.chain(
        edits.set_target(id, found(posed, "left_wrist").id, [0.5, 1.0, 0.0]),
        edits.set_target(id, found(posed, "right_wrist").id, [0.2, 1.1, 0.0]),
    )
    head = edits.set_target(id, found(posed, "head", "lookat").id, [2.0, 1.0, 0.0])
    others = edits.rename_character(id, "Other"), edits.move_character(id, [0.1, 0.0, 0.0]), edits.mirror_pose(id)
    for edit in (both, head, *others, edits.remove_character(id), lambda d: d):
        assert symmetric(id, edit)(document) == edit(document)
    assert symmetric("nobody", head)(document) == head(document)
