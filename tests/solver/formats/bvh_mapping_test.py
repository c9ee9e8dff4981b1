"""A file is read by the joint map that somebody gave; without one, what is in doubt can be asked."""

from __future__ import annotations

import re

import numpy as np
import pytest
from formats_samples import sample_skeleton

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile, BvhJointsUnknown
from solver.formats.bvh.mapping import exchanged_sides, foreign_skeleton, mapped, question_about
from solver.formats.bvh.people import people_of
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.formats.bvh.write import write_bvh
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.joint_map_check import swapped_sides
from solver.rig.joint_map_file import JointMaps

SKELETON = sample_skeleton()


def moving() -> Motion:
    """Three frames in which the left arm goes up."""
    turns = np.tile(np.eye(3, dtype=np.float32), (3, len(SKELETON), 1, 1))
    for frame in range(3):
        turns[frame, SKELETON.index("left_shoulder")] = from_rotation_vector([0.0, 0.0, 0.4 * frame])
    return Motion(np.tile(np.array([0.0, 0.95, 0.0], np.float32), (3, 1)), turns, 30.0)


def exchanged(text: str) -> str:
    sides = {"left": "right", "right": "left"}
    return re.sub(r"\b(left|right)_", lambda found: f"{sides[found[1]]}_", text)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rig") / "a.bvh"
    write_bvh(path, SKELETON, moving())
    return path.read_text()


def test_a_motion_with_exchanged_names_moves_as_it_should_once_its_map_is_swapped(text: str) -> None:
    odd = parse_bvh(exchanged(text), "a.bvh")
    assert exchanged_sides(odd)
    wrong, _ = to_motion(odd, SKELETON)
    assert np.abs(wrong.rotations - moving().rotations).max() > 0.5, "read by its names, another arm moves"
    question = question_about(odd)
    assert question is not None
    assert "Left and right are exchanged" in question.guess.question
    maps = JointMaps().with_choice(question.skeleton, swapped_sides(question.guess.joints))
    (person,) = people_of(odd, maps)
    assert question_about(person) is None
    assert not exchanged_sides(person)
    right, _ = to_motion(person, SKELETON)
    assert right.rotations == pytest.approx(moving().rotations, abs=1e-3)


def test_whoever_leaves_exchanged_names_as_they_are_is_not_asked_again(text: str) -> None:
    odd = parse_bvh(exchanged(text), "a.bvh")
    maps = JointMaps().with_choice(foreign_skeleton(odd), odd.joint_map.joints)
    assert question_about(mapped(odd, maps)) is None


def test_joints_that_are_not_recognised_come_with_the_refusal(text: str) -> None:
    # one leg longer than the other, and its knee of an unknown name
    short = re.sub(r"JOINT left_ankle\s*\{\s*OFFSET \S+ \S+", "JOINT left_ankle\n{\nOFFSET 0 -0.1", text)
    odd = parse_bvh(short.replace("left_knee", "Elephant"), "a.bvh")
    with pytest.raises(BvhJointsUnknown, match="recognised as left knee. Say which joint is which") as refusal:
        people_of(odd)[0].joint_map  # noqa: B018
    assert refusal.value.bvh is odd
    read, _ = to_motion(mapped(odd, JointMaps(everywhere={"left_knee": "Elephant"}, source="m.json")), SKELETON)
    assert len(read) == 3


def test_the_second_of_two_skeletons_in_a_file_may_be_mapped_alone(text: str) -> None:
    hierarchy, _, frames = text.partition("MOTION\n")
    body = hierarchy.partition("ROOT")[2]
    odd = exchanged(body)
    head, *rows = frames.strip().splitlines()[0:2], *frames.strip().splitlines()[2:]
    both = f"HIERARCHY\nROOT{body}ROOT{odd}MOTION\n" + "\n".join([*head, *(f"{row} {row}" for row in rows)]) + "\n"
    file = parse_bvh(both, "two.bvh")
    first, second = people_of(file)
    asked = [question_about(person) for person in (first, second)]
    assert asked[0] is None
    assert asked[1] is not None
    maps = JointMaps().with_choice(asked[1].skeleton, swapped_sides(asked[1].guess.joints))
    again: list[BvhFile] = people_of(file, maps)
    assert [person.given is not None for person in again] == [False, True]
    for person in again:
        assert to_motion(person, SKELETON)[0].rotations == pytest.approx(moving().rotations, abs=1e-3)


def test_a_camera_is_refused_without_a_question() -> None:
    camera = parse_bvh(
        "HIERARCHY\nROOT Camera\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n", "c.bvh")  # fmt: skip
    assert question_about(camera) is None
    with pytest.raises(InputRefused, match="no human body was recognised"):
        camera.joint_map  # noqa: B018


def test_a_rig_that_was_swapped_does_not_turn_round_another_one_of_the_same_names(text: str) -> None:
    odd, good = parse_bvh(exchanged(text), "odd.bvh"), parse_bvh(text, "good.bvh")
    maps = JointMaps().with_choice(foreign_skeleton(odd), swapped_sides(odd.joint_map.joints))
    (person,) = people_of(good, maps)
    assert person.given is None
    assert to_motion(person, SKELETON)[0].rotations == pytest.approx(moving().rotations, abs=1e-3)
