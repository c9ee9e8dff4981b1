"""Poses taken from the library: whole, in part, flipped, here or there, part of the way; one edit each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits
from app.document.library.apply import Taking, take_pose
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.mirroring import heading
from solver.body.body import BodyShape
from solver.body.floor import posed_vertices
from solver.body.hand_presets import preset_hands
from solver.body.hands import Hands, hands_at_rest
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.ik.multi_solve.postures import postures
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS

WHOLE = Taking()
ARM = frozenset(edits.SCOPES["left arm"])


@pytest.fixture(scope="module")
def scene() -> Document:
    document = new_document()
    return edits.turn_character("c1", 0.7)(edits.move_character("c1", (0.4, 0.0, -0.3))(document))


def kept(character: Character, posture: int, lift: float = 0.0) -> PosePerson:
    """A posture as a library keeps it: turned and placed somewhere, its lowest point `lift` above the floor."""
    skeleton = skeleton_of(character)
    pose = postures(skeleton)[posture]
    rotations = np.array(pose.rotations)
    rotations[0] = from_rotation_vector([0.0, -1.2, 0.0]) @ rotations[0]
    pose = Pose(np.float32([3.0, 1.0, 2.0]), rotations)
    low = lowest(replace(character, pose=pose))
    pose = replace(pose, root_position=pose.root_position + np.float32([0.0, lift - low, 0.0]))
    return PosePerson("Ann", skeleton, pose, body=character.body, shape=character.shape)


def lowest(character: Character) -> float:
    return float(posed_vertices(body_of(character), character.shape, character.pose)[:, 1].min())


def taken(document: Document, file: PoseFile, taking: Taking = WHOLE) -> Character:
    return take_pose("c1", file, taking)(document).characters[0]


def test_a_whole_pose_is_taken_where_the_person_stands_and_faces(scene: Document) -> None:
    before = scene.characters[0]
    person = kept(before, 40)
    after = taken(scene, PoseFile((person,)))
    assert np.allclose(after.pose.rotations[1:], person.pose.rotations[1:], atol=1e-6)
    assert np.allclose(after.pose.root_position[[0, 2]], before.pose.root_position[[0, 2]])
    assert heading(after.pose.rotations[0]) == pytest.approx(heading(before.pose.rotations[0]), abs=1e-5)
    assert lowest(after) == pytest.approx(0.0, abs=1e-4)
    assert after.base_pose == after.pose


def test_handles_follow_so_that_nothing_pulls(scene: Document) -> None:
    after = taken(scene, PoseFile((kept(scene.characters[0], 40),)))
    places = joints_of(after).positions
    for effector in after.effectors:
        if effector.kind == "position":
            at = places[SMPL_JOINTS.index(effector.joint)]
            assert np.allclose(effector.target, at, atol=1e-5)  # type: ignore[attr-defined]


def test_with_its_place_a_pose_is_where_the_file_has_it(scene: Document) -> None:
    person = kept(scene.characters[0], 40)
    after = taken(scene, PoseFile((person,)), Taking(place=True))
    assert np.allclose(after.pose.root_position, person.pose.root_position, atol=1e-4)
    assert np.allclose(after.pose.rotations, person.pose.rotations, atol=1e-6)


def test_a_body_of_another_build_is_as_high_above_the_floor(scene: Document) -> None:
    small = BodyShape(np.float32([-3, 1, 0, 0, 0, 0, 0, 0, 0, 0]), "female")
    document = edits.set_shape("c1", small)(scene)
    for lift in (0.0, 0.3):
        after = taken(document, PoseFile((kept(scene.characters[0], 25, lift),)))
        assert lowest(after) == pytest.approx(lift, abs=1e-4)


def test_flipped_twice_is_not_flipped(scene: Document) -> None:
    person = kept(scene.characters[0], 40)
    flipped = taken(scene, PoseFile((person,)), Taking(flipped=True))
    left, right = (SMPL_JOINTS.index(f"{side}_elbow") for side in ("left", "right"))
    mirror = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(flipped.pose.rotations[left], mirror @ person.pose.rotations[right] @ mirror, atol=1e-5)
    again = PoseFile((replace(person, pose=flipped.pose),))
    plain = taken(scene, PoseFile((person,)))
    back = taken(scene, again, Taking(flipped=True))
    assert np.allclose(back.pose.rotations, plain.pose.rotations, atol=1e-4)


def test_a_part_is_taken_and_all_else_stays(scene: Document) -> None:
    before = scene.characters[0]
    person = kept(before, 40)
    after = taken(scene, PoseFile((person,)), Taking(joints=ARM))
    for j, name in enumerate(SMPL_JOINTS):
        wanted = person.pose if name in ARM else before.pose
        assert np.allclose(after.pose.rotations[j], wanted.rotations[j], atol=1e-6), name
    assert np.allclose(after.pose.root_position, before.pose.root_position, atol=1e-4)


def test_part_of_the_way_lies_between(scene: Document) -> None:
    before, file = scene.characters[0], PoseFile((kept(scene.characters[0], 25, 0.2),))
    whole, half = taken(scene, file), taken(scene, file, Taking(share=0.5))
    joint = SMPL_JOINTS.index("left_hip")
    mean = 0.5 * (before.pose.rotations[joint] + whole.pose.rotations[joint])
    assert np.linalg.norm(half.pose.rotations[joint] - mean) < np.linalg.norm(
        whole.pose.rotations[joint] - mean
    )  # nearer to the middle than the ends are
    assert lowest(half) == pytest.approx(0.5 * (lowest(before) + 0.2), abs=1e-3)
    assert take_pose("c1", file, Taking(share=0.0))(scene).characters[0].pose == before.pose


def test_a_pose_of_two_poses_the_person_there_and_adds_the_missing_one(scene: Document) -> None:
    first = kept(scene.characters[0], 40)
    second = replace(first, name="Bob", pose=replace(first.pose, root_position=first.pose.root_position + 0.5))
    file = PoseFile((first, second))
    after = take_pose("c1", file, Taking())(scene)
    one, two = after.characters
    assert two.name == "Bob"
    apart = np.linalg.norm((two.pose.root_position - one.pose.root_position)[[0, 2]])
    assert apart == pytest.approx(0.5 * np.sqrt(2), abs=1e-4)
    again = take_pose("c1", file, Taking())(after)
    assert len(again.characters) == 2
    part = take_pose("c1", file, Taking(joints=ARM))(scene)
    assert len(part.characters) == 1


def test_somebody_who_is_locked_is_left_alone(scene: Document) -> None:
    document = edits.add_character(new_character(scene))(scene)
    locked = edits.set_locked(document.characters[1].id, True)(document)
    first = kept(scene.characters[0], 40)
    after = take_pose("c1", PoseFile((first, first)), Taking())(locked)
    assert len(after.characters) == 3
    assert after.characters[1].pose == locked.characters[1].pose


def test_hands_come_along_flipped_and_part_of_the_way_and_with_their_arm_alone(scene: Document) -> None:
    body = body_of(scene.characters[0])
    fist, rest = preset_hands("fist", body), hands_at_rest().rotations
    left = Hands(np.concatenate([fist.rotations[:15], rest[15:]]))
    file = PoseFile((replace(kept(scene.characters[0], 40), hands=left),))
    before = scene.characters[0].hands
    assert taken(scene, file).hands == left
    assert taken(scene, file, Taking(flipped=True)).hands == left.mirrored()
    half = taken(scene, file, Taking(share=0.5)).hands
    assert half not in (None, before, left)
    arm = taken(scene, file, Taking(joints=ARM)).hands
    assert arm is not None
    assert before is not None
    assert np.allclose(arm.rotations[:15], fist.rotations[:15])
    assert np.allclose(arm.rotations[15:], before.rotations[15:])
    legs = Taking(joints=frozenset(edits.SCOPES["left leg"]))
    assert taken(scene, file, legs).hands == before
    silent = PoseFile((kept(scene.characters[0], 40),))
    assert taken(scene, silent).hands == before


def test_a_pose_of_a_body_that_is_not_here_is_measured_on_ours(scene: Document, tmp_path: Path) -> None:
    person = replace(kept(scene.characters[0], 25, 0.3), body=f"smpl:{tmp_path}")
    assert lowest(taken(scene, PoseFile((person,)))) == pytest.approx(0.3, abs=1e-3)
