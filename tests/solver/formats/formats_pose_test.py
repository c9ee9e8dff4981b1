"""Pose JSON: what is written comes back, follows its schema, and can be used without a body model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from formats_samples import any_motion, sample_skeleton, world_positions
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Oracle

from solver.body.body import BodyShape
from solver.body.hands import relaxed_hands
from solver.camera import PinholeCamera
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import InputRefused
from solver.formats.pose_json.pose_file import PoseFile, PosePerson, PosePhoto
from solver.formats.pose_json.write import parse_pose_json, pose_json, pose_json_text, read_pose_json, write_pose_json
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "pose.schema.json").read_text(encoding="utf-8")))
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def sample_file(seed: int = 0, name: str = "Ann") -> PoseFile:
    rng = np.random.default_rng(seed)
    skeleton = sample_skeleton(float(rng.uniform(0.5, 1.3)))
    poses = any_motion(2, seed)
    effectors = (
        Position("left_wrist", rng.normal(size=3), tolerance=0.25, pinned=True, id="e1"),
        Rotation("head", from_rotation_vector(rng.normal(size=3)), enabled=False, loose=True),
        LookAt("head", rng.normal(size=3), np.array([0.6, 0, 0.8]), id="gaze"),
    )
    shape = BodyShape(rng.uniform(-5, 5, 10), "female")
    person = PosePerson(name, skeleton, poses.pose(0), "p1", "anny", shape, effectors, poses.pose(1))
    camera = PinholeCamera(
        rng.normal(size=3), from_rotation_vector(rng.normal(size=3)), 1234.5, (320.5, 239.0), (640, 480)
    )
    return PoseFile((person, PosePerson("Bo", skeleton, poses.pose(1))), camera, PosePhoto("0" * 64, "photos/a b.jpg"))


def assert_close(a: PoseFile, b: PoseFile) -> None:
    assert a.photo == b.photo
    for x, y in zip(a.people, b.people, strict=True):
        assert (x.id, x.name, x.body, x.shape) == (y.id, y.name, y.body, y.shape)
        assert (x.skeleton.names, x.skeleton.parents) == (y.skeleton.names, y.skeleton.parents)
        assert np.abs(x.skeleton.offsets - y.skeleton.offsets).max() < 1e-6
        for mine, theirs in ((x.pose, y.pose), (x.base_pose, y.base_pose)):
            assert (mine is None) == (theirs is None)
            if mine is not None and theirs is not None:
                assert np.array_equal(mine.root_position, theirs.root_position)
                assert np.abs(mine.rotations - theirs.rotations).max() < 1e-6
        for mine, theirs in zip(x.effectors, y.effectors, strict=True):
            assert np.abs(mine.target - theirs.target).max() < 1e-6  # type: ignore[attr-defined]
            keys = ("kind", "joint", "id", "tolerance", "pinned", "enabled", "loose")
            assert [getattr(mine, k) for k in keys] == [getattr(theirs, k) for k in keys]
    if a.camera is not None and b.camera is not None:
        assert np.abs(a.camera.rotation - b.camera.rotation).max() < 1e-6
        assert (a.camera.focal_px, a.camera.image_size) == (b.camera.focal_px, b.camera.image_size)
    assert (a.camera is None) == (b.camera is None)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), names)
def test_what_is_written_comes_back(seed: int, name: str) -> None:
    content = sample_file(seed, name)
    assert_close(parse_pose_json(pose_json_text(content), "a.json"), content)


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    write_pose_json(tmp_path / "a.json", sample_file())
    assert_close(read_pose_json(tmp_path / "a.json"), sample_file())


def test_what_is_written_follows_the_schema() -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    SCHEMA.validate(json.loads(pose_json_text(sample_file())))
    SCHEMA.validate(pose_json(PoseFile(())))


@pytest.mark.parametrize("key", ["format", "version", "people"])
def test_the_schema_refuses_a_file_without(key: str) -> None:
    written = pose_json(sample_file())
    del written[key]
    assert not SCHEMA.is_valid(written)


def test_a_reader_without_a_body_model_can_pose_the_joints() -> None:
    person = json.loads(pose_json_text(sample_file(3)))["people"][0]
    rest, parents, local = person["body"]["rest_joints"], person["body"]["parents"], person["local_rotations"]
    world: dict[str, Any] = {}
    for joint in rest:  # parents are listed before children
        turn = Oracle.from_quat(local[joint])
        if parents[joint] is None:
            world[joint] = np.array(person["root"]["translation"]), turn
        else:
            place, above = world[parents[joint]]
            world[joint] = place + above.apply(np.subtract(rest[joint], rest[parents[joint]])), above * turn
    for joint, (place, _) in world.items():
        assert np.abs(place - person["global_positions"][joint]).max() < 1e-5
    vectors = np.reshape(person["axis_angle_smpl"], (24, 3))
    turns = Oracle.from_quat([local[joint] for joint in SMPL_JOINTS])
    assert (Oracle.from_rotvec(vectors) * turns.inv()).magnitude().max() < 1e-6


def test_the_examples_of_the_description_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "pose-format.md").read_text(encoding="utf-8")
    example = re.findall(r"```json\n(.*?)```", text, re.DOTALL)[0]
    assert parse_pose_json(example, "example").people[0].name == "Ann"
    SCHEMA.validate(json.loads(example))
    script = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    write_pose_json("pose.json", sample_file(8))
    found: dict[str, Any] = {}
    exec(script, found)
    person = sample_file(8).people[0]
    motion = Motion(person.pose.root_position[None], person.pose.rotations[None])
    expected = world_positions(person.skeleton, motion)[0]
    assert np.abs(expected - [found["place"][name] for name in person.skeleton.names]).max() < 1e-5


def test_joints_may_stand_in_any_order() -> None:
    written = pose_json(sample_file(5))
    body = written["people"][0]["body"]
    body["rest_joints"] = dict(sorted(body["rest_joints"].items()))
    body["parents"] = dict(sorted(body["parents"].items()))
    assert_close(parse_pose_json(json.dumps(written), "a.json"), sample_file(5))


def test_a_body_of_other_joints_comes_back_too() -> None:
    skeleton = Skeleton(("root", "tail", "tip"), (-1, 0, 1), np.array([[0, 1, 0], [0, 0, -1], [0, 0, -0.5]]))
    pose = Pose(np.array([1, 2, 3]), from_rotation_vector([[0.1, 0, 0], [0, 2, 0], [0, 0, 3]]))
    content = PoseFile((PosePerson("Cat", skeleton, pose, body="custom"),))
    back = parse_pose_json(pose_json_text(content), "a.json")
    assert_close(back, content)
    motions = [Motion(p.root_position[None], p.rotations[None]) for p in (pose, back.people[0].pose)]
    assert np.abs(world_positions(skeleton, motions[0]) - world_positions(skeleton, motions[1])).max() < 1e-6


def test_a_hand_written_file_of_the_least_is_enough() -> None:
    text = """{"format": "contrapposto-pose", "version": 1, "people": [{
        "body": {"rest_joints": {"pelvis": [0, 1, 0], "head": [0, 1.6, 0]},
                 "parents": {"pelvis": null, "head": "pelvis"}},
        "root": {"translation": [0, 1, 0], "rotation": [0, 0, 0, 1]},
        "local_rotations": {"head": [0, 0.7071, 0, 0.7071]}}]}"""
    person = parse_pose_json(text, "a.json").people[0]
    assert person.body == "custom"
    assert np.abs(person.pose.rotations[1] @ [0, 0, 1] - [1, 0, 0]).max() < 1e-6
    SCHEMA.validate(json.loads(text))


def at(value: Any, path: str) -> tuple[Any, Any]:
    """The container and the last key of a path like people.0.body."""
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in way:
        value = value[key]
    return value, last


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("format", "scene", "is not a pose file"),
        ("version", 2, "version is 2, newer than this program knows"),
        ("version", "1", 'version: "1" is not a whole number'),
        ("units", "cm", "units is not “m”"),
        ("people", {}, "people: an object is not a list"),
        ("people", [{}] * 101, "people has 101 elements, more than 100"),
        ("people.0.name", 3, "people[0].name: 3 is not a text"),
        ("people.0.local_rotations.left_hip", [0, 0, 0], "people[0].local_rotations.left_hip has 3 numbers"),
        ("people.0.local_rotations.left_hip", [0, 0, 0, 0], "people[0].local_rotations.left_hip has length 0"),
        ("people.1.local_rotations.head", [0, 0, "0", 1], 'people[1].local_rotations.head[2]: "0" is not a number'),
        ("people.0.root.translation", [0, 1e9, 0], "people[0].root.translation[1]: 1000000000.0 is not between"),
        ("people.0.body.betas.3", 7, "people[0].body.betas[3]: 7 is not between -5 and 5"),
        ("people.0.body.gender", "other", 'people[0].body.gender: "other" is not one of neutral, male, female'),
        ("people.0.body.rest_joints", {}, "people[0].body.rest_joints has no joints"),
        ("people.0.body.parents.head", "pelvi", "people[0].body.parents.head: there is no joint named “pelvi”"),
        ("people.0.body.parents.head", None, "people[0].body.parents must have exactly one joint without a parent"),
        ("people.0.body.parents.neck", "head", "people[0].body.parents form a circle"),
        ("people.0.effectors.0.joint", "tail", "people[0].effectors[0].joint: there is no joint named “tail”"),
        ("people.0.base_pose.root", 1, "people[0].base_pose.root: 1 is not an object"),
        ("camera.image_size", [640], "camera.image_size has 1 number, expected 2"),
        ("camera.focal_px", 0, "camera.focal_px: 0 is not between"),
        ("photo.sha256", "0" * 65, "photo.sha256 is longer than 64"),
    ],
)
def test_a_wrong_value_is_refused_by_its_key_path(path: str, value: Any, words: str) -> None:
    written = pose_json(sample_file())
    container, key = at(written, path)
    container[key] = value
    with pytest.raises(InputRefused) as caught:
        parse_pose_json(json.dumps(written), "a.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", ["people.0.body", "people.0.root", "people.0.local_rotations.head", "camera.position"])
def test_a_missing_key_is_named(path: str) -> None:
    written = pose_json(sample_file())
    container, key = at(written, path)
    del container[key]
    with pytest.raises(InputRefused, match=f"{key} is missing"):
        parse_pose_json(json.dumps(written), "a.json")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("old")
    far = PosePerson("Ann", sample_skeleton(), Pose(np.array([1e8, 0, 0]), any_motion(1, 0).rotations[0]))
    with pytest.raises(InputRefused, match="translation"):
        write_pose_json(file, PoseFile((far,)))
    assert file.read_text() == "old"


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_text_is_either_read_or_refused(data: st.DataObject) -> None:
    text = pose_json_text(PoseFile((sample_file().people[1],)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    junk = data.draw(st.sampled_from(["", "0", "null", "{", "]", '"', "1e400", "NaN", "[1]", "true", "-", "\\ud800"]))
    message = ""
    try:
        parse_pose_json(text[:start] + junk + text[end:], "a.json")
    except InputRefused as refused:
        message = str(refused)
    assert "\n" not in message


def test_hands_come_back_and_a_file_that_says_nothing_has_none() -> None:
    hands = relaxed_hands()
    for held in (hands, None):
        text = pose_json_text(PoseFile((PosePerson("Ann", sample_skeleton(), any_motion(1, 4).pose(0), hands=held),)))
        SCHEMA.validate(json.loads(text))
        back = parse_pose_json(text, "a.json").people[0].hands
        if held is None or back is None:
            assert back is held
        else:
            assert np.allclose(back.rotations, held.rotations, atol=1e-6)
    person = PosePerson("Ann", sample_skeleton(), any_motion(1, 4).pose(0), hands=hands)
    broken = pose_json_text(PoseFile((person,))).replace('"left_index1": [', '"left_index1": [9, ')
    with pytest.raises(InputRefused, match="left_index1"):
        parse_pose_json(broken, "a.json")
