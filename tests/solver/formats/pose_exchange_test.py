"""Pose JSON with sources, offsets, kinds from tomorrow and cameras; and what is refused in it, by key."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from formats_samples import any_motion, sample_skeleton
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.camera import PinholeCamera
from solver.effectors.asleep import AsleepEffector
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.effectors.sources import JointSource, RaySource, Source, StreamSource, UnknownSource
from solver.errors import InputRefused
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.formats.pose_json.write import parse_pose_json, pose_json, pose_json_text
from solver.kinematics.rotations import from_rotation_vector
from solver.size_limits import MAX_ALL_EFFECTORS

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "pose.schema.json").read_text(encoding="utf-8")))
SKELETON = sample_skeleton()
POSE = any_motion(1, 4).pose(0)
EXACT = st.floats(-100, 100, width=32)
NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
TURN = st.tuples(EXACT, EXACT, EXACT).map(lambda v: from_rotation_vector(np.array(v) / 40).astype(np.float32))
SOURCES = st.one_of(
    st.builds(JointSource, NAME, NAME, st.tuples(EXACT, EXACT, EXACT), TURN),
    st.builds(RaySource, st.tuples(EXACT, EXACT), st.floats(0.01, 900), st.integers(0, 99)),
    st.builds(StreamSource, NAME),
    st.builds(UnknownSource, st.just({"type": "gravity", "planet": {"name": "Mars", "g": 3.7}})),
    st.none(),
)


def there_and_back(*effectors: Effector) -> tuple[Effector, ...]:
    text = pose_json_text(PoseFile((PosePerson("Ann", SKELETON, POSE, effectors=effectors),)))
    SCHEMA.validate(json.loads(text))
    return parse_pose_json(text, "a.json").people[0].effectors


def changed(path: str, value: Any) -> str:
    """A pose file's text with one value of its first effector, a position, set."""
    written = pose_json(PoseFile((PosePerson("Ann", SKELETON, POSE, effectors=(Position("head", [0, 1, 0]),)),)))
    written["people"][0]["effectors"][0][path] = value
    return json.dumps(written)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SOURCES)
def test_a_target_keeps_the_source_that_it_comes_from(source: Source | None) -> None:
    (back,) = there_and_back(Position("left_wrist", [0, 1, 0], id="e", source=source))
    assert back.source == source


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.tuples(EXACT, EXACT, EXACT), st.tuples(EXACT, EXACT, EXACT), st.floats(0, 1))
def test_target_offset_and_tolerance_come_back_to_the_last_bit(
    target: tuple[float, ...], offset: tuple[float, ...], tolerance: float
) -> None:
    mine = Position("left_wrist", target, offset=offset, tolerance=tolerance, id="e")
    assert there_and_back(mine) == (mine,)


def test_an_offset_of_nothing_is_not_written() -> None:
    assert "offset" not in json.loads(changed("pinned", True))["people"][0]["effectors"][0]
    written = pose_json(
        PoseFile((PosePerson("Ann", SKELETON, POSE, effectors=(Position("head", [0, 1, 0], offset=[0, 0.1, 0]),)),))
    )
    assert written["people"][0]["effectors"][0]["offset"] == [0, 0.1, 0]


def test_an_effector_of_a_kind_from_tomorrow_is_kept_word_for_word() -> None:
    strange = {"id": "s", "type": "magnet", "joint": "head", "force": [1, {"deep": None}], "target": [0, 1, 0]}
    text = changed("pinned", True)
    content = json.loads(text)
    content["people"][0]["effectors"].append(strange)
    back = parse_pose_json(json.dumps(content), "a.json")
    assert [isinstance(e, AsleepEffector) for e in back.people[0].effectors] == [False, True]
    assert pose_json(back)["people"][0]["effectors"][1] == strange


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9000), st.integers(1, 9000), st.floats(10, 1e5), st.integers(0, 10**6))
def test_a_camera_sees_the_same_pixels_when_it_comes_back(width: int, height: int, focal: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = PinholeCamera(
        rng.normal(size=3), from_rotation_vector(rng.normal(size=3)), focal, (width / 3, height / 2), (width, height)
    )
    text = pose_json_text(PoseFile((), camera))
    back = parse_pose_json(text, "a").camera
    assert back is not None
    ahead = camera.position - 5 * camera.rotation[:, 2] + rng.uniform(-1, 1, (5, 3))
    assert back.project(ahead) == pytest.approx(camera.project(ahead), abs=1e-5 * focal + 1e-3)
    angle = json.loads(text)["camera"]["fov_y_deg"]
    assert math.tan(math.radians(angle / 2)) == pytest.approx(height / 2 / focal, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("target", [0, 1], "effectors[0].target has 2 numbers, expected 3"),
        ("target", [0, 1, 2e6], "effectors[0].target[2]: 2000000"),
        ("offset", "up", 'effectors[0].offset: "up" is not a list'),
        ("tolerance", 1.5, "effectors[0].tolerance: 1.5 is not between 0 and 1"),
        ("pinned", 1, "effectors[0].pinned: 1 is not true or false"),
        ("source", "head", 'effectors[0].source: "head" is not an object'),
        ("source", {"joint": "head"}, "effectors[0].source.type is missing"),
        ("source", {"type": "joint", "character": "c1"}, "effectors[0].source.joint is missing"),
        ("source", {"type": "ray", "pixel": [1, 2], "distance": 0}, "effectors[0].source.distance: 0 is not between"),
        ("source", {"type": "ray", "pixel": [1], "distance": 2}, "effectors[0].source.pixel has 1 number,"),
        ("source", {"type": "stream", "stream": 7}, "effectors[0].source.stream: 7 is not a text"),
        (
            "source",
            {"type": "joint", "character": "c", "joint": "head", "turn": [1, 0, 0, 0, 1, 0, 0, 0, -1]},
            "effectors[0].source.turn is not a rotation matrix. Write nine numbers row by row",
        ),
    ],
)
def test_a_wrong_effector_is_refused_by_file_and_key(key: str, value: Any, words: str) -> None:
    with pytest.raises(InputRefused) as caught:
        parse_pose_json(changed(key, value), "ann.json")
    assert str(caught.value).startswith(f"ann.json, people[0].{words}")


