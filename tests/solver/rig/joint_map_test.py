"""A foreign skeleton's joints are guessed with doubts, checked as a whole, and kept in files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from foreign_rigs import NAMED, UNNAMED, ForeignRig, foreign_rig, named_dog

from solver.errors import InputRefused
from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.hierarchy import BvhJoint
from solver.formats.bvh.mapping import question_about
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.front_view import front_view
from solver.rig.joint_guess import BETWEEN, SIDE_ASSUMED, guess_joints
from solver.rig.joint_map_check import check_joint_map, swapped_sides, wrong_sides
from solver.rig.joint_map_file import (
    JointMaps,
    labels_of,
    read_joint_map,
    read_kept_maps,
    write_joint_map,
    write_kept_maps,
)

ALL = {**NAMED, **UNNAMED}


def skeleton_at(names: Sequence[str], parents: Sequence[int], places: np.ndarray) -> ForeignSkeleton:
    """A skeleton that is known in one pose alone, (J, 3)."""
    return ForeignSkeleton(tuple(names), tuple(parents), places, places[None])


def skeleton(rig: ForeignRig, names: list[str] | None = None) -> ForeignSkeleton:
    return skeleton_at(names or rig.names, rig.parents, rig.places)


def texts(rig: ForeignSkeleton, joints: dict[str, int]) -> list[str]:
    return [fault.text for fault in check_joint_map(rig, joints)]


@pytest.mark.parametrize("program", ALL)
def test_rigs_that_are_recognised_have_no_faults_and_need_no_question(program: str) -> None:
    rig = foreign_rig(ALL[program])
    guess = guess_joints(skeleton(rig))
    assert {role: rig.names[j] for role, j in guess.joints.items()} == rig.by_role
    assert guess.question == ""
    assert check_joint_map(skeleton(rig), guess.joints) == []


@pytest.mark.parametrize("program", NAMED)
@pytest.mark.parametrize("turn", [np.eye(3), from_rotation_vector([1.2, 2.0, 0.4])])
def test_exchanged_sides_are_noticed_however_the_figure_lies(program: str, turn: np.ndarray) -> None:
    rig = foreign_rig(NAMED[program])
    turned = skeleton_at(rig.names, rig.parents, rig.places @ turn.T)
    exchanged = swapped_sides(guess_joints(turned).joints)
    (fault,) = check_joint_map(turned, exchanged)
    assert fault.text.startswith("Left and right are exchanged")
    assert not fault.blocking
    assert swapped_sides(exchanged) == guess_joints(turned).joints


def test_arms_alone_that_are_exchanged_are_noticed_with_and_without_toes() -> None:
    for text in (NAMED["Rigify"], NAMED["Rigify"].replace(" > toe.{L}=f", "")):
        rig = skeleton(foreign_rig(text))
        joints = swapped_sides(guess_joints(rig).joints, ("arm",))
        assert wrong_sides(rig, joints) == ("arm",)
        assert texts(rig, joints) == ["The left arm is on the right of the body."]


def test_a_bent_knee_tells_the_side_where_there_are_no_toes() -> None:
    rig = skeleton(foreign_rig(NAMED["Rigify"].replace(" > toe.{L}=f", "")))
    joints = swapped_sides(guess_joints(rig).joints)
    assert wrong_sides(rig, joints) == ()
    bent = rig.rest.copy()
    for side in ("left", "right"):
        knee, ankle = joints[f"{side}_knee"], joints[f"{side}_ankle"]
        below = [j for j in range(len(rig.names)) if j == ankle or rig.is_below(j, ankle)]
        bent[below] = bent[knee] + (rig.rest[below] - rig.rest[knee]) @ from_rotation_vector([1.2, 0.0, 0.0]).T
    moving = ForeignSkeleton(rig.names, rig.parents, rig.rest, np.stack([rig.rest, bent]))
    assert wrong_sides(moving, joints) == ("leg", "arm")


def test_somebody_who_crawls_on_the_backs_of_the_feet_is_not_said_to_be_exchanged() -> None:
    """Toes alone would say so: they are bent beyond the line of the shin."""
    rig = skeleton(foreign_rig(NAMED["Rigify"]))
    joints = guess_joints(rig).joints
    pose = rig.rest.copy()
    for side in ("left", "right"):
        knee, ankle, foot = (joints[f"{side}_{part}"] for part in ("knee", "ankle", "foot"))
        pose[ankle] = pose[knee] + [0.0, -0.05, -0.4]
        pose[foot] = pose[ankle] + [0.0, 0.03, -0.1]
    crawling = ForeignSkeleton(rig.names, rig.parents, rig.rest, pose[None])
    assert wrong_sides(crawling, joints) == ()


def test_every_fault_of_a_map_is_named() -> None:
    rig = skeleton(foreign_rig(NAMED["Rigify"]))
    joints = guess_joints(rig).joints
    assert texts(rig, {role: j for role, j in joints.items() if role != "left_knee"}) == [
        "No joint is chosen for left knee."
    ]
    twice = joints | {"left_elbow": joints["left_wrist"]}
    assert texts(rig, twice) == ["“hand.L” is chosen for left elbow and for left wrist."]
    turned = joints | {"left_elbow": joints["left_wrist"], "left_wrist": joints["left_elbow"]}
    assert texts(rig, turned) == ["Left wrist (“forearm.L”) does not hang from left elbow (“hand.L”)."]
    (odd,) = check_joint_map(rig, joints | {"left_wrist": rig.labels.index("palm.01.R")})
    assert odd.text == "Left wrist (“palm.01.R”) does not hang from left elbow (“forearm.L”)."
    assert not odd.blocking, "some rigs' limbs are loose"
    short = skeleton_at(rig.names, rig.parents, rig.rest.copy())
    short.rest[joints["left_knee"]] = short.rest[joints["left_hip"]]
    assert texts(short, joints) == ["The left hip and knee are at the same place."]


def test_a_joint_of_an_unknown_name_is_guessed_from_those_around_it() -> None:
    rig = foreign_rig(NAMED["Motive"].replace("{L}Shin", "{L}Elephant"))
    rig.places[rig.names.index("Skeleton1_LElephant"), 1] += 0.12  # legs that are not alike are not told by shape
    guess = guess_joints(skeleton(rig))
    assert guess.question == "No joint could be recognised as left knee or right knee."
    assert rig.names[guess.joints["left_knee"]] == "Skeleton1_LElephant"
    assert guess.doubts == {"left_knee": BETWEEN, "right_knee": BETWEEN}


def test_names_that_say_nothing_and_no_toes_leave_the_side_in_doubt() -> None:
    rig = foreign_rig(UNNAMED["German"].replace(" > Zehen_{Z}=f", "").replace("{Z}", "{Z}x"))
    guess = guess_joints(skeleton(rig))
    assert guess.question == "Its joints' names say too little."
    assert guess.doubts["left_knee"] == SIDE_ASSUMED
    assert {role: rig.names[j] for role, j in guess.joints.items()} == rig.by_role, "it looks forward, as most do"


def test_two_arms_of_the_same_name_are_a_question_unless_they_move_as_one() -> None:
    text = NAMED["a scene with furniture"] + "; Spine1 > A:{S}Arm > A:{S}ForeArm > A:{S}Hand"
    rig = foreign_rig(text)
    mine = [rig.names.index(f"{side}{part}") for side in ("Left", "Right") for part in ("Arm", "ForeArm", "Hand")]
    other = [rig.names.index(f"A:{rig.names[j]}") for j in mine]
    rig.places[other] = rig.places[mine]
    assert guess_joints(skeleton(rig)).question == ""
    rig.places[other] += [0.0, 0.6, 0.0]
    guess = guess_joints(skeleton(rig))
    assert guess.question == "Several joints may be the left shoulder."
    assert guess.doubts["left_elbow"] == "“A:LeftForeArm” would do as well"


@pytest.mark.parametrize("odd", ["exchanged", "LeftLeg", ""])
def test_an_animal_is_refused_without_a_question_and_without_its_tail_it_might_be_somebody(odd: str) -> None:
    rig = named_dog("Tail1" if odd else "Ponytail")
    names = ["Elephant" if name == odd else name for name in rig.names]
    places = rig.places if odd == "LeftLeg" else rig.places * [-1.0, 1.0, 1.0]
    joints = tuple(
        BvhJoint(name, parent, tuple(places[j] - (places[parent] if parent >= 0 else 0.0)), ("Yrotation",), None)
        for j, (name, parent) in enumerate(zip(names, rig.parents, strict=True))
    )
    file = BvhFile("dog.bvh", joints, 0.1, np.zeros((1, len(joints))))
    assert (question_about(file) is None) == bool(odd)
    if odd:
        with pytest.raises(InputRefused):
            file.joint_map  # noqa: B018


def test_names_that_repeat_are_numbered_and_tell_skeletons_apart() -> None:
    twice = skeleton_at(["Hips", "Leg", "Leg", "Leg (2)"], [-1, 0, 0, 0], np.zeros((4, 3)))
    assert twice.labels == ("Hips", "Leg", "Leg (3)", "Leg (2)")
    other_order = skeleton_at(["Hips", "Leg (2)", "Leg", "Leg"], [-1, 0, 0, 0], np.ones((4, 3)))
    assert other_order.signature == twice.signature
    other_tree = skeleton_at(["Hips", "Leg (2)", "Leg", "Leg"], [-1, 0, 1, 0], np.ones((4, 3)))
    assert other_tree.signature != twice.signature


def test_the_front_view_has_the_left_hand_at_the_right_and_the_head_at_the_top() -> None:
    rig = foreign_rig(NAMED["Rigify"])
    for turn in (np.eye(3), from_rotation_vector([np.pi / 2, 0, 0]), from_rotation_vector([0.3, 3.0, 1.0])):
        for swap in (False, True):
            turned = skeleton_at(rig.names, rig.parents, rig.places @ turn.T)
            joints = guess_joints(turned).joints
            view = front_view(turned, swapped_sides(joints) if swap else joints)
            assert view[joints["left_wrist"], 0] - view[joints["right_wrist"], 0] > 1.0
            assert view[joints["head"], 1] - view[joints["left_ankle"], 1] > 1.2


def test_a_rest_pose_that_is_a_line_is_shown_as_it_stands_in_the_first_frame() -> None:
    rig = foreign_rig(NAMED["Rigify"])
    line = np.linspace(0, 1, len(rig.names))[:, None] * [1.0, 0.02, 0.0]
    moving = ForeignSkeleton(tuple(rig.names), tuple(rig.parents), line, rig.places[None])
    assert moving.shown is moving.poses[0] or (moving.shown == rig.places).all()
    assert skeleton(rig).shown is rig.places


class TestFiles:
    """Maps in files."""

    rig = skeleton(foreign_rig(NAMED["Rigify"]))

    def test_a_chosen_map_is_kept_for_its_skeleton_alone(self, tmp_path: Path) -> None:
        chosen = swapped_sides(guess_joints(self.rig).joints)
        write_kept_maps(tmp_path / "deep" / "maps.json", JointMaps().with_choice(self.rig, chosen))
        kept = read_kept_maps(tmp_path / "deep" / "maps.json")
        assert kept.chosen_for(self.rig) == chosen
        assert kept.chosen_for(skeleton(foreign_rig(NAMED["Motive"]))) is None
        assert read_kept_maps(tmp_path / "none.json").chosen == {}

    def test_a_kept_map_that_cannot_be_right_is_left_out(self) -> None:
        joints = guess_joints(self.rig).joints
        broken = JointMaps({self.rig.signature: labels_of(self.rig, joints) | {"left_knee": None}})
        assert broken.chosen_for(self.rig) is None

    def test_a_map_file_corrects_only_what_it_mentions(self, tmp_path: Path) -> None:
        joints = guess_joints(self.rig).joints
        write_joint_map(tmp_path / "map.json", {"head": "spine.005", "neck": None})
        given = read_joint_map(tmp_path / "map.json").given_for(self.rig)
        assert given is not None
        assert self.rig.labels[given.pop("head")] == "spine.005"
        assert given == {role: j for role, j in joints.items() if role not in ("head", "neck")}

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ({"format": "other"}, "is not a joint map"),
            ({"format": "contrapposto-joint-map", "version": 2, "joints": {}}, "version: 2 is not between 1 and 1"),
            ({"format": "contrapposto-joint-map", "version": 1, "joints": {"left_wing": "a"}}, "left_wing is not one"),
            ({"format": "contrapposto-joint-map", "version": 1, "joints": {"head": 3}}, "head is not a joint's name"),
        ],
    )
    def test_a_file_that_is_no_map_is_refused(self, tmp_path: Path, content: dict[str, object], said: str) -> None:
        (tmp_path / "map.json").write_text(json.dumps(content))
        with pytest.raises(InputRefused, match=said):
            read_joint_map(tmp_path / "map.json")

    @pytest.mark.parametrize(
        ("joints", "said"),
        [
            ({"left_knee": "trunk"}, r"joints\.left_knee: the skeleton has no joint named “trunk”"),
            ({"left_knee": None}, "No joint is chosen for left knee"),
            ({"left_knee": "head"}, "the skeleton has no joint named “head”"),
            ({"left_knee": "shin.R", "right_knee": "shin.R"}, "is chosen for left knee and for right knee"),
        ],
    )
    def test_a_map_that_does_not_fit_the_skeleton_is_refused(self, joints: dict[str, str | None], said: str) -> None:
        with pytest.raises(InputRefused, match=said):
            JointMaps(everywhere=joints, source="map.json").given_for(self.rig)
