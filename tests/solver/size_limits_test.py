"""Small files that would grow large: refused before they do, in one line that names the place."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_samples import sample_motion, sample_skeleton

from solver.body.smpl_files import SmplBody
from solver.errors import InputRefused
from solver.files import npz_file
from solver.files.json_checks import parse_json
from solver.formats.bvh.read import parse_bvh
from solver.formats.pose_json.pose_file import PoseFile, PosePerson
from solver.formats.pose_json.write import parse_pose_json, pose_json
from solver.formats.smpl.npz import read_smpl_npz
from solver.size_limits import MAX_FRAMES, MAX_JSON_VALUES, MAX_VERTICES

SKELETON = sample_skeleton()


def refusal(read: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(InputRefused) as caught:
        read(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("unit", ["[],", '{"":0},', "1,", '"x",'])
def test_json_of_a_million_values_is_refused_before_it_is_read(unit: str) -> None:
    text = "[" + unit * (2 * MAX_JSON_VALUES) + "0]"
    assert f"a.json holds more than {MAX_JSON_VALUES:,} values" in refusal(parse_json, text, "a.json")


@pytest.mark.parametrize("text", ["[" * 5_000_000, '{"a":' * 1_000_000, "[" * 100 + "]" * 100])
def test_deep_nesting_is_refused(text: str) -> None:
    assert "a.json " in refusal(parse_json, text, "a.json")


def test_frames_that_no_count_announces_are_counted(tmp_path: Path) -> None:
    text = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\nFrame Time: 1\n" + "0\n" * (MAX_FRAMES + 1)
    assert f"a.bvh, line 3 has more than {MAX_FRAMES:,} frames" in refusal(parse_bvh, text, "a.bvh")


def listed_backwards(count: int) -> dict[str, Any]:
    """A person of `count` joints, each listed before its parent."""
    names = [f"joint{i}" for i in range(count)]
    pose = {"root": {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1]}}
    parents = dict(zip(names, [*names[1:], None], strict=True))
    body = {"rest_joints": {name: [0, 0, 0] for name in names}, "parents": parents}
    return {"body": body, **pose, "local_rotations": {name: [0, 0, 0, 1] for name in names}}


@pytest.mark.slow
def test_joints_are_counted_before_they_are_put_in_order() -> None:
    file = pose_json(PoseFile((PosePerson("Ann", SKELETON, sample_motion(1).pose(0)),)))
    person = listed_backwards(20_000)
    file["people"] = [person]
    assert "rest_joints has 20000 keys, more than 1000" in refusal(parse_pose_json, json.dumps(file), "a.json")


def test_joints_listed_backwards_are_put_in_order_in_one_pass() -> None:
    file = pose_json(PoseFile(()))
    file["people"] = [listed_backwards(1000)]
    parents = file["people"][0]["body"]["parents"]
    looked_up = 0

    class Counted(dict):  # type: ignore[type-arg]
        def __getitem__(self, key: str) -> Any:
            nonlocal looked_up
            looked_up += 1
            return super().__getitem__(key)

    from solver.files.json_checks import Node
    from solver.formats.pose_json.read import _parents_first

    order = _parents_first(Node(None, "a.json"), Counted(parents))
    assert order[0] == "joint999"
    assert order[-1] == "joint0"
    assert looked_up <= 1000


def npz(path: Path, **arrays: np.ndarray) -> Path:
    np.savez_compressed(path, **arrays)
    return path


def test_a_motion_of_too_many_frames_is_refused_by_its_header(tmp_path: Path) -> None:
    poses, trans = np.zeros((500_000, 66), np.int8), np.zeros((500_000, 3), np.int8)
    path = npz(tmp_path / "a.npz", poses=poses, trans=trans)  # 40 kB that would need 700 MB
    assert "a.npz, poses has 500,000 frames. Choose one with 1 to 200,000" in refusal(read_smpl_npz, path)


def test_an_archive_that_would_grow_large_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npz_file, "MAX_UNPACKED_BYTES", 20 << 20)
    monkeypatch.setattr(npz_file, "_array", lambda *_: pytest.fail("it was unpacked"))
    path = npz(tmp_path / "a.npz", poses=np.zeros((100_000, 66)), trans=np.zeros((100_000, 3)))
    assert path.stat().st_size < 100_000
    assert "a.npz would unpack to more than 20 MB" in refusal(read_smpl_npz, path)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"poses": np.zeros((4, 72), np.longdouble)}, "poses holds float128"),
        ({"poses": np.zeros((4, 72), complex)}, "poses holds complex128, not numbers"),
        ({"poses": np.zeros((4, 72), "M8[s]")}, "poses holds datetime64[s], not numbers"),
        ({"poses": np.zeros(4, [("a", float)])}, "poses holds [('a', '<f8')], not numbers"),
        ({"root_orient": np.zeros((4, 3)), "pose_body": np.full((4, 63), "x")}, "pose_body holds <U1, not numbers"),
        ({"poses": np.zeros((4, 72)), "mocap_framerate": np.zeros(1000)}, "mocap_framerate: the frame rate has the"),
        ({"poses": np.zeros((4, 72)), "mocap_framerate": np.array("30")}, "mocap_framerate holds <U2, not numbers"),
    ],
)
def test_arrays_of_odd_kinds_are_refused_by_name(tmp_path: Path, arrays: dict[str, Any], words: str) -> None:
    path = npz(tmp_path / "a.npz", trans=np.zeros((4, 3)), **arrays)
    assert f"a.npz, {words}" in refusal(read_smpl_npz, path)


HEAD = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 72), }"


@pytest.mark.parametrize(
    "head",
    ["", "(" * 300, "{'descr': '<f8'}", HEAD.replace("4, 72", "-4, 72"), HEAD.replace("<f8", "|O"),
     HEAD.replace("<f8", "<q99"), HEAD.replace("False", "7"), HEAD.replace("4, 72", "4, 73"),
     HEAD.replace("4, 72", f"{10**30}, {10**30}"), HEAD.replace("'<f8'", "[('a', '<f8', (9, 9))]"), "\x00" * 50],
)  # fmt: skip
def test_a_damaged_array_header_is_refused_by_name(tmp_path: Path, head: str) -> None:
    path = npz(tmp_path / "a.npz", trans=np.zeros((4, 3)))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("poses.npy", b"\x93NUMPY\x01\x00v\x00" + head.encode().ljust(117)[:117] + b"\n" + bytes(2304))
    assert "a.npz, poses " in refusal(read_smpl_npz, path)


def body_arrays() -> dict[str, np.ndarray]:
    """A body's arrays, of few vertices."""
    count = 60
    return {
        "v_template": np.ones((count, 3)), "shapedirs": np.zeros((count, 3, 10)), "f": np.zeros((4, 3), np.int64),
        "J_regressor": np.full((24, count), 1 / count), "weights": np.full((count, 24), 1 / 24),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("array", "value", "words"),
    [
        ("v_template", np.zeros(()), "v_template: the array has shape ()"),
        ("f", np.zeros((0, 3), np.int64), "f: the array has shape (0, 3)"),
        ("weights", np.full((60, 24), "x"), "weights holds <U1, not numbers"),
        ("shapedirs", np.zeros((60, 30)), "shapedirs: the array has shape (60, 30), expected 3 axes"),
        ("v_template", np.full((60, 3), 1e30), "v_template: the array holds a value beyond ±10"),
        ("J_regressor", np.full((24, 60), np.nan), "J_regressor: the array holds a value that is not finite"),
        ("v_template", np.zeros((MAX_VERTICES + 1, 3), np.int8), "v_template has 50,001 rows, more than 50,000"),
    ],
)
def test_a_body_that_is_none_is_refused_by_its_array(tmp_path: Path, array: str, value: Any, words: str) -> None:
    pytest.importorskip("smplx")
    npz(tmp_path / "SMPL_NEUTRAL.npz", **{**body_arrays(), array: value})
    from solver.body.body import BodyShape

    assert words in refusal(SmplBody(tmp_path).skeleton, BodyShape())


def test_a_refusal_is_one_line_whatever_it_quotes() -> None:
    message = str(InputRefused("a.json", "is of the body “\r\n\x1b[2J\u2028”", place="key\n"))
    assert message.isprintable()
    assert message.startswith("a.json, key  is of the body “")