def test_an_axis_without_length_points_nowhere_and_is_refused() -> None:
    written = pose_json(PoseFile((PosePerson("A", SKELETON, POSE, effectors=(LookAt("head", [0, 1, 5]),)),)))
    written["people"][0]["effectors"][0]["axis"] = [0, 0, 0]
    with pytest.raises(InputRefused, match=r"effectors\[0\]\.axis has no length. Write a direction such as"):
        parse_pose_json(json.dumps(written), "a.json")


def test_a_turn_is_a_quaternion_without_the_matrix_that_scenes_have() -> None:
    written = pose_json(PoseFile((PosePerson("A", SKELETON, POSE, effectors=(Rotation("head", np.eye(3)),)),)))
    assert written["people"][0]["effectors"][0]["target"] == [0, 0, 0, 1]
    assert "matrix" not in written["people"][0]["effectors"][0]


@pytest.mark.parametrize(("apart", "wins"), [(0.0, "matrix"), (0.3, "quaternion")])
def test_a_matrix_beside_a_turn_counts_where_it_says_the_same_more_exactly(apart: float, wins: str) -> None:
    exact = from_rotation_vector(np.array([0.1, 0.2, 0.3])).astype(np.float32)
    beside = (exact @ from_rotation_vector(np.array([apart, 0.0, 0.0]))).astype(np.float32)
    written = pose_json(PoseFile((PosePerson("A", SKELETON, POSE, effectors=(Rotation("head", exact),)),)))
    written["people"][0]["effectors"][0]["matrix"] = beside.reshape(9).tolist()
    (effector,) = parse_pose_json(json.dumps(written), "a.json").people[0].effectors
    assert np.array_equal(effector.target, beside) is (wins == "matrix")
    assert effector.target == pytest.approx(exact, abs=1e-6)


def test_a_turn_source_of_few_decimals_is_made_a_rotation() -> None:
    source = {"type": "joint", "character": "c", "joint": "head", "turn": [0.8, -0.6, 0, 0.6001, 0.8, 0, 0, 0, 1]}
    (effector,) = parse_pose_json(changed("source", source), "a.json").people[0].effectors
    assert isinstance(effector.source, JointSource)
    assert effector.source.turn @ effector.source.turn.T == pytest.approx(np.eye(3), abs=1e-6)


@pytest.mark.slow
def test_more_effectors_than_a_scene_may_have_are_refused_for_all_people_together() -> None:
    one = pose_json(PoseFile((PosePerson("A", SKELETON, POSE, effectors=(Position("head", [0, 1, 0]),)),)))["people"][0]
    one["effectors"] *= 1000
    content = {"format": "contrapposto-pose", "version": 1, "people": [one] * (MAX_ALL_EFFECTORS // 1000 + 1)}
    with pytest.raises(InputRefused, match="people have more than 10,000 effectors in total. Leave some out"):
        parse_pose_json(json.dumps(content), "a.json")


def test_a_person_whose_pose_is_of_another_skeleton_is_an_error_of_the_caller() -> None:
    short = type(POSE)(POSE.root_position, POSE.rotations[:5])
    with pytest.raises(ValueError, match="a pose has 5 joints, the skeleton 24"):
        PosePerson("A", SKELETON, short)
    with pytest.raises(ValueError, match="a pose has 5 joints"):
        PosePerson("A", SKELETON, POSE, base_pose=short)
