"""The people of a BVH file with several skeletons, and files in units of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.people import people_of
from solver.formats.bvh.person_names import names_of_people
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.kinematics.pose import Motion

SKELETON = sample_skeleton()
LAMP = "ROOT lamp\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n"


def together(*parts: tuple[str, list[str]]) -> str:
    """One file of several hierarchies with their frames' numbers."""
    frames = [" ".join(row) for row in zip(*(rows for _, rows in parts), strict=True)]
    head = f"MOTION\nFrames: {len(frames)}\nFrame Time: 0.0333333\n"
    return "HIERARCHY\n" + "".join(text for text, _ in parts) + head + "\n".join(frames) + "\n"


def part(text: str) -> tuple[str, list[str]]:
    hierarchy, frames = text.split("MOTION\n")
    return hierarchy.removeprefix("HIERARCHY\n"), frames.splitlines()[2:]


def test_each_skeleton_is_a_person_with_a_motion_of_its_own() -> None:
    motions = [sample_motion(6, seed=seed) for seed in (1, 2)]
    lamp = (LAMP, ["5"] * 6)
    text = together(part(foreign_bvh(SKELETON, motions[0])), lamp, part(foreign_bvh(SKELETON, motions[1], order="XYZ")))
    people = people_of(parse_bvh(text, "a.bvh"))
    assert len(people) == 2
    for bvh, motion in zip(people, motions, strict=True):
        back, report = to_motion(bvh, SKELETON)
        assert np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, motion)).max() < 1e-4
        assert not report.notes


def named(*prefixes: str) -> list[BvhFile]:
    """People of one file whose joints' names begin so."""
    parts = [
        part(foreign_bvh(SKELETON, one, names=tuple(prefix + name for name in SKELETON.names)))
        for prefix, one in zip(prefixes, beside_each_other(2, len(prefixes)), strict=True)
    ]
    return people_of(parse_bvh(below("1 Yrotation", *parts), "a.bvh"))


@pytest.mark.parametrize(
    ("prefixes", "names"),
    [
        (("Anna:", "Ben:"), ["Anna", "Ben"]),
        (("Anna_", "Ben_", ""), ["Anna", "Ben", ""]),
        (("scene:Anna:", "scene:Ben:"), ["Anna", "Ben"]),
        (("Anna:mixamorig:", "Ben:mixamorig:"), ["Anna", "Ben"]),
        (("mixamorig1:", "mixamorig2:"), ["", ""]),  # a program's word, nobody's name
        (("dance:", "dance:"), ["", ""]),
    ],
)
def test_people_are_called_what_their_joints_names_begin_with(prefixes: tuple[str, ...], names: list[str]) -> None:
    assert names_of_people(named(*prefixes)) == names


def test_a_file_of_one_skeleton_or_of_nobody_stays_as_it_is() -> None:
    alone = parse_bvh(foreign_bvh(SKELETON, sample_motion(3)), "a.bvh")
    assert people_of(alone) == [alone]
    nobody = parse_bvh(together((LAMP, ["1", "2"]), (LAMP, ["3", "4"])), "a.bvh")
    assert people_of(nobody) == [nobody]


def below(root: str, *people: tuple[str, list[str]]) -> str:
    """One file in which all hierarchies hang from one ROOT, whose CHANNELS are `root` and stay 0.01 in each frame."""
    hierarchies = "".join(hierarchy.replace("ROOT", "JOINT", 1) for hierarchy, _ in people)
    moved = " ".join(["0.01"] * int(root.split(maxsplit=1)[0]))
    rows = [f"{moved} " + " ".join(row) for row in zip(*(rows for _, rows in people), strict=True)]
    head = f"HIERARCHY\nROOT scene\n{{\nOFFSET 0 0 0\nCHANNELS {root}\n"
    return f"{head}{hierarchies}}}\nMOTION\nFrames: {len(rows)}\nFrame Time: 0.0333333\n" + "\n".join(rows) + "\n"


def beside_each_other(frames: int, count: int = 2) -> list[Motion]:
    """People a metre apart."""
    motions = [sample_motion(frames, seed=seed) for seed in range(1, count + 1)]
    return [replace(one, root_positions=one.root_positions + [x, 0, 0]) for x, one in enumerate(motions)]


def assert_each_moves_as(people: list[BvhFile], motions: list[Motion]) -> None:
    assert len(people) == len(motions)
    for bvh, motion in zip(people, motions, strict=True):
        back, report = to_motion(bvh, SKELETON)
        assert np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, motion)).max() < 1e-3
        assert not report.notes


