"""BVH out and in: any frame rate, fingers, units and names; what the file says is what other programs will do."""

from __future__ import annotations

import numpy as np
import pybvh
import pytest
from formats_samples import any_motion, foreign_bvh, sample_motion, sample_skeleton, world_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.whole_rig import as_whole_motion, as_whole_pose
from solver.errors import InputRefused, UnknownName
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.formats.bvh.world import BvhWorld
from solver.formats.bvh.write import POSE_FPS, bvh_text, end_site
from solver.formats.motion_report import MotionReport
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_euler, from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_names import written_names
from solver.size_limits import FPS_RANGE

SKELETON = sample_skeleton()
ONE_JOINT = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS %s\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n%s\n"


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 240))
def test_a_whole_number_of_frames_a_second_comes_back_exactly(fps: int) -> None:
    motion = sample_motion(2, fps=float(fps))
    assert parse_bvh(bvh_text(SKELETON, motion), "a").fps == fps


@settings(max_examples=40, deadline=None)
@given(st.floats(0.5, 500.0))
def test_any_frame_rate_comes_back_within_the_files_decimals(fps: float) -> None:
    back = parse_bvh(bvh_text(SKELETON, sample_motion(2, fps=fps)), "a").fps
    assert 1 / back == pytest.approx(1 / fps, abs=1e-4 / fps + 1.1e-6)


@pytest.mark.parametrize("fps", [FPS_RANGE[0] / 2, FPS_RANGE[1] * 2])
def test_a_frame_rate_that_no_scene_could_hold_is_refused_with_its_line(fps: float) -> None:
    text = bvh_text(SKELETON, sample_motion(2)).replace("0.033333", f"{1 / fps:.9f}")
    with pytest.raises(InputRefused, match=r"w\.bvh, line 144: the frame time .* is not possible\. Write seconds"):
        parse_bvh(text, "w.bvh")


def test_a_single_pose_is_one_frame_of_a_thirtieth_of_a_second() -> None:
    file = parse_bvh(bvh_text(SKELETON, sample_motion(3).pose(1)), "a")
    assert len(file) == 1
    assert file.fps == POSE_FPS


@pytest.mark.parametrize("names", ["smpl", "humanik", "mixamo"])
@pytest.mark.parametrize("unit", ["m", "cm"])
def test_fingers_jaw_and_eyes_are_written_at_rest_and_read_as_the_same_pose(names: str, unit: str) -> None:
    body, shape = load_body("anny"), BodyShape(np.linspace(-1, 1, 10))
    rig, bones = body.whole_rig(shape), body.skeleton(shape)
    turns = from_rotation_vector(0.4 * np.random.default_rng(4).normal(size=(24, 3)))
    pose = Pose(bones.offsets[0], turns)
    file = parse_bvh(bvh_text(rig, as_whole_pose(rig, pose), names=names, unit=unit), "a")
    assert len(file.joints) == len(rig) > 50
    assert len(set(file.names)) == len(file.names)
    back, _ = to_motion(file, bones)
    shown = Motion(pose.root_position[None], pose.rotations[None])
    assert world_positions(bones, back) == pytest.approx(world_positions(bones, shown), abs=2e-4)


def test_a_motion_with_fingers_has_every_frame_and_its_fingers_rest_in_each() -> None:
    body = load_body("anny")
    rig, bones = body.whole_rig(BodyShape()), body.skeleton(BodyShape())
    motion = sample_motion(5, fps=24.0)
    file = parse_bvh(bvh_text(rig, as_whole_motion(rig, motion)), "a")
    assert (len(file), file.fps) == (5, 24)
    posed = set(written_names(bones.names, "smpl"))
    for j, joint in enumerate(file.joints):
        if joint.name not in posed:
            first = file.first_channels[j]
            assert not file.values[:, first : first + 3].any(), joint.name


def test_units_change_lengths_and_no_angle() -> None:
    motion = any_motion(4, seed=9)
    metres, centimetres = (parse_bvh(bvh_text(SKELETON, motion, unit=unit), "a") for unit in ("m", "cm"))
    assert centimetres.values[:, 3:] == pytest.approx(metres.values[:, 3:], abs=1e-6)
    assert centimetres.values[:, :3] == pytest.approx(100 * metres.values[:, :3], abs=1e-3)
    assert centimetres.rest_positions == pytest.approx(100 * metres.rest_positions, abs=2e-3)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([("m", 1.0), ("cm", 100.0), ("mm", 1000.0), ("inches", 1 / 0.0254), ("feet", 1 / 0.3048)]),
    st.sampled_from(["XYZ", "ZXY", "YZX"]),
    st.integers(0, 10**6),
)
def test_a_file_of_any_unit_comes_in_at_its_true_size(unit: tuple[str, float], order: str, seed: int) -> None:
    name, scale = unit
    motion = any_motion(2, seed)
    back, report = to_motion(parse_bvh(foreign_bvh(SKELETON, motion, scale=scale, order=order), "a"), SKELETON)
    assert report.unit == name
    assert report.scale == pytest.approx(1 / scale, rel=1e-3)
    assert world_positions(SKELETON, back) == pytest.approx(world_positions(SKELETON, motion), abs=2e-4)


