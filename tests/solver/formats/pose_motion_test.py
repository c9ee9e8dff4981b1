"""Motions in pose JSON: frames and rate come back, files without them read as before, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from formats_samples import any_motion, sample_motion, sample_skeleton, world_positions
from scipy.spatial.transform import Rotation as Oracle

from solver.errors import InputRefused
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.formats.pose_json.write import parse_pose_json, pose_json, pose_json_text, write_pose_json
from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import SMPL_JOINTS

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "pose.schema.json").read_text(encoding="utf-8")))
SKELETON = sample_skeleton()


def walker(motion: Motion | None = None, frame: int = 2) -> PoseFile:
    motion = motion or sample_motion(6, fps=24.0)
    return PoseFile((PosePerson("Ann", SKELETON, motion.pose(frame), motion=motion, frame=frame),))


@pytest.mark.parametrize("motion", [sample_motion(6, fps=24.0), any_motion(5, 3)], ids=["walk", "wild"])
def test_frames_rate_and_the_frame_shown_come_back_and_follow_the_schema(motion: Motion) -> None:
    text = pose_json_text(walker(motion))
    SCHEMA.validate(json.loads(text))
    (person,) = parse_pose_json(text, "a.json").people
    assert person.motion is not None
    assert (person.motion.fps, len(person.motion), person.frame) == (motion.fps, len(motion), 2)
    assert np.array_equal(person.motion.root_positions, motion.root_positions)
    assert world_positions(SKELETON, person.motion) == pytest.approx(world_positions(SKELETON, motion), abs=1e-6)
    assert person.pose.rotations == pytest.approx(motion.pose(2).rotations, abs=1e-6)


def test_the_rows_hold_the_rotations_joint_after_joint_without_jumps_of_sign() -> None:
    turns = Oracle.from_rotvec(np.linspace(0, 4 * np.pi, 40)[:, None] * [0, 1, 0]).as_matrix()
    rotations = np.tile(np.eye(3), (40, 24, 1, 1))
    rotations[:, 0] = turns
    motion = Motion(np.zeros((40, 3)), rotations)
    written = pose_json(walker(motion))["people"][0]["motion"]
    rows = np.reshape(written["rotations"], (-1, len(written["joints"]), 4))
    assert written["joints"] == list(SMPL_JOINTS)
    assert np.linalg.norm(np.diff(rows, axis=0), axis=-1).max() < 0.2
    assert Oracle.from_quat(rows[:, 0]).as_matrix() == pytest.approx(turns, abs=1e-6)


def test_joints_may_be_listed_in_any_order() -> None:
    written = pose_json(walker())
    motion = written["people"][0]["motion"]
    rows = np.reshape(motion["rotations"], (-1, 24, 4))
    motion["rotations"] = rows[:, ::-1].reshape(len(rows), -1).tolist()
    motion["joints"] = motion["joints"][::-1]
    (person,) = parse_pose_json(json.dumps(written), "a.json").people
    assert person.motion is not None
    assert person.motion.rotations == pytest.approx(sample_motion(6).rotations, abs=1e-6)


def test_a_file_without_a_motion_holds_one_pose_as_before() -> None:
    text = pose_json_text(PoseFile((PosePerson("Ann", SKELETON, any_motion(1, 1).pose(0)),)))
    assert "motion" not in text
    assert parse_pose_json(text, "a.json").people[0].motion is None


def test_an_older_reader_gets_the_pose_of_the_frame_shown() -> None:
    written = pose_json(walker())
    del written["people"][0]["motion"]
    pose = parse_pose_json(json.dumps(written), "a.json").people[0].pose
    assert pose.rotations == pytest.approx(sample_motion(6).pose(2).rotations, abs=1e-6)


def test_whole_numbers_are_numbers_too() -> None:
    written = pose_json(walker())
    motion = written["people"][0]["motion"]
    motion["translations"] = [[0, 1, 2]] * 6
    (person,) = parse_pose_json(json.dumps(written), "a.json").people
    assert person.motion is not None
    assert person.motion.root_positions[5].tolist() == [0, 1, 2]


def put(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(motion: dict[str, Any]) -> None:
        where: Any = motion
        for key in path[:-1]:
            where = where[key]
        where[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (put("fps", value=0), r"motion.fps: 0 is not between"),
        (put("frame", value=6), r"motion.frame: 6 is not between 0 and 5"),
        (put("joints", 3, value="tail"), r"motion.joints are not the joints of rest_joints"),
        (put("joints", 3, value="head"), r"motion.joints are not the joints of rest_joints. Name each of them once"),
        (put("translations", value=[]), r"motion.translations has no frames"),
        (put("translations", 1, value=[0, 1]), r"motion.translations\[1\] has 2 numbers, expected 3"),
        (put("translations", 1, 2, value=1e9), r"motion.translations\[1\]\[2\]: 1000000000.0 is not between"),
        (put("translations", 1, 2, value=True), r"motion.translations\[1\]\[2\]: true is not a number"),
        (put("rotations", value=[[0, 0, 0, 1] * 24]), r"motion.rotations has 1 frame, translations 6"),
        (put("rotations", 4, value="now"), r"motion.rotations\[4\]: .now. is not a list"),
        (put("rotations", 4, 7, value=None), r"motion.rotations\[4\]\[7\]: null is not a number"),
        (
            put("rotations", 4, slice(8, 12), value=[0, 0, 0, 0.2]),
            r"motion.rotations\[4\]: quaternion 3 has length 0.2, but that of a rotation has length 1. Write each as",
        ),
    ],
)
def test_a_motion_that_is_wrong_is_refused_with_its_place(
    change: Callable[[dict[str, Any]], None], refusal: str
) -> None:
    written = pose_json(walker())
    change(written["people"][0]["motion"])
    with pytest.raises(InputRefused, match=r"a.json, people\[0\]\." + refusal):
        parse_pose_json(json.dumps(written), "a.json")


@pytest.mark.slow
def test_a_motion_that_would_not_open_again_is_not_written(tmp_path: Path) -> None:
    motion = sample_motion(2)
    long = Motion(np.repeat(motion.root_positions, 3000, 0), np.repeat(motion.rotations, 3000, 0))
    with pytest.raises(InputRefused, match=r"cannot hold all 6,000 frames.*about 4,950.*BVH"):
        write_pose_json(tmp_path / "long.json", walker(long))
    assert not (tmp_path / "long.json").exists()
    fits = Motion(long.root_positions[:4900], long.rotations[:4900])
    write_pose_json(tmp_path / "fits.json", walker(fits))


def test_a_person_has_no_frame_beyond_the_motion() -> None:
    motion = sample_motion(3)
    with pytest.raises(ValueError, match="no frame 3"):
        PosePerson("Ann", SKELETON, motion.pose(0), motion=motion, frame=3)
    with pytest.raises(ValueError, match="4 joints, the skeleton 24"):
        PosePerson("Ann", SKELETON, motion.pose(0), motion=Motion(motion.root_positions, motion.rotations[:, :4]))