def test_two_people_below_one_root_are_two_people_and_things_stay_away() -> None:
    motions = beside_each_other(6)
    lamp = (LAMP, ["5"] * 6)
    text = below("1 Yrotation", part(foreign_bvh(SKELETON, motions[0])), lamp, part(foreign_bvh(SKELETON, motions[1])))
    people = people_of(parse_bvh(text, "a.bvh"))
    assert_each_moves_as(people, motions)
    assert [bvh.names[0] for bvh in people] == ["(scene)", "(scene)"]
    assert not any("lamp" in bvh.names for bvh in people)


def test_two_people_below_one_root_both_move_as_that_root_moves() -> None:
    motions = beside_each_other(4)
    text = below("3 Xposition Yposition Zposition", *(part(foreign_bvh(SKELETON, motion)) for motion in motions))
    moved = [replace(motion, root_positions=motion.root_positions + 0.01) for motion in motions]
    assert_each_moves_as(people_of(parse_bvh(text, "a.bvh")), moved)


@pytest.mark.parametrize("seeds", [(1, 2), (1, 1)])
def test_two_people_below_one_root_whose_joints_have_no_names_are_two_people(seeds: tuple[int, int]) -> None:
    motions = [sample_motion(4, seed=seed) for seed in seeds]
    motions = [replace(one, root_positions=one.root_positions + [x, 0, 0]) for x, one in enumerate(motions)]
    count = len(SKELETON)
    numbered = [tuple(f"n{first + j}" for j in range(count)) for first in (0, count)]
    texts = [foreign_bvh(SKELETON, one, names=names) for one, names in zip(motions, numbered, strict=True)]
    people = people_of(parse_bvh(below("1 Yrotation", *map(part, texts)), "a.bvh"))
    assert [set(bvh.names) - {"(scene)"} for bvh in people] == [set(names) for names in numbered]
    for bvh, motion in zip(people, motions, strict=True):
        back, _ = to_motion(bvh, SKELETON)
        assert np.abs(back.root_positions - motion.root_positions).max() < 0.02
        assert np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, motion)).max() < 0.1


@pytest.mark.parametrize("names", [SKELETON.names, tuple(f"n{j}" for j in range(len(SKELETON)))], ids=["ours", "none"])
def test_a_rig_whose_bones_are_there_twice_is_one_person(names: tuple[str, ...]) -> None:
    twice = part(foreign_bvh(SKELETON, sample_motion(4), names=names))
    bvh = parse_bvh(below("0", twice, twice), "a.bvh")
    assert people_of(bvh) == [bvh]


def test_a_person_carried_by_another_one_s_hand_is_a_person_too() -> None:
    motions = [sample_motion(5, seed=3), sample_motion(5, seed=4)]
    carrier, rows = part(foreign_bvh(SKELETON, motions[0]))
    carried, other_rows = part(foreign_bvh(SKELETON, motions[1]))
    lines = carrier.splitlines()
    hand = next(i for i, line in enumerate(lines) if "right_hand" in line)  # the last joint of the file
    inside = hand + 3  # behind its brace, OFFSET and CHANNELS
    lines[inside:inside] = [carried.rstrip().replace("ROOT", "JOINT", 1)]
    rows = [f"{row} {other}" for row, other in zip(rows, other_rows, strict=True)]
    text = "HIERARCHY\n" + "\n".join(lines) + "\nMOTION\n"
    bvh = parse_bvh(f"{text}Frames: 5\nFrame Time: 0.0333333\n" + "\n".join(rows) + "\n", "a.bvh")
    first, second = people_of(bvh)
    assert_each_moves_as([first], motions[:1])
    turns = to_motion(second, SKELETON)[0].rotations[:, 1:]
    assert np.abs(turns - motions[1].rotations[:, 1:]).max() < 1e-4
    assert second.parents[second.names.index("pelvis")] == second.names.index("(right_hand)")


@pytest.mark.parametrize(
    ("scale", "unit"), [(12.5, "MMD units (8 cm)"), (10.0, "dm"), (0.45 / 0.0254, "CMU units (5.6 cm)")]
)
def test_units_of_their_own_are_known(scale: float, unit: str) -> None:
    _, report = to_motion(parse_bvh(foreign_bvh(SKELETON, sample_motion(3), scale=scale), "a.bvh"), SKELETON)
    assert report.unit == unit