@pytest.mark.parametrize("frames", [1, 2, 4097])
def test_a_motion_longer_than_is_worked_on_at_once_has_no_seam(frames: int) -> None:
    rng = np.random.default_rng(3)
    turns = np.tile(np.eye(3, dtype=np.float32), (frames, 24, 1, 1))
    turns[:, 0] = from_euler(
        "ZXY", np.stack([0 * rng.normal(size=frames), np.linspace(0, 1, frames), np.zeros(frames)], -1)
    )
    motion = Motion(np.linspace([0, 0.9, 0], [1, 0.9, 5], frames).astype(np.float32), turns)
    back, report = to_motion(parse_bvh(bvh_text(SKELETON, motion), "a"), SKELETON)
    assert report.frames == len(back) == frames
    assert np.abs(back.root_positions - motion.root_positions).max() < 1e-4
    assert geodesic_angle(back.rotations[:, 0], motion.rotations[:, 0]).max() < 1e-4


def test_what_is_written_is_read_by_an_independent_reader_with_fingers_too(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rig = load_body("anny").whole_rig(BodyShape())
    pose = Pose(rig.offsets[0], from_rotation_vector(0.3 * np.random.default_rng(1).normal(size=(len(rig), 3))))
    (tmp_path / "a.bvh").write_text(bvh_text(rig, pose))
    read = pybvh.read_bvh_file(tmp_path / "a.bvh", world_up="+y")
    order = [read.joint_names.index(name) for name in rig.names]
    expected = world_positions(rig, Motion(pose.root_position[None], pose.rotations[None]))
    assert read.joint_positions()[:, order] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("what", "match"), [({"unit": "ell"}, r"unit.*“ell”.*m, cm"), ({"names": "klingon"}, r"“klingon”.*smpl")]
)
def test_an_unknown_unit_or_set_of_names_is_refused_with_those_there_are(what: dict[str, str], match: str) -> None:
    with pytest.raises(UnknownName, match=match):
        bvh_text(SKELETON, sample_motion(1), **what)


def test_a_bone_without_a_length_has_a_tip_above_it_and_others_go_on() -> None:
    tail = Skeleton(
        ("root", "tail", "tip", "stub"), (-1, 0, 1, 0), np.array([[0, 1, 0], [0, 0, -1], [0, 0, -0.5], [0, 0, 0]])
    )
    assert end_site(tail, 2) == pytest.approx([0, 0, -0.25])
    assert end_site(tail, 3) == pytest.approx([0, 0.05, 0])


def test_places_of_a_root_replace_its_offset_axis_by_axis() -> None:
    file = parse_bvh(ONE_JOINT % ("2 Yposition Xrotation", "7 90"), "a")
    world = BvhWorld(file, slice(None))
    assert world.position(0) == pytest.approx(np.array([[1, 7, 3]]))
    assert world.rotation(0)[0] @ [0, 1, 0] == pytest.approx([0, 0, 1])


def test_a_joint_without_turns_goes_along_with_its_parent() -> None:
    text = (
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\nJOINT b\n{\nOFFSET 1 0 0\nCHANNELS 0\n"
        "JOINT c\n{\nOFFSET 1 0 0\nCHANNELS 1 Zrotation\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n90 90\n"
    )
    world = BvhWorld(parse_bvh(text, "a"), slice(None))
    assert world.rotation(1) == pytest.approx(world.rotation(0))
    assert world.position(2) == pytest.approx(np.array([[0, 2, 0]]), abs=1e-12)
    assert world.rotation(2)[0] @ [1, 0, 0] == pytest.approx([-1, 0, 0])
    assert len(world) == 1


def test_a_report_names_what_is_missing_what_is_left_out_and_what_was_guessed() -> None:
    report = MotionReport("Mixamo", "cm", 0.01, "+Y", 1, 30.0, ("left_hand",), ("tail",), ("the frame time is 0",))
    assert report.text().splitlines() == [
        "1 frame",
        "Joint names: Mixamo; lengths: cm; up: +Y",
        "Not in the file, left at rest: left_hand",
        "Without a counterpart, carried by their neighbours: tail",
        "The frame time is 0",
    ]
    assert len(MotionReport("SMPL", "m", 1.0, "+Z", 2, 29.97).text().splitlines()) == 2
    hair = tuple(f"hair_{n}" for n in range(200))
    assert MotionReport("VRM", "m", 1.0, "+Y", 1, 30.0, (), hair).text().endswith("hair_18, hair_19 and 180 more")


def test_a_motion_far_from_everything_is_refused_with_the_frame() -> None:
    motion = sample_motion(3)
    roots = motion.root_positions.copy()
    roots[1, 0] = 1e6
    text = bvh_text(SKELETON, Motion(roots, motion.rotations))
    with pytest.raises(InputRefused, match=r"a\.bvh, frame 2: the pelvis is farther than .* km"):
        to_motion(parse_bvh(text, "a.bvh"), SKELETON)
