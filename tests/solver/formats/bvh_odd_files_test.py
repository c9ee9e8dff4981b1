"""BVH files that are cut, odd or huge: read as they are meant, or refused with their line."""

from __future__ import annotations

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions

from solver.errors import InputRefused
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.formats.motion_bounds import motion_fault
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton

SKELETON = sample_skeleton()
HEAD = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\nMOTION\n"
ROW = "1 2 3\n"


def without(skeleton: Skeleton, *parts: str) -> tuple[Skeleton, list[int]]:
    """The skeleton less some joints, whose children hang on the joint above; and the indices of those that stay."""
    kept = [j for j, name in enumerate(skeleton.names) if name not in parts]
    rest = skeleton.rest_positions
    parents = []
    for j in kept:
        above = skeleton.parents[j]
        while above >= 0 and above not in kept:
            above = skeleton.parents[above]
        parents.append(kept.index(above) if above >= 0 else -1)
    offsets = [rest[j] - (rest[kept[p]] if p >= 0 else 0) for j, p in zip(kept, parents, strict=True)]
    return Skeleton(tuple(skeleton.names[j] for j in kept), tuple(parents), np.array(offsets, np.float32)), kept


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2003"])
def test_numbers_between_spaces_of_another_script_are_read(space: str) -> None:
    rows = f"Frames: 2\nFrame Time: 0.1\n1{space}2 3\n4 5 6\n"
    assert parse_bvh(HEAD + rows, "a").values.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_the_sign_by_which_old_programs_end_a_text_is_no_number() -> None:
    rows = "Frames: 2\nFrame Time: 0.1\n1 2 3\n4 5 6\n"
    assert parse_bvh(HEAD + rows + "\x1a", "a").values.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        ("Frames:", "line 8: the file ends before the number of frames"),
        ("Frames: 1\nFrame Time:\n" + ROW, "line 9: the frame time is not given"),
        ("Frames: 1\nFrame Time:", "line 9: the frame time is not given. Write seconds"),
        ("Frames: 1\nFrame Time: 2000\n" + ROW, "line 9: the frame time 2000 is not possible"),
        ("Frames: 1\nFrame Time: 0.1\n1 2 3_0\n", "line 10: “3_0” is not a number"),
        ("Frames: 1\nFrame Time: 0.1\n1 2\u00a0\u0663\n", "line 10: “\u0663” is not a number"),
        ("Frames: 1\nFrame Time: 0.1\n1 2 4,5\n", "line 10: “4,5” has a comma"),
    ],
)
def test_what_is_wrong_behind_motion_is_told_with_its_line(tail: str, words: str) -> None:
    with pytest.raises(InputRefused, match=words) as caught:
        parse_bvh(HEAD + tail, "a.bvh")
    assert "\n" not in str(caught.value)


def test_an_announcement_of_more_numbers_than_memory_is_refused_before_any_is_read() -> None:
    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    hierarchy = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + channels
    hierarchy += "".join(f"JOINT b{j}\n{{\nOFFSET 0 0 0\n{channels}}}\n" for j in range(99)) + "}\nMOTION\n"
    with pytest.raises(InputRefused, match="holds more than 80,000,000 numbers. Export a shorter part"):
        parse_bvh(f"{hierarchy}Frames: 200000\nFrame Time: 0.01\n", "a.bvh")


