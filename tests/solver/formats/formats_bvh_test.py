"""BVH out and in again: by our own reader and by an independent one."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pybvh
import pytest
from formats_samples import any_motion, foreign_bvh, sample_motion, sample_skeleton, world_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_files import CLIPS, recordings

from solver.errors import InputRefused, UnknownName
from solver.formats.bvh.euler_path import smooth_euler
from solver.formats.bvh.read import parse_bvh, read_bvh, to_motion
from solver.formats.bvh.write import bvh_text, depth_first, write_bvh
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_euler, geodesic_angle
from solver.kinematics.skeleton import Skeleton

ROOT = Path(__file__).resolve().parents[3]
SKELETON = sample_skeleton()
TENTH_OF_A_MILLIMETRE = 1e-4


def read_back(text: str, skeleton: Skeleton = SKELETON) -> Motion:
    return to_motion(parse_bvh(text, "test.bvh"), skeleton)[0]


def assert_same_motion(a: Motion, b: Motion, skeleton: Skeleton = SKELETON) -> None:
    assert np.abs(world_positions(skeleton, a) - world_positions(skeleton, b)).max() < TENTH_OF_A_MILLIMETRE
    assert geodesic_angle(a.rotations, b.rotations).max() < 1e-5


@pytest.mark.parametrize(("names", "unit"), [*itertools.product(("smpl", "humanik", "mixamo"), ("m", "cm"))])
def test_a_motion_comes_back_under_every_set_of_names_and_in_both_units(names: str, unit: str) -> None:
    motion = any_motion(5, seed=1)
    text = bvh_text(SKELETON, motion, names=names, unit=unit)
    back, report = to_motion(parse_bvh(text, "test.bvh"), SKELETON)
    assert_same_motion(back, motion)
    assert back.fps == motion.fps
    assert (report.unit, report.missing, report.ignored, report.up) == (unit, (), (), "+Y")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.5, 1.3))
def test_any_pose_of_any_body_comes_back(seed: int, height: float) -> None:
    skeleton, pose = sample_skeleton(height), any_motion(1, seed).pose(0)
    back = read_back(bvh_text(skeleton, pose), skeleton)
    assert len(back) == 1
    assert_same_motion(back, Motion(pose.root_position[None], pose.rotations[None]), skeleton)


@pytest.mark.parametrize("unit", ["m", "cm"])
def test_an_independent_reader_finds_the_joints_where_we_have_them(tmp_path: Path, unit: str) -> None:
    motion = any_motion(4, seed=2)
    write_bvh(tmp_path / "a.bvh", SKELETON, motion, unit=unit)
    read = pybvh.read_bvh_file(tmp_path / "a.bvh", world_up="+y")
    order = [read.joint_names.index(name) for name in SKELETON.names]
    scale = 100.0 if unit == "cm" else 1.0
    error = read.joint_positions()[:, order] / scale - world_positions(SKELETON, motion)
    assert np.abs(error).max() < TENTH_OF_A_MILLIMETRE
    assert read.frame_count == 4


def test_the_rest_pose_is_the_t_pose_with_the_shaped_offsets() -> None:
    file = parse_bvh(bvh_text(SKELETON, sample_motion(1)), "test.bvh")
    ours = {name: SKELETON.rest_positions[j] - SKELETON.rest_positions[0] for j, name in enumerate(SKELETON.names)}
    for name, place in zip(file.names, file.rest_positions, strict=True):
        assert np.abs(place - ours[name]).max() < 1e-5


def test_joints_are_listed_depth_first_and_every_leaf_has_a_tip_with_length() -> None:
    file = parse_bvh(bvh_text(SKELETON, sample_motion(1)), "test.bvh")
    assert file.names == tuple(SKELETON.names[j] for j in depth_first(SKELETON))
    assert file.names[:6] == ("pelvis", "left_hip", "left_knee", "left_ankle", "left_foot", "right_hip")
    for j, joint in enumerate(file.joints):
        leaf = j not in file.parents
        assert (joint.end_site is not None) == leaf
        assert not leaf or np.linalg.norm(joint.end_site) > 0.01


def test_the_text_has_the_form_that_other_programs_expect() -> None:
    text = bvh_text(SKELETON, sample_motion(3), names="mixamo")
    assert "\r" not in text
    assert text.endswith("\n")
    assert "ROOT mixamorig:Hips\n{\n\tOFFSET 0.000000 0.000000 0.000000\n" in text
    assert "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation" in text
    assert "MOTION\nFrames: 3\nFrame Time: 0.033333\n" in text
    assert not re.search(r"-0\.0+\b", text)
    assert "JOINT mixamorig:LeftUpLeg\n" in text


@pytest.mark.parametrize(("option", "value"), [("names", "maya"), ("unit", "parsec")])
def test_an_unknown_option_is_refused_with_the_known_ones(option: str, value: str) -> None:
    with pytest.raises(UnknownName, match=f"{value}.*Known"):
        bvh_text(SKELETON, sample_motion(1), **{option: value})


@pytest.mark.slow
def test_a_decimal_comma_in_the_systems_language_changes_nothing(tmp_path: Path) -> None:
    if not shutil.which("localedef"):
        pytest.skip("no localedef here to make a locale with a decimal comma")
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True, check=False
    )
    if not (tmp_path / "de_DE.UTF-8").exists():
        pytest.skip(f"the locale cannot be made: {made.stderr.decode(errors='replace')}")
    code = (
        "import locale, json\n"
        "from formats_samples import sample_motion, sample_skeleton\n"
        "from solver.formats.bvh.read import parse_bvh\n"
        "from solver.formats.bvh.write import bvh_text\n"
        "locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')\n"
        "text = bvh_text(sample_skeleton(), sample_motion(2))\n"
        "print(json.dumps([locale.localeconv()['decimal_point'], text, len(parse_bvh(text, 'a.bvh'))]))"
    )
    environment = dict(os.environ, PYTHONPATH=f"{ROOT}:{Path(__file__).parents[1]}", LOCPATH=str(tmp_path))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert json.loads(run.stdout) == [",", bvh_text(SKELETON, sample_motion(2)), 2]


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
@pytest.mark.parametrize("everywhere", [False, True], ids=["3 channels", "6 channels"])
def test_every_order_of_channels_is_read(order: str, everywhere: bool) -> None:
    motion = any_motion(3, seed=3)
    text = foreign_bvh(SKELETON, motion, order=order, position_everywhere=everywhere, children_backwards=True)
    assert_same_motion(read_back(text), motion)


@pytest.mark.parametrize("middle", [90.0, -90.0, 89.9999999])
def test_a_locked_gimbal_is_written_and_read(middle: float) -> None:
    angles = np.radians([[30.0, middle, -50.0]] * 24)
    motion = Motion(np.zeros((1, 3), np.float32), from_euler("ZXY", angles)[None].astype(np.float32))
    assert_same_motion(read_back(bvh_text(SKELETON, motion)), motion)


def test_angles_run_on_without_a_jump_where_the_motion_does() -> None:
    turn = np.linspace(0, 6 * np.pi, 200)
    zeros = np.zeros_like(turn)
    spin = from_euler("ZXY", np.stack([turn, 1.4 * np.sin(turn), zeros], axis=-1))[:, None]
    angles = smooth_euler("ZXY", spin)
    assert np.abs(np.diff(angles, axis=0)).max() < 0.2
    assert geodesic_angle(from_euler("ZXY", angles), spin).max() < 1e-6


def test_a_path_is_scaled_to_the_legs_of_another_body() -> None:
    motion, child = sample_motion(6), sample_skeleton(0.6)
    back, report = to_motion(parse_bvh(bvh_text(SKELETON, motion, unit="cm"), "a"), child)
    assert report.scale == pytest.approx(0.006, rel=1e-3)
    assert np.abs(world_positions(child, back) - 0.6 * world_positions(SKELETON, motion)).max() < 1e-4


def test_nothing_is_left_behind_where_the_folder_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="folder does not exist"):
        write_bvh(tmp_path / "none" / "a.bvh", SKELETON, sample_motion(1))
    assert list(tmp_path.iterdir()) == []


def test_smpl_named_clips_come_in_with_exactly_their_rotations() -> None:
    for path in (*sorted(CLIPS.glob("*.bvh")), *recordings()[::40]):
        file = read_bvh(path)
        motion, report = to_motion(file, SKELETON)
        known = {joint.name for joint in file.joints}
        assert report.missing == tuple(hand for hand in ("left_hand", "right_hand") if hand not in known)
        for j, joint in enumerate(file.joints):
            first = file.first_channels[j] + len(joint.channels) - 3
            expected = from_euler("ZXY", np.radians(file.values[:, first : first + 3]))
            assert np.abs(motion.rotations[:, SKELETON.index(joint.name)] - expected).max() < 1e-5
        for hand in report.missing:
            assert (motion.rotations[:, SKELETON.index(hand)] == np.eye(3)).all()
        assert motion.fps == 30
