"""A pose or a motion of ours on the user's own BVH rig: the same hierarchy with new frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bvh_people_test import part, together
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions

from scripts.rigs.foreign_rigs import RESTS, RIGS, Rest, Rig, read_rigs, swaying
from scripts.rigs.foreign_rigs import written as rig_text
from solver.errors import InputRefused
from solver.formats.bvh.motion import relation_of
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.bvh.read import to_motion
from solver.formats.bvh.world import BvhWorld
from solver.formats.mesh.own_character import posed, read_own_character
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import geodesic_angle

SKELETON = sample_skeleton()
ALL_RIGS = read_rigs(RIGS.read_text(encoding="utf-8"))
TENTH_OF_A_DEGREE = np.radians(0.1)


def saved(folder: Path, text: str) -> Path:
    path = folder / "rig.bvh"
    path.write_text(text, encoding="utf-8")
    return path


def onto(path: Path, motion: Motion, person: int = 0) -> Path:
    target = path.with_name("posed.bvh")
    target.write_bytes(posed(read_own_character(path, True), person, OwnMotion(SKELETON, motion)))
    return target


def read(path: Path, person: int = 0) -> Motion:
    return to_motion(read_own_character(path, True).people[person], SKELETON)[0]


def on_rig(folder: Path, rig: Rig, rest: Rest) -> Path:
    """Somebody who sways on a foreign rig, every joint of which turns that it has."""
    return saved(folder, rig_text(rig, rest, SKELETON, swaying()))


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("name", ["CMU mb", "Mixamo"])
def test_a_rig_is_in_the_edited_pose_whatever_its_rest_pose_axes_and_unit(name: str, rest: str, tmp_path: Path) -> None:
    path, edited = on_rig(tmp_path, ALL_RIGS[name], RESTS[rest]), sample_motion(5, seed=8, fps=24.0)
    again = onto(path, edited)
    (rig,), (person,) = read_own_character(path, True).people, read_own_character(again, True).people
    related, world = relation_of(rig, SKELETON), BvhWorld(person, slice(None))
    ours = forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, edited.root_positions, edited.rotations)
    joints = person.joint_map.joints
    for joint in joints:
        seen = related.upright @ world.rotation(joints[joint]) @ related.alignment.corrections[joint]
        assert geodesic_angle(seen, ours.rotations[:, SKELETON.index(joint)]).max() < TENTH_OF_A_DEGREE, joint
    hips = (world.position(joints["left_hip"]) + world.position(joints["right_hip"])) / 2
    there = (ours.positions[:, 1] + ours.positions[:, 2]) / 2
    assert hips @ related.upright.T * related.scale == pytest.approx(there, abs=1e-4)


@pytest.mark.parametrize("name", ["CMU mb", "Mixamo", "Legs on root, spine on root (COG)"])
def test_a_motion_that_nobody_edited_leaves_every_joint_where_it_was(name: str, tmp_path: Path) -> None:
    path = on_rig(tmp_path, ALL_RIGS[name], RESTS["A, Z up, to the back"])
    again = onto(path, read(path))
    before, after = (read_own_character(file, True).people[0] for file in (path, again))
    for joint in before.joint_map.joints.values():
        there, here = (BvhWorld(each, slice(None)).position(joint) for each in (before, after))
        assert here == pytest.approx(there, abs=1e-4), before.names[joint]  # inches
    assert after.frame_time == pytest.approx(before.frame_time, abs=1e-6)


def test_the_hierarchy_stays_word_for_word(tmp_path: Path) -> None:
    text = foreign_bvh(SKELETON, sample_motion(3), position_everywhere=True).replace("left_knee", "Knie  links ;)")
    path = saved(tmp_path, text)
    again = onto(path, sample_motion(5, seed=8)).read_text(encoding="utf-8")
    assert again.partition("MOTION")[0] == text.partition("MOTION")[0]
    assert "Frames: 5" in again


def test_a_joint_turns_as_far_as_its_channels_allow_and_those_behind_it_as_asked(tmp_path: Path) -> None:
    text = foreign_bvh(SKELETON, sample_motion(3))
    head, _, frames = text.partition("MOTION\n")
    names = [line.split()[1] for line in head.splitlines() if line.strip().startswith(("ROOT", "JOINT"))]
    knee = names.index("left_knee")
    before, _, after = head.partition("JOINT left_knee")
    head = (
        before
        + "JOINT left_knee"
        + after.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Xrotation", 1)
    )
    rows = [line.split() for line in frames.splitlines()[2:]]
    first = 3 + 3 * knee
    kept = [" ".join(row[:first] + row[first + 1 : first + 2] + row[first + 3 :]) for row in rows]
    path = saved(tmp_path, "\n".join([head + "MOTION", *frames.splitlines()[:2], *kept]) + "\n")
    edited = sample_motion(4, seed=8)
    back = read(onto(path, edited))
    off = geodesic_angle(*(forward_kinematics_batch(
        SKELETON.parents, SKELETON.offsets, each.root_positions, each.rotations).rotations for each in (back, edited)
    )).max(axis=0)  # fmt: skip
    joint = SKELETON.index("left_knee")
    assert off[joint] > TENTH_OF_A_DEGREE
    assert np.delete(off, joint).max() < TENTH_OF_A_DEGREE


def with_still_hips(text: str, above: str = "") -> str:
    """A BVH text in which the root has no place; above: of a joint above it that has, which takes its values."""
    head, _, frames = text.partition("MOTION\n")
    head = head.replace("CHANNELS 6 Xposition Yposition Zposition ", "CHANNELS 3 ", 1)
    if above:
        head = f"HIERARCHY\n{above}{head.removeprefix('HIERARCHY').replace('ROOT', 'JOINT', 1)}}}\n"
    count, step, *rows = frames.splitlines()
    kept = [" ".join(row.split()[0 if above else 3 :]) for row in rows]
    return head + "\n".join(["MOTION", count, step, *kept]) + "\n"


def test_hips_without_a_place_are_moved_by_the_joint_above_them_that_has_one(tmp_path: Path) -> None:
    above = "ROOT world\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition"
    path = saved(tmp_path, with_still_hips(foreign_bvh(SKELETON, sample_motion(3)), above))
    edited = sample_motion(4, seed=8)
    assert world_positions(SKELETON, read(onto(path, edited))) == pytest.approx(
        world_positions(SKELETON, edited), abs=1e-4
    )


def test_a_rig_without_a_place_turns_as_asked_where_it_stands(tmp_path: Path) -> None:
    path = saved(tmp_path, with_still_hips(foreign_bvh(SKELETON, sample_motion(3))))
    there, edited = read(path), sample_motion(4, seed=8)
    back = read(onto(path, edited))
    assert geodesic_angle(back.rotations[:, :22], edited.rotations[:, :22]).max() < TENTH_OF_A_DEGREE
    assert np.linalg.norm(back.root_positions - there.root_positions[:1], axis=1).max() < 0.2


def test_of_two_people_one_is_posed_and_the_other_stays(tmp_path: Path) -> None:
    motions = [sample_motion(6, seed=seed) for seed in (1, 2)]
    path = saved(tmp_path, together(*(part(foreign_bvh(SKELETON, motion)) for motion in motions)))
    edited = sample_motion(6, seed=8)
    again = onto(path, edited, person=1)
    assert world_positions(SKELETON, read(again, 1)) == pytest.approx(world_positions(SKELETON, edited), abs=1e-4)
    assert world_positions(SKELETON, read(again)) == pytest.approx(world_positions(SKELETON, motions[0]), abs=1e-4)


def test_a_rig_without_a_human_body_is_refused(tmp_path: Path) -> None:
    lamp = "HIERARCHY\nROOT lamp\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n5\n"
    with pytest.raises(InputRefused, match=r"rig\.bvh: no human body was recognised"):
        read_own_character(saved(tmp_path, lamp), True)