@pytest.mark.parametrize("limit", ["MAX_FRAMES", "MAX_FRAME_VALUES"])
def test_frames_that_nobody_counted_are_limited_as_well(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = HEAD + "Frame Time: 0.1\n" + 4 * ROW
    file = parse_bvh(few, "a")
    assert (len(file), file.notes) == (4, ("the number of frames is missing; all lines were read",))
    monkeypatch.setattr(f"solver.formats.bvh.frames.{limit}", 3)
    with pytest.raises(InputRefused, match="more than 3 (frames|numbers)"):
        parse_bvh(few, "a")


def test_a_frame_time_that_is_a_rate_is_told() -> None:
    rows = f"Frames: 2\nFrame Time: 25\n{ROW}{ROW}"
    (note,) = parse_bvh(HEAD + rows, "a").notes
    assert note.startswith(
        "by the file, each frame lasts 25 seconds; if 25 frames a second are meant, its Frame Time has"
    )
    assert note.endswith("0.040000")
    assert parse_bvh(HEAD + f"Frames: 1\nFrame Time: 25\n{ROW}", "a").notes == ()


@pytest.mark.parametrize("note", ["Frames: 1\n", "Frames: 1\nFrame Time: 0\n"])
def test_a_missing_frame_time_is_a_thirtieth_and_told(note: str) -> None:
    file = parse_bvh(HEAD + note + ROW, "a")
    assert file.fps == 30
    assert "30 frames a second were assumed" in file.notes[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HIERARCHY\nROOT a\n{\nOFFSET 0 0", "line 4: the hierarchy ends too early inside a"),
        ("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation", "line 5: the hierarchy ends too early inside a"),
        ("HIERARCHY\nOFFSET 0 0 0", "line 2: OFFSET stands outside a joint"),
        ("HIERARCHY\n}", "line 2: “}” does not belong here"),
        ("HIERARCHY\nEnd Site\n{\n}", "line 3: END does not belong here"),
        (HEAD.replace("}\n", "End Site\n{\nCHANNELS 1 Xrotation\n}\n}\n"), "an End Site has channels"),
        (HEAD.replace("}\n", "End Site\n{\nJOINT b\n{\n}\n}\n}\n"), "JOINT does not belong here"),
    ],
)
def test_a_hierarchy_that_is_cut_or_odd_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(InputRefused, match=words):
        parse_bvh(text, "a.bvh")


def test_an_end_site_without_an_offset_and_one_without_channels_of_its_own_are_read() -> None:
    text = HEAD.replace("}\n", "End Site\n{\nCHANNELS 0\n}\n}\n") + "Frames: 1\nFrame Time: 0.1\n" + ROW
    (joint,) = parse_bvh(text, "a").joints
    assert joint.end_site is None
    (joint,) = parse_bvh(text.replace("CHANNELS 0\n}", "OFFSET 1 2 3\n}"), "a").joints
    assert joint.end_site == (1, 2, 3)


def test_a_joint_without_a_name_is_given_one() -> None:
    assert parse_bvh(HEAD.replace("ROOT a", "ROOT") + "Frames: 1\nFrame Time: 0.1\n" + ROW, "a").names == ("joint0",)


@pytest.mark.parametrize(("names", "told"), [(("rope", "end"), True), (("lamp",), False)])
def test_of_several_skeletons_in_a_file_one_is_taken_and_that_is_told_but_not_of_a_mere_lamp(
    names: tuple[str, ...], told: bool
) -> None:
    motion = sample_motion(4)
    body, frames = foreign_bvh(SKELETON, motion).split("MOTION\n")
    inside = "".join(f"JOINT {name}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}}\n" for name in names[1:])
    prop = f"ROOT {names[0]}\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{inside}}}\n"
    rows = frames.splitlines()
    text = "\n".join([*rows[:2], *(row + " 5" * len(names) for row in rows[2:])])
    back, report = to_motion(parse_bvh(f"{body}{prop}MOTION\n{text}\n", "a"), SKELETON)
    assert any("several skeletons" in note for note in report.notes) == told
    assert report.ignored == names
    assert geodesic_angle(back.rotations, motion.rotations).max() < 1e-4


@pytest.mark.parametrize(
    "parts",
    [
        ("left_hand", "right_hand"),
        ("spine2",),
        ("spine1", "spine3"),
        ("left_collar", "right_collar"),
        ("left_foot", "right_foot", "left_hand", "right_hand"),
        ("spine1", "spine2", "spine3", "neck", "head"),
    ],
    ids="+".join,
)
def test_a_file_of_fewer_joints_moves_those_that_it_has(parts: tuple[str, ...]) -> None:
    fewer, kept = without(SKELETON, *parts)
    full = sample_motion(6, seed=2)
    rotations = np.array(full.rotations)
    for part in parts:
        rotations[:, SKELETON.index(part)] = np.eye(3)
    motion = Motion(full.root_positions, rotations)
    text = foreign_bvh(fewer, Motion(motion.root_positions, rotations[:, kept]))
    back, report = to_motion(parse_bvh(text, "a"), SKELETON)
    assert set(report.missing) == set(parts)
    assert world_positions(SKELETON, back) == pytest.approx(world_positions(SKELETON, motion), abs=1e-3)


def test_a_rest_pose_with_arms_stretched_forward_gives_the_same_pose() -> None:
    turns = np.tile(np.eye(3), (24, 1, 1))
    for j, name in enumerate(SKELETON.names):
        side, _, part = name.partition("_")
        if part in ("shoulder", "elbow", "wrist", "hand"):
            turns[j] = from_rotation_vector([0, np.pi / 2 if side == "left" else -np.pi / 2, 0])
    motion = sample_motion(6, seed=2, swing=0.3)
    back, _ = to_motion(parse_bvh(foreign_bvh(SKELETON, motion, rest_turns=turns), "a"), SKELETON)
    wrists = [SKELETON.index(f"{side}_wrist") for side in ("left", "right")]
    assert world_positions(SKELETON, back)[:, wrists] == pytest.approx(
        world_positions(SKELETON, motion)[:, wrists], abs=1e-3
    )


def test_what_keeps_a_motion_from_being_saved_is_told_by_frame_reason_and_way_out() -> None:
    still = np.zeros((3, 3))
    assert motion_fault(still, 30) is None
    slow = motion_fault(still, 1e-9)
    assert slow is not None
    assert (slow.place, slow.way_out) == ("", "Correct the frame time")
    lost = motion_fault(np.array([[0, 0, 0], [0, np.nan, 0], [0, 0, 9e9]]), 30)
    assert lost is not None
    assert lost.place == "frame 2"
    assert "999 km" in lost.reason
