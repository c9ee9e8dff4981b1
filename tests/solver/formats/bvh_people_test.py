"""The people of a BVH file with several skeletons, and files in units of their own."""

from __future__ import annotations

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions

from solver.formats.bvh.people import people_of
from solver.formats.bvh.read import parse_bvh, to_motion

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


def test_a_file_of_one_skeleton_or_of_nobody_stays_as_it_is() -> None:
    alone = parse_bvh(foreign_bvh(SKELETON, sample_motion(3)), "a.bvh")
    assert people_of(alone) == [alone]
    nobody = parse_bvh(together((LAMP, ["1", "2"]), (LAMP, ["3", "4"])), "a.bvh")
    assert people_of(nobody) == [nobody]


@pytest.mark.parametrize(
    ("scale", "unit"), [(12.5, "MMD units (8 cm)"), (10.0, "dm"), (0.45 / 0.0254, "CMU units (5.6 cm)")]
)
def test_units_of_their_own_are_known(scale: float, unit: str) -> None:
    _, report = to_motion(parse_bvh(foreign_bvh(SKELETON, sample_motion(3), scale=scale), "a.bvh"), SKELETON)
    assert report.unit == unit
