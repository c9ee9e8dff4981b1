"""JSON from elsewhere is read with care, and effectors survive the trip."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import InputRefused
from solver.files.json_checks import Node, parse_json, plain
from solver.files.reading import decode_text, read_text
from solver.formats.pose_json.effector_json import effector_from_json, effector_to_json
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle

JOINTS = ("pelvis", "head", "left_hand")
numbers = st.floats(-1e3, 1e3, width=32)
points = st.tuples(numbers, numbers, numbers)
directions = points.filter(lambda p: np.linalg.norm(p) > 1e-3)
common = {
    "tolerance": st.floats(0, 1),
    "pinned": st.booleans(),
    "enabled": st.booleans(),
    "loose": st.booleans(),
    "id": st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
}
joints = st.sampled_from(JOINTS)
effectors = st.one_of(
    st.builds(Position, joints, points, **common),
    st.builds(LookAt, joints, points, directions, **common),
    st.builds(
        lambda joint, vector, **rest: Rotation(joint, from_rotation_vector(vector), **rest), joints, points, **common
    ),
)


def refused(text: str) -> str:
    with pytest.raises(InputRefused) as caught:
        parse_json(text, "s.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("s.json")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "s.json is empty"),
        (" \n", "s.json is empty"),
        ('{"a": [1, 2', "ends too early"),
        ('{"a": "wo', "line 1, column 7: the file ends too early, within a text"),
        ('{"a": tru', "ends too early"),
        ('{"a": wo}', "is not valid JSON"),
        ('{"a": 1,}', "line 1, column"),
        ('{\n"a": tru}', "line 2"),
        ('{"a": NaN}', "line 1, column 7 holds NaN"),
        ('{"NaN \\" NaN": "NaN",\n "a": [1, NaN]}', "line 2, column 11 holds NaN"),
        ("[-Infinity]", "line 1, column 2 holds -Infinity"),
        ("[1e999]", "1e999"),
        ("[" + "9" * 5000 + "]", "5000 digits"),
        ('{"b": 1, "a": 2, "a": 3}', '“a”|"a" is given twice'),
        ("[" * 100_000, "nested"),
        ("[" * 80 + "]" * 80, "deeper than 64"),
        ('["\\ud800"]', "half of a Unicode character"),
    ],
)
def test_text_that_is_not_sound_json_is_refused_in_one_line(text: str, words: str) -> None:
    assert re.search(words, refused(text))


@pytest.mark.parametrize(
    ("path", "read", "place"),
    [
        ("name", lambda n: n["name"], "name is missing"),
        (
            "people",
            lambda n: n["people"].items()[1]["age"].number(0, 100),
            "people[1].age: 200 is not between 0 and 100",
        ),
        ("people", lambda n: n["people"].items()[0]["age"].number(), 'people[0].age: "old" is not a number'),
        ("people", lambda n: n["people"].items(limit=1), "people has 2 elements"),
        ("v", lambda n: n["v"].vector(3), "v has 2 numbers, expected 3"),
        ("odd key", lambda n: n["odd key"].boolean(), '"odd key": 1 is not true or false'),
        ("odd key", lambda n: n["odd key"].string(), "1 is not a text"),
        ("t", lambda n: n["t"].number(), "true is not a number"),
        ("t", lambda n: n["t"].choice(("a", "b")), "t: true is not one of a, b"),
    ],
)
def test_a_wrong_value_is_named_by_its_key_path(path: str, read, place: str) -> None:
    text = """{"people": [{"age": "old"}, {"age": 200}], "v": [1, 2], "odd key": 1, "t": true,
               "w": [["1"]], "r": [[1], [1, 2]]}"""
    with pytest.raises(InputRefused) as caught:
        read(parse_json(text, "s.json"))
    assert place in str(caught.value)


def test_unknown_keys_are_handed_back_for_the_next_save() -> None:
    node = parse_json('{"a": 1, "later": {"x": [1]}}', "s.json")
    assert node.others({"a"}) == {"later": {"x": [1]}}
    assert node.get("nothing") is None


@settings(deadline=None)
@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=20))
def test_numbers_are_written_short_and_come_back_the_same(values: list[float]) -> None:
    array = np.array(values, np.float32)
    back = np.array(json.loads(json.dumps(plain(array))), np.float64).astype(np.float32)
    assert np.array_equal(back, array)


def test_a_tenth_is_written_as_a_tenth() -> None:
    assert json.dumps(plain(np.float32([0.1, -0.0]))) == "[0.1, 0.0]"


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(effectors)
def test_an_effector_written_exactly_comes_back_equal(effector: Effector) -> None:
    node = parse_json(json.dumps(effector_to_json(effector, exact=True)), "s.json")
    assert effector_from_json(node, JOINTS) == effector


@settings(deadline=None)
@given(effectors)
def test_an_effector_comes_back_to_within_a_millionth(effector: Effector) -> None:
    back = effector_from_json(Node(effector_to_json(effector), "s.json"), JOINTS)
    assert type(back) is type(effector)
    assert np.allclose(back.target, effector.target, rtol=1e-6, atol=1e-6)  # type: ignore[attr-defined]
    assert (back.tolerance, back.pinned, back.enabled, back.loose, back.id) == (
        effector.tolerance, effector.pinned, effector.enabled, effector.loose, effector.id,
    )  # fmt: skip


def test_a_quaternion_changed_by_hand_wins_over_the_matrix_beside_it() -> None:
    written = effector_to_json(Rotation("head", np.eye(3)), exact=True)
    written["target"] = [0, 1, 0, 0]
    back = effector_from_json(Node(written, "s.json"), JOINTS)
    assert geodesic_angle(back.target, np.diag([-1, 1, -1])) < 1e-6  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": 7}, "type: 7 is not a text"),
        ({"joint": "tail"}, "joint: there is no joint named “tail”"),
        ({"tolerance": 2}, "tolerance: 2 is not between 0 and 1"),
        ({"target": [0, 0, 0, 0]}, "target has length 0"),
        ({"target": [0, 0, 1]}, "target has 3 numbers, expected 4"),
        ({"pinned": "yes"}, 'pinned: "yes" is not true or false'),
        ({"type": "lookat", "target": [0, 0, 1], "axis": [0, 0, 0]}, "axis has no length"),
    ],
)
def test_a_wrong_effector_is_refused_by_key(change: dict, words: str) -> None:
    written = effector_to_json(Rotation("head", np.eye(3))) | change
    with pytest.raises(InputRefused) as caught:
        effector_from_json(Node(written, "s.json", "effectors[0]"), JOINTS)
    assert words in str(caught.value)
    assert "effectors[0]." in str(caught.value)


def test_text_is_read_with_any_line_end_and_mark() -> None:
    assert decode_text("\ufeffa\r\nb\rc".encode(), "f") == "a\nb\nc"
    assert decode_text("aø\n".encode("utf-16"), "f") == "aø\n"


@pytest.mark.parametrize(
    ("data", "words"), [(b"a\nb\xff\xfe", "line 2 holds bytes that are not UTF-8"), (b"\x89PNG\0\0", "binary")]
)
def test_what_is_not_text_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputRefused, match=words):
        decode_text(data, "f.bvh")


def test_a_file_that_cannot_be_read_is_one_clear_line(tmp_path) -> None:
    (tmp_path / "large").write_text("x" * 2000)
    for path, words in (("missing", "no such file"), (".", "is a folder"), ("large", "larger than"), ("\0", "cannot")):
        with pytest.raises(InputRefused, match=words):
            read_text(f"{tmp_path}/{path}", limit=1000)
